"""Old Office formats: with a stand-in for LibreOffice, without one, and locked files."""

from __future__ import annotations

import os
import stat
import sys
import time
from pathlib import Path
from unittest.mock import patch

import psutil
import pytest

from desktop_rag.domain.errors import Damaged, Encrypted, TooLarge, Unsupported
from desktop_rag.engines import legacy_office
from desktop_rag.engines.legacy_office import LegacyOfficeParser, find_libreoffice
from tests.helpers.documents import make_docx, make_pptx

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a shell script")


@pytest.fixture(autouse=True)
def _empty_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No LibreOffice of this machine, and a profile folder of our own."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}")
    monkeypatch.setattr(legacy_office, "_PLACES", ())
    monkeypatch.setattr(legacy_office, "_PATTERNS", ())
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    legacy_office._profile.cache_clear()


def install(tmp_path: Path, script: str) -> None:
    """A program called soffice; `$OUT` is where it has to write, `$IN` what it reads."""
    program = tmp_path / "bin" / "soffice"
    find_arguments = (
        'for last; do IN="$last"; done\n'
        'while [ $# -gt 1 ]; do [ "$1" = --outdir ] && OUT="$2"; '
        'case "$1" in -env:*) PROFILE="${1#*file://}";; esac; shift; done\n'
        '/bin/mkdir -p "$OUT"\n'
    )
    program.write_text(f"#!/bin/sh\n{find_arguments}{script}\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)


def old(path: Path) -> Path:
    path.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))
    return path


def test_files_are_read_through_libreoffice(tmp_path: Path) -> None:
    docx = make_docx(tmp_path / "new.docx", ["# Pumps", "Words."])
    install(tmp_path, f'/bin/cp {docx} "$OUT/in.docx"; /bin/cp "$PROFILE/user/"*.xcu {tmp_path}')
    document = LegacyOfficeParser().parse(old(tmp_path / "a.doc"))
    assert (document.format, document.text) == ("doc", "Pumps\n\nWords.")
    assert document.notes == ("Read through LibreOffice.",)
    assert "DisableMacrosExecution" in (tmp_path / "registrymodifications.xcu").read_text()
    left = [path.name for path in (tmp_path / "tmp").iterdir()]
    assert left == [f"desktop-rag-libreoffice-{os.getpid()}"]


def test_presentations_become_slides(tmp_path: Path) -> None:
    pptx = make_pptx(tmp_path / "new.pptx", [["Pumps", "line"]])
    install(tmp_path, f'/bin/cp {pptx} "$OUT/in.pptx"')
    assert LegacyOfficeParser().parse(old(tmp_path / "a.PPS")).coverage.pages == 1


def test_it_works_on_a_copy_and_offline(tmp_path: Path) -> None:
    install(tmp_path, f'echo "$IN $https_proxy" > {tmp_path}/seen; exit 0')
    with pytest.raises(Damaged, match=r"a\.doc.*LibreOffice.*DOCX"):
        LegacyOfficeParser().parse(old(tmp_path / "a.doc"))
    seen, proxy = (tmp_path / "seen").read_text().split()
    assert not Path(seen).exists()
    assert Path(seen).parent != tmp_path
    assert proxy == "http://127.0.0.1:9"


def test_it_is_stopped_with_its_children(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(legacy_office, "TIMEOUT_S", 0.5)
    install(tmp_path, f"/bin/sleep 60 & echo $! > {tmp_path}/child; wait")
    began = time.monotonic()
    with pytest.raises(TooLarge, match=r"a\.doc.*longer"):
        LegacyOfficeParser().parse(old(tmp_path / "a.doc"))
    assert time.monotonic() - began < 10
    child = int((tmp_path / "child").read_text())
    for _ in range(50):
        if not psutil.pid_exists(child) or psutil.Process(child).status() == psutil.STATUS_ZOMBIE:
            break
        time.sleep(0.05)
    else:
        pytest.fail("the child lives on")


def test_without_libreoffice_the_next_step_is_named(tmp_path: Path) -> None:
    assert find_libreoffice() == ""
    parser = LegacyOfficeParser()
    before = parser.name
    with pytest.raises(Unsupported, match=r"a\.doc.*install LibreOffice.*DOCX"):
        parser.parse(old(tmp_path / "a.doc"))
    with pytest.raises(Unsupported, match=r"a\.ppt.*PPTX"):
        parser.parse(old(tmp_path / "a.ppt"))
    install(tmp_path, "exit 0")
    assert parser.name != before  # refused files are read again


def test_profiles_of_killed_processes_are_removed(tmp_path: Path) -> None:
    stale = tmp_path / "tmp" / "desktop-rag-libreoffice-999999999"
    stale.mkdir()
    assert legacy_office._profile().is_dir()
    assert not stale.exists()


@pytest.mark.parametrize(
    ("stream", "data"),
    [
        ("WordDocument", bytes(10) + (0x0100).to_bytes(2, "little")),
        ("Current User", bytes(12) + (0xF3D1C4DF).to_bytes(4, "little")),
    ],
)
def test_locked_files_are_told_without_libreoffice(
    tmp_path: Path, stream: str, data: bytes
) -> None:
    class Container:
        def __init__(self, _: Path) -> None:
            pass

        def __enter__(self) -> Container:
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def exists(self, name: str) -> bool:
            return name == stream

        def openstream(self, _: str) -> Container:
            return self

        def read(self, size: int) -> bytes:
            return data[:size]

    with (
        patch("olefile.OleFileIO", Container),
        pytest.raises(Encrypted, match=r"a\.doc.*password"),
    ):
        LegacyOfficeParser().parse(old(tmp_path / "a.doc"))


def test_what_is_no_old_document_is_not_taken_for_text(tmp_path: Path) -> None:
    install(tmp_path, "exit 0")
    (tmp_path / "a.wpd").write_bytes(b"any bytes at all")
    with pytest.raises(Damaged, match=r"a\.wpd.*whole WPD"):
        LegacyOfficeParser().parse(tmp_path / "a.wpd")
