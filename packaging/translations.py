"""Brings the catalogues of the window's languages up to date with the code, and compiles them.

Usage: python packaging/translations.py [--check]

Collects the texts of `desktop_rag/ui` (Babel; keywords `_` and `counted`), merges them into
`resources/translations/LANGUAGE/LC_MESSAGES/window.po`, and writes the `window.mo` that the program
reads. What is new stands there without a translation; what is gone is dropped. With `--check`
nothing is written: it tells how many texts each language lacks, and fails where one is missing.
"""

from __future__ import annotations

import string
import sys
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "resources" / "translations"
LANGUAGES = ("de", "es", "fr", "ar", "zh")
KEYWORDS = {"_": None, "counted": (1, 2)}


def collected() -> Catalog:
    """The texts of the window as they are in the code."""
    made = Catalog(project="Desktop RAG", charset="utf-8", fuzzy=False)
    found = extract_from_dir(
        ROOT / "desktop_rag" / "ui", method_map=[("**.py", "python")], keywords=KEYWORDS
    )
    for name, _line, message, comments, _context in sorted(found, key=lambda one: one[:2]):
        # Without line numbers: they would change with every edit.
        made.add(message, locations=[(name, 0)], auto_comments=comments)
    return made


def path_of(language: str) -> Path:
    """Where the catalogue of a language is."""
    return FOLDER / language / "LC_MESSAGES" / "window.po"


def merged(language: str, texts: Catalog) -> Catalog:
    """The catalogue of a language for these texts, with the translations there are."""
    path = path_of(language)
    if path.exists():
        with path.open("rb") as file:
            made = read_po(file, locale=language)
    else:
        made = Catalog(locale=language, project="Desktop RAG", charset="utf-8", fuzzy=False)
    # A translation of a text that was like it is worse than the English original.
    made.update(texts, no_fuzzy_matching=True)
    made.obsolete.clear()
    return made


def forms(text: object) -> tuple[str, ...]:
    """The forms of a text: one, or one for each kind of number."""
    return tuple(map(str, text)) if isinstance(text, tuple | list) else (str(text or ""),)


def missing(catalog: Catalog) -> list[str]:
    """Texts without a translation, by their English form."""
    texts = [message for message in catalog if message.id]
    return [forms(one.id)[0] for one in texts if not all(forms(one.string))]


def fields(text: str) -> frozenset[str]:
    """Names of the places that are filled in: `{name}`."""
    return frozenset(name for _text, name, *_rest in string.Formatter().parse(text) if name)


def faults(catalog: Catalog) -> list[str]:
    """Translations that fill in other places than the text does."""
    found = []
    for message in catalog:
        wanted = frozenset().union(*map(fields, forms(message.id))) if message.id else frozenset()
        for form in filter(None, forms(message.string) if message.id else ()):
            # A form for one may say "one file" in words.
            if fields(form) - wanted or (len(forms(message.id)) == 1 and fields(form) != wanted):
                found.append(f"{forms(message.id)[0]!r}: {form!r}")
    return found


def write(language: str, catalog: Catalog) -> None:
    """Both files of a language."""
    path = path_of(language)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(file, catalog, width=100, omit_header=False, include_lineno=False)
    with path.with_suffix(".mo").open("wb") as file:
        write_mo(file, catalog)


def main() -> int:
    """Update or check."""
    is_check = "--check" in sys.argv[1:]
    texts = collected()
    is_whole = True
    for language in LANGUAGES:
        catalog = merged(language, texts)
        lacking = missing(catalog)
        is_whole = is_whole and not lacking and not faults(catalog)
        print(f"{language}: {len(catalog) - len(lacking)} of {len(catalog)} texts")
        for fault in faults(catalog):
            print(f"  {fault}")
        if not is_check:
            write(language, catalog)
    return 0 if is_whole or not is_check else 1


if __name__ == "__main__":
    sys.exit(main())
