"""Makes the build steps importable, as `packaging/build.py` does by lying beside them."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "packaging"))
