"""The name of a pair of annotators in results, where reports find it again."""

from __future__ import annotations


def pair_name(one: str, other: str) -> str:
    """Return the name of the pair, in the order of the annotators.

    >>> pair_name("anna", "ben")
    'anna – ben'
    """
    return f"{one} – {other}"
