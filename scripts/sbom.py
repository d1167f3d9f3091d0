"""What a wheel is made of, as a CycloneDX document: python scripts/sbom.py WHEEL OUT.json

Needs cyclonedx-python-lib. The same wheel gives the same bytes: the serial number is of its hash, the time is SOURCE_DATE_EPOCH."""

from __future__ import annotations

import datetime
import hashlib
import importlib.metadata
import os
import re
import sys
import uuid
from pathlib import Path

from cyclonedx.factory.license import LicenseFactory
from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot5
from packageurl import PackageURL

TREE = Path(__file__).resolve().parent.parent


def component(name: str, version: str, licence: str, kind: ComponentType = ComponentType.LIBRARY) -> Component:
    made = Component(name=name, version=version, type=kind, bom_ref=name, purl=PackageURL("pypi", name=name, version=version))
    made.licenses.add(LicenseFactory().make_from_string(licence))
    return made


def simdjson_version() -> str:
    """Of the simdjson.h that the build requirement carries and that is compiled into the module."""
    found = importlib.metadata.distribution("pysimdjson").locate_file("simdjson/simdjson.h")
    return re.findall(r'#define SIMDJSON_VERSION "([^"]+)"', Path(str(found)).read_text(encoding="utf-8"))[0]


def main() -> int:
    wheel, out = map(Path, sys.argv[1:3])
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    ours = component("thriftlens", wheel.name.split("-")[1], "Apache-2.0")
    ours.hashes.add(HashType(alg=HashAlgorithm.SHA_256, content=digest))
    parts = [component("pybind11", importlib.metadata.version("pybind11"), "BSD-3-Clause"), component("simdjson", simdjson_version(), "Apache-2.0")]
    made = Bom(components=parts, serial_number=uuid.uuid5(uuid.NAMESPACE_URL, digest))
    made.metadata.component = ours
    made.metadata.timestamp = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    made.register_dependency(ours, parts)
    out.write_text(JsonV1Dot5(made).output_as_string(indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
