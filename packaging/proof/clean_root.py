"""The clean root: Debian without Python, without a compiler, with what the package depends on."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

from release.plan import CACHE, BuildFailed, call, said

SUITE = "bookworm"
PERSON = "ada"
_UNWANTED = ("python3", "python", "gcc", "cc", "clang", "tcc", "make", "pip")
_NETWORK_FILES = ("etc/resolv.conf", "etc/hosts")


def prepared(depends: str) -> Path:
    """A root as an archive, made when there is none yet. This needs the network.

    Args:
        depends: a package's dependencies, as Debian writes them; exactly these are installed.
    """
    CACHE.mkdir(parents=True, exist_ok=True)
    bare = CACHE / f"root-{SUITE}.tar"
    if not bare.exists():
        _make(bare, lambda root: call(["debootstrap", "--variant=minbase", SUITE, root]))
    if not depends:
        return bare
    key = hashlib.sha256(depends.encode()).hexdigest()[:12]
    full = CACHE / f"root-{SUITE}-{key}.tar"
    if not full.exists():
        _make(full, lambda root: _install(bare, depends, root))
    return full


def unpack(archive: Path, root: Path) -> None:
    """A fresh root with one ordinary user, who has a fresh home."""
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir(parents=True)
    call(["tar", "-C", root, "-xpf", archive])
    call(["chroot", root, "useradd", "--create-home", "--uid", "1000", PERSON])


def packages(root: Path) -> int:
    """How many Debian packages it has."""
    return len(said(["chroot", root, "dpkg-query", "-W", "-f", "${Package}\\n"]).splitlines())


def unwanted(root: Path) -> list[str]:
    """Interpreters and compilers in it: there must be none."""
    folders = ("usr/bin", "usr/local/bin", "usr/sbin")
    return [name for name in _UNWANTED for folder in folders if (root / folder / name).exists()]


def _make(archive: Path, fill: Callable[[Path], None]) -> None:
    root = archive.with_suffix(".making")
    partial = archive.with_suffix(".partial")
    shutil.rmtree(root, ignore_errors=True)
    fill(root)
    call(["tar", "-C", root, "-cf", partial, "."])
    shutil.rmtree(root)
    partial.rename(archive)


def _install(bare: Path, depends: str, root: Path) -> None:
    root.mkdir()
    call(["tar", "-C", root, "-xpf", bare])
    before = {name: _bytes(root / name) for name in _NETWORK_FILES}
    for name in _NETWORK_FILES:
        (root / name).write_bytes(_bytes(Path("/") / name))
    _apt(root, ["update"])
    _apt(root, ["satisfy", "-y", "--no-install-recommends", depends])
    _apt(root, ["clean"])
    for name, content in before.items():
        (root / name).write_bytes(content)


def _bytes(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""


def _apt(root: Path, words: Sequence[str]) -> None:
    """Run apt-get in the root, which sees its own processes and nothing else of this computer."""
    done = subprocess.run(
        [
            "unshare", "--mount", "sh", "-c", 'mount -t proc proc "$0/proc" && exec "$@"', root,
            "chroot", root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q", *words,
        ],
        capture_output=True,
        text=True,
        check=False,
    )  # fmt: skip
    if done.returncode:
        said = f"{done.stdout[-2000:]}{done.stderr}"
        raise BuildFailed(f"apt-get {words[0]} failed in the clean root:\n{said}")
