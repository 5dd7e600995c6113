"""The list of the software of a release: valid CycloneDX, complete, with what needs what."""

from __future__ import annotations

import json
from importlib.metadata import version
from typing import Any

import pytest

from accordeur.flows.software import software_json


@pytest.fixture(scope="module")
def text() -> str:
    return software_json().decode()


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
