"""Text files of every encoding that other people's computers write."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_rag.domain.errors import TooLarge, Unsupported
from desktop_rag.engines import decoding
from desktop_rag.engines.decoding import decode, read_text

SENTENCES = {
    "cs": "Příliš žluťoučký kůň úpěl ďábelské ódy. Všechno bude zítra večer hotové.\n",
    "pl": "Zażółć gęślą jaźń. Faktura została zapłacona w październiku, dziękuję.\n",
    "hu": "Árvíztűrő tükörfúrógép. A szerződés a következő évben lép életbe, kérjük.\n",
    "sl": "Življenjepis je priložen. Hvala za čas in potrpežljivost, šefica je že tu.\n",
    "ro": "Întâlnirea de mâine a fost mutată la ora două după-amiaza, vă rugăm să veniţi.\n",
    "de": "Die Prüfung der Verträge für Köln läuft. Schöne Grüße aus der Straße am Fluß.\n",
    "fr": "L'élève a été reçu à l'école. Où êtes-vous allé cet été, près de la forêt ?\n",
    "es": "Mañana será otro día. La reunión empezó después de las diez, según él.\n",
    "pt": "A reunião não será amanhã. As informações estão na página três, atenção.\n",
    "da": "Rødgrød med fløde. Mødet på lørdag er flyttet, så vi ses næste år på øen.\n",
    "sv": "Räksmörgås på ön. Mötet är flyttat till lördag, så vi ses nästa år på sjön.\n",
    "tr": "Toplantı yarın öğleden sonra. Lütfen sözleşmeyi imzalayıp gönderiniz, teşekkürler.\n",
    "lt": "Sutartis galioja iki metų pabaigos. Ačiū už jūsų kantrybę, susitiksime rytoj čia.\n",
    "ja": "会議は明日の午後に変更されました。契約書を確認してください。\nよろしくお願いします。\n",
    "ko": "회의는 내일 오후로 변경되었습니다. 계약서를 확인해 주세요.\n감사합니다.\n",
    "zh": "会议改到明天下午举行，请大家准时参加。\n合同已经寄出，谢谢您的合作。\n",
    "ru": "Встреча перенесена на завтра. Договор отправлен по почте.\nСпасибо за внимание.\n",
}
DOS = [("de", "cp850"), ("de", "cp437"), ("fr", "cp850"), ("fr", "cp437"), ("es", "cp850")]
DOS += [("pt", "cp850"), ("da", "cp850"), ("sv", "cp437"), ("cs", "cp852"), ("pl", "cp852")]
DOS += [("hu", "cp852"), ("sl", "cp852"), ("tr", "cp857")]
WINDOWS = [("cs", "cp1250"), ("pl", "cp1250"), ("hu", "cp1250"), ("sl", "cp1250"), ("ro", "cp1250")]
WINDOWS += [("de", "cp1252"), ("fr", "cp1252"), ("es", "cp1252"), ("pt", "cp1252")]
WINDOWS += [("da", "cp1252"), ("sv", "cp1252"), ("tr", "cp1254"), ("lt", "cp1257")]
UNIX = [("cs", "iso8859_2"), ("pl", "iso8859_2"), ("hu", "iso8859_2"), ("de", "latin1")]
MAC = [("de", "mac_roman"), ("fr", "mac_roman")]
EAST = [("ja", "cp932"), ("ja", "euc_jp"), ("ja", "iso2022_jp"), ("ko", "cp949"), ("ko", "johab")]
EAST += [("ko", "iso2022_kr"), ("zh", "gb18030"), ("zh", "hz")]
WIDE = [
    (language, f"utf-16-{order}") for language in ("ja", "ko", "zh", "ru") for order in ("le", "be")
]


@pytest.mark.parametrize(("language", "encoding"), [*DOS, *WINDOWS, *UNIX, *MAC, *EAST, *WIDE])
def test_encodings_are_told_without_a_mark(language: str, encoding: str) -> None:
    text = SENTENCES[language] * 3
    assert decode(text.encode(encoding), "a.txt") == text


def test_a_few_broken_characters_leave_utf8_what_it_is() -> None:
    text = SENTENCES["fr"] * 5
    data = text.encode() + b"caf\xe9\n"
    assert decode(data, "a.log") == text + "caf\ufffd\n"


def test_french_spaces_before_signs_are_no_letters() -> None:
    text = (
        "Combien\u00a0? «\u00a0Dix\u00a0», dit-elle\u00a0; c'est tout\u00a0: prix doublé\u00a0!\n"
    )
    assert decode(text.encode("cp1252"), "a.txt") == text


def test_braces_after_a_tilde_are_no_chinese() -> None:
    text = "see~{\\it Table}~1 and x = ~{y} or ~}z\n"
    assert decode(text.encode(), "a.tex") == text


@pytest.mark.parametrize("data", [b"first\0second\0third word\0" * 40, bytes(range(256)) * 20])
def test_binary_data_is_no_text_of_another_script(data: bytes) -> None:
    with pytest.raises(Unsupported):
        decode(data, "a.txt")


def test_scripts_without_spaces_have_a_bound_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decoding, "MAX_DENSE", 40)
    (tmp_path / "a.txt").write_text("Spaces between words. " * 10 + "会议" * 20, encoding="utf-8")
    assert read_text(tmp_path / "a.txt").endswith("会议")
    (tmp_path / "b.txt").write_text("会议" * 21, encoding="utf-8")
    with pytest.raises(TooLarge, match=r"b\.txt.*split"):
        read_text(tmp_path / "b.txt")


def test_spanish_beside_portuguese_is_not_taken_for_polish(tmp_path: Path) -> None:
    text = "El niño y la niña del año.\n" * 5 + "Não: doação e contratação.\n" * 2
    path = tmp_path / "a.txt"
    path.write_bytes(text.encode("cp1252"))
    assert read_text(path) == text
