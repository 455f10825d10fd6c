"""Which tree-sitter grammar reads which suffix, and what its definitions are called.

A grammar is a shared library of up to four megabytes and is loaded with the first file that needs
it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import import_module

from tree_sitter import Language, Parser

_JS = {
    "class_declaration": "class",
    "function_declaration": "function",
    "generator_function_declaration": "function",
    "method_definition": "",
    "lexical_declaration": "",
    "variable_declaration": "",
}
_TS = _JS | {
    "abstract_class_declaration": "class",
    "interface_declaration": "interface",
    "enum_declaration": "enum",
    "type_alias_declaration": "type",
    "internal_module": "namespace",
    "module": "module",
}
_C = {
    "function_definition": "",
    "type_definition": "typedef",
    "struct_specifier": "struct",
    "union_specifier": "union",
    "enum_specifier": "enum",
}
_CPP = _C | {"class_specifier": "class", "namespace_definition": "namespace"}
_JAVA = {
    "class_declaration": "class",
    "interface_declaration": "interface",
    "enum_declaration": "enum",
    "record_declaration": "record",
    "annotation_type_declaration": "@interface",
    "method_declaration": "",
    "constructor_declaration": "",
}
_CSHARP = {
    "namespace_declaration": "namespace",
    "class_declaration": "class",
    "struct_declaration": "struct",
    "interface_declaration": "interface",
    "enum_declaration": "enum",
    "record_declaration": "record",
    "method_declaration": "",
    "constructor_declaration": "",
    "property_declaration": "",
}
_PHP = {
    "namespace_definition": "namespace",
    "class_declaration": "class",
    "interface_declaration": "interface",
    "trait_declaration": "trait",
    "enum_declaration": "enum",
    "function_definition": "function",
    "method_declaration": "function",
}
_RUST = {
    "function_item": "fn",
    "impl_item": "impl",
    "struct_item": "struct",
    "enum_item": "enum",
    "union_item": "union",
    "trait_item": "trait",
    "mod_item": "mod",
    "macro_definition": "macro",
}
_GO = {"function_declaration": "func", "method_declaration": "func", "type_spec": "type"}
_RUBY = {"class": "class", "module": "module", "method": "def", "singleton_method": "def"}


@dataclass(frozen=True, slots=True)
class Grammar:
    """A language: where its grammar is, and node type to the word its definitions begin with."""

    name: str
    module: str
    function: str
    definitions: dict[str, str]

    def __hash__(self) -> int:
        return hash(self.name)


_PYTHON = Grammar(
    "python",
    "tree_sitter_python",
    "language",
    {"class_definition": "class", "function_definition": "def"},
)
_JAVASCRIPT = Grammar("javascript", "tree_sitter_javascript", "language", _JS)
_TYPESCRIPT = Grammar("typescript", "tree_sitter_typescript", "language_typescript", _TS)
_TSX = Grammar("tsx", "tree_sitter_typescript", "language_tsx", _TS)
_BASH = Grammar("bash", "tree_sitter_bash", "language", {"function_definition": ""})
CPP = Grammar("c++", "tree_sitter_cpp", "language", _CPP)
C = Grammar("c", "tree_sitter_c", "language", _C)

GRAMMARS: dict[str, Grammar] = {
    **dict.fromkeys((".py", ".pyw", ".pyi"), _PYTHON),
    **dict.fromkeys((".js", ".jsx", ".mjs", ".cjs"), _JAVASCRIPT),
    **dict.fromkeys((".ts", ".mts", ".cts"), _TYPESCRIPT),
    ".tsx": _TSX,
    ".java": Grammar("java", "tree_sitter_java", "language", _JAVA),
    **dict.fromkeys((".c", ".h"), C),
    **dict.fromkeys((".cpp", ".hpp", ".cc", ".cxx", ".hh", ".hxx"), CPP),
    ".cs": Grammar("c#", "tree_sitter_c_sharp", "language", _CSHARP),
    ".go": Grammar("go", "tree_sitter_go", "language", _GO),
    ".rs": Grammar("rust", "tree_sitter_rust", "language", _RUST),
    ".rb": Grammar("ruby", "tree_sitter_ruby", "language", _RUBY),
    ".php": Grammar("php", "tree_sitter_php", "language_php", _PHP),
    **dict.fromkeys((".sh", ".bash"), _BASH),
}


@cache
def parser_of(grammar: Grammar) -> Parser:
    """A parser for the language; the grammar is loaded once."""
    module = import_module(grammar.module)
    return Parser(Language(getattr(module, grammar.function)()))
