"""What the tools take. Each class is both the input schema that clients see and the check."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, Struct

from desktop_rag.domain.errors import InvalidInput
from desktop_rag.domain.misfits import worded

if TYPE_CHECKING:
    from desktop_rag.domain.scope import Scope

ArgumentsT = TypeVar("ArgumentsT", bound=Struct)
_Names = tuple[str, ...]
_MOST = 2**53 - 1
"""Larger numbers are no integers to JavaScript, and at 2**63 none to SQLite."""


class Narrowing(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a question may be narrowed to; kinds narrow each other, values of one kind widen."""

    files: Annotated[_Names, Meta(description="names of files, parts of names, or *.pdf")] = ()
    folders: Annotated[_Names, Meta(description="whole paths of folders, or their names")] = ()
    types: Annotated[_Names, Meta(description="kinds of file: pdf, mail, image, docx …")] = ()
    collections: Annotated[_Names, Meta(description="names of collections of the library")] = ()
    tags: Annotated[_Names, Meta(description="tags that files bear")] = ()
    pages: Annotated[_Names, Meta(description='pages, slides or ranges: "12", "3-5"')] = ()
    after: Annotated[str, Meta(description="from this date on: 2023, 2023-05, 2023-05-31")] = ""
    before: Annotated[str, Meta(description="before this date, written likewise")] = ""

    def scope(self) -> Scope:
        """The part of the library that is meant.

        Raises:
            InvalidInput: a date or a page cannot be read.
        """
        # Not before the first question: a client waits for the server to start.
        from desktop_rag.domain.query_language import scope_of_filters
        from desktop_rag.domain.scope import is_absolute
        from desktop_rag.services.organising import resolved

        said = scope_of_filters(
            files=self.files,
            folders=[resolved(Path(one)) if is_absolute(one) else one for one in self.folders],
            types=self.types,
            after=[self.after] if self.after else [],
            before=[self.before] if self.before else [],
            pages=self.pages,
        )
        return replace(said, collections=self.collections, tags=self.tags)


class Search(Narrowing, frozen=True, kw_only=True):
    """Arguments of `search`."""

    query: Annotated[
        str,
        Meta(
            description='a question or keywords, in any language; "an exact phrase" and -word are '
            "understood"
        ),
    ]
    limit: Annotated[
        int,
        Meta(ge=0, le=50, description="how many passages; 0: as many as are worth reading, 3 to 8"),
    ] = 0


class Ask(Narrowing, frozen=True, kw_only=True):
    """Arguments of `ask`."""

    question: Annotated[str, Meta(description="one whole question, in any language")]


class OpenPassage(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Arguments of `open_passage`: `chunk`, or `path` and `offset`."""

    chunk: Annotated[
        int,
        Meta(
            ge=0,
            le=_MOST,
            description="of a citation of `ask`, or of a passage of `search`; 0: `path` says it",
        ),
    ] = 0
    path: Annotated[str, Meta(description="of a file of the library; instead of `chunk`")] = ""
    offset: Annotated[
        int,
        Meta(ge=0, le=_MOST, description="where in the file's text, in characters; with `path`"),
    ] = 0
    around: Annotated[
        int, Meta(ge=0, le=20_000, description="characters before and after the passage")
    ] = 1500


class ListDocuments(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Arguments of `list_documents`."""

    name: Annotated[str, Meta(description="part of a path or a title; without it all files")] = ""
    limit: Annotated[int, Meta(ge=1, le=1000, description="how many files at most")] = 100
    skip: Annotated[int, Meta(ge=0, le=_MOST, description="how many to leave out first")] = 0


def read(kind: type[ArgumentsT], given: Mapping[str, Any]) -> ArgumentsT:
    """Arguments as a client gave them.

    Raises:
        InvalidInput: one is missing, unknown or of another type; the sentence names it.
    """
    try:
        return msgspec.convert(given, kind)
    except msgspec.ValidationError as error:
        raise InvalidInput(f"The arguments do not fit: {worded(error)}.") from error


def schema_of(kind: type[Struct]) -> dict[str, Any]:
    """What a client may give, with the object itself at the root."""
    described = msgspec.json.schema(kind)
    made: dict[str, Any] = described["$defs"][kind.__name__]
    return {**made, "additionalProperties": False}
