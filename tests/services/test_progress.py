"""How fast indexing is, and that it waits for answers in sight."""

from __future__ import annotations

from desktop_rag.domain.documents import DocumentId
from desktop_rag.domain.events import Event, IndexingProgress
from desktop_rag.services.progress import Progress
from desktop_rag.storage.jobs import Job, Workload


class Run:
    def __init__(self, waiting: int = 20) -> None:
        self.now = 0.0
        self.work = Workload(files=waiting, bytes=1000 * waiting)
        self.events: list[IndexingProgress] = []
        self.progress = Progress(lambda: self.work, self._note, lambda: self.now)

    def _note(self, event: Event) -> None:
        assert isinstance(event, IndexingProgress)
        self.events.append(event)

    def last(self) -> IndexingProgress:
        return self.events[-1]

    def read(self, number: int, seconds: float, pages: int = 0) -> None:
        job = Job(number, DocumentId(number), f"/docs/{number}.pdf", 0, size=1000)
        self.progress.reading(job)
        self.now += seconds
        self.progress.stored(job, is_finished=True, pages=pages)


def test_speeds_are_told_when_they_are_known() -> None:
    run = Run()
    run.progress.resume()
    run.read(1, 1.0, pages=10)
    assert run.last().files_per_minute is None, "a guess"
    for number in range(2, 6):
        run.read(number, 1.0, pages=10)
    assert run.last().files_per_minute == 60
    assert run.last().pages_per_second == 10


def test_files_without_pages_have_no_speed_in_pages() -> None:
    run = Run()
    run.progress.resume()
    for number in range(1, 6):
        run.read(number, 2.0)
    assert run.last().pages_per_second is None
    assert run.last().files_per_minute == 30


def test_waiting_for_an_answer_is_told_and_is_no_work() -> None:
    run = Run()
    run.progress.resume()
    for number in range(1, 6):
        run.read(number, 1.0)
    run.progress.yielding(is_yielding=True)
    run.progress.yielding(is_yielding=True)
    assert run.last().is_yielding
    assert run.last().path, "the line stays"
    told = len(run.events)
    run.now += 1000
    run.progress.yielding(is_yielding=False)
    assert len(run.events) == told + 1
    assert not run.last().is_yielding
    run.read(6, 1.0)
    assert run.last().files_per_minute == 60


def test_an_idle_indexer_does_not_mention_answers() -> None:
    run = Run(waiting=0)
    run.progress.yielding(is_yielding=True)
    run.progress.yielding(is_yielding=False)
    assert run.events == []
    busy = Run(waiting=3)
    busy.progress.yielding(is_yielding=True)
    assert (busy.last().is_yielding, busy.last().total) == (True, 3)
