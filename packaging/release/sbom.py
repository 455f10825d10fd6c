"""Lists what is really in the frozen program, for machines: a CycloneDX bill of materials.

Every file of the program's folder belongs to a part (`release.inventory`) and is listed with its
checksum. The same program gives the same list: its number is made from the content, its time is
that of the commit.
"""

from __future__ import annotations

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from release.bill import as_json, bill_of
from release.inventory import inventory
from release.licences import shipped_parts
from release.plan import BuildFailed, Plan

MOST_UNKNOWN = 0
"""Files that may belong to nobody; each is an exception to be explained in `known_parts.toml`."""


def run(plan: Plan) -> None:
    """Write the list into the program and beside the packages.

    Raises:
        BuildFailed: too many files belong to no part, or the list is not as CycloneDX says.
    """
    found = inventory(plan)
    for path in found.unassigned:
        print(f"Belongs to no part: {path}")
    if len(found.unassigned) > MOST_UNKNOWN:
        raise BuildFailed(
            f"{len(found.unassigned)} files belong to no part: say in packaging/known_parts.toml "
            "what they are, or leave them out of the freeze."
        )
    text = as_json(bill_of(plan, shipped_parts(found), found.files))
    check(text)
    name = f"desktop-rag-{plan.version}.cdx.json"
    for folder in (plan.out, plan.licences):
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    count = text.count('"type": "file"')
    print(f"{name}: {len(found.parts)} parts, {count} files, {len(text) / 1e6:.1f} MB")


def check(text: str) -> None:
    """Compare with the schema that comes with the library; no network is needed.

    Raises:
        BuildFailed: it differs.
    """
    wrong = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    if wrong is not None:
        raise BuildFailed(f"The bill of materials is not valid CycloneDX 1.6: {str(wrong)[:500]}")
