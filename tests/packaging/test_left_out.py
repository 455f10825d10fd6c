"""Libraries for development stay out of the frozen program."""

from __future__ import annotations

from pathlib import Path

from release.left_out import modules_of_development, not_required


def test_what_is_not_pinned_is_left_out(tmp_path: Path) -> None:
    pins = tmp_path / "requirements.txt"
    pins.write_text("some.thing==1 \\\n    --hash=sha256:0\nother==2 ; x\n", encoding="utf-8")
    owners = {
        "thing": ["Some_Thing"],
        "shared": ["stranger", "other"],
        "odd": ["stranger"],
        "desktop_rag": ["desktop-rag"],
    }
    assert not_required(owners, pins) == ["odd"]


def test_here_tests_go_and_what_the_program_needs_stays() -> None:
    left_out = modules_of_development()
    assert {"_pytest", "pytest", "cyclonedx", "defusedxml"} <= set(left_out)
    assert not {"numpy", "PySide6", "desktop_rag", "google", "yaml", "cv2"} & set(left_out)
