"""Makes the build steps importable, as `packaging/build.py` does by lying beside them.

The installers without root are built once for all tests that run them.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.packaging.installing import Person

sys.path.append(str(Path(__file__).resolve().parents[2] / "packaging"))


@pytest.fixture(scope="session")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The installer of version 1.0."""
    from tests.packaging.installing import made

    return made(tmp_path_factory.mktemp("first"), "1.0")


@pytest.fixture(scope="session")
def second(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The installer of version 1.1."""
    from tests.packaging.installing import made

    return made(tmp_path_factory.mktemp("second"), "1.1")


@pytest.fixture
def person(tmp_path: Path) -> Person:
    """Somebody whose home has an awkward name."""
    from tests.packaging.installing import Person

    home = tmp_path / "Mein Büro & $Co"
    home.mkdir()
    return Person(home)
