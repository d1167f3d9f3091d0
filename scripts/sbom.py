"""The components of a wheel as a CycloneDX document: python scripts/sbom.py WHEEL OUT.json

Needs cyclonedx-python-lib[json-validation]: invalid documents are not written. The same wheel
produces the same bytes: the serial number is derived from its hash, the time is SOURCE_DATE_EPOCH.
"""

from __future__ import annotations

import datetime
import hashlib
import importlib.metadata
import os
import re
import sys
import uuid
from pathlib import Path

from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.license import DisjunctiveLicense, LicenseExpression
from cyclonedx.output.json import JsonV1Dot5
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL

TREE = Path(__file__).resolve().parent.parent


def component(name: str, version: str, licence: str, purl: PackageURL) -> Component:
    component = Component(
        name=name, version=version, type=ComponentType.LIBRARY, bom_ref=name, purl=purl
    )
    component.licenses.add(
        LicenseExpression(licence) if " " in licence else DisjunctiveLicense(id=licence)
    )
    return component


def of_pypi(name: str, version: str, licence: str) -> Component:
    return component(name, version, licence, PackageURL("pypi", name=name, version=version))


def simdjson() -> Component:
    """The C++ library. PyPI's package of that build, pysimdjson, has a version of its own, by which
    no scanner finds simdjson's faults.
    """
    version = simdjson_version()
    licence = "Apache-2.0 AND BSD-3-Clause AND BSL-1.0 AND MIT"  # licenses/simdjson.txt
    return component(
        "simdjson", version, licence, PackageURL("github", "simdjson", "simdjson", f"v{version}")
    )


def simdjson_version() -> str:
    """Of the simdjson.h that the build requirement carries and that is compiled into the module."""
    header = importlib.metadata.distribution("pysimdjson").locate_file("simdjson/simdjson.h")
    return re.findall(
        r'#define SIMDJSON_VERSION "([^"]+)"', Path(str(header)).read_text(encoding="utf-8")
    )[0]


def main() -> int:
    wheel, out = map(Path, sys.argv[1:3])
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    ours = of_pypi("thriftlens", wheel.name.split("-")[1], "Apache-2.0")
    ours.hashes.add(HashType(alg=HashAlgorithm.SHA_256, content=digest))
    parts = [
        of_pypi("pybind11", importlib.metadata.version("pybind11"), "BSD-3-Clause"),
        simdjson(),
    ]
    bom = Bom(components=parts, serial_number=uuid.uuid5(uuid.NAMESPACE_URL, digest))
    bom.metadata.component = ours
    bom.metadata.timestamp = datetime.datetime.fromtimestamp(
        int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc
    )
    bom.register_dependency(ours, parts)
    text = JsonV1Dot5(bom).output_as_string(indent=2) + "\n"
    fault = JsonStrictValidator(SchemaVersion.V1_5).validate_str(text)
    if fault:
        sys.exit(f"{out.name} is no CycloneDX 1.5: {fault}")
    out.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
