"""Everything the Models page shows, read in one go away from the GUI thread."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop_rag.domain.budget import Effort
from desktop_rag.domain.errors import DesktopRagError
from desktop_rag.domain.pace import Pace, pace_of
from desktop_rag.settings import Settings

if TYPE_CHECKING:
    from desktop_rag.app import App
    from desktop_rag.services.model_importing import Offer
    from desktop_rag.services.models import Computer, ModelStatus


@dataclass(frozen=True, slots=True)
class Shown:
    """Models and the computer they run on, as they were a moment ago."""

    models: tuple[ModelStatus, ...]
    paces: dict[str, Pace]
    """By identifier, of models that were used here."""
    hosts: dict[str, tuple[str, ...]]
    """Who would be contacted for a model, by identifier."""
    computer: Computer
    in_use: str
    """Identifier of the language model that answers; empty for none."""
    problem: str
    """Code of the error that keeps the chosen language model from being used; empty for none."""
    suggested: str
    settings: Settings
    offers: tuple[Offer, ...]
    """Files with models beside the program."""
    is_forbidden: bool
    """The person forbade all use of the network."""

    def status(self, model_id: str) -> ModelStatus | None:
        """One model, if it is known."""
        return next((one for one in self.models if one.id == model_id), None)


def read_models(app: App) -> Shown:
    """Ask the façade. *May block* a few seconds when a model's file was touched."""
    models, settings = app.models.entries(), app.settings()
    speeds = {one.id: app.models.speed(one.id) for one in models}
    effort = Effort(settings.answers)
    in_use, problem = _in_use(app)
    return Shown(
        models=tuple(models),
        paces={name: pace_of(speed, effort) for name, speed in speeds.items() if speed},
        hosts={one.id: app.models.download_hosts(one.id) for one in models},
        computer=app.models.computer(),
        in_use=in_use,
        problem=problem,
        suggested=app.models.suggested_llm(),
        settings=settings,
        offers=tuple(app.models.offers()),
        is_forbidden=is_network_forbidden(app),
    )


def is_network_forbidden(app: App) -> bool:
    """Whether nothing may be downloaded now."""
    return app.connections.is_forbidden


def _in_use(app: App) -> tuple[str, str]:
    try:
        return app.models.choose_llm().model_id, ""
    except DesktopRagError as error:
        return "", "" if error.code == "model-missing" else error.code
