"""Makes the installers for Windows with Inno Setup, without and with the language model.

Signing is a hook: `DESKTOP_RAG_SIGNTOOL` holds the command that signs one file, in Inno Setup's
notation, where `$f` stands for the file: `signtool.exe sign /fd sha256 /tr TIME-SERVER /a $f`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from release.icon_files import write_ico
from release.plan import PACKAGING, ROOT, BuildFailed, Plan, call, require_licences
from release.shipped_model import shipped_model

SCRIPT = PACKAGING / "windows" / "desktop-rag.iss"
SIGN_VARIABLE = "DESKTOP_RAG_SIGNTOOL"


def run(plan: Plan) -> None:
    """Sign what was frozen, then make the installers.

    Raises:
        BuildFailed: there is no frozen program, it has no licence texts, there is no Inno Setup,
            or one of the tools failed.
    """
    if not (plan.program / "Desktop RAG.exe").exists():
        raise BuildFailed("There is no frozen program: run the step `freeze` first.")
    require_licences(plan)
    compiler = find_compiler()
    icon = plan.dist / "desktop-rag.ico"
    write_ico(icon)
    sign_with = os.environ.get(SIGN_VARIABLE, "")
    if sign_with:
        for program in sorted(plan.program.glob("*.exe")):
            sign(program, sign_with)
    else:
        print(f"Not signed: {SIGN_VARIABLE} names no command. Windows will warn who starts it.")
    call([compiler, *arguments(plan, icon, None, sign_with), SCRIPT])
    if model := shipped_model(plan):
        with tempfile.TemporaryDirectory(dir=plan.dist) as folder:
            model.copy_to(Path(folder))
            call([compiler, *arguments(plan, icon, Path(folder), sign_with), SCRIPT])


def find_compiler() -> Path:
    """Inno Setup's command line compiler.

    Raises:
        BuildFailed: it is neither on the path nor where it installs itself.
    """
    found = shutil.which("iscc") or shutil.which("ISCC")
    if found:
        return Path(found)
    for variable in ("PROGRAMFILES(X86)", "PROGRAMFILES", "LOCALAPPDATA"):
        for folder in ("Inno Setup 6", "Programs/Inno Setup 6"):
            candidate = Path(os.environ.get(variable, ""), folder, "ISCC.exe")
            if candidate.exists():
                return candidate
    raise BuildFailed("Inno Setup 6 is missing: `winget install JRSoftware.InnoSetup`.")


def arguments(plan: Plan, icon: Path, model: Path | None, sign_with: str) -> list[str]:
    """What the script is told; see its head. `model` is a folder laid out as `_internal` is."""
    kind = "desktop-rag-complete" if model else "desktop-rag"
    defines = {
        "Version": plan.version,
        "Program": str(plan.program),
        "Out": str(plan.out),
        "Output": f"{kind}-{plan.version}-windows-x86_64",
        "Icon": str(icon),
        "Root": str(ROOT),
    }
    if model:
        defines["Model"] = str(model)
    if sign_with:
        defines["SignTool"] = "chosen"
    signing = [f"/Schosen={sign_with}"] if sign_with else []
    return ["/Qp", *signing, *(f"/D{name}={value}" for name, value in defines.items())]


def sign(program: Path, sign_with: str) -> None:
    """Sign one file as Inno Setup would.

    Raises:
        BuildFailed: the command failed.
    """
    command = sign_with.replace("$f", f'"{program}"').replace("$q", '"')
    if subprocess.call(command, shell=True):  # a whole command line, with its own quotes
        raise BuildFailed(
            f"{program.name} could not be signed; what the command said stands above."
        )
