"""Whole numbers that a tool wrote with decimals."""

from __future__ import annotations

import re

_WITH_DECIMALS = re.compile(r"[-+]?[0-9]+\.0+")


def without_decimals(label: str) -> str:
    """Return a label that is a whole number with zeros after the point without them.

    pandas writes a column of whole numbers with a missing cell as `3.0`, beside columns with `3`.

    >>> [without_decimals(label) for label in ("3.0", "3", "1.50", "03.00", "v3.0")]
    ['3', '3', '1.50', '03', 'v3.0']
    """
    return label.partition(".")[0] if _WITH_DECIMALS.fullmatch(label) else label
