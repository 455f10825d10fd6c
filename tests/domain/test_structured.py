"""Results for other programs are what their shipped schemas promise."""

from __future__ import annotations

import json
import runpy
from dataclasses import fields, replace
from typing import Any

import jsonschema
import pytest

from desktop_rag import paths
from desktop_rag.domain.answers import (
    Answer,
    Confidence,
    RetrievalFigures,
    SearchResult,
    Understood,
)
from desktop_rag.domain.documents import ChunkId
from desktop_rag.domain.explanation import Decision, Explanation, Fate, Verdict
from desktop_rag.domain.mentions import mention, remarks
from desktop_rag.domain.structured import as_json, structured_answer, structured_search
from desktop_rag.storage.result_schemas import ResultName, result_schema
from tests.helpers.passages import BRIDGE_CITATION, make_passage

ANSWER = Answer(
    question="When did it open?",
    text="In 1932 [1]. It is red.",
    citations=(BRIDGE_CITATION,),
    confidence=Confidence.MEDIUM,
    found=True,
    figures=RetrievalFigures(10, 2, 5, 3, 2, {"index": 1.23456}, reranked=4),
    model="small",
    unsupported=((13, 23),),
    understood=Understood("open", ("file a",), (("opn", "open"),), ("A note.",)),
    kind="fact",
    scope_note="All 102 rows of 3 files.",
    conflicts=("One file says 1933.",),
    masked=(("e-mail", 2),),
    is_cached=True,
    extract=BRIDGE_CITATION,
)
SEARCH = SearchResult(
    "When?",
    (make_passage("It opened in 1932."),),
    RetrievalFigures(10, 2, 5, 1, 1),
    explanation=Explanation(
        ("A line.",),
        (Decision(ChunkId(1), 1, 0.1, None, None, None, None, None, None, Verdict(Fate.SHOWN)),),
    ),
)

FROZEN = {
    "answer": "question answer found kind confidence citations extract unsupported "
    "unsupported_spans nearest conflicts note scope_note pending masked model is_cached stopped "
    "retrieval understood",
    "search": "question passages matches_well pending retrieval understood",
    "opened_text": "document path title section page page_label place text start end passage "
    "length is_changed",
    "documents": "total documents",
}
FROZEN_PARTS = {
    "Citation": "number document chunk path title section page page_label quote start end sha256 "
    "score boxes place",
    "Passage": "chunk document path title section text start end sha256 pages page_label score "
    "relevance place",
    "RetrievalFigures": "searched_chunks searched_documents candidates reranked passages "
    "passage_documents timings_ms expansion",
    "Understood": "text filters corrections notes",
}


def valid(value: object, name: ResultName) -> Any:
    """The value as another program reads it, after its schema was held against it."""
    read = json.loads(json.dumps(value))
    jsonschema.Draft202012Validator(result_schema(name)).validate(read)
    return read


def test_an_answer_says_all_it_knows() -> None:
    found = valid(as_json(structured_answer(ANSWER, "Still to be read: 3.")), "answer")
    assert found["unsupported"] == ["It is red."]
    assert found["unsupported_spans"] == [{"start": 13, "end": 23}]
    assert found["citations"][0]["boxes"][0]["page"] == 3
    assert found["masked"] == [{"kind": "e-mail", "count": 2}]
    assert found["retrieval"]["timings_ms"] == {"index": 1.23}
    assert (found["retrieval"]["candidates"], found["retrieval"]["reranked"]) == (5, 4)
    assert found["pending"] == "Still to be read: 3."
    assert found["understood"]["corrections"] == [["opn", "open"]]


def test_no_field_of_an_answer_is_forgotten() -> None:
    told = as_json(structured_answer(ANSWER))
    named = {"text": "answer", "figures": "retrieval"}
    assert {named.get(one.name, one.name) for one in fields(Answer)} <= told.keys()


def test_a_search_is_explained_only_when_that_was_asked_for() -> None:
    assert "explanation" not in valid(as_json(structured_search(SEARCH)), "search")
    told = valid(as_json(structured_search(SEARCH, is_explained=True)), "search")
    assert told["explanation"]["decisions"][0]["verdict"]["fate"] == "shown"
    assert told["passages"][0]["text"] == "It opened in 1932."


@pytest.mark.parametrize("change", [{"answer": 1}, {"confidence": "sure"}, {"citations": [{}]}])
def test_what_is_wrong_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(jsonschema.ValidationError):
        valid({**as_json(structured_answer(ANSWER)), **change}, "answer")


def test_the_shipped_schemas_are_those_of_the_classes() -> None:
    script = runpy.run_path(str(paths.shipped("packaging", "make_schemas.py")))
    for name in script["NAMES"]:
        path = paths.shipped("resources", "schemas", f"{name}.schema.json")
        assert path.read_text(encoding="utf-8") == script["as_text"](name), (
            "a result has changed; when that only adds: `python packaging/make_schemas.py`"
        )


def test_names_are_only_ever_added() -> None:
    parts: dict[str, Any] = {}
    for name, names in FROZEN.items():
        schema = result_schema(name)  # type: ignore[arg-type]
        parts |= schema["$defs"]
        assert set(names.split()) <= set(schema["required"]), name
    for name, names in FROZEN_PARTS.items():
        assert set(names.split()) <= set(parts[name]["required"]), name


def test_places_are_named_with_what_there_is() -> None:
    assert mention(BRIDGE_CITATION) == "/documents/brücke.pdf, page 3 (printed iii) · History"
    slide = replace(BRIDGE_CITATION, page=None, page_label="", place="slide 4", section="")
    assert mention(slide) == "/documents/brücke.pdf, slide 4"
    passage = replace(make_passage("Text."), path="/a.pdf", section="", place="")
    assert mention(replace(passage, pages=(2, 3))) == "/a.pdf, pages 2-3"
    assert mention(replace(passage, pages=(2, 2), section="S")) == "/a.pdf, page 2 · S"
    assert mention(replace(passage, pages=None)) == "/a.pdf"


def test_remarks_tell_how_an_answer_came_about() -> None:
    assert remarks(replace(ANSWER, note="Quoted.")) == [
        "Quoted.",
        "Not shown to the language model: e-mail (2).",
        "Answered before; nothing it rests on has changed.",
    ]
