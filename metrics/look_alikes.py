"""Names that people read as one and a measure counts as several."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable


def look_alikes(names: Iterable[str]) -> list[tuple[str, ...]]:
    """Groups of two names or more that are read as one.

    They differ only in case, white space, the encoding of letters (an é may be one code point, or a
    letter and its accent) or the writing of a number (1 and 1.0). Sorted, each group too; a name of
    white space only is like no other.
    """
    groups: dict[str, set[str]] = {}
    for name in names:
        if read := _as_read(name):
            groups.setdefault(read, set()).add(name)
    return sorted(tuple(sorted(group)) for group in groups.values() if len(group) > 1)


def _as_read(name: str) -> str:
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    visible = "".join(c for c in folded if unicodedata.category(c) != "Cf")
    read = " ".join(visible.split())
    try:
        number = float(read)
    except ValueError:
        return read
    return repr(number + 0.0) if math.isfinite(number) else read
