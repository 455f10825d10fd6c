from __future__ import annotations

import pytest

from desktop_rag.domain.answers import Citation
from desktop_rag.domain.documents import ChunkId, DocumentId
from desktop_rag.domain.withdrawn import withdrawals


def cited(section: str) -> Citation:
    return Citation(
        1, DocumentId(1), ChunkId(1), "a.md", "", section, None, "", "20 mg", 0, 5, "", 0.5
    )


@pytest.mark.parametrize(
    "section",
    [
        "Dosage > Superseded guidance (withdrawn, do not use)",
        "5 Pets (not valid – deleted by addendum 2)",
        "Anhang B (außer Kraft)",
    ],
)
def test_a_section_that_no_longer_holds_is_told_once(section: str) -> None:
    citations = [cited(section), cited(section)]
    assert withdrawals(citations) == (f"Mind the heading above what is quoted: “{section}”.",)


@pytest.mark.parametrize("section", ["", "Cancellation", "Avoiding voids in castings", "Validity"])
def test_other_sections_are_not(section: str) -> None:
    assert withdrawals([cited(section)]) == ()
