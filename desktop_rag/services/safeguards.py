"""What stands between documents and everything that reads them for a person.

Orders to a language model are taken out of passages before anything is judged, written or quoted
from them. Personal data is kept from the model (`services.masked_generator`) and, as the person
chose, from answers and from what other programs get. Documents, sources and quotations on the
person's own screen stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from desktop_rag.domain.answers import Answer, Passage
from desktop_rag.domain.events import AnswerDelta, Event
from desktop_rag.domain.masking import Mask, PrivateSpan
from desktop_rag.domain.mentions import mention
from desktop_rag.domain.orders import orders_in, quoted, without_orders
from desktop_rag.services.bus import Bus
from desktop_rag.services.retrieval import Found

OFF, ON, MODEL_ONLY = "off", "on", "model_only"
"""Values of the setting `mask_personal_data`: with the last one, answers show the data itself."""
_ABOUT_ORDERS = re.compile(
    r"\b(?:prompt|injection|jail-?break|system prompt|hidden (?:text|instruction))", re.IGNORECASE
)
"""Who asks about such texts is to get them."""
_MAX_NOTES = 3


class Safeguards:
    """Keeps orders out of prompts, and personal data where it belongs. Usable from any thread."""

    def __init__(self, mask: Mask | None = None, mode: Callable[[], str] = lambda: OFF) -> None:
        self._mask = mask or Mask(lambda _text: ())
        self._mode = mode

    def is_masking(self) -> bool:
        """Whether personal data is kept from the language model."""
        return self._mode() != OFF

    def guarded(self, found: Found) -> Found:
        """What was found without the orders in it; its notes name what was left out."""
        kept = without_orders_in(found.passages, found.question)
        notes = [
            _note(before)
            for before, after in zip(found.passages, kept, strict=True)
            if before.text != after.text
        ]
        if not notes:
            return found
        told = (*found.understood.notes, *list(dict.fromkeys(notes))[:_MAX_NOTES])
        return replace(found, passages=kept, understood=replace(found.understood, notes=told))

    def on_screen(self, text: str) -> str:
        """A part of an answer while it is written, as the person wants to see it."""
        return self._mask.hidden(text).text if self._mode() == ON else text

    def screened(self, bus: Bus) -> Bus:
        """The bus for answers: what is written appears as the person wants to see it."""
        return _ScreenedBus(bus, self)

    def finished(self, answer: Answer, shown: Iterable[str]) -> Answer:
        """The answer as the person wants to see it, with what was masked in the texts `shown`."""
        if self._mode() == OFF:
            return answer
        if not answer.model:  # nothing but the person's own documents
            return answer
        answer = replace(answer, masked=self._mask.count(shown))
        if self._mode() == MODEL_ONLY:
            return answer
        masked = self._mask.masked(answer.text)
        spans = tuple((masked.moved(start), masked.moved(end)) for start, end in answer.unsupported)
        return replace(answer, text=masked.text, unsupported=spans)

    def real(self, text: str) -> str:
        """A text with the data itself, to be kept or to be searched for."""
        return self._mask.unmasked(text)

    def exported(self, values: Mapping[str, object]) -> dict[str, object]:
        """A result for another program (`domain.structured.as_json`), masked unless that is off."""
        if not self.is_masking():
            return dict(values)
        masked = _masked_values(values, self._mask)
        if "masked" in values and not values["masked"]:  # no model was asked: hidden only here
            counts = self._mask.count(_texts_of(values))
            masked["masked"] = [{"kind": kind, "count": count} for kind, count in counts]
        return masked


class _ScreenedBus(Bus):
    """Passes everything on, and words of an answer with placeholders where that is wanted."""

    def __init__(self, bus: Bus, safeguards: Safeguards) -> None:
        super().__init__()
        self._bus = bus
        self._safeguards = safeguards

    def publish(self, event: Event) -> None:
        """See `Bus.publish`."""
        if isinstance(event, AnswerDelta):
            event = replace(event, text=self._safeguards.on_screen(event.text))
        self._bus.publish(event)


def without_orders_in(passages: Iterable[Passage], question: str) -> tuple[Passage, ...]:
    """Passages with blanks in the place of orders to a language model; all offsets stay valid.

    They stay whole when the question is about such texts.
    """
    if _ABOUT_ORDERS.search(question):
        return tuple(passages)
    return tuple(replace(one, text=without_orders(one.text)) for one in passages)


def find_lazily(text: str) -> tuple[PrivateSpan, ...]:
    """`personal_data.find`, whose patterns for twenty countries are made when first needed."""
    from desktop_rag.services.personal_data import find

    return find(text)


def _note(passage: Passage) -> str:
    first = orders_in(passage.text)[0]
    return (
        f"Text that gives orders to AI programs was left out of {mention(passage)}: "
        f"“{quoted(passage.text, first)}”"
    )


def _texts_of(answer: Mapping[str, object]) -> list[str]:
    """What an answer says and quotes."""
    citations = answer.get("citations")
    cited = citations if isinstance(citations, list | tuple) else ()
    return [str(answer.get("answer", "")), *(str(one["quote"]) for one in cited)]


def _masked_values(values: Mapping[str, object], mask: Mask) -> dict[str, object]:
    masked = {name: _masked_value(name, value, mask) for name, value in values.items()}
    spans, text = values.get("unsupported_spans"), values.get("answer")
    if isinstance(spans, list | tuple) and isinstance(text, str):
        moved = mask.masked(text).moved
        masked["unsupported_spans"] = [
            {"start": moved(span["start"]), "end": moved(span["end"])} for span in spans
        ]
    return masked


def _masked_value(name: str, value: object, mask: Mask) -> object:
    if name == "path":  # programs open files by it
        return value
    if isinstance(value, str):
        return mask.masked(value).text
    if isinstance(value, Mapping):
        return _masked_values(value, mask)
    if isinstance(value, list | tuple):
        return [_masked_value(name, one, mask) for one in value]
    return value
