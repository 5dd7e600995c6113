"""Annotators by demographic group, with groups merged that could identify a person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from ...reports.results.release import Demographic

JOINED = ""  # name of the merged group


def demographics_of(
    annotators: Sequence[Mapping[str, str]], minimum: int
) -> tuple[list[Demographic], list[str]]:
    """Return the groups of each attribute, and the withheld attributes.

    Groups smaller than `minimum` are merged, also with the next larger group if they are still
    too small; otherwise their size could be computed from the total. An attribute with only
    one remaining group is withheld. `annotators` holds each annotator's attribute values.

    >>> many = [{"first language": "French"}] * 6 + [{"first language": "English"}] * 5
    >>> demographics_of([*many, {"first language": "Breton"}], 5)[0][0].groups
    {'French': 6, '': 6}
    """
    found, withheld = [], []
    for attribute in dict.fromkeys(name for one in annotators for name in one):
        counts = Counter(one.get(attribute, JOINED) for one in annotators)
        joined = counts.pop(JOINED, 0)
        groups = sorted(counts.items(), key=lambda group: (-group[1], group[0]))
        while groups and (groups[-1][1] < minimum or 0 < joined < minimum):
            joined += groups.pop()[1]
        if not groups:
            withheld.append(attribute)
            continue
        shown = dict(groups) | ({JOINED: joined} if joined else {})
        found.append(Demographic(attribute=attribute, groups=shown))
    return found, withheld
