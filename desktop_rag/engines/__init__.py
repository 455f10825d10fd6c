"""One library per module; imported by worker processes only."""

import sys

# `import pymupdf` loads its layout model and pymupdf4llm, and with them onnxruntime, which no
# reader uses: two thirds of a second and 88 MB at every start of the `parse` role. It takes "not
# installed" for an answer.
for _unwanted in ("pymupdf.layout", "pymupdf4llm"):
    sys.modules.setdefault(_unwanted, None)  # type: ignore[arg-type]
