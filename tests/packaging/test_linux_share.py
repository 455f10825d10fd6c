"""What a Linux desktop is told about the program is well-formed, true, and in every language."""

from __future__ import annotations

import configparser
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from release import icons, linux_share, manual
from release.plan import ROOT, Plan

from desktop_rag.cli.main import build_parser
from desktop_rag.engines.parsers import BY_SUFFIX
from desktop_rag.paths import BUNDLE_SUFFIX

LANGUAGES = ("de", "es", "fr", "ar", "zh")
PLAN = Plan("0.1.0")
GLOBS = Path("/usr/share/mime/globs2")


def entry() -> configparser.ConfigParser:
    parser = configparser.ConfigParser(interpolation=None, delimiters=("=",), strict=True)
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read_string(linux_share.template(linux_share.ENTRY))
    return parser


def checked(*command: str) -> str:
    """What a checking program says; skipped where it is missing."""
    if shutil.which(command[0]) is None:
        pytest.skip(f"no {command[0]}")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def written(folder: Path, name: str, text: str) -> str:
    (folder / name).write_text(text, encoding="utf-8")
    return str(folder / name)


def test_the_menu_entry_is_valid(tmp_path: Path) -> None:
    path = written(tmp_path, linux_share.ENTRY, linux_share.template(linux_share.ENTRY))
    assert checked("desktop-file-validate", path) == ""


def test_every_shown_word_of_the_menu_entry_is_translated() -> None:
    for section in entry().values():
        for key in ("GenericName", "Comment", "Keywords"):
            assert key not in section or {f"{key}[{one}]" for one in LANGUAGES} <= set(section)
    actions = entry()["Desktop Entry"]["Actions"].rstrip(";").split(";")
    for action in actions:
        assert {f"Name[{one}]" for one in LANGUAGES} <= set(entry()[f"Desktop Action {action}"])


def test_the_program_understands_what_the_menu_starts() -> None:
    parser = build_parser()
    for section in entry().values():
        if "Exec" in section:
            name, *words = shlex.split(section["Exec"].replace("%F", "/tmp/a.pdf /tmp/b"))
            args = parser.parse_args(words)
            assert (name, args.command) == ("desktop-rag", None)


@pytest.mark.skipif(not GLOBS.exists(), reason="no list of file types")
def test_only_kinds_that_are_read_are_offered() -> None:
    lines = [line.split(":") for line in GLOBS.read_text().splitlines() if line[0] != "#"]
    suffixes: dict[str, set[str]] = {}
    for _, kind, pattern, *_ in lines:
        suffixes.setdefault(kind, set()).add(pattern.removeprefix("*").lower())
    kinds = entry()["Desktop Entry"]["MimeType"].rstrip(";").split(";")
    assert kinds.pop(0) == "application/x-desktop-rag-models"
    assert len(kinds) > 30
    assert [kind for kind in kinds if not suffixes.get(kind, set()) & set(BY_SUFFIX)] == []


def test_the_kind_of_bundles_is_known_by_its_name(tmp_path: Path) -> None:
    text = linux_share.template(linux_share.MIME)
    (tmp_path / "packages").mkdir()
    written(tmp_path / "packages", "desktop-rag.xml", text)
    checked("update-mime-database", "-n", str(tmp_path))
    assert (
        f":application/x-desktop-rag-models:*{BUNDLE_SUFFIX}\n" in (tmp_path / "globs2").read_text()
    )
    assert {f'xml:lang="{one}"' for one in LANGUAGES} <= set(re.findall(r'xml:lang="\w+"', text))


def test_software_centres_can_show_it(tmp_path: Path) -> None:
    path = written(tmp_path, linux_share.METAINFO, linux_share.metainfo(PLAN))
    assert "@" not in Path(path).read_text(encoding="utf-8")
    checked("appstreamcli", "validate", "--no-net", path)


def test_icons_have_the_sizes_they_claim(tmp_path: Path) -> None:
    icons.write_hicolor(tmp_path)
    for size in (16, 48, 512):
        image = QImage(str(tmp_path / f"{size}x{size}" / "apps" / "desktop-rag.png"))
        assert (image.width(), image.height()) == (size, size)
        assert image.pixelColor(0, 0).alpha() == 0, "the corners are round"
        assert image.pixelColor(size // 2, size // 10).name() == "#0f766e"


# ---------------------------------------------------------------------- manual


@pytest.fixture(scope="module")
def page() -> str:
    return manual.page(manual.program_parser(), "Desktop RAG 0.1.0", "2026-11-30")


def plain(page: str) -> str:
    return page.replace("\\-", "-").replace("\\(rs", "\\")


def test_the_manual_names_every_command_and_option(page: str) -> None:
    parser = build_parser()
    commands = list(manual.commands(parser))
    assert len(commands) > 40, "also those of commands: models list"
    for command in commands:
        assert f".SS {command.prog}\n" in plain(page)
        for option in command._option_string_actions:
            assert option in plain(page)
    for option in parser._option_string_actions:
        assert option in plain(page).partition(".SH COMMANDS")[0]


def test_the_manual_tells_exit_codes_files_and_environment(page: str) -> None:
    _, _, end = plain(page).partition(".SH EXIT STATUS")
    for words in ("\\fB130\\fR\n", "DESKTOP_RAG_DATA_DIR", "~/.local/share/desktop-rag/"):
        assert words in end
    assert str(Path.home()) not in page, "nothing of whoever builds it"


def test_the_manual_is_set_without_a_warning(page: str, tmp_path: Path) -> None:
    path = written(tmp_path, "desktop-rag.1", page)
    assert (
        checked("man", "--warnings", "-Tutf8", "-Z", "-E", "UTF-8", "-l", path)[:20]
        == "x T utf8\nx res 240 2"
    )


def test_no_line_of_text_becomes_a_request() -> None:
    assert manual._text(".desktopragignore is\n'so' \\ - x") == (
        "\\&.desktopragignore is\n\\&'so' \\(rs \\- x"
    )


def test_sources_are_there() -> None:
    assert (ROOT / "resources" / "icons" / "app.svg") == icons.SOURCE
