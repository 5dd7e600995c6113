"""The leaves of a JSON document by the path to them, which names rows instead of counting them."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

Leaves = dict[str, float | str | None]
TOLERANCE = 1e-12
# Of intervals of effects: their variances come from central differences, which lose digits, and
# kernels of BLAS on other processors lose others.
OF_EFFECTS = 1e-10
_NAMES = (
    "layer",
    "measure",
    "annotator",
    "category",
    "system",
    "process",
    "kind",
    "name",
    "document",
)


def leaves_of(document: Any, path: str = "") -> Leaves:
    """Texts, numbers, truth values as 0 and 1, and what is undefined as None."""
    if isinstance(document, dict):
        found: Leaves = {}
        for key, value in document.items():
            found |= leaves_of(value, f"{path}/{key}")
        return found
    if isinstance(document, list | tuple):
        found, seen = {}, Counter[str]()
        for row in document:
            name = _name(row)
            found |= leaves_of(row, f"{path}/{name}#{seen[name]}")
            seen[name] += 1
        return found
    if isinstance(document, str):
        return {path: document}
    return {path: None if document is None or math.isnan(document) else float(document)}


def _name(row: Any) -> str:
    if not isinstance(row, dict):
        return ""
    return ",".join(str(row[key]) for key in _NAMES if isinstance(row.get(key), str))


def differences(frozen: Leaves, found: Leaves, tolerance: float = TOLERANCE) -> list[str]:
    """What is missing, new or different, a line each."""
    told = [f"{path}: gone (was {frozen[path]})" for path in sorted(frozen.keys() - found.keys())]
    told += [f"{path}: new ({found[path]})" for path in sorted(found.keys() - frozen.keys())]
    if not told and list(frozen) != list(found):
        told.append("the same, in another order")
    return told + [
        f"{path}: {found[path]}, was {frozen[path]}"
        for path in sorted(frozen.keys() & found.keys())
        if not _same(frozen[path], found[path], OF_EFFECTS if _is_effect(path) else tolerance)
    ]


def _is_effect(path: str) -> bool:
    return "/effects/" in path and "/interval/" in path


def _same(one: float | str | None, other: float | str | None, tolerance: float) -> bool:
    if not isinstance(one, float) or not isinstance(other, float):
        return one == other
    return math.isclose(one, other, rel_tol=tolerance, abs_tol=tolerance)
