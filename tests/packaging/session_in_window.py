"""The road of `tests/end_to_end`, in a process that is watched from outside.

Not collected: `test_nothing_calls_home` runs it without `conftest.py`, whose hook would refuse in
Python what is to be seen in the kernel. The documents are made beforehand, because what makes them
brings an engine along, and no process with a window has one.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from desktop_rag import network
from tests.end_to_end import test_road
from tests.end_to_end.test_road import theme, window

__all__ = ["folder", "library", "test_a_session", "theme", "window"]

FOLDER = "DESKTOP_RAG_TESTED_FOLDER"
network.install("program")
test_a_session = test_road.test_from_a_dropped_folder_to_the_marked_place
library = test_road.library


@pytest.fixture
def folder() -> Path:
    return Path(os.environ[FOLDER])
