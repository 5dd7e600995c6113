"""Write the bill of materials of each distribution in a folder, as CycloneDX JSON.

It states the hash of the distribution, what it requires, and the version of every package that an
installation from the lock file has. The hashes of their files, one for each platform, are in that
file.
"""

from __future__ import annotations

import hashlib
import re
import sys
import tarfile
import uuid
import zipfile
from email.parser import Parser
from pathlib import Path

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

LOCK = Path(__file__).resolve().parent / "requirements.lock"
_LOCKED = re.compile(r"^([A-Za-z0-9._-]+)==([^ ;\\]+)")


def bill_of_materials(distribution: Path, lock: Path = LOCK) -> str:
    """Return the document of a wheel or source archive. Raises ValueError for another file."""
    about = Parser().parsestr(_metadata(distribution))
    content = distribution.read_bytes()
    bom = Bom(serial_number=uuid.uuid5(uuid.NAMESPACE_URL, hashlib.sha256(content).hexdigest()))
    bom.metadata.timestamp = None  # the same distribution has the same document
    bom.metadata.component = _component(
        about["Name"], about["Version"], [hashlib.sha256(content).hexdigest()]
    )
    bom.metadata.component.licenses = [
        LicenseFactory().make_from_string(about["License-Expression"])
    ]
    packages = locked_packages(lock)
    bom.components.update(packages)
    required = [Requirement(line) for line in about.get_all("Requires-Dist", [])]
    names = {canonicalize_name(one.name) for one in required if "extra" not in str(one.marker)}
    bom.register_dependency(bom.metadata.component, [one for one in packages if one.name in names])
    return JsonV1Dot6(bom).output_as_string(indent=1) + "\n"


def locked_packages(lock: Path) -> list[Component]:
    """Return the packages of the lock file: some in a version for each Python."""
    lines = lock.read_text(encoding="utf-8").splitlines()
    found = [match for line in lines if (match := _LOCKED.match(line))]
    return [_component(canonicalize_name(one[1]), one[2], []) for one in found]


def _component(name: str, version: str, hashes: list[str]) -> Component:
    return Component(
        name=name,
        version=version,
        type=ComponentType.LIBRARY,
        purl=PackageURL("pypi", None, name, version),
        bom_ref=f"{name}=={version}",
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=one) for one in hashes],
    )


def _metadata(distribution: Path) -> str:
    """Return the core metadata of a distribution."""
    if distribution.suffix == ".whl":
        with zipfile.ZipFile(distribution) as archive:
            [name] = [one for one in archive.namelist() if one.endswith(".dist-info/METADATA")]
            return archive.read(name).decode()
    if distribution.name.endswith(".tar.gz"):
        with tarfile.open(distribution) as archive:
            [member] = [
                one for one in archive.getmembers() if re.fullmatch(r"[^/]+/PKG-INFO", one.name)
            ]
            file = archive.extractfile(member)
            assert file is not None
            return file.read().decode()
    raise ValueError(f"{distribution} is neither a wheel nor a source archive")


def main(distributions: Path, target: Path) -> None:
    """Write a document for each distribution of the first folder into the second."""
    target.mkdir(parents=True, exist_ok=True)
    for one in sorted([*distributions.glob("*.whl"), *distributions.glob("*.tar.gz")]):
        (target / f"{one.name}.cdx.json").write_text(bill_of_materials(one), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
