"""What went wrong with a model, in words for the window: buttons instead of commands."""

from __future__ import annotations

from desktop_rag.domain.errors import DesktopRagError
from desktop_rag.ui.translation import _

_COMMAND = "`desktop-rag"
"""Messages of the engine room that name a step in a terminal hold this."""


def failure(error: DesktopRagError) -> str:
    """One sentence with the next step. Reasons that name a file stay as they are."""
    if error.code == "disk-full" and "place" in error.details:
        return _(
            "There is too little room in {place}. Make room there, choose another disk, or export "
            "fewer models; nothing was written."
        ).format(place=error.details["place"])
    told = {
        "disk-full": _(
            "There is too little room on the disk with the models. Make room and try again; what "
            "has arrived of a download is kept."
        ),
        "not-enough-memory": _(
            "There is not enough free memory for this model: close other programs and try again, "
            "or use a smaller model."
        ),
        "network-forbidden": _(
            "All use of the network is forbidden on the page Privacy. Allow it there, or add the "
            "model from a file."
        ),
    }.get(error.code)
    if told is not None:
        return told
    if _COMMAND not in error.message:
        return error.message
    return {
        "model-missing": _("This model is not installed: download it, or add it from a file."),
        "model-damaged": _("This model is damaged: download it again, or remove and add it anew."),
        "invalid-input": _(
            "Another model of this name is installed, or this one is of another kind. Remove the "
            "other one first, or rename the file."
        ),
        "download-failed": _(
            "This copy of the program cannot download it. Get the .gguf file elsewhere and add it "
            "from there."
        ),
    }.get(error.code, error.message)
