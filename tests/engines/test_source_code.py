"""Source code: verbatim text, stretches by definition in every language, line numbers, bounds."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_rag.domain.documents import BlockKind, ParsedDocument
from desktop_rag.domain.errors import NoText, Unsupported
from desktop_rag.domain.ports import DocumentReader
from desktop_rag.engines import source_code
from desktop_rag.engines.code_grammars import GRAMMARS
from desktop_rag.engines.code_outline import outline
from desktop_rag.engines.source_code import CodeParser
from tests.helpers.documents import make_text


def parse(path: Path) -> ParsedDocument:
    return CodeParser().parse(path)


SAMPLES = {
    ".py": (
        "import os\n\n# lead\n@deco\nclass Foo(A):\n    x = 1\n\n    def bar(self):\n"
        "        def inner(): pass\n        return 1\n\nasync def main():\n    pass\n",
        ["class Foo", "class Foo > def bar", "def main"],
    ),
    ".js": (
        "import a from 'b';\n/** doc */\nexport class Foo extends B {\n  start(x) {\n"
        "    return 1;\n  }\n}\nexport const go = async (x) => {\n  return x;\n};\n"
        "function old() {\n}\n",
        ["class Foo", "class Foo > start", "go", "function old"],
    ),
    ".ts": (
        "interface A {\n  x: number;\n}\nexport abstract class B<T> {\n  private foo(): void {\n"
        "  }\n}\ntype X = {\n  a: 1 };\nenum E {\n A }\n",
        ["interface A", "class B", "class B > foo", "type X", "enum E"],
    ),
    ".tsx": ("export const App: FC = () => {\n  return <div/>;\n};\n", ["App"]),
    ".jsx": ("function App() {\n  return <div/>;\n}\n", ["function App"]),
    ".java": (
        "package a;\n/** doc */\n@Service\npublic class Foo {\n  public Foo() {\n  }\n"
        "  @Override public void run(int a) {\n  }\n}\n",
        ["class Foo", "class Foo > Foo", "class Foo > run"],
    ),
    ".c": (
        "#include <a.h>\nstruct pump {\n  int a;\n};\nstruct pump *p;\nstatic char *name(int x)\n"
        "{\n  return 0;\n}\ntypedef struct {\n  int b;\n} T;\n#ifdef X\n"
        "int f(void)\n{\n}\n#endif\n",
        ["struct pump", "name", "typedef T", "f"],
    ),
    ".h": (
        "class Pump {\n public:\n  void start() {\n  }\n};\n",
        ["class Pump", "class Pump > start"],
    ),
    ".cpp": (
        "namespace a {\ntemplate <class T>\nclass Foo {\n public:\n  void bar() {\n  }\n};\n"
        "int Foo::baz(int x) const {\n  return 1;\n}\n}\n",
        [
            "namespace a",
            "namespace a > class Foo",
            "namespace a > class Foo > bar",
            "namespace a > Foo::baz",
        ],
    ),
    ".hpp": ("struct P {\n  int a;\n};\n", ["struct P"]),
    ".cs": (
        "namespace A {\n  public class Foo {\n    public void Bar() {\n    }\n  }\n}\n",
        ["namespace A", "namespace A > class Foo", "namespace A > class Foo > Bar"],
    ),
    ".go": (
        "package a\n\n// Foo does\nfunc Foo(x int) error {\n\treturn nil\n}\n\ntype T struct {\n"
        "\ta int\n}\n\nfunc (t *T) Bar() {\n}\n",
        ["func Foo", "type T", "func (t *T) Bar"],
    ),
    ".rs": (
        "use a;\n/// doc\n#[derive(Debug)]\nstruct Foo {\n  a: i32 }\nimpl Tr for Foo {\n"
        "  fn bar(&self) {\n  }\n}\n",
        ["struct Foo", "impl Tr for Foo", "impl Tr for Foo > fn bar"],
    ),
    ".rb": (
        "module M\n  class Foo\n    def bar\n    end\n    def self.baz\n    end\n  end\nend\n",
        [
            "module M",
            "module M > class Foo",
            "module M > class Foo > def bar",
            "module M > class Foo > def baz",
        ],
    ),
    ".php": (
        "<html><?php\nclass Foo {\n  public function bar() {\n  }\n}\nfunction baz() {\n}\n?>\n",
        ["class Foo", "class Foo > function bar", "function baz"],
    ),
    ".sh": (
        "#!/bin/sh\nset -e\n\nfoo() {\n  echo\n}\nfunction bar {\n  echo\n}\nfoo\n",
        ["foo", "bar"],
    ),
}


@pytest.mark.parametrize("suffix", SAMPLES)
def test_definitions_of_every_language(suffix: str, tmp_path: Path) -> None:
    source, paths = SAMPLES[suffix]
    document = parse(make_text(tmp_path / f"a{suffix}", source))
    assert document.text == source.rstrip()
    found = dict.fromkeys(" > ".join(block.path) for block in document.blocks if block.path)
    assert list(found) == paths
    assert all(block.kind is BlockKind.CODE for block in document.blocks)
    assert document.title == f"a{suffix}"


@pytest.mark.parametrize("suffix", SAMPLES)
def test_nothing_is_lost_even_of_broken_code(suffix: str) -> None:
    source = SAMPLES[suffix][0]
    for text in (
        source,
        source.replace("}", ""),
        source[: len(source) // 2],
        "größe 尺寸\n" + source,
    ):
        stretches = outline(text, GRAMMARS[suffix])
        assert "".join(text[one.start : one.end] for one in stretches) == text


def test_comments_and_decorators_belong_to_what_follows() -> None:
    source = SAMPLES[".py"][0]
    (first,) = [s for s in outline(source, GRAMMARS[".py"]) if s.path == ("class Foo",)]
    assert source[first.start : first.end].startswith("# lead\n@deco\nclass Foo")
    apart = "# about the file\n\n\ndef f():\n    pass\n"
    assert [s.path for s in outline(apart, GRAMMARS[".py"])] == [(), ("def f",)]


def test_places_sections_and_headers(tmp_path: Path, reader: DocumentReader) -> None:
    body = "".join(f"        self.value_{n} = compute({n})\n" for n in range(12))
    methods = "".join(f"    def step_{n}(self):\n{body}\n" for n in range(3))
    read = reader.read(make_text(tmp_path / "pump.py", f"class Pump:\r\n{methods}"))
    (chunk,) = [c for c in read.chunks if "def step_1" in c.text]
    assert chunk.section == "class Pump > def step_1"
    assert chunk.header == "pump.py > class Pump > def step_1"
    assert chunk.place == "lines 16-28"
    assert chunk.text.rstrip().endswith("self.value_11 = compute(11)")
    assert "\r" not in read.document.text


def test_inside_very_long_functions_there_are_functions(tmp_path: Path) -> None:
    inner = "".join(f"  function step{n}() {{\n    return {n};\n  }}\n" for n in range(30))
    document = parse(make_text(tmp_path / "a.js", f"function all() {{\n{inner}}}\n"))
    assert ("function all", "function step29") in {block.path for block in document.blocks}


def test_other_text_with_lines(tmp_path: Path, reader: DocumentReader) -> None:
    for name in (
        "a.sql",
        "a.yaml",
        "a.toml",
        "a.ini",
        "a.css",
        "a.kt",
        "a.lua",
        "a.log",
        "a.swift",
    ):
        read = reader.read(make_text(tmp_path / name, "one = 1\n\n\n\ntwo = 2\n"))
        assert read.document.text == "one = 1\n\n\n\ntwo = 2"
        assert read.chunks[0].place == "lines 1-5"


def test_what_programs_wrote_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_code, "MAX_GENERATED", 9_000)
    minified = "var a = function(b) { return b; }; " * 1000
    document = parse(make_text(tmp_path / "a.js", minified))
    assert len(document.text) == 9_000
    assert "written by a program" in document.notes[0]
    generated = "// Code generated by x. DO NOT EDIT.\n" + "x = 1\n" * 3000
    assert len(parse(make_text(tmp_path / "a.go", generated)).text) == 9_000
    written = parse(make_text(tmp_path / "b.go", "x = 1\n" * 3000))
    assert (written.notes, len(written.text)) == ((), 17_999)
    monkeypatch.setattr(source_code, "MAX_BYTES", 600)
    cut = parse(make_text(tmp_path / "c.log", "x = 1\n" * 3000))
    assert cut.notes == ("Read up to line 100: the file holds more text than can be searched.",)


def test_deep_nesting_is_survived(tmp_path: Path) -> None:
    for suffix, source in ((".js", "(" * 20_000), (".py", "[" * 20_000), (".c", "{" * 20_000)):
        assert parse(make_text(tmp_path / f"a{suffix}", source)).text == source


def test_what_is_no_code_has_its_reason(tmp_path: Path) -> None:
    with pytest.raises(NoText, match=r"a\.py"):
        parse(make_text(tmp_path / "a.py", "\n\n"))
    (tmp_path / "b.py").write_bytes(bytes(range(256)) * 9)
    with pytest.raises(Unsupported, match="binary"):
        parse(tmp_path / "b.py")
