"""How the settings of the library are shown: their groups, names, sentences and choices.

Texts are made when the page is built, in the language of the window.
"""

from __future__ import annotations

from dataclasses import dataclass

from desktop_rag.settings import SETTINGS, Setting
from desktop_rag.ui.translation import _


@dataclass(frozen=True, slots=True)
class Row:
    """One choice as a person sees it."""

    key: str
    title: str
    sentence: str
    choices: tuple[tuple[str, str], ...] = ()
    """Values and their labels."""
    suffix: str = ""
    zero: str = ""
    """What the number 0 means, where it means something else."""
    hint: str = ""
    """In an empty field."""


@dataclass(frozen=True, slots=True)
class Group:
    """Rows under one heading."""

    heading: str
    rows: tuple[Row, ...]


def library_groups() -> tuple[Group, ...]:
    """Every key of `settings.SETTINGS`; one that nobody has worded yet comes last."""
    groups = (_answers(), _reading(), _history(), _updates())
    worded = {row.key for group in groups for row in group.rows}
    others = tuple(_plain(one) for one in SETTINGS if one.key not in worded)
    return (*groups, Group(_("More"), others)) if others else groups


def _plain(setting: Setting) -> Row:
    return Row(
        setting.key,
        setting.key.replace("_", " ").capitalize(),
        f"{setting.meaning[:1].upper()}{setting.meaning[1:]}.",
        tuple((word, word) for word in setting.choices),
    )


def _answers() -> Group:
    rows = (
        Row(
            "answers",
            _("How much is read for an answer"),
            _("More reading finds more and takes longer until the first word."),
            (
                ("fast", _("Fast")),
                ("balanced", _("Balanced")),
                ("thorough", _("Thorough")),
            ),
        ),
        Row(
            "mask_personal_data",
            _("Personal data"),
            _(
                "E-mail addresses, phone, bank, card and national id numbers can be kept from the "
                "language model, from what it writes and from other programs."
            ),
            (
                ("off", _("Shown to the model")),
                ("model_only", _("Hidden from the model")),
                ("on", _("Hidden everywhere")),
            ),
        ),
        Row(
            "answer_cache",
            _("Give known answers again"),
            _(
                "A question that was asked before gets the same answer at once, while nothing it "
                "rests on has changed. Switching it off deletes what was kept."
            ),
        ),
        *_searching(),
    )
    return Group(_("Answers"), rows)


def _searching() -> tuple[Row, ...]:
    return (
        Row(
            "graph",
            _("Follow names from document to document"),
            _("Finds what is connected by people, places and numbers; each search takes longer."),
        ),
        _cutting(),
        Row(
            "gpu",
            _("Use the graphics card"),
            _("The language model is faster there, if this build and the card support it."),
        ),
    )


def _cutting() -> Row:
    return Row(
        "chunking",
        _("How documents are cut into passages"),
        _(
            "Another choice has all files read again. The last two have the language model "
            "read every passage, which takes ten seconds each."
        ),
        (
            ("structure", _("Along headings and paragraphs")),
            ("fixed", _("Equal lengths")),
            ("sentences", _("Whole sentences")),
            ("semantic", _("Where the subject changes")),
            ("late", _("With the whole document in view")),
            ("propositions", _("Single statements, by the model")),
            ("context", _("With a summary, by the model")),
        ),
    )


def _reading() -> Group:
    rows = (
        Row(
            "ocr",
            _("Read text in scans and pictures"),
            _("Scanned pages and photographs become searchable; they take seconds each."),
        ),
        Row(
            "ocr_language",
            _("Script of scans"),
            _(
                "“auto” reads Latin and Chinese script. For another one, name the folder of "
                "recognition models that you added."
            ),
            hint="auto",
        ),
        Row(
            "cpu",
            _("Share of the processor"),
            _("How much of it reading may take. Answers and other programs come first anyway."),
            (
                ("low", _("Half of it, with pauses")),
                ("balanced", _("Nearly all, gently")),
                ("full", _("All of it")),
            ),
        ),
        Row(
            "threads",
            _("Threads"),
            _("With how many threads an engine computes. Leave it automatic unless you measure."),
            zero=_("Automatic"),
        ),
        Row(
            "pause_on_battery",
            _("Wait for mains power"),
            _("On battery no files are read; questions are still answered."),
        ),
        *_folders(),
    )
    return Group(_("Reading"), rows)


def _folders() -> tuple[Row, ...]:
    return (
        Row(
            "watch",
            _("Notice changes at once"),
            _("New and changed files in your folders are read as soon as they rest."),
        ),
        Row(
            "sweep_minutes",
            _("Compare all folders every"),
            _("Finds what was not noticed at once, as on network drives."),
            suffix=_("minutes"),
        ),
        Row(
            "max_file_mb",
            _("Leave out files larger than"),
            _("Larger files of a folder are not read; the library lists them as left out."),
            suffix=_("MB"),
        ),
        Row(
            "leave_out",
            _("Leave out kinds of files"),
            _(
                "Endings with a space between them. Files of these kinds are not read, and what "
                "was read of them leaves the library."
            ),
            hint="csv log",
        ),
    )


def _history() -> Group:
    rows = (
        Row(
            "query_log",
            _("Measure searches"),
            _(
                "Keeps how long searches took and whether they found something, never what was "
                "asked. The Quality page draws them. Switching it off deletes what was kept."
            ),
        ),
    )
    return Group(_("Search history"), rows)


def _updates() -> Group:
    rows = (
        Row(
            "forbid_network",
            _("Forbid all use of the network"),
            _(
                "The whole program is refused every connection, so no model can be downloaded "
                "either. The Privacy page counts the connections there were."
            ),
        ),
        Row(
            "update_check",
            _("Look for a newer version once a week"),
            _("Asks the address below, and no other; nothing is downloaded or installed."),
        ),
        Row(
            "update_address",
            _("Address to ask"),
            _(
                "Desktop RAG has no server of its own. If you or your administrator keep a version "
                "document, put its address here."
            ),
            hint="https://…",
        ),
    )
    return Group(_("Network and updates"), rows)
