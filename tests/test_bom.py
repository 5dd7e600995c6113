"""The bill of materials of a distribution is valid CycloneDX and lists what is locked."""

from __future__ import annotations

import hashlib
import io
import json
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

ROOT = Path(__file__).resolve().parent.parent


def write_distributions(folder: Path) -> list[Path]:
    """A wheel and a source archive with nothing but the project's core metadata."""
    folder.mkdir()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = ["Metadata-Version: 2.4", "Name: accordeur", "Version: 9.9"]
    lines += [f"License-Expression: {project['license']}"]
    lines += [f"Requires-Dist: {one}" for one in project["dependencies"]]
    lines += ['Requires-Dist: dask-kubernetes; extra == "kubernetes"', "", ""]
    metadata = "\n".join(lines).encode()
    wheel, source = folder / "accordeur-9.9-py3-none-any.whl", folder / "accordeur-9.9.tar.gz"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("accordeur-9.9.dist-info/METADATA", metadata)
    with tarfile.open(source, "w:gz") as archive:
        member = tarfile.TarInfo("accordeur-9.9/PKG-INFO")
        member.size = len(metadata)
        archive.addfile(member, io.BytesIO(metadata))
    return [wheel, source]


def write_bills(distributions: Path, target: Path) -> dict[str, bytes]:
    command = [sys.executable, str(ROOT / "install" / "bom.py"), str(distributions), str(target)]
    subprocess.run(command, check=True)
    return {file.name: file.read_bytes() for file in target.iterdir()}


def test_each_distribution_has_a_valid_bill_of_materials(tmp_path: Path) -> None:
    distributions = write_distributions(tmp_path / "dist")
    bills = write_bills(tmp_path / "dist", tmp_path / "sbom")
    assert sorted(bills) == sorted(f"{one.name}.cdx.json" for one in distributions)
    assert write_bills(tmp_path / "dist", tmp_path / "again") == bills
    for one in distributions:
        text = bills[f"{one.name}.cdx.json"].decode()
        assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
        bill = json.loads(text)
        [content] = bill["metadata"]["component"]["hashes"]
        assert content["content"] == hashlib.sha256(one.read_bytes()).hexdigest()
        names = [component["bom-ref"] for component in bill["components"]]
        lock = (ROOT / "install" / "requirements.lock").read_text(encoding="utf-8")
        assert len(names) == len(re.findall(r"^[\w.-]+==", lock, re.MULTILINE))
        [direct] = [row for row in bill["dependencies"] if row["ref"] == "accordeur==9.9"]
        required = {ref.partition("==")[0] for ref in direct["dependsOn"]}
        assert required >= {"numpy", "prefect", "dask", "pyarrow"}
        assert "dask-kubernetes" not in required
