import pytest

from desktop_rag.domain.counting import Unit, Wanted, wanted_in


def wanted(question: str) -> Wanted:
    found = wanted_in(question)
    assert found is not None, question
    return found


@pytest.mark.parametrize(
    ("question", "term"),
    [
        ("Which files mention asbestos?", "asbestos"),
        ("In how many files is Angela Weber mentioned?", "Angela Weber"),
        ('How many documents mention "notice period"?', '"notice period"'),
        ('Which files contain the word "helmet"?', "helmet"),
        ("How many of my PDFs contain the term force majeure?", "force majeure"),
        ("In wie vielen Dateien wird Asbest erwähnt?", "Asbest"),
        ("Welche Dateien erwähnen die Firma Müller?", "Firma Müller"),
        ("Quels fichiers mentionnent l'amiante ?", "amiante"),
        ("Dans combien de fichiers l'amiante est-elle mentionnée ?", "amiante"),
        ("¿En cuántos archivos se menciona el amianto?", "amianto"),
        ("In quanti file è menzionato l'amianto?", "amianto"),
        ("Quantos arquivos mencionam o amianto?", "amianto"),
        ("In hoeveel bestanden wordt asbest genoemd?", "asbest"),
        ("有多少个文件提到石棉？", "石棉"),
    ],
)
def test_what_is_mentioned(question: str, term: str) -> None:
    found = wanted(question)
    assert found.unit is Unit.FILES
    assert found.term.strip('"') == term.strip('"')


def test_where_it_is_mentioned() -> None:
    after = wanted("How often does the word helmet appear in handbook.md?")
    assert (after.unit, after.term, after.condition) == (Unit.MENTIONS, "helmet", "in handbook.md")
    before = wanted("How many documents in the folder contracts mention asbestos?")
    assert (before.term, before.condition) == ("asbestos", "in the folder contracts")


def test_what_is_counted_and_what_narrows_it() -> None:
    found = wanted("How many unpaid invoices are from Meyer?")
    assert (found.unit, found.noun, found.is_list) == (Unit.KINDS, "invoices", False)
    assert found.condition == "unpaid are from Meyer"
    listed = wanted("List all customers from New York")
    assert (listed.unit, listed.is_list, listed.condition) == (Unit.RECORDS, True, "from New York")


@pytest.mark.parametrize(
    ("question", "unit"),
    [
        ("How many rows does customers.csv have?", Unit.ROWS),
        ("Wie viele Zeilen hat kunden.csv?", Unit.ROWS),
        ("How many chapters does handbook.md have?", Unit.HEADINGS),
        ("How many bullet points are in todo.md?", Unit.ENTRIES),
        ("How many planets are in the table?", Unit.RECORDS),
    ],
)
def test_units(question: str, unit: Unit) -> None:
    assert wanted(question).unit is unit


@pytest.mark.parametrize(
    "question",
    [
        "How many employees does Acme have?",
        "How many shares did Apple repurchase?",
        "How many documents do I need for a visa?",
        "How many patients were in the study?",
        "How many rows of seats are there in the hall?",
        "How often should the filter be changed?",
        "Which report is required by law?",
        "What products does Apple sell?",
        "List the advantages of heat pumps.",
        "Number of employees",
    ],
)
def test_what_a_passage_states_is_not_counted(question: str) -> None:
    assert wanted_in(question) is None
