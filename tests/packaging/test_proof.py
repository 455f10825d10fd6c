"""What the proof reads out of traces, and finds in pictures of a window."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw
from proof import packages, scan, screen, table, window
from proof.calls import Tally, parsed
from release.plan import BuildFailed, Plan

TRACE = """\
11 socket(AF_UNIX, SOCK_STREAM|SOCK_CLOEXEC, 0) = 3
11 connect(3, {sa_family=AF_UNIX, sun_path=@"/tmp/.X11-unix/X7"}, 20) = -1 ECONNREFUSED (Connection refused)
11 connect(3, {sa_family=AF_UNIX, sun_path="/tmp/.X11-unix/X7"}, 110) = 0
12 socket(AF_INET, SOCK_DGRAM|SOCK_CLOEXEC, IPPROTO_IP) = -1 EACCES (Permission denied)
13 socketpair(AF_UNIX, SOCK_STREAM|SOCK_CLOEXEC, 0, [7, 8]) = 0
11 getsockname(7, {sa_family=AF_UNIX}, [128 => 2]) = 0
11 sendto(3, "x", 1, 0, NULL, 0) = 1
11 --- SIGCHLD {si_signo=SIGCHLD} ---
"""  # noqa: E501


def tally(text: str) -> Tally:
    return Tally(tuple(parsed(text.splitlines())))


def test_local_sockets_and_the_seals_own_try_are_no_attempts() -> None:
    seen = tally(TRACE)
    assert (seen.attempts, seen.made, seen.to_the_kernel) == ([], [], [])
    assert len(seen.refused) == 1
    assert seen.pairs == 1
    assert seen.local == {"/tmp/.X11-unix/X7": 2}
    assert table.unknown(seen) == []


@pytest.mark.parametrize(
    "line",
    [
        "1 connect(3, {sa_family=AF_INET, sin_port=htons(80), sin_addr=inet_addr(\"192.0.2.1\")}, "
        "16) = -1 ENETUNREACH (Network is unreachable)",
        "1 bind(3, {sa_family=AF_INET6, sin6_port=htons(0)}, 28) = 0",
        "1 sendto(3, \"\\1\", 30, MSG_NOSIGNAL, {sa_family=AF_INET, sin_port=htons(53)}, 16) = 30",
        "1 sendmsg(3, {msg_name={sa_family=AF_INET, sin_port=htons(53)}, msg_namelen=16}, 0) = 1",
        "1 sendmmsg(3, [{msg_hdr={msg_name={sa_family=AF_INET, sin_port=htons(53)}}}], 1, 0) = 1",
    ],
)  # fmt: skip
def test_whatever_names_an_address_elsewhere_is_an_attempt(line: str) -> None:
    assert len(tally(line).attempts) == 1


def test_a_call_that_others_interrupted_is_read_whole() -> None:
    seen = tally(
        "5 socket(AF_INET, SOCK_STREAM, IPPROTO_IP <unfinished ...>\n"
        "6 socket(AF_INET, SOCK_DGRAM, IPPROTO_IP <unfinished ...>\n"
        "5 <... socket resumed>) = 4\n"
        "6 <... socket resumed>) = -1 EACCES (Permission denied)\n"
        "7 connect(4, {sa_family=AF_INET, sin_port=htons(80)}, 16 <unfinished ...>\n"
    )
    assert (len(seen.made), len(seen.refused), len(seen.attempts)) == (1, 1, 1)


def test_rings_and_other_families_are_not_overlooked() -> None:
    seen = tally(
        "1 io_uring_setup(8, {flags=0}) = 5\n"
        "2 io_uring_setup(8, {flags=0}) = -1 ENOSYS (Function not implemented)\n"
        "3 socket(AF_NETLINK, SOCK_RAW|SOCK_CLOEXEC, NETLINK_ROUTE) = 3\n"
        "4 socket(AF_VSOCK, SOCK_STREAM, 0) = 3\n"
    )
    assert [call.family for call in seen.made] == ["io_uring", "AF_VSOCK"]
    assert len(seen.to_the_kernel) == 1


def test_a_local_socket_that_nobody_explained_is_told() -> None:
    seen = tally('1 connect(3, {sa_family=AF_UNIX, sun_path="/run/other/socket"}, 110) = 0')
    assert [call.path for call in table.unknown(seen)] == ["/run/other/socket"]
    assert any("UNKNOWN" in line for line in table.lines([("deb", seen)]))


def drawn(*boxes: tuple[int, int, int, int]) -> Image.Image:
    picture = Image.new("RGB", (screen.WIDTH, 600), "white")
    draw = ImageDraw.Draw(picture)
    for box in boxes:
        draw.rounded_rectangle(box, 4, window.CHIP)
    return picture


def test_the_first_chip_is_found_below_a_notice_of_the_same_colour() -> None:
    notice, late, first = (300, 20, 900, 60), (700, 150, 718, 168), (500, 150, 518, 168)
    assert window.first_chip(drawn(notice, late, first)) == (509, 159)
    assert window.first_chip(drawn(notice)) is None
    assert window.first_chip(drawn((20, 150, 38, 168))) is None  # in the sidebar


def test_a_scan_has_pictures_and_no_text(tmp_path: Path) -> None:
    import pymupdf

    mupdf: Any = pymupdf
    scan.make_scan(tmp_path / "scan.pdf")
    with mupdf.open(tmp_path / "scan.pdf") as document:
        assert [page.get_text() for page in document] == ["", ""]
        picture = document[1].get_pixmap(dpi=72)
    page = Image.frombytes("RGB", (picture.width, picture.height), picture.samples)
    ground = screen.where(page, scan.GROUND, (0, 0, page.width, page.height), 8)
    box = ground.getbbox()
    assert box is not None
    assert box[3] - box[1] < 24  # one line


def test_of_each_kind_the_complete_package_is_proved(tmp_path: Path) -> None:
    plan = Plan("0.1.0", dist=tmp_path)
    with pytest.raises(BuildFailed, match="nothing to prove"):
        packages.built(plan)
    plan.program.mkdir()
    assert [one.kind for one in packages.built(plan)] == ["folder"]
    for name, size in (
        ("desktop-rag_0.1.0_amd64.deb", 10),
        ("desktop-rag-complete_0.1.0_amd64.deb", 20),
        ("desktop-rag-0.1.0-linux-x86_64.run", 10),
        ("desktop-rag-complete-0.0.9-linux-x86_64.run", 30),
    ):
        (plan.out / name).write_bytes(bytes(size))
    assert [one.path.name for one in packages.built(plan)] == [
        "desktop-rag-complete_0.1.0_amd64.deb",
        "desktop-rag-0.1.0-linux-x86_64.run",
    ]
