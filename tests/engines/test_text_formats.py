"""XML, JSON, notebooks, LaTeX, Org, AsciiDoc, subtitles, calendars: sensible text of each."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from desktop_rag.domain.documents import BlockKind, ParsedDocument
from desktop_rag.domain.errors import Damaged, NoText
from desktop_rag.domain.ports import DocumentReader
from desktop_rag.engines.xml_text import XmlParser
from tests.helpers.documents import make_text


def read(reader: DocumentReader, path: Path, source: str) -> ParsedDocument:
    return reader.read(make_text(path, source)).document


def headings(document: ParsedDocument) -> list[tuple[str, int]]:
    return [
        (document.text[b.start : b.end], b.level)
        for b in document.blocks
        if b.kind is BlockKind.HEADING
    ]


ARTICLE = """<?xml version="1.0"?>
<!DOCTYPE article [<!ENTITY x SYSTEM "file:///etc/passwd">]>
<article xmlns:xlink="http://www.w3.org/1999/xlink"><front><journal-meta><p>Journal</p>
</journal-meta><article-meta><title-group><article-title>Pumps <italic>in</italic> winter
</article-title></title-group><contrib-group><contrib><name><surname>Lovelace</surname>
<given-names>Ada</given-names></name></contrib></contrib-group>
<pub-date><day>5</day><month>3</month><year>2021</year></pub-date>
<abstract><p>Short words.</p></abstract><kwd-group><kwd>pump</kwd><kwd>ice</kwd></kwd-group>
</article-meta></front><body><sec><title>Results</title><p>Flow fell<sup>2</sup> by &x; half:
<list><list-item><p>first</p></list-item></list> and rose.</p><sec><title>Details</title>
<table-wrap><label>Table 1</label><table><tr><th>Pump</th><th>Flow</th></tr>
<tr><td>P-7</td><td>12</td></tr></table></table-wrap></sec></sec></body>
<back><ref-list><title>References</title><ref><element-citation><name><surname>Babbage</surname>
</name><year>1837</year></element-citation></ref></ref-list></back></article>"""


def test_an_article_has_headings_paragraphs_and_tables_but_no_tags(
    tmp_path: Path, reader: DocumentReader
) -> None:
    document = read(reader, tmp_path / "a.nxml", ARTICLE)
    assert headings(document) == [
        ("Abstract", 1),
        ("Results", 1),
        ("Details", 2),
        ("References", 1),
    ]
    assert "<" not in document.text
    assert "Journal" not in document.text
    assert "root:" not in document.text
    assert "Keywords: pump, ice" in document.text
    assert "Flow fell2 by half:" in document.text
    assert document.text.index("first") < document.text.index("and rose.")
    assert "Pump | Flow\nP-7 | 12" in document.text
    assert "- Babbage 1837" in document.text
    assert (document.title, document.author) == ("Pumps in winter", "Ada Lovelace")
    assert document.created == "2021-03-05"
    assert document.coverage.tables == 1


def test_data_in_xml_is_named_values(tmp_path: Path, reader: DocumentReader) -> None:
    source = (
        '<stock><pump id="P-7"><flow unit="m3">12</flow><site>Oslo</site></pump>'
        "<pump><flow>3</flow></pump></stock>"
    )
    assert read(reader, tmp_path / "a.xml", source).text == (
        "stock\n\n  pump (id=P-7)\n    flow (unit=m3): 12\n    site: Oslo\n\n  pump\n    flow: 3"
    )


def test_xml_that_is_none_or_empty_has_its_reason(tmp_path: Path) -> None:
    with pytest.raises(Damaged, match=r"a\.xml"):
        XmlParser().parse(make_text(tmp_path / "a.xml", "just words"))
    with pytest.raises(NoText, match=r"b\.xml"):
        XmlParser().parse(make_text(tmp_path / "b.xml", "<a/>"))


def test_entities_that_multiply_are_not_expanded(tmp_path: Path) -> None:
    entities = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 20))
    source = f'<!DOCTYPE x [<!ENTITY a0 "boom">{entities}]><x><y>word</y>&a19;</x>'
    assert "boom" not in XmlParser().parse(make_text(tmp_path / "a.xml", source)).text


def test_xml_in_its_own_encoding(tmp_path: Path) -> None:
    source = '<?xml version="1.0" encoding="windows-1251"?><a><b>насос</b></a>'
    document = XmlParser().parse(make_text(tmp_path / "a.xml", source, encoding="cp1251"))
    assert "насос" in document.text


def test_json_for_people_stays_as_it_is(tmp_path: Path, reader: DocumentReader) -> None:
    source = json.dumps({"pump": "P-7", "flow": [1, 2]}, indent=2)
    result = reader.read(make_text(tmp_path / "a.json", source))
    assert result.document.text == source
    assert result.chunks[0].place == "lines 1-7"


def test_json_without_spaces_is_written_anew(tmp_path: Path, reader: DocumentReader) -> None:
    rows = [{"pump": f"P-{n}", "site": "Größe"} for n in range(300)]
    source = json.dumps(rows, separators=(",", ":"))
    document = read(reader, tmp_path / "a.json", source)
    assert '"pump": "P-299"' in document.text
    assert "Größe" in document.text
    assert document.parts == ()
    lines = "\n".join(json.dumps({"all": rows}, separators=(",", ":")) for _ in range(3))
    result = reader.read(make_text(tmp_path / "a.jsonl", lines))
    assert '"pump": "P-299"' in result.chunks[-1].text
    assert result.chunks[-1].place == "line 3"
    broken = read(reader, tmp_path / "b.json", "{'no': json, " * 50)
    assert broken.text.startswith("{'no': json,")


def test_notebooks(tmp_path: Path, reader: DocumentReader) -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# Pumps\n", "\n", "Flow fell."]},
        {"cell_type": "code", "source": "x = 1", "outputs": [{"text": "noise"}]},
    ]
    document = read(reader, tmp_path / "a.ipynb", json.dumps({"cells": cells}))
    assert document.text == "Pumps\n\nFlow fell.\n\nx = 1"
    assert [b.kind for b in document.blocks] == [
        BlockKind.HEADING,
        BlockKind.PARAGRAPH,
        BlockKind.CODE,
    ]
    assert document.notes == ("Results of the cells were not read.",)


def test_latex(tmp_path: Path, reader: DocumentReader) -> None:
    source = (
        "\\documentclass{article}\\title{Pumps \\emph{now}}\n\\begin{document}\\maketitle\n"
        "\\section{Flow}\\label{s}\nIt \\textbf{fell} by 5\\% % why?\nin May.\n"
        "\\begin{itemize}\\item one\\item two\\end{itemize}\n\\subsection*{More}\nWords.\n"
        "\\end{document}\n"
    )
    document = read(reader, tmp_path / "a.tex", source)
    assert document.title == "Pumps now"
    assert headings(document) == [("Flow", 3), ("More", 4)]
    assert "It fell by 5%" in document.text
    assert "- one" in document.text
    assert "why" not in document.text
    assert "\\" not in document.text


def test_org_and_asciidoc(tmp_path: Path, reader: DocumentReader) -> None:
    org = read(
        reader, tmp_path / "a.org", "#+TITLE: Plan\n* TODO Pumps :work:\nOld.\n** Flow\nLow.\n"
    )
    assert (org.title, headings(org)) == ("Plan", [("Pumps", 1), ("Flow", 2)])
    adoc = read(reader, tmp_path / "a.adoc", "= Plan\n\nOld.\n\n== Flow\n\nLow.\n")
    assert (adoc.title, headings(adoc)) == ("Plan", [("Plan", 1), ("Flow", 2)])


def test_subtitles_are_words_with_times(tmp_path: Path, reader: DocumentReader) -> None:
    srt = "1\n00:00:05,000 --> 00:00:07,000\n<i>Hello</i>\nthere\n\n"
    srt += "2\n00:01:00,1 --> 00:01:02,0\nBye\n"
    text = "[00:00:05] Hello there\n[00:01:00] Bye"
    assert read(reader, tmp_path / "a.srt", srt).text == text
    vtt = "WEBVTT\n\nNOTE x\n\n01:05.000 --> 01:07.000 line:0\n<v Ada>Hello\n"
    assert read(reader, tmp_path / "a.vtt", vtt).text == "[01:05] Hello"


def test_calendars_and_cards(tmp_path: Path, reader: DocumentReader) -> None:
    ics = (
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:7\r\n"
        "SUMMARY:Pump re\r\n view\\, all\r\n"
        "DTSTART;TZID=Europe/Oslo:20240301T093000\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    )
    assert read(reader, tmp_path / "a.ics", ics).text == (
        "Summary: Pump review, all\nDtstart: 2024-03-01 09:30"
    )
    vcf = "BEGIN:VCARD\nFN:Ada Lovelace\nTEL;TYPE=work:+44 1\nEND:VCARD\n"
    assert read(reader, tmp_path / "a.vcf", vcf).text == "Fn: Ada Lovelace\nTel: +44 1"
