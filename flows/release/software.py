"""The software that measured a release, as a CycloneDX 1.6 bill of materials in JSON.

Made from the metadata of installed packages: Accordeur, packages that extend it, and all their
dependencies. A hash of Accordeur's own files tells two states of one development version apart.
"""

from __future__ import annotations

import hashlib
import json
import platform
import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import Distribution, distributions
from pathlib import Path

from ...data.untrusted.documents import parse_json
from ...data.untrusted.files import files_hash, read_file

FILE = "sbom.cdx.json"
_LOCK = Path(__file__).resolve().parents[2] / "install" / "requirements.lock"
_PACKAGE = Path(__file__).parents[2]
_CODE = frozenset({".py", ".toml", ".jinja", ".css", ".js", ".bib"})
_CODE_HASH = "accordeur:code:sha256"
_LONGEST_LICENCE = 100  # characters; some packages put the whole text there


def bill_of_materials_json() -> bytes:
    """Return the bill of materials of this process: packages, versions, licences, dependencies."""
    installed = {_normalised_name(one.name): one for one in reversed(list(distributions()))}
    roots = [name for name, one in installed.items() if name == "accordeur" or _adds_objects(one)]
    needs = _dependency_closure(roots, installed)
    bill = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "timestamp": datetime.now(UTC).isoformat(timespec="seconds"),
            "component": _component(installed["accordeur"]) | {"type": "application"},
            "properties": [
                {"name": _CODE_HASH, "value": code_hash()},
                *_lock({name: installed[name].version for name in needs}),
            ],
        },
        "components": [
            *(_component(installed[name]) for name in sorted(needs) if name != "accordeur"),
            {
                "type": "platform",
                "bom-ref": "python",
                "name": platform.python_implementation(),
                "version": platform.python_version(),
            },
            {
                "type": "operating-system",
                "bom-ref": "system",
                "name": f"{platform.system()} {platform.machine()}",
            },
        ],
        "dependencies": [
            {
                "ref": _package_url(installed[name]),
                "dependsOn": [_package_url(installed[need]) for need in sorted(needs[name])],
            }
            for name in sorted(needs)
        ],
    }
    return json.dumps(bill, indent=1).encode()


@cache
def code_hash() -> str:
    """Return the SHA-256 of the files of this package: code, texts, templates and styles."""
    tops = [*_PACKAGE.iterdir()]  # of a checkout, links, which rglob would not follow
    found = [path for top in tops for path in (top, *top.rglob("*")) if path.suffix in _CODE]
    return files_hash(_PACKAGE, found)


def code_hash_in(bill: bytes, where: str) -> str:
    """Return the hash of the code that a bill of materials states; "" if it states none."""
    try:
        properties = parse_json(bill, where)["metadata"]["properties"]
        return next((str(one["value"]) for one in properties if one["name"] == _CODE_HASH), "")
    except (ValueError, TypeError, LookupError):
        return ""


def _lock(versions: Mapping[str, str]) -> list[dict[str, str]]:
    """Return the SHA-256 of the lock file of a checkout or container; [] if a version differs."""
    if not _LOCK.is_file():
        return []
    content = read_file(_LOCK)
    locked = {  # a package may have several versions for several versions of Python
        ("accordeur", versions.get("accordeur")),
        *re.findall(r"^([\w.-]+)==([^\s;]+)", content.decode(), re.MULTILINE),
    }
    if not versions.items() <= locked:
        return []
    digest = hashlib.sha256(content).hexdigest()
    return [{"name": "accordeur:requirements.lock:sha256", "value": digest}]


def _dependency_closure(
    roots: Iterable[str], installed: dict[str, Distribution]
) -> dict[str, set[str]]:
    """Map each package to its installed dependencies, for the roots including optional ones."""
    needs: dict[str, set[str]] = {}
    left = list(roots)
    while left:
        name = left.pop()
        if name in needs:
            continue
        required = [
            _normalised_name(re.split(r"[^\w.-]", one, maxsplit=1)[0])
            for one in installed[name].requires or []
            if name in roots or "extra ==" not in one
        ]
        needs[name] = {one for one in required if one in installed}
        left += needs[name]
    return needs


def _component(package: Distribution) -> dict[str, object]:
    expression, licence = (
        _metadata_field(package, "License-Expression"),
        _metadata_field(package, "License"),
    )
    licences: list[dict[str, object]] = []
    if expression:
        licences = [{"expression": expression}]
    elif licence and "\n" not in licence and len(licence) <= _LONGEST_LICENCE:
        licences = [{"license": {"name": licence}}]
    return {
        "type": "library",
        "bom-ref": _package_url(package),
        "name": package.name,
        "version": package.version,
        "purl": _package_url(package),
        **({"licenses": licences} if licences else {}),
    }


def _metadata_field(package: Distribution, field: str) -> str:
    return next(iter(package.metadata.get_all(field) or ()), "")


def _package_url(package: Distribution) -> str:
    """Return the package URL."""
    return f"pkg:pypi/{_normalised_name(package.name)}@{package.version}"


def _normalised_name(name: str) -> str:
    """Normalise the name as the Python package index does (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _adds_objects(package: Distribution) -> bool:
    return any(one.group.startswith("accordeur.") for one in package.entry_points)
