from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from release import windows
from release.plan import PACKAGING, ROOT, BuildFailed, Plan
from release.shipped_model import ShippedModel

from desktop_rag.storage.model_catalog import CatalogFile
from tests.packaging.frozen_folder import with_licences
from tests.packaging.recording import fake_program, recorded

_SCRIPT = (PACKAGING / "windows" / "desktop-rag.iss").read_text(encoding="utf-8")
_needs_posix = pytest.mark.skipif(sys.platform == "win32", reason="stands in for tools by scripts")


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Plan:
    """A frozen program for Windows, an empty path, no model and nothing to sign with."""
    plan = Plan("1.2.3", dist=tmp_path / "dist")
    with_licences(plan)
    for name in ("Desktop RAG.exe", "desktop-rag.exe"):
        (plan.program / name).write_bytes(b"MZ")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    monkeypatch.delenv(windows.SIGN_VARIABLE, raising=False)
    monkeypatch.setattr(windows, "shipped_model", lambda plan: None)
    return plan


@_needs_posix
def test_inno_setup_is_told_all_that_the_script_asks_for(plan: Plan, tmp_path: Path) -> None:
    fake_program(tmp_path / "bin" / "iscc")
    windows.run(plan)
    (call,) = recorded(tmp_path / "bin" / "iscc")
    given = dict(part[2:].split("=", 1) for part in call if part.startswith("/D"))
    asked = set(re.findall(r"\{#(\w+)\}", _SCRIPT)) - {"Model", "SignTool"}
    assert asked == given.keys()
    assert given["Version"] == "1.2.3"
    assert given["Output"] == "desktop-rag-1.2.3-windows-x86_64"
    assert Path(given["Icon"]).read_bytes()[:4] == b"\0\0\1\0"
    assert call[-1] == str(windows.SCRIPT)


@_needs_posix
def test_a_model_makes_a_second_installer(
    plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.gguf").write_bytes(b"GGUF")
    file = CatalogFile("a.gguf", 4, "0" * 64)
    model = ShippedModel("tiny", "Tiny", "Apache-2.0", ((tmp_path / "a.gguf", file),))
    monkeypatch.setattr(windows, "shipped_model", lambda plan: model)
    fake_program(tmp_path / "bin" / "iscc")
    windows.run(plan)
    without, complete = recorded(tmp_path / "bin" / "iscc")
    assert not any(part.startswith("/DModel=") for part in without)
    assert any(part.startswith("/DModel=") for part in complete)
    assert "/DOutput=desktop-rag-complete-1.2.3-windows-x86_64" in complete


@_needs_posix
def test_the_hook_signs_programs_and_installers(
    plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    signer = fake_program(tmp_path / "bin" / "signer")
    fake_program(tmp_path / "bin" / "iscc")
    monkeypatch.setenv(windows.SIGN_VARIABLE, f"{signer} /fd sha256 $f")
    windows.run(plan)
    signed = [Path(call[-1]).name for call in recorded(signer)]
    assert signed == ["Desktop RAG.exe", "desktop-rag.exe"]
    (call,) = recorded(tmp_path / "bin" / "iscc")
    assert f"/Schosen={signer} /fd sha256 $f" in call
    assert "/DSignTool=chosen" in call


@_needs_posix
def test_a_signer_that_fails_ends_the_build(
    plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    signer = fake_program(tmp_path / "bin" / "signer", code=3)
    fake_program(tmp_path / "bin" / "iscc")
    monkeypatch.setenv(windows.SIGN_VARIABLE, f"{signer} $f")
    with pytest.raises(BuildFailed, match=r"Desktop RAG\.exe could not be signed"):
        windows.run(plan)
    assert recorded(tmp_path / "bin" / "iscc") == []


def test_without_inno_setup_the_remedy_is_named(plan: Plan) -> None:
    with pytest.raises(BuildFailed, match=r"winget install JRSoftware\.InnoSetup"):
        windows.run(plan)


def test_without_a_frozen_program_the_step_before_is_named(plan: Plan) -> None:
    (plan.program / "Desktop RAG.exe").unlink()
    with pytest.raises(BuildFailed, match="step `freeze`"):
        windows.run(plan)


def test_nothing_is_packed_without_its_licences(plan: Plan, tmp_path: Path) -> None:
    fake_program(tmp_path / "bin" / "iscc")
    (plan.licences / "index.json").unlink()
    with pytest.raises(BuildFailed, match="run the step `licences` first"):
        windows.run(plan)
    assert recorded(tmp_path / "bin" / "iscc") == []


def test_the_script_speaks_each_language_completely() -> None:
    languages = set(re.findall(r'^Name: "(\w\w)"; MessagesFile', _SCRIPT, re.MULTILINE))
    messages = re.findall(r"^(\w\w)\.(\w+)=(.+)$", _SCRIPT, re.MULTILINE)
    names = {name for _, name, _ in messages}
    assert languages == {"en", "de", "es", "fr", "ar"}
    assert {(language, name) for language, name, _ in messages} == {
        (language, name) for language in languages for name in names
    }
    used = set(re.findall(r"\{cm:(\w+)[},]|CustomMessage\('(\w+)'\)", _SCRIPT))
    of_inno = {"CreateDesktopIcon", "AdditionalIcons", "LaunchProgram"}
    assert {first or second for first, second in used} - of_inno == names


def test_every_program_that_the_script_starts_is_frozen() -> None:
    spec = (PACKAGING / "desktop-rag.spec").read_text(encoding="utf-8")
    frozen = set(re.findall(r'program\("([^"]+)"', spec))
    started = set(re.findall(r"\{app\}\\([^\\\"]+)\.exe", _SCRIPT))
    assert started == {"Desktop RAG", "desktop-rag"}
    assert started <= frozen


def test_the_licence_that_the_script_shows_is_there() -> None:
    assert (ROOT / "LICENSE").exists()
    assert r"LicenseFile={#Root}\LICENSE" in _SCRIPT
