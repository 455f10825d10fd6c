"""What of llama.cpp's wheel goes into the program, and when it must be built again."""

from __future__ import annotations

import platform
import shutil
import sys
import zipfile
from pathlib import Path

import pytest
from release import llama
from release.plan import BuildFailed

INFO = "llama_cpp_python-0.3.36.dist-info"
WHEEL = {
    "bin/libggml-cpu-x64.so": b"x64",
    "bin/libggml-cpu-zen4.so": b"zen4",
    "lib/libllama.so": b"llama",
    "lib/cmake/ggml/ggml-config.cmake": b"",
    "include/ggml.h": b"",
    "llama_cpp/__init__.py": b"",
    "llama_cpp/lib/libllama.so": b"llama",
    "llama_cpp/lib/libllama.so.0": b"llama",
    "llama_cpp/lib/libggml.so": b"ggml",
    "llama_cpp/lib/libggml.so.0": b"ggml",
    "llama_cpp/lib/libggml.so.0.25.3": b"ggml",
    f"{INFO}/licenses/LICENSE.md": b"MIT",
}


def wheel(folder: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(folder / "llama.whl", "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return folder / "llama.whl"


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    llama.keep(wheel(tmp_path, WHEEL), tmp_path / "cache")
    return tmp_path / "cache"


@pytest.mark.skipif(sys.platform != "linux", reason="names of Linux")
def test_all_libraries_lie_side_by_side_and_once(kept: Path) -> None:
    found = {file.relative_to(kept).as_posix() for file in kept.rglob("*") if file.is_file()}
    assert found == {
        "llama_cpp/__init__.py",
        "llama_cpp/lib/libggml-cpu-x64.so",
        "llama_cpp/lib/libggml-cpu-zen4.so",
        "llama_cpp/lib/libggml.so.0",
        "llama_cpp/lib/libllama.so",
        f"{INFO}/licenses/LICENSE.md",
        llama.STAMP,
    }


def test_a_build_is_used_again_while_it_is_whole(kept: Path) -> None:
    assert llama.is_whole(kept)
    (kept / "llama_cpp" / "lib" / "libggml-cpu-zen4.so").write_bytes(b"cut off")
    assert not llama.is_whole(kept)


def test_a_build_that_was_broken_off_is_made_again(kept: Path) -> None:
    (kept / llama.STAMP).unlink()
    assert not llama.is_whole(kept)
    assert not llama.is_whole(kept.with_name("missing"))


def test_other_options_have_another_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    before = llama.portable_folder()
    assert before == llama.portable_folder()
    monkeypatch.setattr(llama, "options", lambda: ("-DGGML_NATIVE=ON",))
    assert llama.portable_folder() != before


def test_a_wheel_without_builds_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(llama, "options", lambda: llama.BUILDS)
    native = {name: data for name, data in WHEEL.items() if not name.startswith("bin/")}
    with pytest.raises(BuildFailed, match="no builds for single processors"):
        llama.keep(wheel(tmp_path, native), tmp_path / "cache")
    assert not llama.is_whole(tmp_path / "cache")


def test_a_library_with_avx_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: "objdump")
    monkeypatch.setattr(llama, "said", lambda _: "  1: \tvaddps %ymm0,%ymm1,%ymm2\n")
    with pytest.raises(BuildFailed, match="has AVX instructions"):
        llama.keep(wheel(tmp_path, WHEEL), tmp_path / "cache")


def test_apples_processors_need_one_build(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(platform, "machine", lambda: "arm64")
    assert llama.BUILDS[0] not in llama.options()
    assert "-DGGML_NATIVE=OFF" in llama.options()
