"""Write the licence of every locked package as a table: `install/licences.md`.

A licence is what the package itself states: its expression, else its classifiers, else the first
line of its field. Packages that this machine does not need are listed without one.
"""

from __future__ import annotations

import re
from importlib import metadata
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
LOCKS = ("requirements.lock", "requirements-dev.lock")
_LOCKED = re.compile(r"^([A-Za-z0-9._-]+)==([^ ;\\]+)", re.MULTILINE)
_CLASSIFIER = "License :: "
_LONGEST = 60  # characters of a field that is a name; some hold the whole text


def locked(lock: str) -> dict[str, set[str]]:
    """Return the versions of each package of a lock file: some have one for each Python."""
    found: dict[str, set[str]] = {}
    for name, version in _LOCKED.findall((FOLDER / lock).read_text(encoding="utf-8")):
        found.setdefault(name.lower(), set()).add(version)
    return found


def licence(name: str) -> str:
    """Return what an installed package states; "" if it is not installed or states nothing."""
    try:
        about = metadata.metadata(name)
    except metadata.PackageNotFoundError:
        return ""
    if expression := about.get("License-Expression"):
        return str(expression)
    classified = [one for one in about.get_all("Classifier", []) if one.startswith(_CLASSIFIER)]
    if classified:
        return ", ".join(one.rpartition(" :: ")[2] for one in classified)
    first = next(iter((about.get("License") or "").splitlines()), "").strip()
    return first if len(first) <= _LONGEST else ""


def table() -> str:
    """Return the page: what the product needs, then what its developers need besides."""
    needed, of_developers = (locked(name) for name in LOCKS)
    parts = ["# Licences of the locked packages\n\n`make licences` writes this table.\n"]
    besides = {name: one for name, one in of_developers.items() if name not in needed}
    for title, packages in (("Product", needed), ("Developers", besides)):
        rows = (
            f"| {name} | {', '.join(sorted(packages[name]))} | {licence(name) or '–'} |\n"
            for name in sorted(packages)
        )
        parts.append(f"\n## {title}\n\n| package | version | licence |\n|---|---|---|\n")
        parts.extend(rows)
    return "".join(parts)


if __name__ == "__main__":
    (FOLDER / "licences.md").write_text(table(), encoding="utf-8")
