from __future__ import annotations

import plistlib
import sys
from pathlib import Path

import pytest
from release import macos
from release.icon_files import ICNS_SIDES, write_icns
from release.plan import BuildFailed, Plan

from tests.packaging.frozen_folder import with_licences
from tests.packaging.recording import fake_program, recorded

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="stands in for tools by scripts")


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of stand-ins for Apple's tools, before everything else on the path."""
    for name in ("codesign", "hdiutil", "xcrun"):
        fake_program(tmp_path / "bin" / name)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    monkeypatch.delenv(macos.IDENTITY_VARIABLE, raising=False)
    monkeypatch.delenv(macos.PROFILE_VARIABLE, raising=False)
    monkeypatch.setattr(macos, "shipped_model", lambda plan: None)
    return tmp_path / "bin"


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    """A frozen application with a library in a library folder."""
    plan = Plan("1.2.3", dist=tmp_path / "dist")
    deep = plan.dist / macos.APPLICATION / "Contents" / "Frameworks" / "deep"
    deep.mkdir(parents=True)
    (deep / "inner.so").write_bytes(b"code")
    (deep.parent / "outer.dylib").write_bytes(b"code")
    (deep.parent / "link.dylib").symlink_to("outer.dylib")
    (deep.parent / "text.txt").write_text("no code", encoding="utf-8")
    return with_licences(plan)


def test_without_an_identity_it_is_signed_for_this_mac_only(plan: Plan, tools: Path) -> None:
    macos.run(plan)
    calls = recorded(tools / "codesign")
    signed = [call for call in calls if "--force" in call]
    assert [Path(call[-1]).name for call in signed] == [
        "inner.so", "outer.dylib", macos.APPLICATION,
    ]  # fmt: skip
    assert all(call[call.index("--sign") + 1] == "-" for call in signed)
    assert recorded(tools / "xcrun") == []
    (image,) = recorded(tools / "hdiutil")
    assert Path(image[-1]).name.startswith("desktop-rag-1.2.3-macos-")


def test_with_identity_and_profile_it_is_hardened_and_notarised(
    plan: Plan, tools: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(macos.IDENTITY_VARIABLE, "Developer ID Application: Somebody")
    monkeypatch.setenv(macos.PROFILE_VARIABLE, "desktop-rag")
    macos.run(plan)
    signed = [call for call in recorded(tools / "codesign") if "--force" in call]
    assert all("Developer ID Application: Somebody" in call for call in signed)
    *inside, image = signed
    assert all("runtime" in call for call in inside)
    assert image[-1].endswith(".dmg")
    submit, staple = recorded(tools / "xcrun")
    assert submit[:3] == ["notarytool", "submit", image[-1]]
    assert staple == ["stapler", "staple", image[-1]]


def test_the_licence_texts_of_later_steps_get_into_the_application(
    plan: Plan, tools: Path, tmp_path: Path
) -> None:
    place = "Contents/Resources/resources/licences/index.json"
    keep = f'cp "$5/{macos.APPLICATION}/{place}" "{tmp_path / "seen.json"}"'
    (tools / "hdiutil").write_text(f"#!/bin/sh\n{keep}\n", encoding="utf-8")
    macos.run(plan)
    assert (tmp_path / "seen.json").read_bytes() == (plan.licences / "index.json").read_bytes()
    (plan.licences / "index.json").unlink()
    with pytest.raises(BuildFailed, match="run the step `licences` first"):
        macos.run(plan)


def test_a_tool_that_fails_ends_the_build(plan: Plan, tools: Path) -> None:
    fake_program(tools / "codesign", code=1)
    with pytest.raises(BuildFailed, match="codesign failed with 1"):
        macos.run(plan)
    assert recorded(tools / "hdiutil") == []


def test_without_a_frozen_application_the_step_before_is_named(tmp_path: Path) -> None:
    with pytest.raises(BuildFailed, match="step `freeze`"):
        macos.run(Plan("1.2.3", dist=tmp_path))


def test_the_entitlements_are_a_property_list() -> None:
    entitlements = plistlib.loads(macos.ENTITLEMENTS.read_bytes())
    assert all(value is True for value in entitlements.values())
    assert all(name.startswith("com.apple.security.cs.") for name in entitlements)


def test_the_icon_holds_every_size(tmp_path: Path) -> None:
    from PIL import Image

    write_icns(tmp_path / "app.icns")
    with Image.open(tmp_path / "app.icns") as icon:
        sides = {round(width * scale) for width, _, scale in icon.info["sizes"]}
    assert set(ICNS_SIDES) <= sides
