"""Keeps what stands in a passage from looking like a part of the prompt around it.

The prompt numbers its passages `[1]`, calls the question by its name, and a model's template marks
who speaks. A document may hold all of these. That a document's `<|im_end|>` ends nothing is settled
where prompts become tokens (`engines.llamacpp_prompt`); small models also believe what only reads
like it, so that is made to read otherwise. Words stay as they are: the person sees the document,
the model a quotation of it.
"""

from __future__ import annotations

import re

from desktop_rag.domain.look_alikes import folded

# fmt: off
_TOKEN = re.compile(
    r"<\s*\|\s*[\w .:/-]{1,40}\s*\|\s*>"                     # <|im_start|>, <|eot_id|>, <|user|>
    r"|</?(?:s|bos|eos|unk|pad|think|thinking|tool_call|tool_response|tools|start_of_turn"
    r"|end_of_turn|human|assistant|system|user|passages?|documents?|question|context)>"
    r"|<<\s*/?\s*SYS\s*>>"
    r"|\[\s*/?\s*(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|B_INST|E_INST)\s*\]",
    re.IGNORECASE,
)
"""Marks that templates of common families of models are made of."""
_NUMBER = re.compile(
    r"(?<![\w)\]])\[\s*(?:(?:passage|source|document|nr\.|no\.)\s*)?(\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*)\s*\]",
    re.IGNORECASE,
)
"""What a citation looks like; not the index of a list in source code, `rows[1]`."""
_ITS_CITATION = re.compile(r"\[(\d+)\]")
_NAMES = (
    r"(?:system|user|assistant|human|ai|model|bot|instructions?|response|prompt|question|answer"
    r"|passages?|frage|antwort|anweisung|réponse|pregunta|respuesta|domanda|risposta)"
)
_PARTS = r"(?:passages?|documents?|context|sources?|prompt)"
_SPEAKER = re.compile(
    r"^[ \t]*(?="
    rf"(?:[#*>=_-]{{1,6}}[ \t]*)?{_NAMES}"
    r"(?:[ \t]+(?:prompt|message|instructions?))?[ \t]*[*_]{0,2}:"
    rf"|(?:#{{1,6}}|[=*_-]{{2,}})[ \t]*(?:(?:new|end|begin|start|system)\b[^\n]{{0,40}}"
    rf"|{_NAMES}[ \t]*[#=*_-]*[ \t]*$)"
    rf"|[\[(]*(?:end|beginning|start)[ \t]+of[ \t]+(?:the[ \t]+)?{_PARTS}\b)",
    re.IGNORECASE | re.MULTILINE,
)
"""Lines that begin like those of a prompt or of a written conversation."""
# fmt: on


def fenced(text: str) -> str:
    """A passage's text for a prompt: as it is, but no part of it reads like the prompt's own.

    Marks of templates lose their brackets, numbers in square brackets get round ones, and lines
    that begin like a speaker's are quoted with `>`.
    """
    plain = folded(text)
    edits = [(m.start(), m.end(), f"({_bare(m.group())})") for m in _TOKEN.finditer(plain)]
    edits += [(m.start(), m.end(), f"({m[1]})") for m in _NUMBER.finditer(plain)]
    edits += [(m.end(), m.end(), "> ") for m in _SPEAKER.finditer(plain)]
    return _edited(text, edits) if edits else text


def _bare(mark: str) -> str:
    return re.sub(r"[<>|\[\]/\s]+", " ", mark).strip()


def _edited(text: str, edits: list[tuple[int, int, str]]) -> str:
    pieces, position = [], 0
    for start, end, replacement in sorted(edits):
        if start < position:
            continue
        pieces += [text[position:start], replacement]
        position = end
    return "".join((*pieces, text[position:]))


def uncited(text: str) -> str:
    """A document's words for an answer: what it cites as `[12]` must not lead to our sources."""
    return _ITS_CITATION.sub(r"[ \1]", text)
