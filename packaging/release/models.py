"""Writes the default language model into a file that the program imports: `*.ragmodels`."""

from __future__ import annotations

from desktop_rag.domain.errors import DesktopRagError
from desktop_rag.storage.model_bundle import BundledFile, BundledModel, Manifest, whole_size
from desktop_rag.storage.model_bundle_writing import check_place, write_bundle
from desktop_rag.storage.model_catalog import ModelRole
from release.plan import BuildFailed, Plan
from release.shipped_model import ShippedModel, shipped_model


def run(plan: Plan) -> None:
    """Write the file beside the installers, as `desktop-rag models export` would.

    Raises:
        BuildFailed: the model is damaged, or there is no room for it.
    """
    model = shipped_model(plan)
    if model is None:
        print("No language model is installed or named with --model: no file of models is written.")
        return
    path = plan.out / f"desktop-rag-{plan.version}.ragmodels"
    manifest = Manifest(plan.version, (_told(model),))
    origins = {(model.id, file.name): here for here, file in model.files}
    try:
        check_place(path, whole_size(manifest))
        write_bundle(path, manifest, origins, lambda _done: None, lambda: False)
    except DesktopRagError as exc:
        raise BuildFailed(exc.message) from exc
    print(f"Wrote {path}: {path.stat().st_size / 1e6:,.0f} MB, {model.title}")


def _told(model: ShippedModel) -> BundledModel:
    files = tuple(BundledFile(file.name, file.size, file.sha256) for _, file in model.files)
    return BundledModel(model.id, ModelRole.LLM.value, model.title, model.licence, files)
