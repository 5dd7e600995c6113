"""Segmentations, coreference chains and relations in exact fractions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import accumulate, combinations, permutations
from typing import Any

from .exact_items import krippendorff_alpha
from .exact_numbers import UndefinedError, mean, ratio

NO_BOUNDARY = "no boundary on either side"


def _boundaries(masses: Sequence[int]) -> set[int]:
    """Return the numbers of elements after which a segment ends, without the last."""
    return set(list(accumulate(masses))[:-1])


def _sides(given: dict[str, Any]) -> tuple[set[int], set[int], int]:
    """Boundaries of the reference and of the hypothesis, and the number of elements."""
    n = sum(given["reference"])
    return _boundaries(given["reference"]), _boundaries(given["hypothesis"]), n


def _windows(given: dict[str, Any], k: int, exact: bool) -> Fraction:
    """Share of windows of k places whose boundaries differ: in number, or in whether any is."""
    reference, hypothesis, n = _sides(given)
    found = []
    for start in range(1, n - k + 1):
        inside = range(start, start + k)
        one, other = (sum(x in side for x in inside) for side in (reference, hypothesis))
        found.append(one != other if exact else bool(one) != bool(other))
    return ratio(sum(found), len(found), "the document is shorter than the window")


def _cheapest(
    left: tuple[int, ...],
    right: tuple[int, ...],
    single: tuple[Fraction, Fraction],
    move: Fraction,
    limit: int,
) -> tuple[Fraction, int]:
    """Least cost, then least number, of edits that turn one side's boundaries into the other's."""
    if not left:
        return single[0] * len(right), len(right)
    first, rest = left[0], left[1:]
    cost, edits = _cheapest(rest, right, single, move, limit)
    found = [(cost + single[1], edits + 1)]
    for other in right:
        if abs(first - other) <= limit:
            remaining = tuple(x for x in right if x != other)
            cost, edits = _cheapest(rest, remaining, single, move, limit)
            found.append((cost + move * abs(first - other), edits + (first != other)))
    return min(found)


def ghd(given: dict[str, Any], insertion: str, deletion: str, shift: str) -> Fraction:
    """Generalised Hamming distance (Bookstein, Kulyukin & Raita 2002), a cost."""
    reference, hypothesis, n = _sides(given)
    single = Fraction(insertion), Fraction(deletion)
    sides = tuple(sorted(hypothesis)), tuple(sorted(reference))
    return _cheapest(*sides, single, Fraction(shift), n)[0]


def _edits(given: dict[str, Any], span: int) -> tuple[Fraction, int, int, int]:
    """Cost and number of edits, matched boundaries, and places (Fournier 2013)."""
    reference, hypothesis, n = _sides(given)
    left, right = (tuple(sorted(x)) for x in (hypothesis - reference, reference - hypothesis))
    one = Fraction(1)
    cost, edits = _cheapest(left, right, (one, one), Fraction(1, span), span - 1)
    return cost, edits, len(reference & hypothesis), n - 1


def boundary_similarity(given: dict[str, Any], span: int) -> Fraction:
    cost, edits, matched, _ = _edits(given, span)
    return 1 - ratio(cost, edits + matched, NO_BOUNDARY)


def segmentation_similarity(given: dict[str, Any], span: int) -> Fraction:
    cost, _, _, places = _edits(given, span)
    return 1 - ratio(cost, places, "no place for a boundary")


SEGMENTATIONS: dict[str, Callable[..., Fraction]] = {
    "pk": lambda given, k: _windows(given, k, exact=False),
    "window_diff": lambda given, k: _windows(given, k, exact=True),
    "ghd": ghd,
    "boundary_similarity": boundary_similarity,
    "segmentation_similarity": segmentation_similarity,
}

Entity = frozenset[int]


def _entities(given: dict[str, Any], annotator: int) -> list[Entity]:
    column = [row[annotator] for row in given["chains"]]
    names = {name for name in column if name is not None}
    return [frozenset(i for i, one in enumerate(column) if one == name) for name in names]


def _f(matched: tuple[Fraction, Fraction], sizes: tuple[int, int], reason: str) -> Fraction:
    if not any(sizes):
        raise UndefinedError(reason)
    one, other = (x / n if n else Fraction(0) for x, n in zip(matched, sizes, strict=True))
    return 2 * one * other / (one + other) if one + other else Fraction(0)


NO_MENTION = "no pair of annotators linked any mention"


def muc(given: dict[str, Any]) -> Fraction:
    def kept(own: list[Entity], others: list[Entity]) -> tuple[Fraction, int]:
        links = parts = 0
        for chain in own:
            inside = [other & chain for other in others if other & chain]
            parts += len(inside) + len(chain) - sum(map(len, inside))
            links += len(chain)
        return Fraction(links - parts), links - len(own)

    first, second = _entities(given, 0), _entities(given, 1)
    one, other = kept(first, second), kept(second, first)
    return _f((one[0], other[0]), (one[1], other[1]), NO_MENTION)


def b_cubed(given: dict[str, Any]) -> Fraction:
    first, second = _entities(given, 0), _entities(given, 1)

    def matched(own: list[Entity], others: list[Entity]) -> Fraction:
        return sum((Fraction(len(c & k) ** 2, len(c)) for c in own for k in others), Fraction(0))

    sizes = sum(map(len, first)), sum(map(len, second))
    return _f((matched(first, second), matched(second, first)), sizes, NO_MENTION)


def _ceaf(given: dict[str, Any], alike: Callable[[Entity, Entity], Fraction], by: str) -> Fraction:
    first, second = sorted((_entities(given, 0), _entities(given, 1)), key=len)
    best = max(
        sum((alike(c, k) for c, k in zip(first, chosen, strict=True)), Fraction(0))
        for chosen in permutations(second, len(first))
    )
    sizes = [sum(map(len, x)) if by == "mentions" else len(x) for x in (first, second)]
    return _f((best, best), (sizes[0], sizes[1]), NO_MENTION)


def blanc(given: dict[str, Any]) -> Fraction:
    """Mean of F of coreferent and of other links, of all mentions that a side marked."""

    def links(chains: list[Entity]) -> tuple[set[Entity], set[Entity]]:
        together = {frozenset(pair) for chain in chains for pair in combinations(chain, 2)}
        every = {frozenset(pair) for pair in combinations(frozenset().union(*chains), 2)}
        return together, every - together

    first, second = links(_entities(given, 0)), links(_entities(given, 1))
    found = []
    for one, other in zip(first, second, strict=True):
        if one or other:
            same = Fraction(len(one & other))
            found.append(_f((same, same), (len(one), len(other)), NO_MENTION))
    if not found:
        raise UndefinedError(NO_MENTION)
    return mean(found)


def _ceaf_m(given: dict[str, Any]) -> Fraction:
    return _ceaf(given, lambda c, k: Fraction(len(c & k)), "mentions")


def _ceaf_e(given: dict[str, Any]) -> Fraction:
    return _ceaf(given, lambda c, k: Fraction(2 * len(c & k), len(c) + len(k)), "chains")


def chain_alpha(given: dict[str, Any], distance: str) -> Fraction:
    """α whose labels are the sets of mentions in the same chain (Passonneau 2004)."""
    sets = [
        [None if x is None else sorted(_chain_of(given, i, a)) for a, x in enumerate(row)]
        for i, row in enumerate(given["chains"])
    ]
    items = {"labels": sets, "tagset": []}
    return krippendorff_alpha(items, missing="paired", distance=distance)


def _chain_of(given: dict[str, Any], mention: int, annotator: int) -> Entity:
    return next(chain for chain in _entities(given, annotator) if mention in chain)


CHAINS: dict[str, Callable[..., Fraction]] = {
    "muc": muc,
    "b_cubed": b_cubed,
    "ceaf_m": _ceaf_m,
    "ceaf_e": _ceaf_e,
    "blanc": blanc,
    "conll": lambda given: mean((muc(given), b_cubed(given), _ceaf_e(given))),
    "chain_alpha": chain_alpha,
}

NONE = "(none)"


def _links(given: dict[str, Any], directed: bool) -> list[list[str | None]]:
    """A row for each two places: the relation of each annotator, `NONE`, or None without a unit."""
    places = range(len(given["present"]))
    drawn = {}
    for source, target, category, annotator in given["relations"]:
        ends = (source, target) if directed else tuple(sorted((source, target)))
        drawn[annotator, ends] = category
    pairs = permutations(places, 2) if directed else combinations(places, 2)
    return [
        [
            drawn.get((a, pair), NONE) if all(given["present"][p][a] for p in pair) else None
            for a in range(len(given["present"][0]))
        ]
        for pair in pairs
    ]


def relation_alpha(given: dict[str, Any], directed: bool, of: str) -> Fraction:
    """Nominal α of presence (drawn or not), category (with none) or typing (without none)."""
    rows = _links(given, directed)
    if of == "presence":
        rows = [[x if x in (None, NONE) else "drawn" for x in row] for row in rows]
    if of == "typing":
        rows = [[None if x == NONE else x for x in row] for row in rows]
    tagset = sorted({x for row in rows for x in row if x})
    return krippendorff_alpha({"labels": rows, "tagset": tagset}, "paired", "nominal")


def relation_f(given: dict[str, Any], directed: bool, of: str) -> Fraction:
    """Mutual F of relations, added over pairs of annotators (Hripcsak & Rothschild 2005)."""
    alike = drawn = 0
    for row in _links(given, directed):
        for one, other in combinations(row, 2):
            if one is not None and other is not None:
                drawn += (one != NONE) + (other != NONE)
                both = NONE not in (one, other)
                alike += both and (of == "presence" or one == other)
    return ratio(2 * alike, drawn, "no relation drawn")


RELATIONS: dict[str, Callable[..., Fraction]] = {
    "relation_alpha": relation_alpha,
    "relation_f": relation_f,
}
