"""Cuts source code along its definitions: which stretch belongs to which class and function."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tree_sitter import Node

from desktop_rag.engines.code_grammars import Grammar, parser_of

_MAX_DEPTH = 60
"""Of syntax; generated expressions are nested by the thousand and hold no definitions."""
_LONG_FUNCTION = 60
"""Lines from which a function is looked through for functions of its own."""
_WRAPPERS = frozenset({
    "decorated_definition", "export_statement", "template_declaration", "ambient_declaration",
    "type_declaration",
})  # fmt: skip
_LEADS = ("comment", "attribute", "decorator")
_FUNCTION_VALUES = frozenset({"arrow_function", "function_expression", "generator_function"})
_NAMES = frozenset({
    "identifier", "field_identifier", "qualified_identifier", "destructor_name", "operator_name",
    "type_identifier",
})  # fmt: skip
_MAX_NAME = 80
_ENDING = re.compile(r"[\s{}()\[\];,]*(?:end)?[\s;]*")
"""What only closes the definitions before it."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Characters `start` to `end` of a source and the definitions around them, outermost first."""

    start: int
    end: int
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Definition:
    """In bytes; `depth` counts definitions around it."""

    start: int
    end: int
    path: tuple[str, ...]


def outline(text: str, grammar: Grammar) -> list[Stretch]:
    """The whole text in stretches, in order. Code with errors is cut as far as it is understood."""
    data = text.encode("utf-8", "replace")
    tree = parser_of(grammar).parse(data)
    found = list(_definitions(tree.root_node, grammar, (), 0))
    stretches: list[Stretch] = []
    for one in _in_characters(list(_stretches(found, len(data))), data):
        if stretches and _ENDING.fullmatch(text, one.start, one.end):
            stretches[-1] = replace(stretches[-1], end=one.end)
        else:
            stretches.append(one)
    return stretches


def _definitions(
    node: Node, grammar: Grammar, path: tuple[str, ...], depth: int
) -> Iterator[_Definition]:
    """Definitions below a node, each before those inside it."""
    if depth > _MAX_DEPTH:
        return
    lead: Node | None = None
    last: Node | None = None
    for child in node.children:
        if child.type.startswith(_LEADS) or child.type.endswith("comment"):
            is_near = last is not None and child.start_point[0] <= last.end_point[0] + 1
            lead = lead if lead is not None and is_near else child
            last = child
            continue
        inner = _unwrapped(child, grammar)
        if inner is not None:
            is_led = last is not None and child.start_point[0] <= last.end_point[0] + 1
            first = lead if lead is not None and is_led else child
            own = (*path, _label(inner, grammar))
            yield _Definition(first.start_byte, child.end_byte, own)
            if _is_container(inner):
                yield from _definitions(inner, grammar, own, depth + 1)
        elif child.end_point[0] > child.start_point[0]:
            yield from _definitions(child, grammar, path, depth + 1)
        lead = last = None


def _unwrapped(node: Node, grammar: Grammar) -> Node | None:
    """The definition a node is, or wraps (decorators, export, template)."""
    if node.type in _WRAPPERS:
        return next((d for c in node.children if (d := _unwrapped(c, grammar))), None)
    if not node.is_named or node.type not in grammar.definitions or not _has_body(node):
        return None
    return node


def _has_body(node: Node) -> bool:
    if node.type in ("lexical_declaration", "variable_declaration"):
        return _function_variable(node) is not None
    if node.type == "type_definition":
        kind = node.child_by_field_name("type")
        return kind is not None and kind.child_by_field_name("body") is not None
    if node.type.endswith("_specifier"):  # `struct pump p;` only mentions it
        return node.child_by_field_name("body") is not None
    return True


def _function_variable(node: Node) -> Node | None:
    """`const start = () => …`: the declarator, when it holds a function."""
    for child in node.children:
        value = child.child_by_field_name("value")
        if value is not None and value.type in _FUNCTION_VALUES:
            return child
    return None


def _is_container(node: Node) -> bool:
    """Whether to look for definitions inside: classes and the like, and very long functions."""
    if node.type == "type_definition":
        return False
    is_function = (
        "function" in node.type
        or "method" in node.type
        or node.type.endswith(
            ("constructor_declaration", "lexical_declaration", "variable_declaration")
        )
    )
    return not is_function or node.end_point[0] - node.start_point[0] >= _LONG_FUNCTION


def _label(node: Node, grammar: Grammar) -> str:
    word = grammar.definitions[node.type]
    name = _name(node)
    return f"{word} {name}".strip() or node.type


def _name(node: Node) -> str:
    if node.type == "impl_item":
        trait, kind = node.child_by_field_name("trait"), node.child_by_field_name("type")
        return " for ".join(_text(part) for part in (trait, kind) if part is not None)
    named = _function_variable(node) if node.type.endswith("_declaration") else None
    found = (named or node).child_by_field_name("name") or _declared_name(node)
    receiver = node.child_by_field_name("receiver")
    lead = f"{_text(receiver)} " if receiver is not None else ""
    return f"{lead}{_text(found)}" if found is not None else ""


def _declared_name(node: Node) -> Node | None:
    """In C the name stands inside declarators: `static char *name(int x)`."""
    declarator = node.child_by_field_name("declarator")
    while declarator is not None and declarator.type not in _NAMES:
        declarator = declarator.child_by_field_name("declarator") or next(
            (child for child in declarator.named_children if child.type in _NAMES), None
        )
    return declarator


def _text(node: Node) -> str:
    return " ".join((node.text or b"").decode("utf-8", "replace").split())[:_MAX_NAME]


def _stretches(found: Sequence[_Definition], length: int) -> Iterator[Stretch]:
    """Definitions and the gaps between them; a gap belongs to the definition around it."""
    position = 0
    around: list[_Definition] = []
    for one in (*found, _Definition(length, length, ())):
        while around and around[-1].end <= one.start:
            inner = around.pop()
            if inner.end > position:
                yield Stretch(position, inner.end, inner.path)
                position = inner.end
        if one.start > position:
            yield Stretch(position, one.start, around[-1].path if around else ())
            position = one.start
        around.append(one)


def _in_characters(stretches: Sequence[Stretch], data: bytes) -> list[Stretch]:
    if data.isascii():
        return list(stretches)
    found, position = [], 0
    for one in stretches:
        length = len(data[one.start : one.end].decode("utf-8", "replace"))
        found.append(Stretch(position, position + length, one.path))
        position += length
    return found
