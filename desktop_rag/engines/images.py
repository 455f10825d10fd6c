"""Reads image files as documents whose pages are pictures; their text comes from recognition.

Only headers are read until a page is to be shown or recognised, so a file that would unpack to
gigabytes is refused before it does. Pillow is loaded with the first image.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_rag.domain.documents import Coverage, PageImage, ParsedDocument, RecognisedPage
from desktop_rag.domain.errors import Damaged, NoText, NotFound, TooLarge
from desktop_rag.domain.layout.fragments import PageText
from desktop_rag.domain.layout.recognised import recognised_text
from desktop_rag.domain.page_assembly import assemble_pages

if TYPE_CHECKING:
    from PIL.Image import Image as PillowImage

    from desktop_rag.engines.page_pictures import PagePicture

MAX_UNPACKED = 600_000_000
"""Bytes a picture may need in memory while it is decoded."""
MAX_PAGES = 2000
_MAX_SHOWN = 24_000_000
_MIN_SIDES = (8, 32)
"""Pictures with a shorter or longer side below these pixels are icons and specks."""
_SCREEN_DPI = 96.0
_DPI_RANGE = (60.0, 2400.0)
_A4_HEIGHT = 842.0
_MAX_POINTS = 1700.0
"""A larger page is no page: a camera wrote some resolution that means nothing."""
_ORIENTATION = 0x0112
_SIDEWAYS = frozenset({5, 6, 7, 8})
_LIGHT = 160
_ERRORS = (OSError, ValueError, SyntaxError, TypeError, KeyError, EOFError, OverflowError)
"""What Pillow raises for files that are wrong, besides what it documents."""


@dataclass(frozen=True, slots=True)
class _Size:
    """Of a page in points as displayed."""

    width: float
    height: float


class ImageParser:
    """`ports.PageParser` for PNG, JPEG, TIFF (all its pages), BMP, GIF and WEBP."""

    name = "image-1"
    suffixes = frozenset({".png", ".jpg", ".jpeg", ".tif", ".tiff", ".bmp", ".gif", ".webp"})

    def parse(self, path: Path, recognised: Sequence[RecognisedPage] = ()) -> ParsedDocument:
        """Pages with the text recognised on them so far; see `ports.PageParser`.

        Raises:
            NoText: no text was found in the picture, or it is too small to hold any.
            Damaged, TooLarge: as they say.
        """
        sizes, notes = _sizes(path)
        by_number = {page.number: page for page in recognised if page.number <= len(sizes)}
        pages = [
            recognised_text(by_number[number], size.width, size.height)
            if number in by_number
            else PageText(size.width, size.height, [], size.height)
            for number, size in enumerate(sizes, start=1)
        ]
        waiting = tuple(n for n in range(1, len(sizes) + 1) if n not in by_number)
        with_text = tuple(n for n, page in sorted(by_number.items()) if page.lines)
        if not with_text and not waiting:
            raise _no_text(path)
        assembled = assemble_pages(pages)
        return ParsedDocument(
            format="image",
            text=assembled.text,
            blocks=assembled.blocks,
            pages=assembled.pages,
            notes=tuple(notes),
            coverage=Coverage(
                pages=len(sizes),
                recognised=with_text,
                waiting=waiting,
                blank=tuple(n for n, page in sorted(by_number.items()) if not page.lines),
                tables=sum(block.kind == "table" for block in assembled.blocks),
            ),
        )

    def render_page(self, path: Path, page: int, scale: float) -> PageImage:
        """Picture of a page; see `ports.PageParser`."""
        with _opened(path, page) as image:
            size = _size(image)
            fitting = min(max(scale, 0.05), math.sqrt(_MAX_SHOWN / (size.width * size.height)))
            shown = _resized(_upright(_decoded(image, path)), size, fitting).convert("RGB")
            png = io.BytesIO()
            # Quick rather than small: it is read once, by the window beside this process.
            shown.save(png, "PNG", compress_level=1)
            return PageImage(png.getvalue(), size.width, size.height)


def page_picture(path: Path, page: int) -> PagePicture:
    """Grey pixels of a page, for text recognition.

    Raises:
        NotFound: there is no such page.
        Damaged, TooLarge: it cannot be decoded.
    """
    import numpy as np

    from desktop_rag.engines.page_pictures import MAX_SIDE, PagePicture

    with _opened(path, page) as image:
        size, (columns, rows) = _size(image), image.size
        longest = max(columns, rows)
        if longest > 2 * MAX_SIDE:
            # JPEGs can be decoded at a half, a quarter, an eighth; for others this does nothing.
            image.draft("L", (columns * MAX_SIDE // longest, rows * MAX_SIDE // longest))
        density = longest / max(size.width, size.height)
        density = min(density, MAX_SIDE / max(size.width, size.height))
        grey = _resized(_upright(_decoded(image, path)), size, density).convert("L")
        return PagePicture(np.asarray(grey), size.width, size.height)


def _sizes(path: Path) -> tuple[list[_Size], list[str]]:
    """Sizes of all pages in points, and notes; from the headers only."""
    with _opened(path, 1) as image:
        if min(image.size) < _MIN_SIDES[0] or max(image.size) < _MIN_SIDES[1]:
            raise _no_text(path)
        if image.format != "TIFF":
            _check_pixels(image, path, reduced=8 if image.format == "JPEG" else 1)
            is_moving = getattr(image, "n_frames", 1) > 1
            return [_size(image)], ["Only the first picture was read."] if is_moving else []
        sizes: list[_Size] = []
        for frame in range(MAX_PAGES + 1):
            try:
                image.seek(frame)
            except EOFError:
                return sizes, []
            if frame < MAX_PAGES:
                sizes.append(_size(image))
        return sizes, [f"Only the first {MAX_PAGES} pages were read."]


@contextmanager
def _opened(path: Path, page: int) -> Iterator[PillowImage]:
    """The page's header; its pixels are not decoded yet."""
    from PIL import Image

    # Pillow's own limit only warns; ours is checked before anything is decoded.
    Image.MAX_IMAGE_PIXELS = None
    try:
        with Image.open(path) as image:
            _seek(image, page, path)
            yield image
    except FileNotFoundError as exc:
        raise NotFound(f"“{path.name}” is no longer where it was.") from exc
    except PermissionError:
        raise
    except _ERRORS as exc:
        raise _damaged(path) from exc


def _seek(image: PillowImage, page: int, path: Path) -> None:
    is_there = page == 1 or (page > 1 and image.format == "TIFF")
    try:
        if is_there:
            image.seek(page - 1)
    except EOFError:
        is_there = False
    if not is_there:
        raise NotFound(f"“{path.name}” has no page {page}.")


def _size(image: PillowImage) -> _Size:
    """Size in points as displayed: by its resolution, or what a page or a screen would be."""
    columns, rows = image.size
    x_dpi, y_dpi = _dpi(image)
    width, height = columns * 72 / x_dpi, rows * 72 / y_dpi
    if max(width, height) > _MAX_POINTS:
        factor = _A4_HEIGHT / max(width, height)
        width, height = width * factor, height * factor
    if _orientation(image) in _SIDEWAYS:
        width, height = height, width
    return _Size(width, height)


def _orientation(image: PillowImage) -> int:
    """How the camera was held, in EXIF's numbers; 1 is upright."""
    # Of a PNG whose header says nothing, Pillow would decode all pixels to find out.
    if image.format == "PNG" and "exif" not in image.info:
        return 1
    value = image.getexif().get(_ORIENTATION, 1)
    return value if isinstance(value, int) else 1


def _dpi(image: PillowImage) -> tuple[float, float]:
    """Resolution across and down; faxes have two different ones."""
    try:
        x_dpi, y_dpi = (float(value) for value in image.info["dpi"])
    except (KeyError, TypeError, ValueError, ZeroDivisionError):
        return _SCREEN_DPI, _SCREEN_DPI
    low, high = _DPI_RANGE
    if not (low <= x_dpi <= high and low <= y_dpi <= high):
        return _SCREEN_DPI, _SCREEN_DPI
    return x_dpi, y_dpi


def _decoded(image: PillowImage, path: Path) -> PillowImage:
    _check_pixels(image, path)
    image.load()
    return image


def _check_pixels(image: PillowImage, path: Path, reduced: int = 1) -> None:
    """Refuse what would not fit into memory; `reduced` by so much on either side."""
    columns, rows = image.size
    bytes_a_pixel = 1 if image.mode in {"1", "L", "P"} else 4
    if columns * rows * bytes_a_pixel > MAX_UNPACKED * reduced**2:
        raise TooLarge(
            f"“{path.name}” has {columns:,} × {rows:,} pixels, too many to be read; "
            "save it in a smaller size."
        )


def _upright(image: PillowImage) -> PillowImage:
    """As a viewer shows it: turned as its camera was held, on paper, in 8 bits."""
    from PIL import ImageOps

    image = ImageOps.exif_transpose(image)
    if image.mode.startswith(("I", "F")):
        return _in_8_bits(image)
    if image.has_transparency_data:
        return _on_paper(image.convert("RGBA"))
    return image.convert("L" if image.mode == "1" else "RGB") if image.mode != "L" else image


def _in_8_bits(image: PillowImage) -> PillowImage:
    """Grey of 16 or 32 bits: from its darkest to its lightest."""
    import numpy as np
    from PIL import Image

    values = np.asarray(image).astype(np.float32)
    low, high = float(values.min()), float(values.max())
    scaled = (values - low) * (255 / max(high - low, 1e-6))
    return Image.fromarray(scaled.astype(np.uint8))


def _on_paper(image: PillowImage) -> PillowImage:
    """On white, or on black when what is drawn is light itself."""
    from PIL import Image, ImageStat

    alpha = image.getchannel("A")
    ink = ImageStat.Stat(image.convert("L"), alpha.point(lambda value: 255 if value > 128 else 0))
    is_light = bool(ink.count[0]) and ink.mean[0] > _LIGHT and alpha.getextrema()[0] == 0
    paper = Image.new("RGB", image.size, "black" if is_light else "white")
    paper.paste(image, mask=alpha)
    return paper


def _resized(image: PillowImage, size: _Size, density: float) -> PillowImage:
    """At `density` pixels a point in both directions."""
    from PIL import Image

    wanted = (max(round(size.width * density), 1), max(round(size.height * density), 1))
    if wanted == image.size:
        return image
    return image.resize(wanted, Image.Resampling.BILINEAR, reducing_gap=2.0)


def _no_text(path: Path) -> NoText:
    return NoText(f"“{path.name}”: no text was found in the picture.")


def _damaged(path: Path) -> Damaged:
    return Damaged(
        f"“{path.name}” is not a whole picture; open it in an image viewer and save it again."
    )
