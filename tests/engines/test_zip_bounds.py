"""Archives of unknown origin: bounded, and refused with the right reason."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from desktop_rag.domain.errors import Damaged, Encrypted, TooLarge
from desktop_rag.engines import safe_xml, zip_bounds
from desktop_rag.engines.zip_bounds import check_zip, open_zip


def make_zip(path: Path, entries: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries.items():
            archive.writestr(name, data)
    return path


def test_entries_are_found_whatever_the_case_and_slash(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "a.zip", {"word\\Document.xml": b"<a>x</a>"})
    with open_zip(path, "Word document") as archive:
        assert "word/document.xml" in archive
        assert archive.read("/word/document.XML") == b"<a>x</a>"
        assert archive.read("none") == b""
        root = archive.xml("word/document.xml")
        assert root is not None
        assert root.text == "x"
        assert archive.xml("none") is None


def test_what_is_read_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = make_zip(tmp_path / "b.zip", {"a": b"x" * 50_000, "b": b"y" * 50_000})
    with open_zip(path, "book") as archive, pytest.raises(TooLarge, match=r"b\.zip"):
        archive.read("a", limit=49_999)
    monkeypatch.setattr(zip_bounds, "MAX_READ_BYTES", 60_000)
    with open_zip(path, "book") as archive:
        assert len(archive.read("a")) == 50_000
        with pytest.raises(TooLarge):
            archive.read("b")


def test_too_many_entries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zip_bounds, "MAX_ENTRIES", 2)
    path = make_zip(tmp_path / "m.zip", {"a": b"", "b": b"", "c": b""})
    with pytest.raises(TooLarge, match=r"m\.zip"), open_zip(path, "book"):
        pass


def test_a_bomb_is_told_before_it_is_unpacked(tmp_path: Path) -> None:
    check_zip(make_zip(tmp_path / "fine.zip", {"a": b"x" * 1_000_000}), "workbook")
    with pytest.raises(TooLarge, match=r"bomb\.zip"):
        check_zip(make_zip(tmp_path / "bomb.zip", {"a": bytes(30_000_000)}), "workbook")


def test_encrypted_entries(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "e.zip", {"a": b"secret"})
    data = bytearray(path.read_bytes())
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(data)
    with pytest.raises(Encrypted, match=r"e\.zip"):
        check_zip(path, "workbook")
    with open_zip(path, "workbook") as archive, pytest.raises(Encrypted):
        archive.read("a")


def test_damaged_archives(tmp_path: Path) -> None:
    whole = make_zip(tmp_path / "a.zip", {"a": bytes(range(256)) * 9}).read_bytes()
    (tmp_path / "cut.zip").write_bytes(whole[:-30])
    with (
        pytest.raises(Damaged, match=r"cut\.zip.*whole book"),
        open_zip(tmp_path / "cut.zip", "book"),
    ):
        pass
    wrong = bytearray(whole)
    wrong[40] ^= 0xFF
    (tmp_path / "wrong.zip").write_bytes(wrong)
    with open_zip(tmp_path / "wrong.zip", "book") as archive, pytest.raises(Damaged):
        archive.read("a")
    with pytest.raises(FileNotFoundError), open_zip(tmp_path / "gone.zip", "book"):
        pass


def test_xml_expands_and_fetches_nothing(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    inside = '<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">'
    outside = f'<!ENTITY c SYSTEM "file://{tmp_path}/secret">'
    root = safe_xml.parsed(f"<!DOCTYPE d [{inside}{outside}]><d>&b;&c;</d>".encode(), "x")
    assert root is not None
    assert "".join(t for t in root.itertext() if "&" not in t) == ""
    assert safe_xml.parsed(b"no xml", "x") is None
    assert safe_xml.parsed(b"", "x") is None
    mended = safe_xml.parsed(b"<a><b>one</b><b>two", "x")
    assert [b.text for b in mended.iter("b")] == ["one", "two"] if mended is not None else False


def test_xml_of_more_nodes_than_memory_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(safe_xml, "MAX_NODES", 100)
    assert safe_xml.parsed(b"<a>" + b"<b/>" * 90 + b"</a>", "x") is not None
    for dense in (b"<b/>" * 101, b"<b " + b"".join(b'a%d="" ' % n for n in range(101)) + b"/>"):
        with pytest.raises(TooLarge, match=r"many\.docx"):
            safe_xml.parsed(b"<a>" + dense + b"</a>", "many.docx")
