from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path

import pytest

from desktop_rag.domain.answers import Answer, Confidence
from desktop_rag.domain.documents import BlockKind, Chunk, DocumentId, ReadDocument
from desktop_rag.domain.errors import InvalidInput, NotFound
from desktop_rag.domain.events import AnswerProgress, Event
from desktop_rag.domain.scope import Scope
from desktop_rag.engines.parsers import checked_parser, parse_with
from desktop_rag.services.bus import Bus
from desktop_rag.services.counting import Counting
from desktop_rag.services.direct_answers import DirectAnswers
from desktop_rag.services.retrieval import EVERYTHING
from desktop_rag.storage.catalog import Catalog, FileStamp
from desktop_rag.storage.database import Database
from desktop_rag.storage.folders import sha256_of, stamp_of
from desktop_rag.storage.holdings import Holdings
from tests.helpers.documents import make_docx, make_pdf, make_text, make_xlsx

CITIES = ("Berlin", "Munich", "New York")
CUSTOMERS = ["id;name;city;joined"] + [
    f"{n};Person {n};{CITIES[n % 3]};{2022 + n % 2}-0{1 + n % 9}-15" for n in range(1, 103)
]


class Desk:
    """A counter over files that were read by the program's own readers."""

    def __init__(self, database: Database, folder: Path) -> None:
        self.folder, self.database = folder, database
        self.catalog, self.events = Catalog(database), list[Event]()
        self.bus = Bus()
        self.bus.subscribe(self.events.append)
        holdings = Holdings(database)
        counting = Counting(self.catalog, holdings, self.bus, lambda: date(2024, 6, 15))
        self.direct = DirectAnswers(counting, holdings)
        with database.write() as db:
            db.execute(
                "INSERT INTO sources (id, path, is_folder, device, added_at)"
                " VALUES (1, ?, 1, 0, '')",
                (str(folder),),
            )

    def text(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        self.take(make_text(path, text))

    def take(self, path: Path) -> None:
        """Read a file into the library, in overlapping chunks."""
        document = parse_with(checked_parser(path), path, ())
        text, size = document.text, 400
        chunks = [
            Chunk(n, start, min(start + size, len(text)), text[start : start + size], "", "",
                  BlockKind.PARAGRAPH, None)
            for n, start in enumerate(range(0, len(text), size // 2))
        ]  # fmt: skip
        self.catalog.enqueue(1, str(path), stamp_of(path))
        key = self._id(path)
        self.catalog.replace(
            key,
            ReadDocument(document, tuple(chunks), "t"),
            stamp_of(path),
            sha256_of(path),
            {},
            "f",
        )

    def fail(self, name: str) -> None:
        self.catalog.enqueue(1, str(self.folder / name), FileStamp(1, 1))
        with self.database.write() as db:
            db.execute(
                "UPDATE documents SET state = 'failed' WHERE id = ?",
                (self._id(self.folder / name),),
            )

    def _id(self, path: Path) -> DocumentId:
        with self.database.read() as db:
            row = db.execute("SELECT id FROM documents WHERE path = ?", (str(path),)).fetchone()
        return DocumentId(row[0])

    def maybe(
        self,
        question: str,
        scope: Scope = EVERYTHING,
        is_cancelled: Callable[[], bool] = lambda: False,
        *,
        is_held: bool = False,
    ) -> Answer | None:
        answer = self.direct.answer(question, scope, 7, is_cancelled, lambda: is_held)
        if answer is not None:
            self.check(answer)
        return answer

    def ask(self, question: str, scope: Scope = EVERYTHING) -> Answer:
        answer = self.maybe(question, scope)
        assert answer is not None, question
        return answer

    def first(self, question: str, scope: Scope = EVERYTHING) -> str:
        return self.ask(question, scope).text.partition("\n")[0].rstrip(":.")

    def check(self, answer: Answer) -> None:
        """Every citation opens the text it quotes, and every number in the text has one."""
        for number, citation in enumerate(answer.citations, 1):
            assert citation.number == number
            assert f"[{number}]" in answer.text
            text = self.catalog.text(citation.document)
            assert citation.quote == text[citation.start : citation.end].strip() != ""
            assert citation.chunk
        assert f"[{len(answer.citations) + 1}]" not in answer.text


@pytest.fixture
def desk(database: Database, tmp_path: Path) -> Desk:
    folder = tmp_path / "docs"
    folder.mkdir()
    return Desk(database, folder)


@pytest.fixture
def customers(desk: Desk) -> Desk:
    desk.text("customers.csv", "\n".join(CUSTOMERS))
    return desk


# ---------------------------------------------------------------------------- rows


@pytest.mark.parametrize(
    "question",
    [
        "How many customers are there?",
        "How many rows does customers.csv have?",
        "How many records are in the table?",
        "Wie viele Zeilen hat customers.csv?",
        "Wie viele Kunden habe ich?",
        "Combien de lignes contient customers.csv ?",
    ],
)
def test_every_row_counts_once(customers: Desk, question: str) -> None:
    answer = customers.ask(question)
    assert answer.text.startswith("102 ")
    assert "all 102 rows of customers.csv" in answer.scope_note
    assert (answer.confidence, answer.kind) == (Confidence.HIGH, "count")
    assert "- and 92 more" in answer.text


def test_a_list_is_whole(customers: Desk) -> None:
    answer = customers.ask("List all customers")
    assert len(answer.citations) == 102
    assert answer.citations[-1].quote.startswith("102 | Person 102")
    assert answer.citations[-1].place == "row 103"


def test_a_condition_on_a_column(customers: Desk) -> None:
    assert customers.first("How many customers are from New York?") == (
        "34 of the 102 rows of customers.csv have “New York” in the column city"
    )
    assert customers.first("How many customers are there since 2023?").startswith("51 of")


def test_a_value_that_the_table_does_not_know_is_searched_for(customers: Desk) -> None:
    assert customers.maybe("How many customers are from Germany?") is None
    assert customers.maybe("How many customers are not from Berlin?") is None


def test_none_of_a_table_that_was_named(customers: Desk) -> None:
    answer = customers.ask("How many customers in customers.csv are from Atlantis?")
    assert answer.text.startswith("None of the 102 rows of customers.csv has “Atlantis”")
    assert answer.citations == ()


def test_a_copy_of_a_table_is_counted_once(customers: Desk) -> None:
    customers.text("old/customers (copy).csv", "\n".join(CUSTOMERS))
    answer = customers.ask("How many customers are there?")
    assert answer.text.startswith("102 customers")
    assert "counted once (customers (copy).csv of customers.csv)" in answer.text


def test_rows_of_several_tables_are_told_apart(customers: Desk) -> None:
    customers.text("customers-2.csv", "\n".join(["id;name;city;joined", "1;X;Berlin;2024-01-01"]))
    answer = customers.ask("How many customers are there?")
    assert answer.text.startswith("103 customers in customers-2.csv and customers.csv")
    assert "customers-2.csv: 1; customers.csv: 102" in answer.text


def test_sheets_and_totals_of_a_workbook(desk: Desk) -> None:
    orders: list[list[object]] = [
        ["order no", "customer", "amount"],
        *([n, f"C{n % 4}", n * 10] for n in range(1, 31)),
    ]
    sheets: dict[str, list[list[object]]] = {
        "Orders": [*orders, ["Total", "", 4650]],
        "Suppliers": [["supplier", "country"], ["Rossi", "Italy"], ["Dupont", "France"]],
    }
    desk.take(make_xlsx(desk.folder / "orders.xlsx", sheets))
    answer = desk.ask("How many orders are there?")
    assert answer.text.startswith("30 orders in orders.xlsx")
    assert "1 row of totals" in answer.scope_note
    assert answer.citations[0].place == "sheet Orders, row 2"
    assert desk.first("Name all suppliers from Italy").startswith("1 of the 2 rows")
    assert desk.first("How many different customers are in orders.xlsx?").startswith(
        "4 different customers"
    )
    assert desk.first("How many orders have an amount over 200?").startswith("10 of the 30 rows")


def test_tables_in_documents(desk: Desk) -> None:
    rows = [["planet", "moons"], ["Earth", "1"], ["Mars", "2"]]
    desk.take(make_docx(desk.folder / "space.docx", ["# Planets", rows]))
    assert desk.first("How many planets are in the table?") == "2 planets in space.docx"
    desk.text("todo.md", "| moon | of |\n|---|---|\n| Io | Jupiter |\n| Luna | Earth |\n")
    assert desk.first("How many rows are in the table in todo.md?") == "2 rows in todo.md"


@pytest.mark.parametrize(
    ("name", "text", "question"),
    [
        ("employee-handbook.md", "# Employee benefits\n\n| what | days |\n|-|-|\n| leave | 30 |\n",
         "How many employees are there?"),
        ("customer feedback.csv", "date;said\n2024-01-01;good\n", "How many customers are there?"),
        ("customers.csv", "name;city\nA;Rome\nB;Oslo\n", "How many planets are in the table?"),
        ("stock.csv", "name;city\nA;Rome\nB;Oslo\n", "How many chapters are on the list?"),
        ("customers.csv", "name;age;spent\nA;30;50\nB;60;20\n", "How many customers are over 40?"),
        ("orders.csv", "no;product\n1;pump\n2;valve\n", "How many items are on the to do list?"),
        ("customers.csv", "name;a;b\nA;Rome;Oslo\nB;Oslo;Rome\n",
         "How many customers are from Rome?"),
    ],
)  # fmt: skip
def test_what_only_looks_like_a_list_of_the_thing_is_not_counted(
    desk: Desk, name: str, text: str, question: str
) -> None:
    desk.text(name, text)
    assert desk.maybe(question) is None


def test_a_workbook_with_other_sheets(desk: Desk) -> None:
    sheets: dict[str, list[list[object]]] = {
        "2024": [["customer", "city"], ["A", "Rome"], ["B", "Oslo"], ["B", "Bonn"]],
        "Prices": [["product", "price", "unit"], ["pump", 5, "piece"]],
    }
    desk.take(make_xlsx(desk.folder / "customers.xlsx", sheets))
    assert desk.first("How many customers are there?") == "3 customers in customers.xlsx"


def test_a_file_that_is_named_tells_its_rows_only(desk: Desk) -> None:
    desk.text("space.csv", "body;2021;2022\nEarth;1;1\nMars;2;2\n")
    assert desk.first("How many planets are in space.csv?") == "2 rows in space.csv"


def test_words_of_other_languages(desk: Desk) -> None:
    desk.text("Kundenliste 2024.csv", "Name;Stadt;Umsatz\nHuber;Wien;1.200,50\nMoser;Graz;90,00\n")
    assert desk.first("How many customers are there?") == "2 customers in Kundenliste 2024.csv"
    assert desk.first("Wie viele Kunden kommen aus Wien?").startswith("1 of the 2 rows")
    assert desk.first("Wie viele Kunden haben einen Umsatz über 1.000 €?").startswith("1 of the 2")


def test_a_table_that_could_not_be_read_is_told(customers: Desk) -> None:
    customers.fail("customers-old.xlsx")
    answer = customers.ask("How many customers are there?")
    assert "1 file could not be read (customers-old.xlsx)." in answer.scope_note
    assert answer.confidence is Confidence.MEDIUM


# ---------------------------------------------------------------------------- files


@pytest.fixture
def papers(desk: Desk) -> Desk:
    for number in range(6):
        party = ("Meyer GmbH", "Schmidt AG")[number % 2]
        lines = f"INVOICE No {number}\n\nDate: {3 + number} March {2022 + number % 3}\nTo: {party}"
        (desk.folder / "bills").mkdir(exist_ok=True)
        desk.take(make_pdf(desk.folder / "bills" / f"r-{number}.pdf", [lines]))
    desk.text("contracts/lease.txt", "Lease contract\n\nWith Meyer GmbH. The roof holds asbestos.")
    desk.text("contracts/cleaning.txt", "Cleaning contract\n\nWith Schmidt AG.")
    desk.text("handbook.md", "# Book\n\n## Safety\n\nAsbestos! Asbestos!\n\n## Pay\n\n- a\n- b\n")
    return desk


def test_files_that_mention_words(papers: Desk) -> None:
    answer = papers.ask("Which files mention asbestos?")
    assert answer.text == (
        "2 of your 9 files mention “asbestos”:\n- lease.txt [1]\n- handbook.md (2 times) [2]"
    )
    assert answer.citations[0].quote == "The roof holds asbestos."
    assert answer.kind == "list"
    assert papers.first("In how many files is asbestos mentioned?") == (
        "2 of your 9 files mention “asbestos”"
    )
    assert papers.first("How many documents mention asbestos in the folder contracts?") == (
        "1 of your 2 files mentions “asbestos” (folder contracts)"
    )
    assert papers.first("How often is asbestos mentioned?") == (
        "“asbestos” stands 3 times, in 2 files"
    )


def test_a_true_negative_is_told_as_one(papers: Desk) -> None:
    papers.fail("secret.pdf")
    answer = papers.ask("Which files mention unicorns?")
    assert answer.text == (
        "None of your 9 files mentions “unicorns”.\n\n1 file could not be read (secret.pdf)."
    )
    assert answer.citations == ()
    assert answer.confidence is Confidence.MEDIUM


def test_descriptions_that_no_file_holds_are_searched_for(papers: Desk) -> None:
    assert papers.maybe("Which files mention problems with the heating system?") is None


def test_longer_words_are_shown_when_there_is_nothing_else(papers: Desk) -> None:
    papers.text("bericht.txt", "Bericht\n\nDie Asbestsanierung begann.")
    answer = papers.ask("Welche Dateien erwähnen Asbest?")
    assert "as a word of its own; 3 files hold it inside longer words" in answer.text
    assert "bericht.txt (asbestsanierung)" in answer.text


def test_kinds_of_documents_with_dates_and_names(papers: Desk) -> None:
    assert (
        papers.first("How many invoices are from 2023?") == "2 of your 6 invoices are dated in 2023"
    )
    assert (
        papers.first("How many invoices are from Meyer?") == "3 of your 6 invoices mention “Meyer”"
    )
    assert papers.first("List all contracts with Meyer") == "1 of your 2 contracts mentions “Meyer”"
    assert papers.maybe("How many unpaid invoices are there?") is None
    assert papers.maybe("How many letters are there?") is None


def test_a_newsletter_is_no_letter_and_a_due_date_no_date(desk: Desk) -> None:
    desk.text("newsletter.txt", "Hello\n\nNews.")
    assert desk.maybe("How many letters are there?") is None
    desk.text("bill.txt", "Invoice 1\n\nDue date: 5 January 2024\nInvoice date: 5 December 2023\n")
    assert desk.first("How many invoices are from 2023?").startswith(
        "1 of your 1 invoices is dated"
    )


def test_all_documents_are_listed(papers: Desk) -> None:
    assert len(papers.ask("List all my documents").citations) == 9


def test_what_files_contain_without_naming_it_is_searched_for(papers: Desk) -> None:
    assert papers.maybe("How many files contain images?") is None


def test_invoices_as_rows_and_as_files_are_not_added_up(papers: Desk) -> None:
    papers.text("invoices.csv", "no;date;to\n1;2023-01-05;A\n2;2022-01-05;B\n3;2023-02-05;C\n")
    answer = papers.ask("How many invoices are from 2023?")
    assert answer.text.startswith("2 of the 3 rows of invoices.csv have a date in 2023")
    assert "; 2 of your 6 invoices are dated in 2023" in answer.text
    assert "so they are not added up" in answer.text


def test_files_by_type_and_folder(papers: Desk) -> None:
    assert papers.first("How many documents do I have?") == "You have 9 files"
    assert papers.first("How many PDFs do I have?") == "You have 6 PDF files"
    assert papers.first("How many emails are there?") == "You have no mail files"
    assert papers.first("How many documents type:pdf") == "You have 6 files"
    assert papers.first("How many files are in the folder contracts?").startswith(
        "You have 2 files"
    )
    scope = Scope(folders=(str(papers.folder / "contracts"),))
    assert papers.first("How many files are there?", scope) == "You have 2 files"


def test_copies_among_files_are_told(papers: Desk) -> None:
    papers.text("contracts/copy of lease.txt", (papers.folder / "contracts/lease.txt").read_text())
    answer = papers.ask("Which files mention asbestos?")
    assert answer.text.startswith("3 of your 10 files")
    assert "Among them is a copy (copy of lease.txt of lease.txt)." in answer.text


def test_parts_of_one_document(papers: Desk) -> None:
    assert papers.first("How many chapters does handbook.md have?") == "handbook.md has 2 chapters"
    assert papers.first("List the headings of handbook.md") == "handbook.md has 3 headings"
    assert papers.first("How many bullet points are in handbook.md?") == (
        "handbook.md has 2 bullet points"
    )


# ---------------------------------------------------------------------------- the rest


@pytest.mark.parametrize(
    "question",
    [
        "How many employees does Acme have?",
        "What is the rent?",
        "How many documents mention rent -deposit",
        "How many unicorns are in the library of Alexandria?",
        "Compare the contracts",
        "",
    ],
)
def test_what_is_not_for_counting(papers: Desk, question: str) -> None:
    assert papers.maybe(question) is None


def test_an_empty_library(desk: Desk) -> None:
    assert desk.first("How many documents do I have?") == "You have no files"
    assert desk.maybe("How many customers are there?") is None


def test_a_filter_that_cannot_be_read_is_an_error(papers: Desk) -> None:
    with pytest.raises(InvalidInput):
        papers.maybe("How many documents mention asbestos after:yesterdayish")
    with pytest.raises(NotFound):
        papers.maybe("How many documents do I have?", Scope(tags=("nope",)))


def test_stop_while_counting(papers: Desk) -> None:
    asked = itertools.count()

    def is_cancelled() -> bool:
        return next(asked) > 0

    answer = papers.maybe("Which files mention asbestos?", is_cancelled=is_cancelled)
    assert answer is not None
    assert answer.stopped
    assert (answer.text, answer.citations) == ("", ())


def test_progress_is_told(papers: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("desktop_rag.services.whole_library._REPORT_EVERY_S", -1.0)
    papers.ask("Which files mention asbestos?")
    told = [one for one in papers.events if isinstance(one, AnswerProgress)]
    assert [(one.done, one.total) for one in told] == [(n, 9) for n in range(9)]
    assert told[1].sentence == "Looked through 1 of 9 files"
    assert {one.request for one in told} == {7}


# ---------------------------------------------------------------------------- fixed replies


def replies(desk: Desk, questions: Sequence[str]) -> set[str]:
    return {desk.ask(question).text for question in questions}


def test_talk_and_what_is_out_of_scope_cite_nothing(papers: Desk) -> None:
    answer = papers.ask("Write a poem about autumn.")
    assert "do not write" in answer.text
    assert (answer.kind, answer.citations, answer.figures.passages) == ("out_of_scope", (), 0)
    assert papers.ask("Was kannst du?").text.startswith("Ich beantworte Fragen")
    assert "Rien n'a été fait" in papers.ask("Supprime tous mes fichiers.").text
    assert len(replies(papers, ["Who are you?", "What can you do?", "help"])) == 1


def test_what_documents_there_are(papers: Desk) -> None:
    answer = papers.ask("What documents do you have?")
    assert answer.text.startswith("Your library holds 9 searchable files: ")
    assert "handbook.md" in answer.text
    assert answer.kind == "chat"


def test_the_weather_when_documents_hold_it(papers: Desk) -> None:
    assert papers.maybe("What's the weather in Ripon?", is_held=True) is None
    assert papers.maybe("What's the weather in Ripon?") is not None
