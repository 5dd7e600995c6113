"""Compute certified values: `python -m tests.certified.calculator` writes those that are missing.

A case without `value` and `undefined` gets what the calculator finds; values that are there are
left as they are, and `test_certified_values.py` recomputes all.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

from .exact_items import ITEMS, RANKINGS, RATINGS
from .exact_numbers import UndefinedError, as_written
from .exact_objects import OBJECTS
from .exact_structures import CHAINS, RELATIONS, SEGMENTATIONS
from .exact_units import UNITS

CASES = Path(__file__).resolve().parents[2] / "certified" / "cases"
BY_KIND: dict[str, dict[str, Callable[..., Fraction]]] = {
    "items": ITEMS,
    "ratings": RATINGS,
    "rankings": RANKINGS | OBJECTS,
    "units": UNITS,
    "segmentations": SEGMENTATIONS,
    "chains": CHAINS,
    "relations": RELATIONS,
    "trees": OBJECTS,
    "texts": OBJECTS,
    "boxes": OBJECTS,
}
CALCULATOR = "exact fractions"
ORDER = ("id", "input", "measure", "conventions", "value", "undefined", "certified", "published")


def outcome(kind: str, case: dict[str, Any], given: dict[str, Any]) -> dict[str, str]:
    """Return `value` or `undefined` of a case, as the collection states it."""
    conventions = dict(case["conventions"])
    if kind == "items" and not has_gaps(given):
        conventions.setdefault("missing", "available")  # no label is missing
    try:
        return {"value": as_written(BY_KIND[kind][case["measure"]](given, **conventions))}
    except UndefinedError as reason:
        return {"undefined": str(reason)}


def has_gaps(given: dict[str, Any]) -> bool:
    return any(label is None for row in given["labels"] for label in row)


def fill(file: Path) -> None:
    """Compute the missing values of a file of cases and write it, a case on a line."""
    held = json.loads(file.read_text(encoding="utf-8"))
    for case in held["cases"]:
        if "value" not in case and "undefined" not in case:
            case |= outcome(held["kind"], case, held["inputs"][case["input"]])
            case["certified"] = CALCULATOR
    file.write_text(written(held), encoding="utf-8")


def written(held: dict[str, Any]) -> str:
    def one(value: Any) -> str:
        return json.dumps(value, ensure_ascii=False)

    inputs = ",\n".join(f"  {one(name)}: {one(value)}" for name, value in held["inputs"].items())
    cases = ",\n".join(
        "  " + one({key: case[key] for key in ORDER if key in case}) for case in held["cases"]
    )
    return (
        f'{{\n "kind": {one(held["kind"])},\n "inputs": {{\n{inputs}\n }},\n'
        f' "cases": [\n{cases}\n ]\n}}\n'
    )


if __name__ == "__main__":
    for path in sorted(CASES.glob("*.json")):
        fill(path)
