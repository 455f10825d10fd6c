"""Reads test sets and configurations from disk, and says which line is wrong."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Container, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from desktop_rag.domain.errors import InvalidInput, NotFound
from desktop_rag.domain.evaluation import EvaluationSet, Place, Question, Text
from desktop_rag.domain.retrieval_rules import RetrievalRules, rules_from

QUESTIONS = "questions.jsonl"
_QRELS = ("qrels.tsv", "qrels/test.tsv")


def read_rules(path: Path) -> RetrievalRules:
    """Rules of retrieval from a TOML file.

    Raises:
        NotFound, InvalidInput: it is missing, no TOML, or sets what is no rule.
    """
    try:
        return rules_from(tomllib.loads(_text(path)), path.name)
    except tomllib.TOMLDecodeError as error:
        raise InvalidInput(f"{path} is not TOML ({error}); mend that line.") from error


def read_set(place: Path, files: Path | None = None) -> EvaluationSet:
    """A set in BEIR layout, or a folder (or file) of questions about real files.

    Args:
        place: the set's folder, or a file of questions.
        files: where the files are, when that is not the set's folder.

    Raises:
        NotFound, InvalidInput: something is missing or malformed; file and line are named.
    """
    if not _exists(place):
        raise NotFound(f"There is no test set at {place}; check the path.")
    if _exists(place / "corpus.jsonl") or _exists(place / "queries.jsonl"):
        return _read_beir(place)
    questions = place if place.is_file() else place / QUESTIONS
    if not _exists(questions):
        raise NotFound(
            f"{place} holds no test set: it needs {QUESTIONS} beside the files, or corpus.jsonl, "
            "queries.jsonl and qrels.tsv."
        )
    folder = files or questions.parent
    if not folder.is_dir():
        raise NotFound(f"There is no folder {folder} with the files of the set; check the path.")
    asked = tuple(_file_question(folder, *one) for one in _objects(questions))
    _unique([one.id for one in asked], questions)
    return EvaluationSet(place.stem, _some(asked, questions), files=str(folder.resolve()))


def _read_beir(folder: Path) -> EvaluationSet:
    corpus, queries = folder / "corpus.jsonl", folder / "queries.jsonl"
    texts = tuple(
        Text(_id(one, where), _string(one, "title", where, ""), _corpus_text(one, where))
        for one, where in _objects(corpus)
    )
    _unique([one.id for one in texts], corpus)
    if not any(one.text.strip() for one in texts):
        raise InvalidInput(f"{corpus} holds no text; a set needs some to search.")
    names = {one.id for one in texts}
    asked: dict[str, Question] = {}
    for one, where in _objects(queries):
        question = Question(_id(one, where), _string(one, "text", where))
        if question.id in asked:
            raise InvalidInput(f"{where} has the id “{question.id}” for a second time.")
        asked[question.id] = replace(
            question,
            places=_spans(one, names, where),
            answers=_answers(one),
            is_misleading=one.get("answerable") is False,
        )
    grades = _grades(folder, names, asked)
    questions = tuple(replace(one, grades=grades.get(id_, {})) for id_, one in asked.items())
    return EvaluationSet(folder.name, _some(questions, queries), texts)


def _corpus_text(one: Mapping[str, Any], where: str) -> str:
    """May be empty: public sets have texts that are nothing but a title."""
    return _string(one, "text", where, "" if "text" in one else None)


def _spans(one: Mapping[str, Any], texts: Container[str], where: str) -> tuple[Place, ...]:
    """Where in the text `doc` the answer stands, when a query says so in the form we know.

    Sets have keys of their own: a list of anything else under that name is not ours to judge.
    """
    spans, text = one.get("spans") or [], one.get("doc")
    if not isinstance(spans, list) or not all(
        isinstance(span, dict) and "start_index" in span for span in spans
    ):
        return ()
    if spans and text not in texts:
        raise InvalidInput(f"{where} has spans in the text “{text}”, which the set does not have.")
    places = []
    for span in spans:
        ends = [span.get("start_index"), span.get("end_index")]
        if not _is_span(ends):
            raise InvalidInput(f"{where}: a span needs a “start_index” below its “end_index”.")
        quote = _string(span, "content", where, "")
        places.append(Place(str(text), quote=quote, span=(ends[0], ends[1])))
    return tuple(places)


def _grades(folder: Path, texts: set[str], asked: Container[str]) -> dict[str, dict[str, int]]:
    path = next((folder / name for name in _QRELS if (folder / name).exists()), folder / _QRELS[0])
    found: dict[str, dict[str, int]] = {}
    for number, line in enumerate(_text(path).split("\n"), 1):
        if not line.strip():
            continue
        cells = line.rstrip("\r").split("\t")
        if number == 1 and cells[-1].strip() == "score":
            continue  # the heading of BEIR's own files
        where = f"{path.name}, line {number}"
        grade = _grade(cells, where)
        for kind, one, known in (("query", cells[0], asked), ("text", cells[1], texts)):
            if one not in known:
                raise InvalidInput(
                    f"{where} names the {kind} “{one}”, which the set does not have."
                )
        if grade > 0:
            found.setdefault(cells[0], {})[cells[1]] = grade
    return found


def _grade(cells: list[str], where: str) -> int:
    try:
        _, _, grade = cells
        return round(float(grade))
    except (ValueError, OverflowError) as error:
        raise InvalidInput(
            f"{where} must be a query id, a text id and a grade between tabs."
        ) from error


def _file_question(folder: Path, one: Mapping[str, Any], where: str) -> Question:
    """A question about files: with one place in its own keys, or several under `places`."""
    text, given = _string(one, "question", where), one.get("places", [one])
    if not isinstance(given, list) or not all(isinstance(place, dict) for place in given):
        raise InvalidInput(f"{where}: “places” must be a list of objects.")
    places = tuple(found for place in given for found in _file_places(folder, place, where))
    return Question(
        str(one.get("id") or where.rpartition(" ")[2]),
        text,
        places=places,
        answers=_answers(one),
        is_misleading=one.get("answerable") is False,
    )


def _answers(one: Mapping[str, Any]) -> tuple[str, ...]:
    """Under `answer`: a text, or a list of texts any of which will do; other shapes say nothing."""
    given = one.get("answer") or []
    texts = [given] if isinstance(given, str) else given
    if not isinstance(texts, list):
        return ()
    return tuple(text for text in texts if isinstance(text, str) and text.strip())


def _file_places(folder: Path, one: Mapping[str, Any], where: str) -> list[Place]:
    names = one.get("file") or []
    names = [names] if isinstance(names, str) else names
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise InvalidInput(f"{where}: “file” must be a name, or null when nothing answers.")
    for name in names:
        if not (folder / name).is_file():
            raise InvalidInput(
                f"{where} names the file “{name}”, which is not in {folder}; say with --files "
                "where the files are."
            )
    span, pages = one.get("span"), _pages(one.get("page"), where)
    if span is not None and not _is_span(span):
        raise InvalidInput(f"{where}: “span” must be two numbers of characters, start and end.")
    quote = _string(one, "quote", where, "")
    paths = [str((folder / name).resolve()) for name in names]
    return [Place(path, pages, quote, (span[0], span[1]) if span else None) for path in paths]


def _pages(given: object, where: str) -> tuple[int, ...]:
    """A page, or several any of which will do."""
    pages: list[Any] = given if isinstance(given, list) else [] if given is None else [given]
    if not all(type(page) is int and page >= 1 for page in pages):
        raise InvalidInput(
            f"{where}: “page” must be a whole number from 1, or a list of them, not {given!r}."
        )
    return tuple(pages)


def _is_span(span: object) -> bool:
    is_pair = isinstance(span, list) and [type(one) for one in span] == [int, int]
    return is_pair and 0 <= span[0] < span[1]  # type: ignore[index]


def _objects(path: Path) -> Iterator[tuple[dict[str, Any], str]]:
    for number, line in enumerate(_text(path).split("\n"), 1):
        if not line.strip():
            continue
        where = f"{path.name}, line {number}"
        try:
            one = json.loads(line)
        except (json.JSONDecodeError, RecursionError) as error:
            raise InvalidInput(f"{where} is not JSON ({error}); mend that line.") from error
        if not isinstance(one, dict):
            raise InvalidInput(f"{where} must be a JSON object.")
        yield one, where


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError as error:
        raise InvalidInput(f"{path} cannot be opened ({error.strerror}).") from error


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except (FileNotFoundError, IsADirectoryError) as error:
        raise NotFound(f"There is no file {path}; check the path.") from error
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{path} is not UTF-8 text; save it as UTF-8.") from error
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read ({error.strerror}).") from error


def _id(one: Mapping[str, Any], where: str) -> str:
    found = one.get("_id", one.get("id"))
    if found is None or isinstance(found, dict | list) or not str(found):
        raise InvalidInput(f"{where} has no “id”.")
    return str(found)


def _string(one: Mapping[str, Any], key: str, where: str, default: str | None = None) -> str:
    found = one.get(key, default)
    if not isinstance(found, str) or (default is None and not found.strip()):
        raise InvalidInput(f"{where} has no text under “{key}”.")
    return found


def _some(questions: tuple[Question, ...], path: Path) -> tuple[Question, ...]:
    if not any(one.is_answerable for one in questions):
        raise InvalidInput(f"{path} holds no question that the set answers; add some.")
    return questions


def _unique(ids: list[str], path: Path) -> None:
    if len(set(ids)) < len(ids):
        twice = next(one for one in ids if ids.count(one) > 1)
        raise InvalidInput(f"{path.name} has the id “{twice}” twice; ids must differ.")
