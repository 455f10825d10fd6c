"""`chats` and `export`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from desktop_rag.app import App
from desktop_rag.cli.arguments import Subparsers, add_command, path_argument
from desktop_rag.cli.output import is_terminal, print_json, print_table, printable, say, show
from desktop_rag.domain.answers import Conversation, ConversationId, MessageId
from desktop_rag.domain.chats import ExportFormat
from desktop_rag.domain.errors import InvalidInput
from desktop_rag.paths import home_expanded
from desktop_rag.services.chat_export import rendered
from desktop_rag.services.chat_remarks import local_time

_STDOUT = Path("-")
_BY_SUFFIX = {one.suffix: one for one in ExportFormat} | {
    ".markdown": ExportFormat.MARKDOWN,
    ".htm": ExportFormat.HTML,
}


def register(subparsers: Subparsers) -> None:
    """Add the commands of this module."""
    add_command(subparsers, "chats", "List chats with their numbers, pinned ones first.", _chats)
    export = add_command(
        subparsers, "export", "Write a chat with its sources to a file; - prints it.", _export
    )
    export.add_argument("chat", metavar="CHAT", type=int, help="its number; see `chats`")
    export.add_argument("file", metavar="FILE", type=path_argument)
    export.add_argument(
        "--format",
        choices=list(ExportFormat),
        help="default: by the end of FILE's name, else markdown",
    )
    export.add_argument(
        "--message", type=int, metavar="N", help="only this answer, by its number in the JSON"
    )
    export.add_argument("--force", action="store_true", help="also over a file that exists")


def _chats(args: argparse.Namespace) -> int:
    with App.open(args.data_dir) as app:
        chats = app.history.all()
        if args.json:
            print_json([app.exported(_values(chat)) for chat in chats])
            return 0
    if chats:
        print_table([_row(chat) for chat in chats], ("chat", "last used", "pinned", "title"))
    else:
        say("There is no chat yet; `desktop-rag ask QUESTION` begins one.")
    return 0


def _values(chat: Conversation) -> dict[str, object]:
    return {
        "conversation": chat.id,
        "title": chat.title,
        "updated_at": chat.updated_at,
        "is_pinned": chat.is_pinned,
    }


def _row(chat: Conversation) -> tuple[str, str, str, str]:
    title = " ".join(chat.title.split())
    return str(chat.id), local_time(chat.updated_at), "yes" if chat.is_pinned else "", title


def _export(args: argparse.Namespace) -> int:
    path = home_expanded(args.file)
    as_format = _format(args, path)
    message = None if args.message is None else MessageId(args.message)
    with App.open(args.data_dir) as app:
        chat = app.history.exported(ConversationId(args.chat), message)
        text = rendered(chat, as_format)
        if args.file == _STDOUT:
            sys.stdout.write(printable(text) if is_terminal(sys.stdout) else text)
            return 0
        if path.exists() and not args.force:
            raise InvalidInput(f"{path} exists already. Choose another name, or add --force.")
        app.history.write(path, text.encode(), may_replace=args.force)
    if args.json:
        print_json({"file": str(path), "format": as_format, "conversation": args.chat})
    else:
        show(f"Written to {path}.")
    return 0


def _format(args: argparse.Namespace, path: Path) -> ExportFormat:
    if args.format:
        return ExportFormat(args.format)
    if path.suffix.lower() == ".pdf":
        raise InvalidInput("PDF files are made in the window: open the chat's menu and export it.")
    return _BY_SUFFIX.get(path.suffix.lower(), ExportFormat.MARKDOWN)
