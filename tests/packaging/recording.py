"""Programs that stand in for a system's own tools and remember how they were called."""

from __future__ import annotations

import json
import sys
from pathlib import Path

_SCRIPT = """#!{python}
import json, sys
with open({log!r}, "a", encoding="utf-8") as log:
    log.write(json.dumps(sys.argv[1:]) + "\\n")
sys.exit({code})
"""


def fake_program(path: Path, code: int = 0) -> Path:
    """A program at `path` that notes its arguments and ends with `code`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = _SCRIPT.format(python=sys.executable, log=str(_log(path)), code=code)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    return path


def recorded(path: Path) -> list[list[str]]:
    """The arguments of every call of a stand-in, in order."""
    if not _log(path).exists():
        return []
    return [json.loads(line) for line in _log(path).read_text(encoding="utf-8").splitlines()]


def _log(path: Path) -> Path:
    return path.with_name(f"{path.name}.calls")
