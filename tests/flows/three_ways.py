"""Comparison of the answers that a command, Python and a campaign give to one question."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

FIELDS = ("value", "observed", "expected", "n_items", "n_annotators")


def assert_same(first: Sequence[Mapping[str, Any]], second: Sequence[Mapping[str, Any]]) -> None:
    """Value, components, counts and interval of each measure, to 1e-12."""
    assert [one["measure"] for one in first] == [one["measure"] for one in second]
    for one, other in zip(first, second, strict=True):
        pairs = [(one[name], other[name]) for name in FIELDS]
        pairs += zip(one["interval"], other["interval"], strict=True)
        for a, b in pairs:
            where = f"{one['measure']}: {a} and {b}"
            assert (a is None) == (b is None), where
            assert a is None or math.isclose(a, b, rel_tol=0, abs_tol=1e-12), where
