"""The collection of certified values (`certified/`), as it is installed with the package."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from ...data.untrusted.documents import read_json

COLLECTION = Path(__file__).resolve().parents[2] / "certified"
FULL = 15.0
"""Digits of a value that differs by rounding only, as of an undefined value found undefined."""


@dataclass(frozen=True)
class Case:
    """One certified value.

    given        the input, as in the collection; its form depends on `kind`
    conventions  every choice that the value depends on
    value        the certified value; None if the measure is undefined, for the reason `undefined`
    """

    id: str
    kind: str
    measure: str
    conventions: Mapping[str, Any]
    given: Mapping[str, Any]
    value: Fraction | None
    undefined: str
    source: str

    def digits(self, found: float | None) -> float:
        """Return the number of correct digits, 0 to 15: the logarithm of the relative error.

        found  the value that a package returned; nan or None if it says that it is undefined

        Source: McCullough (1998), The American Statistician 52(4), for the log relative error; for
        a certified value of 0 it is the logarithm of the absolute error.
        """
        says_undefined = found is None or math.isnan(found)
        if self.value is None or says_undefined:
            return FULL if says_undefined and self.value is None else 0.0
        if found is None or math.isinf(found):
            return 0.0
        error = abs(Fraction(found) - self.value) / (abs(self.value) or 1)
        return min(FULL, max(0.0, -math.log10(error))) if error else FULL


def read_cases(folder: Path = COLLECTION / "cases") -> list[Case]:
    """Read all cases, in the order of their files and numbers."""
    found = []
    for file in sorted(folder.glob("*.json")):
        held = read_json(file)
        for case in held["cases"]:
            given = held["inputs"][case["input"]]
            found.append(
                Case(
                    case["id"],
                    held["kind"],
                    case["measure"],
                    case["conventions"],
                    given,
                    Fraction(case["value"]) if "value" in case else None,
                    case.get("undefined", ""),
                    given["source"],
                )
            )
    return found
