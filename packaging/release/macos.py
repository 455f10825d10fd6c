"""Makes the disk images for macOS, without and with the language model.

Signing and notarising are hooks, named by two variables:

- `DESKTOP_RAG_CODESIGN_IDENTITY`: a "Developer ID Application" identity in the keychain;
- `DESKTOP_RAG_NOTARY_PROFILE`: credentials stored by `xcrun notarytool store-credentials`.
"""

from __future__ import annotations

import os
import platform
import shutil
import tempfile
from pathlib import Path

from release.plan import PACKAGING, BuildFailed, Plan, call, require_licences
from release.shipped_model import ShippedModel, shipped_model

IDENTITY_VARIABLE = "DESKTOP_RAG_CODESIGN_IDENTITY"
PROFILE_VARIABLE = "DESKTOP_RAG_NOTARY_PROFILE"
ENTITLEMENTS = PACKAGING / "macos" / "entitlements.plist"
APPLICATION = "Desktop RAG.app"
RESOURCES = Path("Contents", "Resources")
"""Where PyInstaller keeps data in an application."""
_CODE = {".dylib", ".so"}


def run(plan: Plan) -> None:
    """Make the images, signed and notarised as far as the hooks are named.

    Raises:
        BuildFailed: there is no frozen application, the program has no licence texts, or one of
            Apple's tools failed.
    """
    application = plan.dist / APPLICATION
    if not application.exists():
        raise BuildFailed("There is no frozen application: run the step `freeze` first.")
    require_licences(plan)
    model = shipped_model(plan)
    for shipped in (None, model) if model else (None,):
        make_image(plan, application, shipped)


def make_image(plan: Plan, application: Path, model: ShippedModel | None) -> None:
    """One disk image with the application beside a link to the folder it is dragged to."""
    image = plan.out / f"{name_of(plan, model)}.dmg"
    with tempfile.TemporaryDirectory(dir=plan.dist) as folder:
        copy = Path(folder) / APPLICATION
        shutil.copytree(application, copy, symlinks=True)
        # Before signing, as the seal covers every file. The steps since the freeze put the texts of
        # licences into the folder, and PyInstaller made the application before them.
        texts = copy / RESOURCES / "resources" / "licences"
        shutil.copytree(plan.licences, texts, dirs_exist_ok=True)
        if model:
            model.copy_to(copy / RESOURCES)
        identity = os.environ.get(IDENTITY_VARIABLE, "")
        sign(copy, identity)
        (Path(folder) / "Applications").symlink_to("/Applications")
        call([
            "hdiutil", "create", "-volname", f"Desktop RAG {plan.version}", "-srcfolder", folder,
            "-format", "ULFO", "-ov", image,
        ])  # fmt: skip
    if identity:
        call(["codesign", "--force", "--timestamp", "--sign", identity, image])
    notarise(image, identity)


def name_of(plan: Plan, model: ShippedModel | None) -> str:
    """The image's file name without its ending."""
    kind = "desktop-rag-complete" if model else "desktop-rag"
    return f"{kind}-{plan.version}-macos-{platform.machine()}"


def sign(application: Path, identity: str) -> None:
    """Sign every library, then what is around them; without an identity for this Mac only."""
    options = ["--options", "runtime", "--timestamp"] if identity else []
    if not identity:
        print(f"Not signed: {IDENTITY_VARIABLE} names no identity. macOS will refuse a download.")
    base = ["codesign", "--force", *options, "--sign", identity or "-"]
    for path in libraries(application):
        call([*base, path])
    call([*base, "--entitlements", ENTITLEMENTS, application])
    call(["codesign", "--verify", "--strict", application])


def libraries(application: Path) -> list[Path]:
    """The code inside an application, the innermost first, as Apple's tool wants it."""
    found = [
        path
        for path in application.rglob("*")
        if path.suffix in _CODE and path.is_file() and not path.is_symlink()
    ]
    return sorted(found, key=lambda path: (-len(path.parts), path))


def notarise(image: Path, identity: str) -> None:
    """Let Apple examine a signed image and attach what it says, so that it opens offline."""
    profile = os.environ.get(PROFILE_VARIABLE, "")
    if not (identity and profile):
        print(f"Not notarised: {PROFILE_VARIABLE} names no credentials or nothing was signed.")
        return
    call(["xcrun", "notarytool", "submit", image, "--keychain-profile", profile, "--wait"])
    call(["xcrun", "stapler", "staple", image])
