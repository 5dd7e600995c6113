"""The name of a pair of annotators in results, where reports find it again."""

from __future__ import annotations

_BETWEEN = " – "


def pair_name(one: str, other: str) -> str:
    """Return the name of the pair, in the order of the annotators.

    Different pairs have different names: a name that contains the sign between the two is quoted.

    >>> pair_name("anna", "ben")
    'anna – ben'
    >>> pair_name("team 1 – anna", "ben")
    '“team 1 – anna” – ben'
    """
    return f"{_quoted(one)}{_BETWEEN}{_quoted(other)}"


def _quoted(name: str) -> str:
    if _BETWEEN.strip() not in name and not name.startswith("“"):
        return name
    return f"“{name.replace('”', '””')}”"
