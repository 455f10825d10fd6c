"""Reads HTML with lxml: the main text with headings, lists and tables; no scripts, no menus.

Nothing is ever fetched: the parser has no network and external entities are off.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lxml import etree, html

from desktop_rag.domain.assembly import CELL_GAP, TextAssembler
from desktop_rag.domain.documents import BlockKind, Coverage, ParsedDocument
from desktop_rag.domain.errors import Damaged, NoText
from desktop_rag.domain.hidden_text import leave_out
from desktop_rag.domain.orders import orders_in
from desktop_rag.domain.text_cleaning import clean_block, clean_characters, clean_line
from desktop_rag.engines.decoding import read_text
from desktop_rag.engines.numerals import whole

_CHARSET = re.compile(rb"<meta[^>]{0,300}?charset\s*=\s*[\"']?\s*([\w.:\-]+)", re.IGNORECASE)
_XML_PROLOG = re.compile(r"\A\s*<\?xml[^>]*\?>")
_XHTML = "http://www.w3.org/1999/xhtml"
_SELF_CLOSED = re.compile(
    r"<(?!(?:area|base|br|col|embed|hr|img|input|link|meta|source|wbr)\b)([a-zA-Z][\w:]*)"
    r"(\s[^<>]*?)?/>",
    re.IGNORECASE,
)
_HEAD_BYTES = 4096
_MAX_REPEATED_CHARS = 80
_MAX_SPAN = 10_000
_XML_ENCODING = re.compile(rb"\A\s*<\?xml[^>]{0,200}?encoding=[\"']([\w.\-]+)")
_HIDDEN_STYLES = {
    how: re.compile(rf"(?:^|;)\s*(?:{style})", re.IGNORECASE)
    for how, style in {
        "display:none": r"display\s*:\s*none",
        "visibility:hidden": r"visibility\s*:\s*(?:hidden|collapse)",
        "no size": r"font-size\s*:\s*(?:0*\.?0+|0?\.\d+|1)(?:px|pt)?\s*(?:!|;|$)"
        r"|(?:max-)?(?:height|width)\s*:\s*0(?:px)?\s*(?:!|;|$)(?=.*overflow\s*:\s*hidden)",
        "transparent": r"opacity\s*:\s*0?\.?0+\s*(?:!|;|$)"
        r"|color\s*:\s*(?:transparent|rgba\([^)]*,\s*0\s*\))",
        "beside the page": r"(?:left|top|right|text-indent|margin-left)\s*:\s*-\d{4,}",
    }.items()
}
"""What a style in an element says of its text. Style sheets are not followed: they fold away much
that a reader opens with a click."""
_WHITE = re.compile(
    r"(?:^|;)\s*color\s*:\s*(?:white|#f[c-f]f[c-f]f[c-f]|#fff(?:\b|f)"
    r"|rgba?\(\s*25[0-5]\s*,\s*25[0-5]\s*,\s*25[0-5])",
    re.IGNORECASE,
)
_BACKGROUND = re.compile(r"background|bgcolor", re.IGNORECASE)
# fmt: off
_MENU = re.compile(
    r"(?:^|[\s_-])(?:nav\w*|menu\w*|sidebar|breadcrumbs?|toc|dropdown|portlet|interlanguage"
    r"|noprint|share|social|cookies?)(?:$|[\s_-])",
    re.IGNORECASE,
)
_SKIPPED = frozenset({
    "script", "style", "noscript", "template", "svg", "iframe", "object", "head", "nav", "footer",
    "aside", "button", "select", "option", "input", "textarea", "canvas", "audio", "video", "map",
    "dialog",
})
_BLOCKS = frozenset({
    "p", "div", "section", "article", "main", "header", "body", "blockquote", "dl", "dt", "dd",
    "figure", "figcaption", "address", "details", "summary", "fieldset", "form", "ul", "ol",
    "table", "hr", "center", "tbody", "thead", "tfoot", "tr", "td", "th", "caption",
})
# fmt: on
_FRAME = re.compile(
    r"</?(?:div|section|article|main|header|center|blockquote|figure|form|fieldset|details)"
    r"(?:\s[^<>]*)?>",
    re.IGNORECASE,
)
_FONT = re.compile(r"</?(?:span|font|b|i|u|em|strong|small|big|a)(?:\s[^<>]*)?>", re.IGNORECASE)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}


class WebParser:
    """`ports.Parser` for HTML files."""

    name = "html-3"
    suffixes = frozenset({".html", ".htm", ".xhtml"})

    def parse(self, path: Path) -> ParsedDocument:
        """Read the file; see `ports.Parser`."""
        with path.open("rb") as file:
            declared = declared_encoding(file.read(_HEAD_BYTES))
        return read_html(read_text(path, declared), path.name)


def read_html(source: str, name: str) -> ParsedDocument:
    """Read a decoded page; also for pages inside other files.

    Args:
        name: of the file, for messages.

    Raises:
        Damaged, NoText: as they say.
    """
    root, notes = _tree(_as_html(source), name)
    _drop_comments(root)
    page = _Rendering()
    page.walk(_main_part(root))
    if not page.text.strip() and notes:
        raise Damaged(f"“{name}” is nested too deeply to be read.")
    if not page.text.strip():
        raise NoText(f"“{name}” holds no readable text outside scripts and menus.")
    title = clean_line(root.findtext(".//head/title") or root.findtext(".//title") or "")
    return ParsedDocument(
        format="html",
        text=page.text,
        blocks=page.blocks,
        title=(title or page.first_heading)[:300],
        author=_meta(root, "author"),
        created=_date(root),
        notes=notes,
        coverage=Coverage(tables=sum(1 for b in page.blocks if b.kind is BlockKind.TABLE)),
    )


def _as_html(source: str) -> str:
    """XHTML the way HTML wants it: without prolog, and no element closed in its own tag."""
    without_prolog = _XML_PROLOG.sub("", source, count=1)
    is_xml = len(without_prolog) < len(source) or _XHTML in source[:_HEAD_BYTES]
    if not is_xml:
        return source
    return _SELF_CLOSED.sub(r"<\1\2></\1>", without_prolog)


def declared_encoding(head: bytes) -> str:
    """The encoding that the first 4 KB of a page name, empty for none."""
    found = _CHARSET.search(head) or _XML_ENCODING.search(head)
    name = found.group(1).decode("ascii", "ignore").lower() if found else ""
    # Browsers read these names as the Windows code page, and authors mean it.
    return "cp1252" if name in ("iso-8859-1", "latin-1", "latin1", "ascii", "us-ascii") else name


def _tree(source: str, name: str) -> tuple[Any, tuple[str, ...]]:
    """Root element, and a note when the page is nested too deeply for the parser.

    libxml2 drops everything from depth 2048 on, so such a page is read without what only frames
    or dresses its text.
    """
    root, is_cut = _parsed(source, name)
    if not is_cut:
        return root, ()
    root, is_cut = _parsed(_FONT.sub("", _FRAME.sub("<p>", source)), name)
    if is_cut:
        return root, ("Part of the page was not read: it is nested too deeply.",)
    return root, ("The page is nested too deeply; menus and hidden text may be in its text.",)


def _parsed(source: str, name: str) -> tuple[Any, bool]:
    """Root element, and whether the parser gave up on part of the page."""
    parser = html.HTMLParser(
        no_network=True,
        remove_comments=False,
        remove_pis=True,
        encoding="utf-8",
        huge_tree=True,  # the size is bounded before; without it the depth ends at 256
    )
    cleaned = source.replace("\0", "").encode("utf-8", "replace")
    try:
        root = html.document_fromstring(cleaned, parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError) as exc:
        raise Damaged(
            f"“{name}” is not a readable web page; save it again from the browser."
        ) from exc
    return root, any("Excessive depth" in error.message for error in parser.error_log)


def _drop_comments(root: Any) -> None:
    """Take comments out. Those of site makers are no text; one that gives orders is named."""
    for comment in list(root.iter(etree.Comment)):
        text = comment.text or ""
        if orders_in(text):
            leave_out("comments", text)
        if comment.getparent() is not None:
            comment.drop_tree()


def _main_part(root: Any) -> Any:
    """`<main>` or the only `<article>`, if it holds a good part of the text; else the body."""
    body = root.find(".//body")
    whole = body if body is not None else root
    length = len(" ".join(whole.itertext()))
    candidates = whole.xpath(".//main | .//*[@role='main']") or whole.xpath(".//article")
    if len(candidates) == 1 and len(" ".join(candidates[0].itertext())) > 0.3 * length:
        return candidates[0]
    return whole


def _meta(root: Any, name: str) -> str:
    found = root.xpath(f"string(.//meta[@name='{name}']/@content)")
    return clean_line(str(found))[:200]


def _date(root: Any) -> str:
    names = ("date", "dcterms.created", "article:published_time")
    for name in names:
        found = root.xpath(f"string(.//meta[@name='{name}' or @property='{name}']/@content)")
        date = re.match(r"\d{4}-\d{2}-\d{2}", str(found))
        if date:
            return date.group()
    return ""


def _is_hidden(element: Any) -> bool:
    if element.tag == "aside" and element.get("epub:type"):
        return False  # a footnote of an e-book
    return element.tag in _SKIPPED or bool(_how_hidden(element)) or _is_menu(element)


def _how_hidden(element: Any) -> str:
    """In which way an element itself is hidden; empty for one that is shown."""
    if element.get("hidden") is not None:
        return "hidden"
    style = element.get("style") or ""
    if not style and element.tag != "font":
        return ""
    how = next((how for how, form in _HIDDEN_STYLES.items() if form.search(style)), "")
    return how or ("white on white" if _is_white(element, style) else "")


def _is_white(element: Any, style: str) -> bool:
    """White letters, unless something around them has a background of its own."""
    color = f"color:{element.get('color')}" if element.tag == "font" else style
    if not _WHITE.search(color):
        return False
    around = (element, *element.iterancestors())
    return not any(
        one.get("bgcolor") or one.get("class") or _BACKGROUND.search(one.get("style") or "")
        for one in around
    )


def _is_menu(element: Any) -> bool:
    """Called a menu by its author, and mostly links."""
    names = f"{element.get('class') or ''} {element.get('id') or ''} {element.get('role') or ''}"
    if element.tag not in _BLOCKS or not _MENU.search(names):
        return False
    text = len("".join(element.itertext()).strip())
    linked = sum(len("".join(link.itertext()).strip()) for link in element.iter("a"))
    return linked > 0.6 * text


def _is_data_table(table: Any) -> bool:
    """Rows of several cells, named or without further structure; others only arrange the page."""
    rows = _rows(table)
    if not any(len(row.xpath("./td | ./th")) > 1 for row in rows):
        return False
    if table.xpath("./caption | ./thead/tr/th") or any(row.xpath("./th") for row in rows):
        return not table.xpath(".//h1 | .//h2 | .//pre")
    return not table.xpath(".//table | .//h1 | .//h2 | .//h3 | .//ul | .//pre")


def _rows(table: Any) -> list[Any]:
    """Rows of a table itself, not of tables in its cells."""
    found: list[Any] = table.xpath("./tr | ./thead/tr | ./tbody/tr | ./tfoot/tr")
    return found


class _Rendering(TextAssembler):
    """Collects inline text and writes a block at every block-level border. Not recursive."""

    def __init__(self) -> None:
        super().__init__()
        self.first_heading = ""
        self._inline: list[str] = []
        self._lists: list[int] = []
        self._item = ""

    def walk(self, root: Any) -> None:
        """Write everything visible under `root`."""
        for event, element in _events(root):
            if event == "start":
                self._start(element)
            else:
                self._end(element, is_root=element is root)
        self._flush()

    def _start(self, element: Any) -> None:
        tag = element.tag
        if tag in _HEADINGS or tag in _BLOCKS or tag in ("li", "pre"):
            self._flush()
        if tag in ("ul", "ol"):
            self._lists.append(0 if tag == "ol" else -1)
        elif tag == "li":
            self._begin_item()
        elif tag == "br":
            self._inline.append("\n")
        if _is_whole(element):
            self._add_whole(element)
        elif element.text:
            self._inline.append(_collapsed(element.text))

    def _end(self, element: Any, *, is_root: bool) -> None:
        tag = element.tag
        if tag in _HEADINGS:
            title = clean_line("".join(self._inline))
            self._inline.clear()
            self.first_heading = self.first_heading or title
            self.add(BlockKind.HEADING, title, _HEADINGS[tag])
        elif tag in _BLOCKS or tag == "li":
            self._flush()
        if tag in ("ul", "ol") and self._lists:
            self._lists.pop()
        if element.tail and not is_root:
            self._inline.append(_collapsed(element.tail))

    def _begin_item(self) -> None:
        if not self._lists:
            self._lists.append(-1)
        number = self._lists[-1]
        self._lists[-1] = number if number < 0 else number + 1
        mark = "- " if number < 0 else f"{number + 1}. "
        self._item = "  " * (len(self._lists) - 1) + mark

    def _flush(self) -> None:
        lines = [clean_line(line) for line in "".join(self._inline).split("\n")]
        self._inline.clear()
        text = "\n".join(line for line in lines if line)
        if not text:
            return
        if not self._lists:
            self.add(BlockKind.PARAGRAPH, text)
            return
        follows = bool(self.blocks) and self.blocks[-1].kind is BlockKind.LIST
        self.add(BlockKind.LIST, (self._item or "  ") + text, gap="\n" if follows else "\n\n")
        self._item = ""

    def _add_whole(self, element: Any) -> None:
        if element.tag == "pre":
            self.add(BlockKind.CODE, clean_block("".join(element.itertext())))
            return
        captions = element.iterchildren("caption")
        self.add(
            BlockKind.PARAGRAPH, clean_line("".join(c for e in captions for c in e.itertext()))
        )
        lines = [CELL_GAP.join(row) for row in _texts(_rows(element)) if any(row)]
        self.add(BlockKind.TABLE, "\n".join(lines))


def _is_whole(element: Any) -> bool:
    """Elements written in one go; their children are not visited."""
    return element.tag == "pre" or (element.tag == "table" and _is_data_table(element))


def _events(root: Any, *, whole: bool = True) -> Iterator[tuple[str, Any]]:
    """Start and end of every visible element; hidden ones give an end only (for their tail).

    Args:
        whole: elements that are written in one go give no events of their children.
    """
    walker = etree.iterwalk(root, events=("start", "end"))
    for event, element in walker:
        if not isinstance(element.tag, str):
            continue
        if event == "start" and (_is_hidden(element) or (whole and _is_whole(element))):
            walker.skip_subtree()
        if event == "start" and _is_hidden(element):
            _name_hidden(element)
            continue
        yield event, element


def _name_hidden(element: Any) -> None:
    how = _how_hidden(element)
    if how or element.tag == "template":
        leave_out(how or "template", " ".join(element.itertext()))


def _texts(rows: list[Any]) -> list[list[str]]:
    """Texts of cells row by row; a short cell over several rows is repeated in each."""
    written: list[list[str]] = []
    open_cells: dict[int, tuple[int, str]] = {}
    for row in rows:
        texts: list[str] = []
        below: dict[int, tuple[int, str]] = {}
        for cell in row.xpath("./td | ./th"):
            _fill(texts, open_cells, below)
            text = clean_line("".join(_visible(cell))).rstrip("; ")
            rest = _span(cell) - 1
            if rest > 0:
                below[len(texts)] = (rest, text if len(text) <= _MAX_REPEATED_CHARS else "")
            texts.append(text)
        _fill(texts, open_cells, below)
        open_cells = below
        written.append(texts)
    return written


def _fill(
    texts: list[str], above: dict[int, tuple[int, str]], below: dict[int, tuple[int, str]]
) -> None:
    """Take over the cells that reach down from above and come next."""
    while len(texts) in above:
        rest, text = above[len(texts)]
        if rest > 1:
            below[len(texts)] = (rest - 1, text)
        texts.append(text)


def _span(cell: Any) -> int:
    return whole((cell.get("rowspan") or "").strip(), 1, _MAX_SPAN)


def _visible(cell: Any) -> Iterator[str]:
    """Text of a cell on one line: borders of blocks are spaces, items of lists end in "; "."""
    for event, element in _events(cell, whole=False):
        tag = element.tag
        if tag == "li":
            yield " " if event == "start" else "; "
        elif tag in _BLOCKS or tag in _HEADINGS or tag in ("br", "pre"):
            yield " "
        if event == "start":
            yield element.text or ""
        elif element is not cell:
            yield element.tail or ""


def _collapsed(text: str) -> str:
    return re.sub(r"\s+", " ", clean_characters(text))
