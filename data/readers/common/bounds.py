"""Convert the bounds in a file to the integers that the tables store.

| `offset_unit` | in the file | in the tables |
|---|---|---|
| `char` | code points | unchanged; fractions are rejected |
| `token` | token indices | unchanged; fractions are rejected |
| `ms` | milliseconds | rounded to the nearest (half to even) |
| `s` | seconds, with fractions | milliseconds, rounded to the nearest (half to even) |

A clock time, `1:02:03.5` or `2:03.5`, is milliseconds in the tables, beside numbers in `ms` or `s`.
Where no unit is given, `are_seconds` decides whether bounds are in seconds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from math import isfinite
from typing import Literal

from ...schema import OffsetUnit
from .span_rules import Problem, parse_integer, span_problem

UnitOfBounds = Literal["char", "token", "ms", "s"]
MEANINGS = {"char": "code points", "s": "seconds, kept as whole milliseconds"}
_LONGEST = 12  # digits of seconds: 30,000 years
_DECIMAL_COMMA = re.compile(r"-?[0-9]+,[0-9]+")
_DECIMAL = re.compile(r"[0-9]+\.[0-9]+")
_CLOCK = re.compile(r"(?:([0-9]{1,3}):)?([0-9]{1,3}):([0-5][0-9](?:\.[0-9]+)?)")


def are_seconds(bounds: Iterable[str]) -> bool:
    """Whether bounds of unknown unit are in seconds.

    They are clock times, or half of them are written with decimals and some are not whole: a single
    fraction among offsets of characters is a mistake.

    >>> are_seconds(["0:01", "0:02"]), are_seconds(["1.0", "2.5"]), are_seconds(["1.0", "2", "3.0"])
    (True, True, False)
    """
    given = [one for one in bounds if one]
    if any(map(_CLOCK.fullmatch, given)):
        return True
    decimals = [one for one in given if _DECIMAL.fullmatch(one)]
    is_usual = 2 * len(decimals) >= len(given)
    return is_usual and not all(float(one).is_integer() for one in decimals)


class Bounds:
    """Parses pairs of bounds given in `unit`; `offset_unit` is the unit of the resulting table."""

    def __init__(self, unit: UnitOfBounds) -> None:
        self.offset_unit = OffsetUnit.MS if unit == "s" else OffsetUnit(unit)
        self.factor = 1000.0 if unit == "s" else 1.0
        self._rounded = unit in ("s", "ms")
        self._counted = {"s": "seconds", "ms": "milliseconds"}.get(unit, f"{unit}s")

    def pair(self, start: str, end: str) -> tuple[int, int] | Problem:
        """Return `[start, end)` as integers, or the problem."""
        bounds = []
        for text in (start, end):
            bound = self.parse(text.strip())
            if isinstance(bound, Problem):
                return bound
            bounds.append(bound)
        return span_problem(bounds[0], bounds[1]) or (bounds[0], bounds[1])

    def parse(self, text: str) -> int | Problem:
        """Return one bound as an integer, or the problem."""
        whole = parse_integer(text)
        if whole is not None and self.factor == 1.0:
            return whole
        clock = _CLOCK.fullmatch(text) if self._rounded else None
        if clock is not None:
            hours, minutes, seconds = clock.groups("0")
            return round(1000 * (3600 * int(hours) + 60 * int(minutes) + float(seconds)))
        try:
            value = float(text) * self.factor
        except ValueError:
            value = float("nan")
        if not isfinite(value) or abs(value) >= 2**53:
            how = (
                f"write {text.replace(',', '.')}, with a decimal point"
                if _DECIMAL_COMMA.fullmatch(text)
                else f"a bound must be a number of {self._counted}"
            )
            return Problem("not_an_offset", text, f"{text!r} is not a bound: {how}")
        if not self._rounded and not value.is_integer():
            return Problem(
                "fraction",
                text,
                f"{text} is not a whole number of {self.offset_unit}s; "
                "if the bounds are seconds set offset_unit = 's'",
            )
        return round(value)


def parse_seconds(text: str) -> Decimal | None:
    """Return the exact number of seconds that `text` spells; None when it is not such a number."""
    try:
        value = Decimal(text.strip()) if len(text) <= 64 else Decimal("NaN")
    except InvalidOperation:
        return None
    return value if value.is_finite() and value.adjusted() < _LONGEST else None


def to_milliseconds(value: Decimal) -> int:
    """Round seconds to the nearest millisecond, halves up."""
    return int((value * 1000).to_integral_value(ROUND_HALF_UP))
