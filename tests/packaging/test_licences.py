"""The licence texts of what is shipped, and the list of them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from release import known_parts, licences
from release.debian_parts import debian_part, packages_of
from release.inventory import inventory
from release.known_parts import debian_licence, known_licence
from release.parts import Inner, Kind, Part
from release.plan import ROOT, BuildFailed
from release.python_parts import python_part

from tests.packaging.frozen_folder import small_program

needs_dpkg = pytest.mark.skipif(shutil.which("dpkg") is None, reason="there is no dpkg here")


def test_every_file_belongs_to_the_part_that_made_it(tmp_path: Path) -> None:
    found = inventory(small_program(tmp_path))
    names = {key: {path.name for path in some} for key, some in found.files.items()}
    assert names["pypi:msgspec"] == {"_core.so"}
    assert names["qt"] == {"libQt6Core.so.6"}
    assert names["icu"] == {"libicudata.so.73"}
    assert names["llama.cpp"] == {"libllama.so"}
    assert names["cpython"] == {"base_library.zip"}
    assert names["model:all-minilm-l6-v2-int8"] == {"model.onnx"}
    assert names["desktop-rag"] == {"app.svg", "LICENSE", "desktop-rag"}
    assert not found.unassigned


def test_a_library_that_sounds_like_telemetry_says_that_its_code_is_not_there() -> None:
    note = python_part("opentelemetry-exporter-otlp-proto-grpc").note
    assert "not in the program" in note
    assert not python_part("msgspec").note


def test_a_library_that_is_only_inside_the_executable_is_a_part(tmp_path: Path) -> None:
    found = inventory(small_program(tmp_path))
    assert {"attrs", "msgspec"} <= {part.name for part in found.parts}
    assert "pytest" not in {part.name for part in found.parts}


def test_a_file_of_nobody_is_told(tmp_path: Path) -> None:
    plan = small_program(tmp_path)
    (plan.libraries / "mystery.bin").write_bytes(b"?")
    assert inventory(plan).unassigned == (Path("_internal/mystery.bin"),)


def test_the_version_of_icu_is_not_that_of_qt(tmp_path: Path) -> None:
    parts = {part.key: part for part in inventory(small_program(tmp_path)).parts}
    assert parts["icu"].version == "73"
    assert parts["qt"].version == python_part("pyside6-essentials").version


def test_all_texts_of_the_list_are_there(tmp_path: Path) -> None:
    plan = small_program(tmp_path)
    licences.run(plan)
    folder = plan.libraries / "resources" / "licences"
    index = json.loads((folder / "index.json").read_text(encoding="utf-8"))
    assert index["program"]["version"] == "9.9.9"
    assert index["parts"][0]["name"] == "Desktop RAG"
    shipped = {path.name for path in (ROOT / "resources" / "licences").iterdir()} | {"LICENSE"}
    for part in index["parts"]:
        assert part["files"], part["name"]
        for file in part["files"]:
            assert file in shipped or (folder / file).read_text(encoding="utf-8").strip(), file


def test_qt_says_how_it_is_exchanged(tmp_path: Path) -> None:
    plan = small_program(tmp_path)
    licences.run(plan)
    index = json.loads((plan.libraries / "resources/licences/index.json").read_text("utf-8"))
    qt = next(part for part in index["parts"] if part["name"] == "Qt")
    assert "exchange it" in qt["note"]
    assert {"LGPL-3.0.txt", "GPL-3.0.txt"} <= set(qt["files"])


def test_the_language_model_of_some_packages_is_told_with_its_place(tmp_path: Path) -> None:
    parts = licences.shipped_parts(inventory(small_program(tmp_path)))
    assert any(part.where.startswith("models/qwen") for part in parts)


def test_a_part_without_a_text_fails_the_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = small_program(tmp_path)
    bare = Part("pypi:bare", "bare", "1", Kind.LIBRARY, "MIT")
    monkeypatch.setattr(licences, "shipped_parts", lambda _found: [bare])
    with pytest.raises(BuildFailed, match="no licence text for bare"):
        licences.run(plan)
    assert not (plan.libraries / "resources" / "licences" / "index.json").exists()


def test_an_unknown_licence_fails_the_build() -> None:
    with pytest.raises(BuildFailed, match=r"licence of nobody-knows.*known_parts\.toml"):
        known_licence("nobody-knows", lambda: "")


def test_what_was_compiled_in_brings_the_common_texts() -> None:
    inner = (Inner("memchr", "2.7", "Unlicense OR MIT"), Inner("own", "1", ""))
    assert [text.path.name for text in licences.standard_texts(inner)] == [
        "MIT.txt",
        "Unlicense.txt",
    ]
    part = Part("pypi:a", "a", "1", Kind.LIBRARY, "MIT", inner=inner)
    assert "memchr 2.7: Unlicense OR MIT" in licences.inner_text(part)
    assert "own 1: licence not named; see a" in licences.inner_text(part)


def test_crates_are_read_from_what_a_wheel_brings() -> None:
    inner = python_part("tokenizers").inner
    assert any(one.name == "ahash" and one.licence == "MIT OR Apache-2.0" for one in inner)
    assert not any("file:" in one.purl for one in inner)


@pytest.mark.parametrize(
    ("words", "licence"),
    [
        ("LGPL-2.1+", "LGPL-2.1-or-later"),
        ("Expat and BSD-3-clause", "BSD-3-Clause AND MIT"),
        ("GPL-2+ or Expat and Zlib", "GPL-2.0-or-later OR MIT AND Zlib"),
        ("GPL-2+ or Expat, and Zlib", "(GPL-2.0-or-later OR MIT) AND Zlib"),
        ("ISC, Expat and Zlib", "ISC AND MIT AND Zlib"),
    ],
)
def test_debians_short_names_become_an_expression(words: str, licence: str) -> None:
    text = f"Format: x\n\nFiles: *\nCopyright: somebody\nLicense: {words}\n text\n"
    assert debian_licence("some-source", text) == licence


def test_a_licence_that_debian_words_otherwise_fails_the_build() -> None:
    with pytest.raises(BuildFailed, match="source package strange"):
        debian_licence("strange", "You may do what you like.")


@needs_dpkg
def test_a_system_library_is_found_with_its_copyright() -> None:
    place = Path("/usr/share/doc/libc6/copyright")
    if not place.exists():
        pytest.skip("there is no libc6 with its documentation here")
    assert packages_of([place]) == {place: packages_of([place])[place]}
    assert packages_of([place])[place].startswith("libc6")


@needs_dpkg
def test_a_debian_part_names_its_source_and_its_version() -> None:
    if not Path("/usr/share/doc/zlib1g/copyright").exists():
        pytest.skip("there is no zlib1g with its documentation here")
    part = debian_part("zlib1g")
    assert part.kind is Kind.SYSTEM
    assert part.licence == "Zlib"
    assert part.purl.startswith("pkg:deb/")
    assert f"@{part.version}" in part.purl
    assert part.texts[0].place == "system/zlib1g/copyright.txt"


def test_every_text_that_the_table_names_is_there() -> None:
    table = known_parts.known()
    rows = [*table["part"], *table["models"].values()]
    named = {text for row in rows for text in row.get("texts", ())}
    named |= {text for some in table["texts"].values() for text in some}
    assert named
    assert [name for name in sorted(named) if not (ROOT / name).is_file()] == []


def test_the_runtime_of_microsoft_is_known_where_it_comes_along(tmp_path: Path) -> None:
    plan = small_program(tmp_path)
    for name in ("VCRUNTIME140_1.dll", "PySide6/msvcp140.dll", "api-ms-win-crt-heap-l1-1-0.dll"):
        (plan.libraries / name).parent.mkdir(exist_ok=True)
        (plan.libraries / name).write_bytes(b"MZ")
    found = inventory(plan)
    part = next(one for one in found.parts if one.name.startswith("Microsoft"))
    assert len(found.files[part.key]) == 3
    assert part.texts[0].place == "standard/microsoft-runtime.txt"
    assert not found.unassigned
