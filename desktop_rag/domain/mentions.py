"""What is said beside an answer in plain text: where things stand, and how it came about."""

from __future__ import annotations

from desktop_rag.domain.answers import Answer, Citation, Passage
from desktop_rag.domain.masking import placeholder_in


def mention(source: Citation | Passage) -> str:
    """`/home/ada/pump.pdf, page 3 (printed iii) · Maintenance`."""
    place = _page_of_citation(source) if isinstance(source, Citation) else _pages(source)
    place = place or source.place
    section = f" · {source.section}" if source.section else ""
    return f"{source.path}{', ' if place else ''}{place}{section}"


def remarks(answer: Answer) -> list[str]:
    """Sentences on how the answer came about; none for most."""
    masked = masked_words(answer)
    return [
        *([answer.note] if answer.note else []),
        *([masked] if masked else []),
        *(["Answered before; nothing it rests on has changed."] if answer.is_cached else []),
    ]


def masked_words(answer: Answer) -> str:
    """What personal data the language model was not shown; empty for none."""
    kinds = ", ".join(f"{kind} ({count})" for kind, count in answer.masked)
    told = f"Not shown to the language model: {kinds}." if kinds else ""
    word = placeholder_in(answer.text) if kinds else ""
    return f"{told} Words like {word} stand for it; its sources show it." if word else told


def _page_of_citation(citation: Citation) -> str:
    if not citation.page:
        return ""
    label = citation.page_label
    printed = f" (printed {label})" if label and label != str(citation.page) else ""
    return f"page {citation.page}{printed}"


def _pages(passage: Passage) -> str:
    if passage.pages is None:
        return ""
    first, last = passage.pages
    return f"page {first}" if first == last else f"pages {first}-{last}"
