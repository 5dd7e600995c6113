"""The list of the software of a release: valid CycloneDX, complete, with what needs what."""

from __future__ import annotations

import hashlib
import json
import shutil
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from accordeur.flows.release import software
from accordeur.flows.release.software import bill_of_materials_json


@pytest.fixture(scope="module")
def text() -> str:
    return bill_of_materials_json().decode()


@pytest.fixture
def bill(text: str) -> dict[str, Any]:
    return json.loads(text)


def test_it_is_valid_by_the_official_schema(text: str) -> None:
    pytest.importorskip("jsonschema")
    schema = pytest.importorskip("cyclonedx.schema")
    validation = pytest.importorskip("cyclonedx.validation.json")
    validator = validation.JsonStrictValidator(schema.SchemaVersion.V1_6)
    assert validator.validate_str(text) is None
    assert validator.validate_str('{"bomFormat": "CycloneDX"}') is not None


def test_it_has_the_packages_that_numbers_come_from_with_their_versions(
    bill: dict[str, Any],
) -> None:
    found = {one["name"].lower(): one.get("version") for one in bill["components"]}
    for package in ("numpy", "scipy", "numba", "llvmlite", "pyarrow", "dask", "prefect"):
        assert found[package] == version(package)
    assert bill["metadata"]["component"]["name"] == "accordeur"
    assert "pip" not in found  # installed, but nothing needs it


def test_every_dependency_is_a_component(bill: dict[str, Any]) -> None:
    own = bill["metadata"]["component"]["bom-ref"]
    known = {one["bom-ref"] for one in bill["components"]} | {own}
    needs = {one["ref"]: one["dependsOn"] for one in bill["dependencies"]}
    assert {one for all_of_one in needs.values() for one in all_of_one} | needs.keys() <= known
    assert f"pkg:pypi/numpy@{version('numpy')}" in needs[own]
    assert f"pkg:pypi/llvmlite@{version('llvmlite')}" in needs[f"pkg:pypi/numba@{version('numba')}"]


def test_the_lock_file_is_named_only_where_all_versions_are_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = tmp_path / "requirements.lock"
    lock.write_text(
        "numpy==2.4.6 ; python_full_version < '3.12' \\\n    --hash=sha256:0\n"
        "numpy==2.5.5 ; python_full_version >= '3.12' \\\n    --hash=sha256:1\nscipy==1.17.1\n",
        encoding="utf-8",
    )
    monkeypatch.setattr(software, "_LOCK", lock)
    [named] = software._lock({"accordeur": "0.1.0", "numpy": "2.4.6", "scipy": "1.17.1"})
    assert named["value"] == hashlib.sha256(lock.read_bytes()).hexdigest()
    assert software._lock({"numpy": "2.4.5"}) == []
    assert software._lock({"numpy": "2.4.6", "scikit-learn": "1.0"}) == []


def test_a_changed_file_of_the_package_changes_the_hash_of_its_code(
    bill: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = software.code_hash()
    stated = {one["name"]: one["value"] for one in bill["metadata"]["properties"]}
    assert stated["accordeur:code:sha256"] == before
    copy = tmp_path / "accordeur"
    shutil.copytree(software._PACKAGE, copy)
    monkeypatch.setattr(software, "_PACKAGE", copy)
    of_files = software.code_hash.__wrapped__
    assert of_files() == before  # a copy without links, as a wheel installs it
    template = next((copy / "reports").rglob("*.jinja"))
    template.write_text(template.read_text(encoding="utf-8") + " ", encoding="utf-8")
    assert of_files() != before
