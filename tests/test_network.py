"""The audit hook, in real processes: hooks cannot be taken off again."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap

import pytest

from desktop_rag.network import Record, Use, UseKind

_BEFORE = """
    import json, socket, sys
    from desktop_rag import network
    network.install("program")
    server = None
    def told():
        return {
            "count": network.record.count,
            "refused": network.record.refused,
            "uses": [[one.kind, one.target, one.reason, one.is_refused]
                     for one in network.record.uses()],
            "local": [one.target for one in network.record.local()],
        }
"""


def run(code: str) -> dict[str, object]:
    """What a process of its own tells after it ran `code`."""
    script = textwrap.dedent(_BEFORE) + textwrap.dedent(code) + "\nprint(json.dumps(told()))\n"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    told: dict[str, object] = json.loads(done.stdout)
    return told


def test_a_program_that_does_nothing_has_a_count_of_nought() -> None:
    assert run("import urllib.request, http.client")["count"] == 0


def test_a_connection_is_counted_with_its_reason() -> None:
    told = run("""
        server = socket.create_server(("127.0.0.1", 0))
        port = server.getsockname()[1]
        with network.because("a-model"):
            socket.create_connection(("127.0.0.1", port)).close()
        print(port, file=sys.stderr)
    """)
    uses = told["uses"]
    assert isinstance(uses, list)
    kind, target, reason, is_refused = uses[0]
    assert (kind, reason, is_refused) == ("connection", "a-model", False)
    assert target.startswith("127.0.0.1:")
    assert uses[1][0] == "listening", "a server is a use, too"
    assert told["count"] == 2, "the number of a host is looked up nowhere"


def test_names_and_datagrams_are_counted_and_each_address_once() -> None:
    told = run("""
        socket.getaddrinfo("localhost", 80)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
            for _ in range(3):
                sock.sendto(b"x", ("127.0.0.1", 9))
    """)
    assert told["uses"] == [
        ["datagram", "127.0.0.1:9", "", False],
        ["look-up", "localhost", "", False],
    ]


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX sockets")
def test_local_sockets_are_listed_and_not_counted() -> None:
    told = run("""
        import tempfile, os
        place = os.path.join(tempfile.mkdtemp(), "socket")
        server = socket.socket(socket.AF_UNIX)
        server.bind(place)
        server.close()
        os.remove(place)
    """)
    assert told["count"] == 0
    assert len(told["local"]) == 1  # type: ignore[arg-type]


def test_what_is_forbidden_is_refused_and_told() -> None:
    told = run("""
        network.forbid(is_forbidden=True)
        for attempt in (
            lambda: socket.create_connection(("192.0.2.1", 80)),
            lambda: socket.getaddrinfo("example.org", 80),
            lambda: socket.create_server(("127.0.0.1", 0)),
        ):
            try:
                attempt()
            except PermissionError:
                pass
            else:
                raise AssertionError("it was let through")
        left, right = socket.socketpair()
        left.close(), right.close()
    """)
    assert told["count"] == 0
    assert told["refused"] == 3


def test_a_download_is_refused_in_a_sentence() -> None:
    told = run("""
        from desktop_rag.domain.errors import NetworkForbidden
        network.forbid(is_forbidden=True)
        for attempt in (network.require_allowed, lambda: network.note_program("pip")):
            try:
                attempt()
            except NetworkForbidden as error:
                assert "forbid_network off" in error.message
            else:
                raise AssertionError("it was let through")
        network.forbid(is_forbidden=False)
        network.note_program("pip")
    """)
    assert told["uses"] == [["program", "pip", "", False]]


def test_pythons_own_pairs_of_sockets_are_local() -> None:
    """On Windows `socketpair` joins two sockets through the loopback device."""
    told = run("""
        make = getattr(socket, "_fallback_socketpair", socket.socketpair)
        network.forbid(is_forbidden=True)
        left, right = make()
        left.sendall(b"ok")
        assert right.recv(2) == b"ok"
        left.close(), right.close()
    """)
    assert (told["count"], told["refused"]) == (0, 0)


def _use(target: str, *, is_local: bool = False) -> Use:
    return Use(0.0, "program", UseKind.CONNECTION, target, is_local=is_local)


def test_a_long_record_goes_on_counting() -> None:
    record = Record(kept=2)
    heard: list[Use] = []
    stop = record.listen(heard.append)
    for number in range(5):
        record.add(_use(str(number)))
    stop()
    record.add(_use("5"))
    assert record.count == 6
    assert [one.target for one in record.uses()] == ["5", "4"]
    assert len(heard) == 5
