"""Whether columns that were read as annotators hold their labels, or things of several kinds."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import chain, combinations

import numpy as np

from ...data.annotator_names import judges_and_humans, suggested_roles
from ...data.option_names import option
from ...data.readers.tables.column_names import OF_ITEMS, is_person_name, listed_columns
from ...data.readers.tables.other_shapes import annotator_like_columns
from ...metrics.agreement.label_matrix import LabelMatrix
from ..intake.layer_contents import LayerContents
from .cell_warnings import SIGNS_OF_NOTHING
from .scales import is_finite_number

_SIGNS = re.compile(r"[\W_]")
_LONGEST_INITIALS = 4  # letters; `reli` of what was coded again
_FEWEST_PAIRS = 30  # of labels, that show agreement
_FEWEST_BY_CHANCE, _LEAST_OF_CHANCE = 10, 0.8  # equal labels of two annotators
_EMPTY = 0.2  # of the cells
_LEAST_AGREEMENT = 0.05  # beyond chance, of columns whose names say nothing


def share_a_category(layer: LayerContents) -> bool:
    """Whether two annotators used one category: columns of other things have none in common."""
    used = [{*own} for own in layer.rows.values() if own]
    return any(one & other for one, other in combinations(used, 2))


def unlike_annotators(layer: LayerContents, matrix: LabelMatrix) -> list[str]:
    """Return the annotators of whose labels less than half are in categories of the others.

    Of measurements, which rarely repeat, those whose median is outside all others' ranges. All, if
    they do not agree beyond chance: what is compared in a row, or properties of an item.
    """
    rows = {name: own for name, own in layer.rows.items() if own}
    called = annotator_like_columns(dict(enumerate(rows)))
    called |= {k for k, name in enumerate(rows) if is_person_name(name)}
    has_system = bool(suggested_roles(rows))
    is_sparse = bool((matrix.codes < 0).mean() > _EMPTY)  # as no properties of items are
    if not _agree_beyond_chance(matrix, are_called=len(called) > 1 or has_system or is_sparse):
        return [*rows]
    users = Counter(chain(*rows.values()))
    ranges = {name: _range(own) for name, own in rows.items()}
    found = []
    for name, own in rows.items():
        shared = sum(n for category, n in own.items() if users[category] > 1)
        others = [one for other, one in ranges.items() if other != name and one]
        mine = ranges[name]
        is_within = mine and any(low <= mine[1] <= high for low, _, high in others)
        if 2 * shared < sum(own.values()) and not is_within:
            found.append(name)
    return found


def _agree_beyond_chance(matrix: LabelMatrix, *, are_called: bool) -> bool:
    """Whether items have equal labels, or near numbers, more often than by chance; or are few.

    Of two, and of those who are called like annotators, whether not far less often than by chance.
    """
    absent = [
        k for k, one in enumerate(matrix.tagset) if one.strip().casefold() in SIGNS_OF_NOTHING
    ]
    items, annotators = np.nonzero((matrix.codes >= 0) & ~np.isin(matrix.codes, absent))
    used = matrix.codes[items, annotators]
    n_equal, n_pairs = (
        float((n * (n - 1)).sum()) / 2
        for n in (
            np.unique(np.stack([items, used]), axis=1, return_counts=True)[1],
            np.bincount(items),
        )
    )
    by_chance = float(((np.bincount(used) / max(len(used), 1)) ** 2).sum()) * n_pairs
    if are_called or len(matrix.annotators) == 2:
        if not n_equal:
            return by_chance <= _FEWEST_BY_CHANCE
        return n_equal >= _LEAST_OF_CHANCE * by_chance or by_chance - n_equal <= 4 * by_chance**0.5
    if n_pairs <= _FEWEST_PAIRS or n_equal - by_chance > _LEAST_AGREEMENT * (n_pairs - by_chance):
        return True
    if not all(map(is_finite_number, matrix.tagset)):
        return False
    numbers = np.array([*map(float, matrix.tagset)])[used]
    sizes = np.bincount(items)
    means = np.bincount(items, weights=numbers) / np.maximum(sizes, 1)
    several = sizes[items] > 1
    within = (numbers - means[items])[several] ** 2 * (sizes / np.maximum(sizes - 1, 1))[items][
        several
    ]
    return float(within.mean()) < (1 - _LEAST_AGREEMENT) * float(numbers[several].var())


def _range(own: Mapping[str, int]) -> tuple[float, float, float] | None:
    """Return least, median and greatest of categories that are numbers; None for others."""
    try:
        numbers = sorted(float(one) for one in own)
    except ValueError:
        return None
    return numbers[0], numbers[len(numbers) // 2], numbers[-1]


def is_sentence(name: str) -> bool:
    """Whether a column is called by several words or with a remark, as a question is."""
    return name.count(" ") > 2 or "(" in name


def are_like_names(columns: Sequence[str]) -> bool:
    """Whether columns may be called after persons: single words, or alike but for a short end."""
    first, *others = columns
    n = next(n for n in range(len(first), -1, -1) if all(one[:n] == first[:n] for one in others))
    ends = [name[n:].strip(" _.-:") for name in columns]
    words = [name for name in columns if _SIGNS.search(name.strip())]
    return not words or all(len(one) <= _LONGEST_INITIALS or one.isdecimal() for one in ends)


def sentence_on_roles(source: str, names: Sequence[str], labels: Collection[str]) -> str:
    """Say that it cannot be seen what the columns of a wide table are, and how to name them.

    names, labels  of the columns that would be annotators, and in them
    """
    if len(names) == 1:
        return (
            f"{source}: each item has one {names[0]} and no annotator is named, "
            "so there is no agreement: `accordeur score --reference FILE --system FILE` compares "
            "labels of a system with right ones"
        )
    judges = ",".join(
        one
        for one in judges_and_humans(names)[0]
        if not OF_ITEMS.fullmatch(one) and one not in labels  # `model_a` won
    )
    return (
        f"{source}: its columns hold different things "
        f"({listed_columns(names)}), and what each is cannot be seen: name those of the items, "
        f"annotators and labels (`{option('item')}`, `{option('annotator')}`, "
        f"`{option('label')}`), or list the annotators' columns of a wide table "
        f"(`{option('annotator', 'FIRST,SECOND')}`)"
        + (f"; or `accordeur judge FILE --judge {judges} --human COLUMN`" if judges else "")
    )
