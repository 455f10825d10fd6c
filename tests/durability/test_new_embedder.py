"""Another search model: stored text is embedded again, keywords answer meanwhile. Real engines."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from desktop_rag import paths
from desktop_rag.app import App, Engines
from desktop_rag.domain.errors import ModelMissing
from desktop_rag.workers.remote import LlmChoice, start_engines
from tests.helpers.fakes import FakeGenerator

_TIMEOUT_S = 120.0
_SHIPPED = paths.shipped("models", "all-minilm-l6-v2-int8")


def _no_model() -> LlmChoice:
    raise ModelMissing("There is none in this test.")


def opened(data_dir: Path, embedder: Path) -> App:
    pool = start_engines(paths.DataDir(data_dir), embedder, _no_model, threads=1)
    return App.open(data_dir, Engines(pool.reader, pool.index, FakeGenerator(), pool.close))


@pytest.fixture
def other_embedder(tmp_path: Path) -> Path:
    """The same network that reads passages with a prefix: other vectors, another fingerprint."""
    folder = tmp_path / "other-embedder"
    shutil.copytree(_SHIPPED, folder)
    description = json.loads((folder / "embedder.json").read_text(encoding="utf-8"))
    description["passage_prefix"] = "passage: "
    (folder / "embedder.json").write_text(json.dumps(description), encoding="utf-8")
    return folder


def found(app: App, question: str) -> list[str]:
    return [Path(passage.path).name for passage in app.search(question, 3).passages]


def test_keywords_answer_until_all_text_has_new_vectors(
    tmp_path: Path, other_embedder: Path
) -> None:
    documents = tmp_path / "documents"
    documents.mkdir()
    (documents / "pump.md").write_text("# Pump\n\nThe QX-4471 pump holds four litres of oil.")
    (documents / "cat.md").write_text("# Cat\n\nThe kitten sleeps on the sofa all afternoon.")
    with opened(tmp_path / "data", _SHIPPED) as app:
        app.add([documents])
        app.start_indexing()
        assert app.wait_until_indexed(_TIMEOUT_S)
    shutil.rmtree(documents)  # nothing of this needs the files
    with opened(tmp_path / "data", other_embedder) as app:
        assert found(app, "QX-4471") == ["pump.md"]  # before anything was embedded
        app.start_indexing()
        assert app.wait_until_indexed(_TIMEOUT_S)
        assert app.status().indexed_chunks == app.status().chunks
        assert found(app, "Where does the young feline rest?")[0] == "cat.md"
        assert app.search("young feline", 1).passages[0].similarity is not None
        assert found(app, "QX-4471")[0] == "pump.md"
