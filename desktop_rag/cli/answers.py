"""`search` and `ask`."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence

from desktop_rag.app import AnswerHandle, App
from desktop_rag.cli.arguments import Subparsers, add_command
from desktop_rag.cli.explaining import percent, print_explanation
from desktop_rag.cli.organising import add_scope_options, scope_of
from desktop_rag.cli.output import is_terminal, print_json, say, show, show_marked
from desktop_rag.domain.answers import (
    Answer,
    Citation,
    ConversationId,
    RetrievalFigures,
    SearchResult,
    Understood,
)
from desktop_rag.domain.errors import Cancelled, InvalidInput
from desktop_rag.domain.events import AnswerDelta, AnswerProgress, Event, ExtractFound, SourcesFound
from desktop_rag.domain.excerpts import excerpt
from desktop_rag.domain.marks import without_marks
from desktop_rag.domain.mentions import mention, remarks
from desktop_rag.domain.structured import as_json, structured_answer, structured_search
from desktop_rag.storage.result_schemas import result_schema

_MAX_PASSAGES = 1000
_LEFT_OUT = re.compile(r"-(?:[^\W\d_]{3,}|\".*\")")


def register(subparsers: Subparsers) -> None:
    """Add the commands of this module."""
    search = add_command(subparsers, "search", "Find passages, without a language model.", _search)
    search.add_argument(
        "-k",
        "--limit",
        dest="k",
        type=int,
        metavar="N",
        help="how many passages (default: as many as are worth reading, 3 to 8)",
    )
    search.add_argument(
        "--explain",
        action="store_true",
        help="for each candidate: rank and score by retriever, and why it is shown or not",
    )
    ask = add_command(
        subparsers, "ask", "Answer a question from the library, with citations.", _ask
    )
    ask.add_argument(
        "--fresh", action="store_true", help="write an answer even if the same was asked before"
    )
    ask.add_argument(
        "--continue",
        dest="chat",
        type=int,
        metavar="CHAT",
        help="ask in this chat; without a QUESTION, write on where its last answer ended too early",
    )
    for command in (search, ask):
        command.add_argument("question", metavar="QUESTION", nargs="*")
        command.add_argument(
            "--schema", action="store_true", help="print the JSON schema of the result instead"
        )
        add_scope_options(command)
        command.add_argument(
            "--deep",
            action="store_true",
            help="let the language model say first what else to search; takes seconds",
        )
        command.add_argument(
            "--graph",
            action="store_true",
            help="follow names from document to document, for answers that lie two away",
        )


def with_words_left_out(argv: Sequence[str]) -> list[str]:
    """The command line with `-word` of a question made one of its words, not an unknown option."""
    if not {"search", "ask"} & set(argv):
        return list(argv)
    return [f" {one}" if _LEFT_OUT.fullmatch(one) else one for one in argv]


def _search(args: argparse.Namespace) -> int:
    if args.schema:
        print_json(result_schema("search"))
        return 0
    if args.k is not None and not 1 <= args.k <= _MAX_PASSAGES:
        raise InvalidInput(f"-k takes a number from 1 to {_MAX_PASSAGES}, not {args.k}.")
    with App.open(args.data_dir) as app:
        pending = _caught_up(app)
        result = app.search(
            " ".join(args.question),
            args.k,
            scope_of(args),
            deep=args.deep,
            graph=args.graph,
            is_explained=args.explain,
        )
    if args.json:
        print_json(
            app.exported(as_json(structured_search(result, pending, is_explained=args.explain)))
        )
        return 0
    _print_found(result)
    if args.explain:
        print_explanation(result.explanation)
    _say_note(result.figures)
    say(_scope(result.figures))
    return 0


def _print_found(result: SearchResult) -> None:
    _tell(result.understood)
    if result.is_weak:
        show("Nothing in your documents matches well; nearest:\n")
    for number, passage in enumerate(result.passages, 1):
        relevance = percent(passage.relevance)
        show(f"[{number}] {relevance} {mention(passage)}\n    ", end="")
        piece = excerpt(passage.text, result.understood.text)
        show_marked(piece.text, piece.marks, end="\n\n")


def _ask(args: argparse.Namespace) -> int:
    if args.schema:
        print_json(result_schema("answer"))
        return 0
    with App.open(args.data_dir) as app:
        pending = _caught_up(app)
        printer = AnswerPrinter(is_quiet=args.json)
        app.bus.subscribe(printer)
        handle = _begun(app, args)
        try:
            answer = handle.result()
        except KeyboardInterrupt:
            handle.cancel()
            answer = handle.result()
    if args.json:
        print_json(app.exported(as_json(structured_answer(answer, pending, handle.conversation))))
    else:
        printer.finish(answer)
        say(f"Ask on with `desktop-rag ask --continue {handle.conversation} QUESTION`.")
    return Cancelled.exit_code if answer.stopped else 0


def _begun(app: App, args: argparse.Namespace) -> AnswerHandle:
    chat = None if args.chat is None else ConversationId(args.chat)
    scope = scope_of(args)
    if chat is not None and not args.question:
        if args.deep or args.graph or args.fresh or not scope.is_everything:
            raise InvalidInput(
                "Without a QUESTION the last answer of the chat goes on from the sources it has: "
                "leave the other options out, or ask something."
            )
        return app.go_on(chat)
    return app.ask(
        " ".join(args.question),
        chat,
        scope,
        deep=args.deep,
        graph=args.graph,
        is_fresh=args.fresh,
    )


def _caught_up(app: App) -> str:
    pending = app.catch_up()
    if pending:
        say(pending)
    return pending


class AnswerPrinter:
    """Prints an answer, on a terminal while it is written, then its sources."""

    def __init__(self, *, is_quiet: bool) -> None:
        self._is_quiet = is_quiet
        self._is_live = is_terminal(sys.stdout)
        self._written = ""

    def __call__(self, event: Event) -> None:
        """A bus listener; called on the answerer's thread."""
        if self._is_quiet:
            return
        if isinstance(event, ExtractFound) and self._is_live:
            say(f"Quoted from {mention(event.citation)}: “{_on_a_line(event.citation.quote)}”")
        elif isinstance(event, SourcesFound) and event.passages:
            number = len(event.passages)
            say(f"Found {number} passage{'s' if number > 1 else ''}, reading …")
        elif isinstance(event, AnswerProgress):
            say(event.sentence)
        elif isinstance(event, AnswerDelta) and self._is_live:
            self._written += event.text
            show(event.text, end="")

    def finish(self, answer: Answer) -> None:
        """The checked text where it differs from what was streamed, citations and scope."""
        if self._written:
            show("\n")
        if self._written.strip() != answer.text.strip():
            show(f"{'Checked against the sources: ' if self._written else ''}{answer.text}\n")
        _tell(answer.understood)
        for start, end in answer.unsupported:
            claim = without_marks(answer.text[start:end]).strip()
            show(f"Check this, the source does not bear it out: “{claim}”\n")
        print_citations(answer.citations)
        for sentence in answer.conflicts:
            show(sentence)
        for remark in remarks(answer):
            say(remark)
        if answer.nearest:
            show("Nearest: " + "; ".join(answer.nearest))
        if answer.stopped:
            say("Stopped: this is what was written until then." if answer.text else "Stopped.")
        if answer.stopped and not answer.text:
            return
        _say_note(answer.figures)
        scope = answer.scope_note or _scope(answer.figures)
        say(f"Confidence: {answer.confidence}. {scope}" if answer.is_from_documents else scope)


def print_citations(citations: tuple[Citation, ...]) -> None:
    """Numbered sources: file, page, section, quote."""
    for citation in citations:
        show(f"[{citation.number}] {mention(citation)}\n    “{citation.quote}”")


def _on_a_line(quote: str) -> str:
    return " ".join(quote.split())


def _tell(understood: Understood) -> None:
    for sentence in understood.sentences():
        say(sentence)


def _say_note(figures: RetrievalFigures) -> None:
    if figures.expansion.note:
        say(figures.expansion.note)


def _scope(figures: RetrievalFigures) -> str:
    return (
        f"{figures.passages} of {figures.searched_chunks} passages from "
        f"{figures.passage_documents} of {figures.searched_documents} files."
    )
