import pytest

from desktop_rag.domain.occurrences import occurrences


def quoted(text: str, phrase: str) -> list[str]:
    return [text[start:end] for start, end in occurrences(text, phrase).places]


def test_every_place_once_with_its_sentence() -> None:
    text = "Asbestos is old. The roof holds asbestos, and asbestos only.\nNo more ASBESTOS."
    assert quoted(text, "asbestos") == [
        "Asbestos is old.",
        "The roof holds asbestos, and asbestos only.",
        "The roof holds asbestos, and asbestos only.",
        "No more ASBESTOS.",
    ]


@pytest.mark.parametrize(
    ("text", "phrase", "count"),
    [
        ("the notice\nperiod and the notice  period", "notice period", 2),
        ("an asbes-\ntos roof", "asbestos", 1),
        ("Größe und GROSSE", "grösse", 2),
        ("Straße, STRASSE, strasse", "Straße", 3),
        ("Müller & Müller", "muller", 2),
        ("cats, category", "cat", 0),
        ("aaa", "aa", 0),
        ("石棉和石棉", "石棉", 2),
        ("C++ and c++", "c++", 2),
        ("", "x", 0),
        ("x", "", 0),
    ],
)
def test_counts(text: str, phrase: str, count: int) -> None:
    assert len(occurrences(text, phrase)) == count


def test_longer_words_are_kept_apart() -> None:
    text = "Die Asbestsanierung begann. Ohne Asbest."
    found = occurrences(text, "Asbest")
    assert [text[a:b] for a, b in found.places] == ["Ohne Asbest."]
    assert [text[a:b] for a, b in found.longer] == ["Die Asbestsanierung begann."]
    assert found.longer_words == ("asbestsanierung",)


def test_places_stay_true_where_folding_changes_lengths() -> None:
    text = "ßßß æææ İİİ\nplain\nœuvre: asbestos ﬁne"
    (place,) = occurrences(text, "asbestos").places
    assert text[slice(*place)] == "œuvre: asbestos ﬁne"
