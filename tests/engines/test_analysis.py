"""Which terms a text gives, by language and script, and what therefore finds what."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.domain.terms import words
from desktop_rag.engines.analysis import DEFAULT, LANGUAGES, Analyzer, marker, shipped_analyzer
from desktop_rag.engines.keywords_bm25s import KeywordIndex, KeywordIndexDamaged
from tests.helpers.identifier_set import identifier_set

SENTENCES = {
    "english": "The contracts that were signed by the directors have to be kept for ten years.",
    "german": "Die Verträge, die von den Direktoren unterschrieben wurden, sind aufzubewahren.",
    "french": "Les contrats qui ont été signés par les directeurs sont dans une armoire.",
    "spanish": "Los contratos que fueron firmados por los directores están en el armario.",
    "portuguese": "Os contratos que foram assinados pelos diretores não estão em uma gaveta.",
    "italian": "I contratti che sono stati firmati dai direttori si trovano nella cassaforte.",
    "dutch": "De contracten die door de directeuren zijn getekend liggen in een kast van het huis.",
    "swedish": "Avtalen som har skrivits under av direktörerna ska finnas i ett skåp och inte här.",
    "danish": "Kontrakterne som er blevet underskrevet af direktørerne skal ikke ligge på et bord.",
    "turkish": "Bu sözleşmeler müdürler tarafından imzalandı ve bir dolapta saklanıyor.",
    "finnish": "Sopimukset, jotka johtajat ovat allekirjoittaneet, eivät ole kaapissa vaan se on.",
    "polish": "Umowy, które zostały podpisane przez dyrektorów, są w szafie i nie ma ich tu.",
    "czech": "Smlouvy, které byly podepsány řediteli, jsou ve skříni a nejsou na stole.",
    "romanian": "Contractele care au fost semnate de directori sunt într-un dulap și nu pe masă.",
    "hungarian": "A szerződések, amelyeket az igazgatók aláírtak, nem egy szekrényben vannak.",
    "indonesian": "Kontrak yang telah ditandatangani oleh para direktur itu ada dalam lemari.",
    "vietnamese": "Các hợp đồng đã được ký bởi những giám đốc và được giữ trong tủ.",
}


@pytest.fixture(scope="module")
def analyzer() -> Analyzer:
    return shipped_analyzer()


def ranked(folder: Path, analyzer: Analyzer, texts: list[str], question: str) -> list[int]:
    """The places of the texts that a question finds, best first."""
    index = KeywordIndex.create(folder / "index", analyzer)
    try:
        index.apply(list(enumerate(texts)), [])
        return list(index.search(question, 10).chunks)
    finally:
        index.close()


@pytest.mark.parametrize(("language", "text"), SENTENCES.items(), ids=list(SENTENCES))
def test_a_passage_is_taken_for_its_language(analyzer: Analyzer, language: str, text: str) -> None:
    assert analyzer.language(words(text)) == language


@pytest.mark.parametrize(
    "text",
    [
        "",
        "def main(): return [x for x in range(10)]",
        "Hon. Lee Arian\nHon. Ana Luna\nHon. Mark Davis\nHon. Troy Davis",
        "Invoice 2024-001, Müller GmbH, total 1,234.50",
        "保修期为两年",
    ],
)
def test_what_no_language_speaks_for_is_english(analyzer: Analyzer, text: str) -> None:
    assert analyzer.language(words(text)) == DEFAULT


def test_only_passages_in_other_latin_languages_are_marked(analyzer: Analyzer) -> None:
    assert marker("german") in analyzer.terms(SENTENCES["german"])
    marks = {marker(name) for name in LANGUAGES}
    assert not marks & set(analyzer.terms(SENTENCES["english"]))
    assert not marks & set(analyzer.terms("@german @french german"))


@pytest.mark.parametrize(
    ("text", "question"),
    [
        (SENTENCES["german"], "Vertrag"),
        (SENTENCES["german"], "vertraege"),
        (SENTENCES["french"], "contrat signé directeur"),
        (SENTENCES["spanish"], "firmado"),
        (SENTENCES["italian"], "contratto"),
        (SENTENCES["turkish"], "dolap dolaplar dolapta"),
        ("Договоры подписаны директорами.", "договор"),
        ("Съёмка завершена", "съемка"),
        ("Οι συμβάσεις υπογράφηκαν", "σύμβαση"),
        ("وَقَّعَ المُدِيرُ العَقْدَ", "العقد"),
        ("إدارة الشركة", "ادارة"),
        ("الكتــــاب الجديد", "الكتاب"),
        ("שָׁלוֹם לכולם", "שלום"),
        ("किताबें अलमारी में हैं", "किताब"),
        ("保修期为两年", "保修"),
        ("保修期为两年", "年"),
        ("東京タワーの高さ", "東京"),
        ("한국어 문서", "문서"),
        ("สัญญาการรับประกัน", "รับประกัน"),
        (unicodedata.normalize("NFD", "Crème brûlée à volonté"), "crème BRÛLÉE"),
        ("ＦＵＬＬ width ﬁle", "full file"),
        ("Die Straße ist gesperrt", "strasse"),
        ("Øresund and Łódź", "oresund lodz"),
    ],
)
def test_a_form_of_a_word_finds_another(
    analyzer: Analyzer, tmp_path: Path, text: str, question: str
) -> None:
    assert ranked(tmp_path, analyzer, ["Something else entirely.", text], question) == [1]


def test_accents_are_optional_but_rank_first(analyzer: Analyzer, tmp_path: Path) -> None:
    texts = ["The cafe in town", "The café in town"]
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    assert ranked(tmp_path / "a", analyzer, texts, "café") == [1, 0]
    assert sorted(ranked(tmp_path / "b", analyzer, texts, "cafe")) == [0, 1]


@pytest.mark.parametrize(
    ("question", "whole", "parts"),
    [
        ("CVE-2024-1234", "Fixes CVE-2024-1234.", "CVE list of 2024, entry 1234, CVE, 2024."),
        ("snake_case", "Set snake_case here.", "A snake in a case, snake, case."),
        ("snakeCase", "Set snake_case here.", "A snake in a case, snake, case."),
        ("HTTPServer2", "Runs HTTPServer2 now.", "An HTTP daemon on server2 now."),
        ("XC-23/4b", "Part XC-23/4b.", "Part XC 23 4b."),
        ("3.11.7", "Python 3.11.7", "3 of 11 and 7"),
        ("jane.doe@example.com", "To jane.doe@example.com", "Jane Doe, example com"),
        ("report_final.pdf", "See report_final.pdf", "The final report, a pdf"),
        ("/etc/hosts.conf", "In /etc/hosts.conf", "etc, hosts and conf"),
        ("2024-03-05", "On 2024-03-05", "05 items, 03 of 2024"),
    ],
)
def test_an_identifier_is_found_in_parts_and_whole_first(
    analyzer: Analyzer, tmp_path: Path, question: str, whole: str, parts: str
) -> None:
    assert ranked(tmp_path, analyzer, [parts, whole, "Nothing of it."], question) == [1, 0]


def test_exact_names_come_before_all_that_share_their_parts(
    analyzer: Analyzer, tmp_path: Path
) -> None:
    texts, asked = identifier_set()
    index = KeywordIndex.create(tmp_path / "index", analyzer)
    index.apply(list(texts.items()), [])
    found = {one.name: index.search(one.question, 1).chunks for one in asked}
    index.close()
    assert found == {one.name: (one.answer,) for one in asked}


@pytest.mark.parametrize(
    ("question", "text", "other"),
    [
        ("XC 23", "Box XC23 there", "XC, 24 boxes of 23"),
        ("3 May 2023", "signed 03.05.2023 here", "3 in May, 5 of 2023"),
        ("2023-05-03", "on 3. Mai 2023 dort", "2023, 05 and 03"),
        ("Mai 2023", "dated 2023-05-17 then", "2023 times Mai"),
        ("1000", "exactly 1.000 pieces", "exactly 10 pieces"),
        ("1.000", "exactly 1,000 pieces", "1 or 2,000"),
        ("1 000 000", "a sum of 1,000,000 francs", "1 of 000"),
        ("§ 573", "as in §573 below", "all 573 pieces below"),
        ("DE89 3704 0044 0532 0130 00", "to DE89370400440532013000", "to DE89 0044"),
        ("v2.10.3", "release 2.10.3 is", "v2 of 10, 3"),
        ("CVE\u20112024\u20111234", "in CVE-2024-1234", "CVE 2024"),
        ("ＰＡＲＴ－１０", "in part-10 then", "other 10"),
        ("Kündigungsfrist", "die Kündi-\ngungsfrist ist", "frist, kündi, gungsfrist"),
        ("Kün\u00addi\u00adgung", "eine Kündigung dort", "kün di gung"),
        ("parser.py", "see src/engine/parser.py", "py, the parser of py"),
    ],
)
def test_one_thing_in_two_notations(
    analyzer: Analyzer, tmp_path: Path, question: str, text: str, other: str
) -> None:
    assert ranked(tmp_path, analyzer, [other, text, "Nothing."], question)[0] == 1


@pytest.mark.parametrize(("code", "best"), [("XC23", 0), ("HJ22", 1), ("xc-23", 0)])
def test_the_right_box_both_ways(analyzer: Analyzer, tmp_path: Path, code: str, best: int) -> None:
    texts = ["Box XC23 is in hall four.", "Box HJ22 is in hall five."]
    assert ranked(tmp_path, analyzer, texts, f"Where is box {code}?")[0] == best


@pytest.mark.parametrize("text", ["1,234.50", "1234.50", "1.234,50", "1\u202f234.50"])
def test_separators_of_numbers_are_equal(analyzer: Analyzer, text: str) -> None:
    assert analyzer.terms(text) == ["1234", "50", "1234.50"]


def test_numbers_that_may_be_either_are_both(analyzer: Analyzer) -> None:
    assert {"1.234", "1234"} <= set(analyzer.terms("1.234"))
    assert analyzer.terms("12,5") == ["12", "5", "12.5"]


def test_a_question_is_analysed_in_the_languages_of_the_index(analyzer: Analyzer) -> None:
    assert analyzer.question("Verträge")[0][0][0] == "vertrag"
    held = [form for form, _ in analyzer.question("Häuser", ["german"])[0]]
    assert "haus" in held
    assert "haus" not in [form for form, _ in analyzer.question("Häuser")[0]]


def test_function_words_of_one_language_are_words_in_another(
    analyzer: Analyzer, tmp_path: Path
) -> None:
    texts = ["Where did the old man die?", SENTENCES["german"]]
    assert ranked(tmp_path, analyzer, texts, "when did he die") == [0]


def test_an_index_of_another_analysis_is_not_read(analyzer: Analyzer, tmp_path: Path) -> None:
    KeywordIndex.create(tmp_path / "index", analyzer).close()
    other = Analyzer({DEFAULT: ["the"]})
    assert other.version != analyzer.version == shipped_analyzer().version
    with pytest.raises(KeywordIndexDamaged):
        KeywordIndex(tmp_path / "index", other)


@given(st.text(max_size=200))
def test_any_text_gives_terms(analyzer: Analyzer, text: str) -> None:
    assert all(term and not any(c.isspace() for c in term) for term in analyzer.terms(text))
    assert all(forms for forms in analyzer.question(text, ["german", "turkish"]))


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Wer hat den Vertrag unterschrieben?", "german"),
        ("Qui a signé le contrat dans les années?", "french"),
        ("¿Quién firmó los contratos que están en la caja?", "spanish"),
        ("Кто подписал договор?", "russian"),
        ("Ποιος υπέγραψε τη σύμβαση;", "greek"),
        ("谁签署了合同？", "chinese"),
        ("契約は誰が署名しましたか", "japanese"),
        ("ใครเซ็นสัญญา", "thai"),
        ("מי חתם על החוזה", "other"),
        ("Who signed the contract?", ""),
        ("Who wrote Die Verwandlung?", ""),
        ("warranty XC23 2024", ""),
        ("Müller", ""),
        ("", ""),
    ],
)
def test_the_language_of_a_question_is_told_when_it_is_sure(
    analyzer: Analyzer, question: str, language: str
) -> None:
    assert analyzer.asked_language(question) == language


def test_one_word_is_enough_in_a_language_of_the_index(analyzer: Analyzer) -> None:
    assert analyzer.asked_language("Vertrag für Müller") == "german"
    assert analyzer.asked_language("Kündigung") == ""
    assert analyzer.asked_language("Kündigung", ["german"]) == "german"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The pump of the harbour holds four litres of oil.", "english"),
        ("Die Pumpe fasst vier Liter und sie ist nicht rot.", "german"),
        ("Насос вмещает четыре литра масла.", "russian"),
        ("Η αντλία χωράει τέσσερα λίτρα.", "greek"),
        ("ポンプには油が四リットル入る。", "japanese"),
        ("泵装四升油，每年更换。", "chinese"),
        ("펌프에는 기름이 들어간다.", "korean"),
        ("ปั๊มบรรจุน้ำมันสี่ลิตร", "thai"),
        ("Invoice 4471: 泵", "english"),
        ("12 34 % ✓", "english"),
        ("", "english"),
    ],
)
def test_the_language_of_a_text_in_any_script(text: str, language: str) -> None:
    assert shipped_analyzer().language_of(text) == language
