"""Questions in languages that the embedder does not know."""

from __future__ import annotations

from desktop_rag.domain.languages import foreign_note, word_evidence
from desktop_rag.domain.ports import EmbedderInfo


def test_what_is_enough_depends_on_how_the_language_is_written() -> None:
    shares = [word_evidence(2.0, 20.0, name) for name in ("chinese", "german", "thai")]
    assert shares == sorted(shares, reverse=True)
    assert shares[0] > 1 > shares[1]


def test_nothing_possible_is_no_evidence() -> None:
    assert word_evidence(0.0, 0.0, "german") == 0.0


def test_an_embedder_knows_its_languages() -> None:
    english = EmbedderInfo("a", "b", 3, 256, ("english",))
    assert english.knows("")
    assert english.knows("english")
    assert not english.knows("thai")
    assert EmbedderInfo("a", "b", 3, 256).knows("thai")


def test_what_the_search_model_cannot_do_is_said_once_and_only_then() -> None:
    assert foreign_note("") == ""
    assert "German" in foreign_note("german")
    assert "`desktop-rag models add FOLDER`" in foreign_note("other")
