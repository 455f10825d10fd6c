"""Builds the Debian packages: one without and, when there is one, one with a language model.

Everything is laid out in a folder, owned by root in the archive, with the time of the commit; the
same program gives the same package. Nothing of debhelper is needed.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from release import debian_control, debian_copyright, debian_scripts
from release.debian_control import COMPLETE, SMALL
from release.linux_share import TEMPLATES, write_gzip, write_share
from release.needs import is_elf
from release.plan import BuildFailed, Plan, call, require_licences, require_program
from release.shipped_model import ShippedModel, shipped_model

PLACE = Path("usr/lib/desktop-rag")
_ROOM_KIB = 50_000
"""Left free besides what is unpacked: dpkg's own files, menus, icon caches."""

SMALL_OPTIONS = ("-Zxz", "-z6")
"""Measured in packaging/README.md."""
COMPLETE_OPTIONS = ("-Zzstd", "-z3", "--no-uniform-compression")
"""A language model does not get smaller, and takes minutes to try."""


@dataclass(frozen=True, slots=True)
class _Job:
    package: str
    options: Sequence[str]
    model: ShippedModel | None = None


def run(plan: Plan) -> None:
    """Build both packages, or only the small one when there is no language model.

    Raises:
        BuildFailed: there is no frozen program, it has no licence texts, dpkg-deb is missing, or
            it failed.
    """
    require_program(plan)
    require_licences(plan)
    if shutil.which("dpkg-deb") is None:
        raise BuildFailed("dpkg-deb is missing: install dpkg, or build on Debian or Ubuntu.")
    depends = debian_control.depends(plan)
    jobs = [_Job(SMALL, SMALL_OPTIONS)]
    if (model := shipped_model(plan)) is not None:
        jobs.append(_Job(COMPLETE, COMPLETE_OPTIONS, model))
    else:
        print(f"No language model: {COMPLETE} is left out (`--model` names one).")
    for job in jobs:
        started = time.monotonic()
        made = build(plan, job.package, depends, job.options, job.model)
        size, seconds = made.stat().st_size / 1e6, time.monotonic() - started
        print(f"{made.name}: {size:.0f} MB, {seconds:.0f} s", flush=True)


def build(
    plan: Plan,
    package: str,
    depends: Sequence[str],
    options: Sequence[str],
    model: ShippedModel | None = None,
) -> Path:
    """One package; an older one of the same name is replaced when the new one is complete."""
    made = plan.out / f"{package}_{plan.version}_{debian_control.architecture()}.deb"
    with tempfile.TemporaryDirectory(dir=plan.dist, prefix="deb-") as folder:
        root = Path(folder) / package
        lay_out(plan, root, package, model)
        write_control(plan, root, package, depends)
        settle(root, plan.epoch)
        partial = Path(folder) / made.name
        call(
            ["dpkg-deb", "--root-owner-group", *options, "--build", root, partial],
            {"SOURCE_DATE_EPOCH": str(plan.epoch)},
        )
        partial.replace(made)
    return made


def lay_out(plan: Plan, root: Path, package: str, model: ShippedModel | None) -> None:
    """What the package installs."""
    shutil.copytree(plan.program, root / PLACE, symlinks=True)
    if model:
        model.copy_to(root / PLACE / "_internal")
    command = root / "usr/bin/desktop-rag"
    command.parent.mkdir(parents=True)
    command.symlink_to("../lib/desktop-rag/desktop-rag")
    write_share(plan, root / "usr/share")
    documents = root / "usr/share/doc" / package
    documents.mkdir(parents=True)
    write_gzip(documents / "changelog.gz", debian_control.changelog(plan, package))
    shutil.copyfile(TEMPLATES / "debian/README.Debian", documents / "README.Debian")
    text = debian_copyright.copyright_file(plan, has_model=model is not None)
    (documents / "copyright").write_text(text, encoding="utf-8")
    overrides = root / "usr/share/lintian/overrides" / package
    overrides.parent.mkdir(parents=True)
    overrides.write_text(debian_control.overrides(package), encoding="utf-8")


def write_control(plan: Plan, root: Path, package: str, depends: Sequence[str]) -> None:
    """What dpkg reads: control, checksums, scripts."""
    needed_kib = debian_control.installed_kib(root)
    folder = root / "DEBIAN"
    folder.mkdir()
    text = debian_control.control(plan, package, needed_kib, depends)
    (folder / "control").write_text(text, encoding="utf-8")
    (folder / "md5sums").write_text(debian_control.md5sums(root), encoding="utf-8")
    for name in debian_scripts.SCRIPTS:
        script = debian_scripts.script(name, needed_kib + _ROOM_KIB)
        (folder / name).write_text(script, encoding="utf-8")


def settle(root: Path, epoch: int) -> None:
    """Permissions and times that do not depend on who builds, where and when.

    Raises:
        BuildFailed: a link leads out of the package.
    """
    for path in [*root.rglob("*"), root]:
        if path.is_symlink():
            if not path.resolve().is_relative_to(root.resolve()):
                raise BuildFailed(f"{path.relative_to(root)} is a link out of the package.")
        else:
            path.chmod(0o755 if path.is_dir() or _is_command(root, path) else 0o644)
        os.utime(path, (epoch, epoch), follow_symlinks=False)


def _is_command(root: Path, path: Path) -> bool:
    """A program or a script of dpkg; shared libraries are not."""
    is_script = path.parent == root / "DEBIAN" and path.name in debian_scripts.SCRIPTS
    return is_script or (path.suffix == "" and ".so" not in path.name and is_elf(path))
