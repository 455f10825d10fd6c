"""Makes the build's modules importable, as its scripts do by lying beside them."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "models" / "build"))
