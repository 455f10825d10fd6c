"""Brings sizes and checksums of a model's files into its entry in `models/catalog.toml`.

    python models/build/list_in_catalog.py minilm-l12-squad-int8

Run it after a build; nothing else in the catalog is changed. Needs no library.
"""

from __future__ import annotations

import argparse
import hashlib
import re
from pathlib import Path

MODELS = Path(__file__).resolve().parents[1]
_FILE = re.compile(
    r'(\[\[model\.files\]\]\nname = ")([^"]+)("\nsize = )\d+(\nsha256 = ")[0-9a-f]*(")'
)


def main() -> int:
    """Change the catalog; exit code 1 when a file it lists is missing."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("id", help="of the model, which is also the name of its folder")
    parser.add_argument("--models", type=Path, default=MODELS, help="folder with catalog.toml")
    arguments = parser.parse_args()
    catalog = arguments.models / "catalog.toml"
    try:
        told = listed(catalog.read_text("utf-8"), arguments.models / arguments.id)
    except FileNotFoundError as exc:
        print(f"There is no {exc.filename}.")
        return 1
    catalog.write_bytes(told.encode())
    print(f"Listed {arguments.id}.")
    return 0


def listed(catalog: str, folder: Path) -> str:
    """The text of a catalog with the files of one model as they are in its folder.

    Raises:
        ValueError: the catalog does not know the model.
        FileNotFoundError: a file is missing.
    """

    def described(match: re.Match[str]) -> str:
        before, name, size, sha256, after = match.groups()
        data = (folder / name).read_bytes()
        digest = hashlib.sha256(data).hexdigest()
        return f"{before}{name}{size}{len(data)}{sha256}{digest}{after}"

    begin = catalog.index(f'id = "{folder.name}"')
    end = catalog.find("[[model]]", begin)
    end = len(catalog) if end < 0 else end
    return catalog[:begin] + _FILE.sub(described, catalog[begin:end]) + catalog[end:]


if __name__ == "__main__":
    raise SystemExit(main())
