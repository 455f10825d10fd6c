"""Image files as documents: headers, sizes, pages, pictures; recognition with the real models."""

from __future__ import annotations

import io
import struct
import time
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from desktop_rag.domain.documents import RecognisedLine, RecognisedPage
from desktop_rag.domain.errors import Damaged, NoText, NotFound, TooLarge
from desktop_rag.domain.ports import DocumentReader
from desktop_rag.engines.images import ImageParser, page_picture
from tests.helpers.scans import PROSE, drawn_page

PARSER = ImageParser()


def drawn(lines: int = 3, dpi: int = 120) -> Image.Image:
    """The beginning of an A4 page."""
    pixels = drawn_page(PROSE[:lines], dpi=dpi)
    return Image.fromarray(pixels[: pixels.shape[0] // 4])


def text_of(reader: DocumentReader, path: Path) -> list[str]:
    return [line.text for line in reader.recognise(path, 1).lines]


@pytest.mark.parametrize("suffix", [".png", ".jpg", ".tif", ".bmp", ".gif", ".webp"])
def test_every_format_is_recognised(tmp_path: Path, reader: DocumentReader, suffix: str) -> None:
    path = tmp_path / f"note{suffix}"
    drawn(2).save(path)
    document = reader.read(path).document
    assert (document.format, document.title, document.text) == ("image", "note", "")
    assert document.coverage.waiting == (1,)
    page = reader.recognise(path, 1)
    assert [line.text for line in page.lines] == list(PROSE[:2])
    read = reader.read(path, [page])
    assert read.document.coverage.recognised == (1,)
    assert read.document.coverage.waiting == ()
    assert read.chunks[0].pages == (1, 1)
    assert " ".join(PROSE[:2]) in " ".join(read.document.text.split())


def test_every_page_of_a_tiff_is_a_page(tmp_path: Path, reader: DocumentReader) -> None:
    path = tmp_path / "fax.tiff"
    first, second = drawn(1), drawn(2)
    first.save(path, save_all=True, append_images=[second, second], dpi=(120, 120))
    document = reader.read(path).document
    assert document.coverage.waiting == (1, 2, 3)
    assert [page.number for page in document.pages] == [1, 2, 3]
    recognised = [reader.recognise(path, 2), RecognisedPage(3, ())]
    document = reader.read(path, recognised).document
    assert document.coverage.waiting == (1,)
    assert (document.coverage.recognised, document.coverage.blank) == ((2,), (3,))
    assert document.pages[1].lines
    with pytest.raises(NotFound, match="no page 4"):
        reader.recognise(path, 4)


def test_sizes_follow_the_resolution_or_what_is_sensible(tmp_path: Path) -> None:
    def size(name: str, pixels: tuple[int, int], **how: object) -> tuple[float, float]:
        Image.new("L", pixels, 255).save(tmp_path / name, **how)  # type: ignore[arg-type]
        page = PARSER.parse(tmp_path / name).pages[0]
        return round(page.width), round(page.height)

    assert size("a4.png", (1654, 2339), dpi=(200, 200)) == (595, 842)
    assert size("fax.tif", (1728, 1078), dpi=(204, 98)) == (610, 792)
    assert size("screen.png", (960, 480)) == (720, 360)
    assert size("camera.jpg", (4000, 3000), dpi=(72, 72)) == (842, 632)
    assert size("nonsense.png", (960, 480), dpi=(1, 1)) == (720, 360)


def test_a_fax_with_two_resolutions_gets_square_pixels(tmp_path: Path) -> None:
    Image.new("1", (1728, 1078), 1).save(tmp_path / "fax.tif", dpi=(204, 98))
    picture = page_picture(tmp_path / "fax.tif", 1)
    rows, columns = picture.pixels.shape
    assert columns / rows == pytest.approx(picture.width / picture.height, rel=0.01)


def test_the_camera_says_which_way_is_up(tmp_path: Path, reader: DocumentReader) -> None:
    image = drawn(2)
    exif = Image.Exif()
    exif[0x0112] = 6  # to be turned clockwise by 90 degrees
    path = tmp_path / "photo.jpg"
    image.rotate(90, expand=True).save(path, exif=exif)
    page = reader.read(path).document.pages[0]
    assert page.width > page.height
    recognised = reader.recognise(path, 1)
    assert recognised.rotation == 0
    assert [line.text for line in recognised.lines] == list(PROSE[:2])
    shown = reader.render_page(path, 1, 1.0)
    assert (shown.width, shown.height) == (page.width, page.height)
    with Image.open(io.BytesIO(shown.png)) as png:
        assert png.size == (round(page.width), round(page.height))


def test_transparent_and_deep_pictures_keep_their_ink(
    tmp_path: Path, reader: DocumentReader
) -> None:
    grey = np.asarray(drawn(1))
    ink = Image.fromarray(255 - grey)
    for name, colour in (("dark.png", (0, 0, 0)), ("light.png", (255, 255, 240))):
        layer = Image.new("RGB", ink.size, colour)
        layer.putalpha(ink)
        layer.save(tmp_path / name)
        assert text_of(reader, tmp_path / name) == [PROSE[0]]
    deep = Image.fromarray(grey.astype(np.uint16) * 40)
    deep.save(tmp_path / "deep.png")
    assert text_of(reader, tmp_path / "deep.png") == [PROSE[0]]


def test_icons_and_pictures_without_text_say_so(tmp_path: Path, reader: DocumentReader) -> None:
    Image.new("RGB", (24, 24), "red").save(tmp_path / "icon.png")
    with pytest.raises(NoText, match=r"“icon\.png”: no text was found in the picture"):
        reader.read(tmp_path / "icon.png")
    Image.new("RGB", (400, 300), "skyblue").save(tmp_path / "sky.png")
    page = reader.recognise(tmp_path / "sky.png", 1)
    assert page.lines == ()
    with pytest.raises(NoText, match=r"“sky\.png”: no text was found in the picture"):
        reader.read(tmp_path / "sky.png", [page])


def bomb(path: Path, side: int) -> Path:
    """A PNG of a few hundred bytes that says it has `side` times `side` pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    data = (
        chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(10_000))) + chunk(b"IEND", b"")
    )
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + data)
    return path


def test_a_picture_that_unpacks_to_gigabytes_is_refused_before_it_does(
    tmp_path: Path, reader: DocumentReader
) -> None:
    path = bomb(tmp_path / "bomb.png", 100_000)
    began = time.monotonic()
    for look in (reader.read, lambda one: reader.recognise(one, 1)):
        with pytest.raises(TooLarge, match=r"“bomb\.png” has 100,000 × 100,000 pixels"):
            look(path)
    assert time.monotonic() - began < 2


def test_large_photos_are_made_smaller(tmp_path: Path) -> None:
    Image.new("RGB", (11_000, 8_000), "white").save(tmp_path / "large.jpg")
    picture = page_picture(tmp_path / "large.jpg", 1)
    assert max(picture.pixels.shape) <= 5000


def test_damage_is_told(tmp_path: Path, reader: DocumentReader) -> None:
    path = tmp_path / "cut.png"
    drawn(2).save(path)
    path.write_bytes(path.read_bytes()[:400])
    with pytest.raises(Damaged, match=r"“cut\.png” is not a whole picture"):
        reader.recognise(path, 1)
    with pytest.raises(Damaged, match=r"“cut\.png”"):
        reader.render_page(path, 1, 1.0)
    (tmp_path / "words.png").write_text("these are only words")
    with pytest.raises(Damaged, match=r"“words\.png”"):
        reader.read(tmp_path / "words.png")
    path.unlink()
    with pytest.raises(NotFound):
        page_picture(path, 1)


def test_lines_stand_where_they_were_recognised(tmp_path: Path) -> None:
    Image.new("L", (1654, 2339), 255).save(tmp_path / "a4.png", dpi=(200, 200))
    lines = (
        RecognisedLine("Above", 60, 100, 120, 114, 0.99),
        RecognisedLine("Below", 60, 120, 118, 134, 0.98),
    )
    document = PARSER.parse(tmp_path / "a4.png", [RecognisedPage(1, lines)])
    line = document.pages[0].lines[1]
    assert document.text[line.start : line.end] == "Below"
    assert (line.x0, line.y0, line.x1, line.y1) == (60, 120, 118, 134)
