"""Values cross the pipe whole, typed and bounded."""

from __future__ import annotations

import multiprocessing
from pathlib import Path

import msgspec
import pytest

from desktop_rag.domain.answers import Candidate, Ranking
from desktop_rag.domain.documents import ChunkId, PageImage, ReadDocument
from desktop_rag.domain.errors import DesktopRagError, Encrypted, WorkerCrashed
from desktop_rag.domain.ports import IndexBatch, IndexedChunk
from desktop_rag.workers import frames
from desktop_rag.workers.frames import Call, Channel, Failure, FrameError
from tests.helpers.fakes import FakeReader


def test_a_read_document_crosses_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "report.txt"
    path.write_text("# Report\n\nÄpfel und Birnen.\n\fSecond page.\n", encoding="utf-8")
    document = FakeReader().read(path)
    assert frames.decode(frames.encode(document), ReadDocument) == document


@pytest.mark.parametrize(
    "value",
    [
        Ranking(
            (Candidate(ChunkId(7), 0.03, None, None, 2, 1.5),),
            12,
            ("a",),
            (),
            (("b", "bc"),),
            {"embed": 1.5},
        ),
        IndexBatch((IndexedChunk(ChunkId(1), "text", b"\x00\x3c" * 384),), (ChunkId(2),), 99),
        PageImage(b"\x89PNG", 595.0, 842.0),
    ],
    ids=lambda value: type(value).__name__,
)
def test_values_of_the_domain_cross_unchanged(value: object) -> None:
    assert frames.decode(frames.encode(value), type(value)) == value


def test_paths_cross_as_text(tmp_path: Path) -> None:
    assert frames.decode(frames.encode((tmp_path, 1)), tuple[Path, int]) == (tmp_path, 1)


@pytest.mark.parametrize("value", ["text", {"png": "no bytes"}, [1, 2], None])
def test_a_value_of_another_type_is_refused(value: object) -> None:
    with pytest.raises(FrameError):
        frames.decode(frames.encode(value), PageImage)


def test_an_object_is_never_pickled() -> None:
    with pytest.raises(NotImplementedError):
        frames.encode(object())


@pytest.mark.parametrize(
    "sent", [b"", b"\xc1", b"garbage", msgspec.msgpack.encode(["nonsense", 1])]
)
def test_garbage_on_the_pipe_is_a_frame_error(sent: bytes) -> None:
    left, right = multiprocessing.Pipe()
    with left, right:
        left.send_bytes(sent)
        with pytest.raises(FrameError):
            Channel(right).receive()


def test_a_frame_over_the_limit_is_refused_before_it_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(frames, "MAX_FRAME_BYTES", 100)
    left, right = multiprocessing.Pipe()
    with left, right:
        left.send_bytes(bytes(101))
        with pytest.raises(FrameError):
            Channel(right).receive()


def test_frames_arrive_in_order() -> None:
    left, right = multiprocessing.Pipe()
    with left, right:
        sent = [Call(n, "echo", frames.encode((n,)), n % 2 == 0) for n in range(5)]
        for frame in sent:
            Channel(left).send(frame)
        received = [Channel(right).receive() for _ in sent]
        assert [(f.id, f.is_urgent) for f in received if isinstance(f, Call)] == [
            (n, n % 2 == 0) for n in range(5)
        ]


def test_the_end_of_the_other_side_is_eof() -> None:
    left, right = multiprocessing.Pipe()
    left.close()
    with right, pytest.raises(EOFError):
        Channel(right).receive()


def test_errors_are_made_again_by_code() -> None:
    error = Failure.of(3, Encrypted("a.pdf needs a password.", path="a.pdf")).error()
    assert type(error) is Encrypted
    assert (error.message, error.details) == ("a.pdf needs a password.", {"path": "a.pdf"})
    assert type(Failure(1, "never heard of", "What?").error()) is DesktopRagError


def test_an_endless_error_is_cut() -> None:
    failure = Failure.of(1, WorkerCrashed("x" * 10**6, **{f"k{n}": "v" * 10**6 for n in range(50)}))
    assert len(frames.encode(failure)) < 200_000
