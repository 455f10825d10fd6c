"""A Debian package of a made program: what is in it and what it says."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest
from release import deb, debian_control
from release.debian_control import COMPLETE, SMALL
from release.licences import write_index
from release.plan import BuildFailed, Plan
from release.shipped_model import ShippedModel

from desktop_rag.storage.model_catalog import CatalogFile

pytestmark = pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="no dpkg-deb")

EPOCH = 1_700_000_000
DEPENDS = ("libc6 (>= 2.36)", "libgl1")


LICENCE = ["libraries/numpy/LICENSE"]
PARTS = [
    {"name": "Desktop RAG", "kind": "program", "licence": "AGPL-3.0-or-later", "files": []},
    {"name": "numpy", "kind": "library", "licence": "BSD-3-Clause AND MIT", "files": LICENCE},
    {"name": "GCC", "kind": "runtime", "licence": "GPL-3.0-only WITH GCC-exception", "files": []},
    {"name": "Tiny", "kind": "model", "licence": "Apache-2.0", "files": [], "where": "models/tiny"},
]


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(EPOCH))
    monkeypatch.setenv("DEBFULLNAME", "Ann")
    monkeypatch.setenv("DEBEMAIL", "ann@example.org")


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    """A program with a library that may be executed, a link, and a text anybody may write."""
    plan = Plan("0.1.0", dist=tmp_path / "dist")
    folder = plan.libraries / "resources" / "licences"
    (folder / "libraries" / "numpy").mkdir(parents=True)
    (folder / "libraries/numpy/LICENSE").write_text(
        "Copyright (c) 2005-2025, NumPy Developers.\n\nRedistribution …\n"
    )
    (folder / "index.json").write_text(json.dumps({"parts": PARTS}))
    shutil.copy("/bin/true", plan.program / "desktop-rag")
    shutil.copy("/bin/true", plan.libraries / "libtool.so.1")
    (plan.libraries / "libtool.so").symlink_to("libtool.so.1")
    (plan.libraries / "notes.txt").write_text("text")
    (plan.libraries / "notes.txt").chmod(0o777)
    return plan


@pytest.fixture
def model(tmp_path: Path) -> ShippedModel:
    path = tmp_path / "tiny.gguf"
    path.write_bytes(b"GGUF" * 1000)
    file = CatalogFile(
        name="tiny.gguf",
        size=4000,
        sha256=hashlib.sha256(path.read_bytes()).hexdigest(),
    )
    return ShippedModel("tiny", "Tiny", "Apache-2.0", ((path, file),))


def built(plan: Plan, package: str = SMALL, model: ShippedModel | None = None) -> Path:
    return deb.build(plan, package, DEPENDS, ("-Zgzip", "-z1"), model)


def members(package: Path) -> dict[str, tarfile.TarInfo]:
    command = ["dpkg-deb", "--fsys-tarfile", str(package)]
    with tarfile.open(fileobj=io.BytesIO(subprocess.check_output(command))) as tar:
        return {one.name.removeprefix("./"): one for one in tar.getmembers()}


def unpacked(package: Path, folder: Path) -> Path:
    subprocess.check_call(["dpkg-deb", "--raw-extract", str(package), str(folder)])
    return folder


def field(package: Path, name: str) -> str:
    command = ["dpkg-deb", "--field", str(package), name]
    return subprocess.check_output(command, text=True).strip()


def test_everything_lies_where_debian_wants_it(plan: Plan) -> None:
    found = members(built(plan))
    assert found["usr/bin/desktop-rag"].linkname == "../lib/desktop-rag/desktop-rag"
    assert found["usr/lib/desktop-rag/_internal/libtool.so"].linkname == "libtool.so.1"
    for name in (
        "applications/desktop-rag.desktop",
        "metainfo/org.desktop_rag.DesktopRAG.metainfo.xml",
        "mime/packages/desktop-rag.xml",
        "icons/hicolor/16x16/apps/desktop-rag.png",
        "icons/hicolor/512x512/apps/desktop-rag.png",
        "icons/hicolor/scalable/apps/desktop-rag.svg",
        "man/man1/desktop-rag.1.gz",
        "doc/desktop-rag/copyright",
        "doc/desktop-rag/changelog.gz",
        "doc/desktop-rag/README.Debian",
        "lintian/overrides/desktop-rag",
    ):
        assert f"usr/share/{name}" in found, name


def test_owner_permissions_and_times_are_the_same_everywhere(plan: Plan) -> None:
    found = members(built(plan))
    assert {(one.uname, one.uid, one.gid) for one in found.values()} == {("root", 0, 0)}
    assert {one.mtime for one in found.values()} == {EPOCH}
    commands = {name for name, one in found.items() if one.isfile() and one.mode & 0o111}
    assert commands == {"usr/lib/desktop-rag/desktop-rag"}, "a shared library is no command"
    assert {one.mode for one in found.values() if not one.issym()} == {0o644, 0o755}


def test_checksums_and_size_are_those_of_the_files(plan: Plan, tmp_path: Path) -> None:
    package = built(plan)
    root = unpacked(package, tmp_path / "root")
    lines = (root / "DEBIAN" / "md5sums").read_text().splitlines()
    named = {line.split("  ")[1]: line.split("  ")[0] for line in lines}
    files = {name for name, one in members(package).items() if one.isfile()}
    assert set(named) == files
    for name, digest in named.items():
        assert hashlib.md5((root / name).read_bytes()).hexdigest() == digest
    used = sum((root / name).stat().st_size for name in files)
    assert int(field(package, "Installed-Size")) * 1024 > used


def test_the_same_program_gives_the_same_package(plan: Plan) -> None:
    first = built(plan).read_bytes()
    os.utime(plan.libraries / "notes.txt")
    (plan.libraries / "notes.txt").chmod(0o600)
    assert built(plan).read_bytes() == first
    assert [path.name for path in plan.out.iterdir()] == [f"desktop-rag_0.1.0_{ARCHITECTURE}.deb"]


ARCHITECTURE = debian_control.architecture()


def test_only_one_of_the_packages_can_be_installed(plan: Plan, model: ShippedModel) -> None:
    small, complete = built(plan), built(plan, COMPLETE, model)
    assert complete.name == f"desktop-rag-complete_0.1.0_{ARCHITECTURE}.deb"
    assert field(small, "Conflicts") == field(small, "Replaces") == COMPLETE
    assert field(complete, "Conflicts") == field(complete, "Replaces") == SMALL
    assert field(complete, "Provides") == "desktop-rag (= 0.1.0)"
    assert field(small, "Provides") == ""
    assert field(small, "Depends") == "libc6 (>= 2.36), libgl1"
    place = "usr/lib/desktop-rag/_internal/models/tiny/tiny.gguf"
    assert members(complete)[place].size == 4000
    assert place not in members(small)
    assert "usr/share/doc/desktop-rag-complete/copyright" in members(complete)
    assert "desktop-rag-complete:" in debian_control.overrides(COMPLETE)
    assert "desktop-rag-complete:" not in debian_control.overrides(SMALL)


def copyright_of(package: Path, folder: Path) -> str:
    name = field(package, "Package")
    return (unpacked(package, folder) / "usr/share/doc" / name / "copyright").read_text()


def test_the_licences_of_all_parts_are_named(
    plan: Plan, model: ShippedModel, tmp_path: Path
) -> None:
    text = copyright_of(built(plan), tmp_path / "root")
    assert (
        "Copyright: Copyright (c) 2005-2025, NumPy Developers\nLicense: BSD-3-Clause and MIT"
        in text
    )
    defined = re.findall(r"^License: (.+)\n ", text, re.MULTILINE)
    assert defined == [
        "AGPL-3.0-or-later",
        "BSD-3-Clause",
        "GPL-3.0-only with GCC-exception",
        "MIT",
    ]
    assert "GNU AFFERO GENERAL PUBLIC LICENSE" in text
    assert "/usr/share/common-licenses/GPL-3 and" in text
    complete = copyright_of(built(plan, COMPLETE, model), tmp_path / "complete")
    assert "Files: usr/lib/desktop-rag/_internal/models/tiny/*" in complete
    assert "License: Apache-2.0\n" not in text


def test_the_changes_are_those_of_this_version(plan: Plan, tmp_path: Path) -> None:
    root = unpacked(built(plan), tmp_path / "root")
    text = gzip.decompress((root / "usr/share/doc/desktop-rag/changelog.gz").read_bytes()).decode()
    assert text.startswith("desktop-rag (0.1.0) unstable; urgency=medium\n\n  * Chat in a window")
    assert text.endswith("\n\n -- Ann <ann@example.org>  Tue, 14 Nov 2023 22:13:20 -0000\n")
    *entries, _empty, _trailer = text.splitlines()
    assert max(map(len, entries)) <= 80


def test_a_link_out_of_the_package_is_not_packed(plan: Plan) -> None:
    (plan.libraries / "away").symlink_to("/etc/passwd")
    with pytest.raises(BuildFailed, match=r"_internal/away is a link out of the package"):
        built(plan)
    assert list(plan.out.iterdir()) == []
    assert list(plan.dist.glob("deb-*")) == [], "nothing half made stays"


def test_steps_that_were_not_run_are_asked_for(plan: Plan, tmp_path: Path) -> None:
    with pytest.raises(BuildFailed, match="run the step `freeze` first"):
        deb.run(Plan("0.1.0", dist=tmp_path))
    (plan.licences / "index.json").unlink()
    with pytest.raises(BuildFailed, match="run the step `licences` first"):
        deb.run(plan)


def test_a_program_of_another_version_is_not_packed(plan: Plan) -> None:
    write_index(plan, [], plan.licences)
    with pytest.raises(
        BuildFailed, match=r"is of version 0\.1\.0, and this is 0\.2\.0: run the st"
    ):
        deb.run(Plan("0.2.0", dist=plan.dist))


@pytest.mark.parametrize(
    ("soname", "package"),
    [
        ("libc.so.6", "libc6"),
        ("ld-linux-x86-64.so.2", "libc6"),
        ("libGL.so.1", "libgl1"),
        ("libstdc++.so.6", "libstdc++6"),
    ],
)
def test_a_library_is_brought_by_a_package(soname: str, package: str) -> None:
    assert debian_control.package_of(soname) == package


def test_a_library_that_no_package_brings_ends_the_build() -> None:
    with pytest.raises(BuildFailed, match="which package brings libno-such-thing"):
        debian_control.package_of("libno-such-thing.so.3")


def test_symbols_of_the_c_runtime_tell_its_version() -> None:
    assert [debian_control.gcc_of(one) for one in ("3.4.30", "3.4.32", "3.4.22")] == [
        "12",
        "13.1",
        "",
    ]
