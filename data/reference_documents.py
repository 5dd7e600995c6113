"""Check that a reference and the annotations compared with it have the same documents."""

from __future__ import annotations

import re
from collections.abc import Collection

_SHOWN = 3
_ENDING = r"\.[A-Za-z][A-Za-z0-9]{0,7}$"


def mismatch_message(reference: Collection[str], others: Collection[str]) -> str:
    """Return what is wrong with the names of the reference's documents; "" if nothing is.

    Documents that only the reference has are allowed as long as others are shared.

    >>> print(mismatch_message(["d1.txt"], ["d1"]))  # doctest: +NORMALIZE_WHITESPACE
    no document of the reference is in the other exports ('d1.txt' in the reference, 'd1' in the
    others); if folders and extensions are ignored, 1 of 1 match: give them the same names
    """
    theirs = set(others)
    single = [name for name in reference if name not in theirs]
    if not single or not theirs:
        return ""
    bare = {_bare_name(name): name for name in sorted(theirs.difference(reference), reverse=True)}
    alike = sorted(name for name in single if _bare_name(name) in bare)
    n = len(reference)
    if len(single) < n:
        if not alike:
            return ""
        pairs = ", ".join(
            f"{name!r} in the reference, {bare[_bare_name(name)]!r} in the others"
            for name in alike[:_SHOWN]
        )
        return (
            f"{len(alike):,} of {n:,} documents of the reference match documents of the other "
            f"exports only if folders and extensions are ignored ({pairs}): give them the same "
            "names"
        )
    names = f"{_first_names(single)} in the reference, {_first_names(theirs)} in the others"
    message = f"no document of the reference is in the other exports ({names})"
    if not alike:
        return message
    return (
        f"{message}; if folders and extensions are ignored, {len(alike):,} of {n:,} match: give "
        "them the same names"
    )


def _bare_name(document: str) -> str:
    return re.sub(_ENDING, "", document.rpartition("/")[2])


def _first_names(names: Collection[str]) -> str:
    more = " …" if len(names) > _SHOWN else ""
    return ", ".join(map(repr, sorted(names)[:_SHOWN])) + more
