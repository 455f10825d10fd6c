"""The JSON schemas of results (`domain.structured`), as they are shipped."""

from __future__ import annotations

import json
from typing import Any, Literal

from desktop_rag import paths

ResultName = Literal["answer", "search", "opened_text", "documents"]


def result_schema(name: ResultName) -> dict[str, Any]:
    """What a result holds, for other programs (JSON Schema, Draft 2020-12)."""
    path = paths.shipped("resources", "schemas", f"{name}.schema.json")
    schema: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return schema
