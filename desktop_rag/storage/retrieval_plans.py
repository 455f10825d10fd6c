"""Retrieval plans as JSON files, and the JSON schema (Draft 2020-12) that says what they hold.

`msgspec` reads, checks and describes them; its types are made from the plan's own dataclasses with
the bounds and meanings noted there, so that schema, check and plan cannot differ.
"""

from __future__ import annotations

import functools
import os
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import msgspec

from desktop_rag.domain.errors import InvalidInput, NotFound
from desktop_rag.domain.misfits import worded
from desktop_rag.domain.retrieval_plan import RetrievalPlan, Says, contradictions

SCHEMA_ID = "urn:desktop-rag:retrieval-plan:1"
_MOST_BYTES = 1_000_000
"""Of a plan; a whole one has two thousand."""
_HELP = "`desktop-rag audit --schema` prints what a plan may say, `--plan` prints an example."


def read_plan(path: Path) -> RetrievalPlan:
    """A plan from a file.

    Raises:
        NotFound: there is no such file.
        InvalidInput: it is no plan; the sentence names the place in the JSON.
    """
    try:
        plan = msgspec.convert(
            msgspec.json.decode(_contents(path), type=_struct(RetrievalPlan)),
            RetrievalPlan,
            from_attributes=True,
        )
    except msgspec.ValidationError as error:
        raise InvalidInput(f"{path.name} is no retrieval plan: {worded(error)}. {_HELP}") from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidInput(f"{path.name} is not JSON ({error}). {_HELP}") from error
    for sentence in contradictions(plan):
        raise InvalidInput(f"{path.name} contradicts itself: {sentence}.")
    if plan == RetrievalPlan():
        raise InvalidInput(f"{path.name} says nothing that can be judged. {_HELP}")
    return plan


def as_json(plan: RetrievalPlan) -> dict[str, object]:
    """A plan as `read_plan` reads it; without what is unknown."""
    made = _struct(RetrievalPlan)
    kept: dict[str, object] = msgspec.to_builtins(msgspec.convert(plan, made, from_attributes=True))
    return kept


def schema() -> dict[str, object]:
    """What a plan may say, for editors and other programs."""
    described = msgspec.json.schema(_struct(RetrievalPlan))
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": SCHEMA_ID,
        "title": "Retrieval plan",
        **described,
    }


def _contents(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            contents = file.read(_MOST_BYTES + 1)
    except FileNotFoundError as error:
        raise NotFound(f"There is no file {path}; check the path.") from error
    except IsADirectoryError as error:
        raise InvalidInput(f"{path} is a folder; name a file with a plan. {_HELP}") from error
    except OSError as error:
        reason = os.strerror(error.errno or 0)
        raise InvalidInput(f"{path} cannot be read ({reason}); check its permissions.") from error
    if len(contents) > _MOST_BYTES:
        raise InvalidInput(f"{path.name} is far too large for a retrieval plan. {_HELP}")
    return contents.removeprefix(b"\xef\xbb\xbf")


@functools.cache
def _struct(described: type) -> type[msgspec.Struct]:
    """A msgspec type with the fields of a dataclass, which refuses fields it does not know."""
    hints = get_type_hints(described, include_extras=True)
    made: list[tuple[str, Any, Any]] = []
    for one in fields(described):
        hint = hints[one.name]
        if isinstance(hint, type) and is_dataclass(hint):
            made.append((one.name, _struct(hint), msgspec.field(default_factory=_struct(hint))))
        else:
            assert one.default is not MISSING
            made.append((one.name, _checked(hint), one.default))
    return msgspec.defstruct(
        described.__name__,
        made,
        frozen=True,
        forbid_unknown_fields=True,
        omit_defaults=True,
        namespace={"__doc__": described.__doc__},
    )


def _checked(hint: Any) -> Any:
    """A field's type with what it means, and with its bounds where it is a number."""
    assert get_origin(hint) is Annotated
    kind, says = get_args(hint)
    assert isinstance(says, Says)
    if says.least is not None or says.most is not None:
        number, _ = get_args(kind)
        kind = Annotated[number, msgspec.Meta(ge=says.least, le=says.most)] | None
    return Annotated[kind, msgspec.Meta(description=_sentence(says.meaning))]


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}."
