"""Sets and configurations from disk; every fault is named with its file and line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from desktop_rag.domain.errors import InvalidInput, NotFound
from desktop_rag.domain.evaluation import Place
from desktop_rag.storage.evaluation_sets import read_rules, read_set

CORPUS = '{"_id": "a", "title": "Tea", "text": "Green tea."}\n{"id": "b", "text": "Coal."}\n'
QUERIES = '{"id": "q", "text": "Which tea?"}\n{"id": "none", "text": "Which wine?"}\n'
QRELS = "query-id\tcorpus-id\tscore\nq\ta\t2\nq\tb\t0\n"


def beir(
    folder: Path, corpus: str = CORPUS, queries: str = QUERIES, qrels: str | None = QRELS
) -> Path:
    files = {"corpus.jsonl": corpus, "queries.jsonl": queries, "qrels.tsv": qrels}
    for name, text in files.items():
        if text is not None:
            (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_a_set_in_beir_layout(tmp_path: Path) -> None:
    made = read_set(beir(tmp_path))
    assert [(one.id, one.title) for one in made.texts] == [("a", "Tea"), ("b", "")]
    assert [(one.id, dict(one.grades)) for one in made.questions] == [("q", {"a": 2}), ("none", {})]
    assert [one.is_answerable for one in made.questions] == [True, False]


@pytest.mark.parametrize(
    ("faulty", "said"),
    [
        ({"corpus": CORPUS + "{oops\n"}, "corpus.jsonl, line 3 is not JSON"),
        ({"corpus": ""}, "holds no text"),
        ({"corpus": CORPUS + '{"id": "c"}\n'}, "line 3 has no text"),
        ({"corpus": CORPUS + CORPUS}, "“a” twice"),
        ({"queries": QUERIES + "[1]\n"}, "queries.jsonl, line 3 must be"),
        ({"qrels": QRELS + "q\tz\t1\n"}, "line 4 names the text “z”"),
        ({"qrels": QRELS + "x\ta\t1\n"}, "line 4 names the query “x”"),
        ({"qrels": QRELS + "q\ta\n"}, "line 4 must be"),
        ({"qrels": QRELS + "q\ta\tinf\n"}, "line 4 must be"),
        ({"qrels": ""}, "no question that the set answers"),
    ],
)
def test_a_fault_is_named(tmp_path: Path, faulty: dict[str, str], said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        read_set(beir(tmp_path, **faulty))


def test_a_missing_part_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match=r"qrels\.tsv"):
        read_set(beir(tmp_path, qrels=None))
    with pytest.raises(NotFound, match="nowhere"):
        read_set(tmp_path / "nowhere")


def test_questions_about_files(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Green tea.", encoding="utf-8")
    questions = tmp_path / "questions.jsonl"
    questions.write_text(
        '{"question": "Which tea?", "file": "a.txt", "span": [0, 5]}\n'
        '{"question": "Which wine?", "file": null}\n',
        encoding="utf-8",
    )
    tea, wine = read_set(tmp_path).questions
    assert tea.places[0].file == str((tmp_path / "a.txt").resolve())
    assert tea.places[0].span == (0, 5)
    assert not wine.is_answerable
    questions.write_text('{"question": "Which?", "file": "gone.txt"}', encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"line 1 names the file “gone\.txt”"):
        read_set(tmp_path)


def test_a_configuration_that_is_no_toml(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text("candidates = 9", encoding="utf-8")
    assert read_rules(tmp_path / "a.toml").candidates == 9
    (tmp_path / "a.toml").write_text("candidates =", encoding="utf-8")
    with pytest.raises(InvalidInput, match="is not TOML"):
        read_rules(tmp_path / "a.toml")
    with pytest.raises(NotFound):
        read_rules(tmp_path / "b.toml")


def test_spans_of_queries(tmp_path: Path) -> None:
    def query(**spans: object) -> str:
        return json.dumps({"id": "q", "text": "Which tea?", **spans}) + "\n"

    span = {"content": "Green", "start_index": 0, "end_index": 5}
    (question,) = read_set(beir(tmp_path, queries=query(doc="a", spans=[span]))).questions
    assert question.places == (Place("a", quote="Green", span=(0, 5)),)
    for foreign in (7, [[0, 90]], [{"from": 3}]):
        (question,) = read_set(beir(tmp_path, queries=query(doc="a", spans=foreign))).questions
        assert question.places == (), "a key of the set's own"
    for faulty, said in (
        (query(doc="z", spans=[span]), "line 1 has spans in the text “z”"),
        (query(doc="a", spans=[{"start_index": 5, "end_index": 5}]), "line 1: a span needs"),
    ):
        with pytest.raises(InvalidInput, match=said):
            read_set(beir(tmp_path, queries=faulty))


@pytest.mark.parametrize(("page", "pages"), [(3, (3,)), ([2, 5], (2, 5)), (None, ())])
def test_pages_of_a_file(tmp_path: Path, page: object, pages: tuple[int, ...]) -> None:
    asked(tmp_path, {"file": "a.txt", "page": page})
    (question,) = read_set(tmp_path).questions
    assert [place.pages for place in question.places] == [pages]


@pytest.mark.parametrize("page", [0, "3", 1.5, [1, 0], {"a": 1}, True])
def test_what_is_no_page_is_named(tmp_path: Path, page: object) -> None:
    asked(tmp_path, {"file": "a.txt", "page": page})
    with pytest.raises(InvalidInput, match="line 1: “page” must be"):
        read_set(tmp_path)


def test_an_answer_in_several_places(tmp_path: Path) -> None:
    asked(tmp_path, {"places": [{"file": "a.txt", "page": 2}, {"file": "b.txt", "quote": "Tea"}]})
    (question,) = read_set(tmp_path).questions
    assert [(Path(one.file).name, one.pages, one.quote) for one in question.places] == [
        ("a.txt", (2,), ""),
        ("b.txt", (), "Tea"),
    ]
    for faulty in ("a.txt", [1], {"file": "a.txt"}):
        asked(tmp_path, {"places": faulty})
        with pytest.raises(InvalidInput, match="line 1: “places” must be"):
            read_set(tmp_path)


def asked(folder: Path, question: dict[str, object]) -> None:
    for name in ("a.txt", "b.txt"):
        (folder / name).write_text("Green tea.", encoding="utf-8")
    line = json.dumps({"question": "Which?", **question})
    (folder / "questions.jsonl").write_text(line, encoding="utf-8")


def test_a_folder_that_may_not_be_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: Path) -> bool:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "exists", refuse)
    with pytest.raises(InvalidInput, match=r"cannot be opened \(Permission denied\)"):
        read_set(tmp_path)


def test_a_text_may_be_nothing_but_its_title(tmp_path: Path) -> None:
    bare = CORPUS + '{"id": "c", "title": "Untold", "text": ""}\n'
    assert read_set(beir(tmp_path, corpus=bare)).texts[-1].text == ""


def test_answers_in_words(tmp_path: Path) -> None:
    asked: list[dict[str, object]] = [
        {"id": "one", "text": "Which tea?", "answer": "green"},
        {"id": "some", "text": "Which tea?", "answer": ["green", "", "jade"]},
        {"id": "other", "text": "Which tea?", "answer": {"of": "another shape"}},
        {"id": "none", "text": "Which red tea?", "answerable": False},
    ]
    queries = "".join(json.dumps(one) + "\n" for one in asked)
    qrels = "".join(f"{one['id']}\ta\t1\n" for one in asked)
    found = read_set(beir(tmp_path, queries=queries, qrels=qrels)).questions
    assert [one.answers for one in found] == [("green",), ("green", "jade"), (), ()]
    # What only seems to answer stays known, and answers nothing.
    assert [one.is_answerable for one in found] == [True, True, True, False]
    assert found[-1].grades == {"a": 1}


def test_a_file_that_only_seems_to_answer(tmp_path: Path) -> None:
    (tmp_path / "tea.txt").write_text("Green tea.", encoding="utf-8")
    asked = [
        {"question": "Which tea?", "file": "tea.txt", "answer": "green"},
        {"question": "Which red tea?", "file": "tea.txt", "answerable": False},
    ]
    lines = "".join(json.dumps(one) + "\n" for one in asked)
    (tmp_path / "questions.jsonl").write_text(lines, encoding="utf-8")
    first, second = read_set(tmp_path).questions
    assert (first.answers, first.is_answerable) == (("green",), True)
    assert (second.answers, second.is_answerable) == ((), False)
