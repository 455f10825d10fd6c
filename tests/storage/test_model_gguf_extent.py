"""A model file whose end is missing is refused, however good its header is."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from desktop_rag.domain.errors import ModelDamaged
from desktop_rag.storage.model_gguf_extent import check_gguf_is_whole
from tests.helpers.model_shelf import gguf
from tests.helpers.tiny_gguf import write_tiny_model


def test_a_whole_model_passes(tmp_path: Path) -> None:
    check_gguf_is_whole(write_tiny_model(tmp_path / "tiny.gguf"))


@pytest.mark.parametrize("missing", [1, 100, 10_000])
def test_a_missing_end_is_told_in_bytes(tmp_path: Path, missing: int) -> None:
    path = write_tiny_model(tmp_path / "tiny.gguf")
    path.write_bytes(path.read_bytes()[:-missing])
    with pytest.raises(ModelDamaged, match=f"cut off.*{missing:,} bytes are missing"):
        check_gguf_is_whole(path)


@pytest.mark.parametrize("kept", [4, 24, 200, 2_000])
def test_a_file_cut_within_its_tables_is_no_model(tmp_path: Path, kept: int) -> None:
    path = write_tiny_model(tmp_path / "tiny.gguf")
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(ModelDamaged, match="not a whole"):
        check_gguf_is_whole(path)


def test_an_empty_file_is_no_model(tmp_path: Path) -> None:
    path = tmp_path / "empty.gguf"
    path.touch()
    with pytest.raises(ModelDamaged, match="not a whole"):
        check_gguf_is_whole(path)


def test_a_tensor_of_a_new_type_needs_at_least_its_beginning(tmp_path: Path) -> None:
    data = gguf(50_000)
    at = data.index(b"weights") + len(b"weights") + 12
    path = tmp_path / "new.gguf"
    path.write_bytes(data[:at] + struct.pack("<IQ", 250, 0) + data[at + 12 :])
    check_gguf_is_whole(path)
    path.write_bytes(data[:at] + struct.pack("<IQ", 250, 60_000) + data[at + 12 :])
    with pytest.raises(ModelDamaged, match="cut off"):
        check_gguf_is_whole(path)


def test_a_list_of_absurd_words_is_no_model(tmp_path: Path) -> None:
    data = gguf(50_000)
    words = struct.pack("<Q", 5) + b"words" + struct.pack("<IIQQ", 9, 8, 2, 2**64 - 1)
    path = tmp_path / "absurd.gguf"
    path.write_bytes(data[:16] + struct.pack("<Q", 1) + words + data[24:])
    with pytest.raises(ModelDamaged, match="not a whole"):
        check_gguf_is_whole(path)


def test_one_part_of_several_is_refused(tmp_path: Path) -> None:
    field = struct.pack("<Q", 11) + b"split.count" + struct.pack("<IH", 2, 3)
    data = gguf(50_000)
    path = tmp_path / "model-00001-of-00003.gguf"
    path.write_bytes(
        data[:16] + struct.pack("<Q", struct.unpack_from("<Q", data, 16)[0] + 1) + field + data[24:]
    )
    with pytest.raises(ModelDamaged, match="one of 3 parts"):
        check_gguf_is_whole(path)
