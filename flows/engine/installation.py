"""Five packages with everyday names: make sure that all of them are ours."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from flows.errors import UserError

PACKAGES = ("flows", "tasks", "metrics", "data", "reports")


def check_one_root() -> None:
    """Raise UserError when one of the packages would come from somewhere else."""
    root = Path(__file__).resolve().parents[2]
    for name in PACKAGES:
        found = find_spec(name)
        place = Path(found.origin).resolve().parent if found and found.origin else None
        if place != root / name:
            raise UserError(
                f"the package {name!r} comes from {place}, not from Accordeur ({root}): another "
                "project in this environment has a package of that name; install Accordeur into "
                "an environment of its own (`make setup`)"
            )
