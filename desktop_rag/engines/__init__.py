"""One library per module; imported by worker processes only."""

import sys
import types

# `import pymupdf` loads its layout model and pymupdf4llm, and with them onnxruntime, which no
# reader uses: two thirds of a second and 88 MB at every start of the `parse` role. It takes "not
# installed" for an answer.
for _unwanted in ("pymupdf.layout", "pymupdf4llm"):
    sys.modules.setdefault(_unwanted, None)  # type: ignore[arg-type]

# `import chromadb` loads what would send its traces over a network, were that ever switched on, and
# with it grpc and protobuf: a third of a second at every start of the `index` role. It only wants
# the class to exist.
_EXPORTER = "opentelemetry.exporter.otlp.proto.grpc.trace_exporter"
_stand_in = types.ModuleType(_EXPORTER, "Sends nothing anywhere.")
_stand_in.OTLPSpanExporter = None  # type: ignore[attr-defined]
sys.modules.setdefault(_EXPORTER, _stand_in)
