"""On Linux, has the kernel refuse this process every socket that could reach a network.

A seccomp filter, which holds for native code and for programs this process starts, cannot be taken
off, and needs no rights. A network namespace would do the same, but takes a user namespace, which
many systems deny to ordinary programs and in which files of other owners look like nobody's.
"""

from __future__ import annotations

import ctypes
import errno
import platform
import socket
import struct
import sys

_PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _MODE_FILTER = 38, 22, 2
_LOAD, _IF_EQUAL, _IF_AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000
_AT_NUMBER, _AT_ARCHITECTURE, _AT_FAMILY = 0, 4, 16
_X32 = 0x40000000
"""System calls of x86-64 from here up are those of another convention."""
_ARCHITECTURES = {"x86_64": (0xC000003E, 41), "aarch64": (0xC00000B7, 198)}
"""The kernel's name, and the number of `socket`."""
_IO_URING_SETUP = 425
"""Makes sockets past any filter; libraries do without where it is refused."""
_ALLOWED_FAMILIES = (1, 16, 38)
"""Between processes, to the kernel, and for its ciphers: AF_UNIX, AF_NETLINK, AF_ALG."""


def refuse_sockets() -> bool:
    """Whether the kernel refuses them from now on. Called before any thread or engine starts."""
    known = _ARCHITECTURES.get(platform.machine())
    if sys.platform != "linux" or known is None or sys.maxsize < 2**32:
        return False
    try:
        return _apply(_program(*known)) and _is_refused()
    except (OSError, AttributeError):
        return False


def _program(architecture: int, socket_number: int) -> bytes:
    """What the kernel runs at every system call; jumps count the instructions passed over."""
    refuse = _REFUSE | errno.EACCES
    families = _ALLOWED_FAMILIES
    instructions = [
        (_LOAD, 0, 0, _AT_ARCHITECTURE),
        (_IF_EQUAL, 1, 0, architecture),
        (_RETURN, 0, 0, refuse),
        (_LOAD, 0, 0, _AT_NUMBER),
        (_IF_AT_LEAST, 2, 0, _X32),
        (_IF_EQUAL, 1, 0, _IO_URING_SETUP),
        (_IF_EQUAL, 2, 1, socket_number),
        (_RETURN, 0, 0, _REFUSE | errno.ENOSYS),
        (_RETURN, 0, 0, _ALLOW),
        (_LOAD, 0, 0, _AT_FAMILY),
        *((_IF_EQUAL, len(families) - i, 0, family) for i, family in enumerate(families)),
        (_RETURN, 0, 0, refuse),
        (_RETURN, 0, 0, _ALLOW),
    ]
    return b"".join(struct.pack("=HBBI", *one) for one in instructions)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def _apply(program: bytes) -> bool:
    libc = ctypes.CDLL(None, use_errno=True)
    prctl = libc.prctl
    prctl.argtypes = [ctypes.c_int, ctypes.c_ulong, ctypes.c_void_p, ctypes.c_ulong, ctypes.c_ulong]
    if prctl(_PR_SET_NO_NEW_PRIVS, 1, None, 0, 0):
        return False
    described = _Program(len(program) // 8, program)
    return int(prctl(_PR_SET_SECCOMP, _MODE_FILTER, ctypes.addressof(described), 0, 0)) == 0


def _is_refused() -> bool:
    """The proof: a promise is only made for what was tried."""
    try:
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM).close()
    except PermissionError:
        return True
    return False
