"""Checksums and the signature that they get."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from release import sign, sums
from release.plan import ROOT, BuildFailed, Plan

needs_gpg = pytest.mark.skipif(shutil.which("gpg") is None, reason="there is no gpg here")


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Plan:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    monkeypatch.setattr(sums, "write_source", lambda plan: _file(plan, "source.tar.gz"))
    made = Plan("9.9.9", dist=tmp_path / "dist")
    _file(made, "desktop-rag_9.9.9_amd64.deb")
    return made


def _file(plan: Plan, name: str) -> None:
    (plan.out / name).write_text(name, encoding="utf-8")


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """One that is thrown away, in a folder of its own with a short path (its sockets need that)."""
    with tempfile.TemporaryDirectory(prefix="gpg-", ignore_cleanup_errors=True) as home:
        monkeypatch.setenv("GNUPGHOME", home)
        made = ["gpg", "--batch", "--passphrase", "", "--quick-generate-key"]
        subprocess.run(
            [*made, "T <t@example.org>", "ed25519", "sign", "1d"], check=True, capture_output=True
        )
        yield "t@example.org"
        subprocess.run(["gpgconf", "--kill", "all"], check=False, capture_output=True)


@pytest.mark.skipif(shutil.which("sha256sum") is None, reason="there is no sha256sum here")
def test_sha256sum_accepts_them_and_finds_a_change(plan: Plan) -> None:
    sums.run(plan)
    check = ["sha256sum", "-c", "--strict", "SHA256SUMS"]
    done = subprocess.run(check, cwd=plan.out, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert done.stdout.count(": OK") == 2
    (plan.out / "source.tar.gz").write_text("changed", encoding="utf-8")
    assert subprocess.run(check, cwd=plan.out, capture_output=True, check=False).returncode == 1


def test_a_program_that_is_not_the_listed_one_gets_no_sums(plan: Plan) -> None:
    program = plan.program / "lib" / "a.so"
    program.parent.mkdir(parents=True)
    program.write_bytes(b"one")
    digest = hashlib.sha256(b"one").hexdigest()
    file = {"type": "file", "name": "lib/a.so", "hashes": [{"content": digest}]}
    bill = {"metadata": {"component": {}}, "components": [{"components": [file]}]}
    (plan.out / "desktop-rag-9.9.9.cdx.json").write_text(json.dumps(bill), encoding="utf-8")
    sums.run(plan)
    program.write_bytes(b"two")
    with pytest.raises(BuildFailed, match=r"not what desktop-rag-9\.9\.9.*\(lib/a.so\)"):
        sums.run(plan)
    program.write_bytes(b"one")
    (program.parent / "b.so").write_bytes(b"")
    with pytest.raises(BuildFailed, match=r"b\.so"):
        sums.run(plan)


def test_new_sums_take_an_older_signature_away(plan: Plan) -> None:
    _file(plan, "SHA256SUMS.asc")
    sums.run(plan)
    assert {path.name for path in plan.out.iterdir()} == {
        "SHA256SUMS", "desktop-rag_9.9.9_amd64.deb", "source.tar.gz",
    }  # fmt: skip


@pytest.mark.skipif(shutil.which("git") is None, reason="there is no git here")
def test_the_source_is_packed_the_same_every_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)  # where somebody signs every commit
    clone = tmp_path / "clone"
    clone.mkdir()
    (clone / "README.md").write_text("hello", encoding="utf-8")
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "one"]):
        subprocess.run([*git, *command], cwd=clone, check=True)
    monkeypatch.setattr(sums, "ROOT", clone)
    plan = Plan("9.9.9", dist=tmp_path / "dist")
    sums.write_source(plan)
    path = plan.out / "desktop-rag-9.9.9-source.tar.gz"
    first = path.read_bytes()
    sums.write_source(plan)
    assert path.read_bytes() == first
    with tarfile.open(path) as archive:
        assert "desktop-rag-9.9.9/README.md" in archive.getnames()


def test_what_is_no_clone_or_lacks_git_has_no_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sums, "ROOT", tmp_path)
    with pytest.raises(BuildFailed, match="in a clone"):
        sums.write_source(Plan("9.9.9", dist=tmp_path / "dist"))
    monkeypatch.setattr(sums, "ROOT", ROOT)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BuildFailed, match="with git"):
        sums.write_source(Plan("9.9.9", dist=tmp_path / "dist"))


def test_without_a_key_it_tells_how_to_make_one(plan: Plan) -> None:
    sums.run(plan)
    with pytest.raises(BuildFailed, match=r"(?s)--quick-generate-key.*gpg --verify.*sha256sum -c"):
        sign.run(plan)


@needs_gpg
def test_the_signature_is_that_of_the_sums(plan: Plan, key: str) -> None:
    sums.run(plan)
    signed = Plan("9.9.9", dist=plan.dist, key=key)
    sign.run(signed)
    check = ["gpg", "--verify", "SHA256SUMS.asc", "SHA256SUMS"]
    assert subprocess.run(check, cwd=plan.out, capture_output=True, check=False).returncode == 0
    with (plan.out / "SHA256SUMS").open("a", encoding="utf-8") as file:
        file.write("\n")
    assert subprocess.run(check, cwd=plan.out, capture_output=True, check=False).returncode != 0


def test_packages_of_another_version_get_no_sums(plan: Plan) -> None:
    for name in ("desktop-rag-key.asc", "desktop-rag-complete-9.9.9-linux-x86_64.run"):
        _file(plan, name)
    sums.run(plan)
    (plan.out / sums.NAME).unlink()
    for name in ("desktop-rag-complete_9.9_amd64.deb", "desktop-rag-9.9.8.ragmodels"):
        _file(plan, name)
    others = (
        r"^desktop-rag-9\.9\.8\.ragmodels, desktop-rag-complete_9\.9_amd64\.deb in .* delete it"
    )
    with pytest.raises(BuildFailed, match=others):
        sums.run(plan)
    assert not (plan.out / sums.NAME).exists()


@needs_gpg
def test_sums_of_other_files_are_not_signed(plan: Plan, key: str) -> None:
    sums.run(plan)
    _file(plan, "later.run")
    with pytest.raises(BuildFailed, match="run the step `sums` first"):
        sign.run(Plan("9.9.9", dist=plan.dist, key=key))
    assert not (plan.out / "SHA256SUMS.asc").exists()


@needs_gpg
def test_a_key_that_is_not_there_is_told(plan: Plan, key: str) -> None:
    sums.run(plan)
    with pytest.raises(BuildFailed, match=r"no secret key 'nobody@example\.org'"):
        sign.run(Plan("9.9.9", dist=plan.dist, key="nobody@example.org"))
