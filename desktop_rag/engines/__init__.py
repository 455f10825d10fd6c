"""One library per module; imported by worker processes only."""

import sys

# `import pymupdf` loads its layout model with onnxruntime, which nothing here uses: two thirds of a
# second and 56 MB at every start of the `parse` role. It takes "not installed" for an answer.
sys.modules.setdefault("pymupdf.layout", None)  # type: ignore[arg-type]
