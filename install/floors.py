"""Check that no floor of pyproject.toml admits a version with a known advisory; no network."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
_FLOOR = re.compile(r"([A-Za-z0-9._-]+)(?:\[[^\]]*\])?\s*>=\s*([0-9][0-9.]*)")


def floors(project: Path) -> dict[str, str]:
    """Return the least version of each package that the project and its extras allow."""
    about = tomllib.loads(project.read_text(encoding="utf-8"))["project"]
    extras = about.get("optional-dependencies", {}).values()
    lines = [*about["dependencies"], *(line for extra in extras for line in extra)]
    return {found[1].lower(): found[2] for line in lines if (found := _FLOOR.match(line))}


def known_advisories(advisories: Path) -> list[dict[str, str]]:
    """Return the advisories that the file lists."""
    found: list[dict[str, str]] = tomllib.loads(advisories.read_text(encoding="utf-8"))["advisory"]
    return found


def admitted_advisories(project: Path, advisories: Path) -> list[str]:
    """Return a sentence for each advisory that a floor admits, or that has no floor.

    An advisory without a fixed version names what is `unused` instead.
    """
    least = floors(project)
    return [
        f"{one['id']}: {one['package']} is fixed in {one['fixed_in']}, and pyproject.toml allows "
        f"{least.get(one['package'], 'any version')}"
        for one in known_advisories(advisories)
        if "unused" not in one
        and _numbers(least.get(one["package"], "0")) < _numbers(one["fixed_in"])
    ]


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.rstrip(".").split(".")))


if __name__ == "__main__":
    found = admitted_advisories(HERE.parent / "pyproject.toml", HERE / "advisories.toml")
    sys.exit("\n".join(found) or None)
