"""Which documents a filter means."""

from __future__ import annotations

from datetime import date

import pytest

from desktop_rag.domain.documents import DocumentId
from desktop_rag.domain.matching import DocumentFacts, selected
from desktop_rag.domain.scope import Scope

_IN_2021 = 1_620_000_000_000_000_000
PATHS = {
    "/docs/Report.pdf": "2023-06-30",
    "/docs/old-report.pdf": "2019",
    "/docs/contracts/Cafe\u0301 menu.docx": "",
    "C:\\Mails\\Contracts\\offer.eml": "2024-05-13T10:00:00",
    "/docs/contracts-2020/scan.tiff": "someday",
}
LIBRARY = [
    DocumentFacts(DocumentId(number), path, created, _IN_2021)
    for number, (path, created) in enumerate(PATHS.items())
]


@pytest.mark.parametrize(
    ("scope", "names"),
    [
        (Scope(files=("report.pdf",)), ["Report.pdf"]),
        (Scope(files=("REPORT",)), ["Report.pdf"]),
        (Scope(files=("port",)), ["Report.pdf", "old-report.pdf"]),
        (Scope(files=("*.pdf",)), ["Report.pdf", "old-report.pdf"]),
        (Scope(files=("o?d*", "offer")), ["old-report.pdf", "offer.eml"]),
        (Scope(files=("docs/report.pdf",)), ["Report.pdf"]),
        (Scope(files=("mails/report.pdf",)), []),
        (Scope(files=("caf\u00e9",)), ["Cafe\u0301 menu.docx"]),
        (Scope(files=("cafe menu",)), ["Cafe\u0301 menu.docx"]),
        (Scope(files=("/",)), []),
        (Scope(folders=("contracts",)), ["Cafe\u0301 menu.docx", "offer.eml"]),
        (Scope(folders=("mails/contracts",)), ["offer.eml"]),
        (Scope(folders=("contract",)), ["Cafe\u0301 menu.docx", "offer.eml", "scan.tiff"]),
        (Scope(folders=("contracts-*",)), ["scan.tiff"]),
        (Scope(folders=("report.pdf",)), []),
        (Scope(types=("PDFs",)), ["Report.pdf", "old-report.pdf"]),
        (Scope(types=(".docx", "mail")), ["Cafe\u0301 menu.docx", "offer.eml"]),
        (Scope(types=("images",)), ["scan.tiff"]),
        (Scope(types=("nonsense",)), []),
        (Scope(after=date(2023, 1, 1)), ["Report.pdf", "offer.eml"]),
        (Scope(before=date(2020, 1, 1)), ["old-report.pdf"]),
        (
            Scope(after=date(2021, 5, 1), before=date(2021, 6, 1)),
            ["Cafe\u0301 menu.docx", "scan.tiff"],
        ),
        (Scope(files=("report",), types=("docx",)), []),
    ],
)
def test_filters_choose(scope: Scope, names: list[str]) -> None:
    chosen = [one.path.replace("\\", "/").rpartition("/")[2] for one in selected(LIBRARY, scope)]
    assert chosen == names
