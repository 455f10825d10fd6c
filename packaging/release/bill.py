"""Makes a CycloneDX bill of materials from parts and files."""

from __future__ import annotations

import datetime
import json
import re
import uuid
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import ExternalReference, ExternalReferenceType, HashAlgorithm, HashType, XsUri
from cyclonedx.model.bom import Bom, BomMetaData
from cyclonedx.model.component import Component, ComponentScope, ComponentType
from cyclonedx.model.license import DisjunctiveLicense, License
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL

from release.inventory import OURS
from release.parts import Inner, Kind, Part
from release.plan import Plan, digest_of

_NAMES = uuid.UUID("6f3c1f0e-8a52-5d0b-9d07-0f1a4f0d6c11")
"""The space of names that the numbers of these lists are made in."""
_TYPES = {
    Kind.PROGRAM: ComponentType.APPLICATION,
    Kind.LIBRARY: ComponentType.LIBRARY,
    Kind.SYSTEM: ComponentType.LIBRARY,
    Kind.RUNTIME: ComponentType.PLATFORM,
    Kind.MODEL: ComponentType.MACHINE_LEARNING_MODEL,
}


def bill_of(plan: Plan, parts: Sequence[Part], files: Mapping[str, Sequence[Path]]) -> Bom:
    """The list; what depends on what is not in it, because no tool tells that for all parts."""
    made = {part.key: _component(part, plan, files.get(part.key, ())) for part in parts}
    ours = made.pop(OURS)
    bom = Bom(components=made.values())
    bom.metadata = BomMetaData(
        component=ours, timestamp=datetime.datetime.fromtimestamp(plan.epoch, datetime.UTC)
    )
    bom.register_dependency(ours, made.values())
    return bom


def as_json(bom: Bom) -> str:
    """The text, with a number made from what it says."""
    bom.serial_number = uuid.uuid5(_NAMES, "")
    bom.serial_number = uuid.uuid5(_NAMES, _sorted(bom))
    return _sorted(bom)


def _sorted(bom: Bom) -> str:
    written = json.loads(JsonV1Dot6(bom).output_as_string())
    return json.dumps(written, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def _component(part: Part, plan: Plan, files: Iterable[Path]) -> Component:
    # The list cannot hold its own checksum.
    listed = [path for path in files if not path.name.endswith(".cdx.json")]
    inside = [*(_file(part, plan, path) for path in listed), *(_inner(part, i) for i in part.inner)]
    return Component(
        name=part.name,
        version=part.version or None,
        type=_TYPES[part.kind],
        bom_ref=part.key,
        licenses=[_licence(part.licence)],
        purl=PackageURL.from_string(part.purl) if part.purl else None,
        description=part.summary or None,
        scope=ComponentScope.REQUIRED if files or not part.where else ComponentScope.OPTIONAL,
        external_references=[_website(part.home)] if part.home else [],
        components=inside,
    )


def _file(part: Part, plan: Plan, path: Path) -> Component:
    whole = plan.program / path
    return Component(
        name=path.as_posix(),
        type=ComponentType.FILE,
        bom_ref=f"{part.key}/{path.as_posix()}",
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=digest_of(whole))],
        description=f"link to {whole.readlink()}" if whole.is_symlink() else None,
    )


def _inner(part: Part, inner: Inner) -> Component:
    return Component(
        name=inner.name,
        version=inner.version or None,
        type=ComponentType.LIBRARY,
        bom_ref=f"{part.key}#{inner.name}@{inner.version}",
        licenses=[_licence(inner.licence)] if inner.licence else [],
        purl=PackageURL.from_string(inner.purl) if inner.purl else None,
        author=inner.authors or None,
    )


def _website(address: str) -> ExternalReference:
    return ExternalReference(type=ExternalReferenceType.WEBSITE, url=XsUri(address))


@cache
def _licence(words: str) -> License:
    """An SPDX expression, or a name for what is none."""
    if re.fullmatch(r"LicenseRef-[A-Za-z0-9.-]+", words):
        return DisjunctiveLicense(name=words)
    return LicenseFactory().make_from_string(words)
