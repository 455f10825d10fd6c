"""Writes the JSON schemas of results, from the classes in `desktop_rag.domain.structured`.

    .venv/bin/python packaging/make_schemas.py

msgspec knows the types; what a field means is the sentence below it in the source.
"""

from __future__ import annotations

import ast
import inspect
import json
import re
import sys
import textwrap
from pathlib import Path
from typing import Any

import msgspec

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from desktop_rag.domain import answers, documents, explanation, structured  # noqa: E402

NAMES: dict[str, type] = {
    "answer": structured.StructuredAnswer,
    "search": structured.StructuredSearch,
    "opened_text": structured.OpenedText,
    "documents": structured.DocumentList,
}
OPTIONAL = {"explanation"}


def main() -> None:
    """Write one file a result."""
    for name in NAMES:
        path = ROOT / "resources" / "schemas" / f"{name}.schema.json"
        path.write_text(as_text(name), encoding="utf-8")


def as_text(name: str) -> str:
    """A schema as its file holds it."""
    return json.dumps(schema(name), indent=2, ensure_ascii=False) + "\n"


def schema(name: str) -> dict[str, Any]:
    """A result's schema (Draft 2020-12), with the object itself at the root, as MCP wants it."""
    whole = msgspec.json.schema(NAMES[name])
    definitions = {one: described(made) for one, made in whole["$defs"].items()}
    root = definitions.pop(NAMES[name].__name__)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:desktop-rag:{name}:1",
        **root,
        "$defs": definitions,
    }


def described(made: dict[str, Any]) -> dict[str, Any]:
    """A class with the meanings of its fields; all of them are always there."""
    if "properties" not in made:
        return made
    meanings = field_meanings(made["title"])
    properties = {
        name: {**{k: v for k, v in of.items() if k != "default"}, **meanings.get(name, {})}
        for name, of in made["properties"].items()
    }
    required = [name for name in properties if name not in OPTIONAL]
    description = for_strangers(made["description"])
    return {**made, "description": description, "properties": properties, "required": required}


def field_meanings(title: str) -> dict[str, dict[str, str]]:
    """The strings below the fields of a class."""
    modules = (structured, answers, documents, explanation)
    owner = next(getattr(one, title) for one in modules if hasattr(one, title))
    (tree,) = ast.parse(textwrap.dedent(inspect.getsource(owner))).body
    assert isinstance(tree, ast.ClassDef)
    found = {}
    for field, below in zip(tree.body, tree.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(below, ast.Expr):
            assert isinstance(field.target, ast.Name)
            assert isinstance(below.value, ast.Constant)
            found[field.target.id] = {"description": for_strangers(str(below.value.value))}
    return found


def for_strangers(docstring: str) -> str:
    """A sentence without line breaks, names of our modules and Python's word for null."""
    line = re.sub(r"\s+", " ", inspect.cleandoc(docstring))
    return re.sub(r" \(`(domain|services)[^)]*\)", "", line).replace("`None`", "null")


if __name__ == "__main__":
    main()
