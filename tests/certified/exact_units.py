"""Measures on located units in exact fractions: alignments by brute force, α_U, uα family."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product
from typing import Any, NamedTuple

from .exact_numbers import UndefinedError, ratio

NO_UNIT = "no annotator marked a unit"
NO_CHANCE = "no disagreement is expected by chance"
Pairing = tuple[int, ...]  # numbers of the units of one unitary alignment


class Unit(NamedTuple):
    """A located unit of one annotator."""

    annotator: str
    start: int
    end: int
    category: str


def units_of(given: dict[str, Any]) -> list[Unit]:
    found = [Unit(*row) for row in given["units"]]
    if not found:
        raise UndefinedError(NO_UNIT)
    return found


def _cost(u: Unit, v: Unit, settings: dict[str, Any]) -> Fraction:
    """Dissimilarity of two units: a · position + b · category (Mathet & others 2011, 2015)."""
    empty = Fraction(settings["delta_empty"])
    apart = abs(u.start - v.start) + abs(u.end - v.end)
    lengths = (u.end - u.start) + (v.end - v.start)
    position = {
        "positional": Fraction(apart, lengths) ** 2 * empty,
        "sporadic": Fraction(2 * apart, lengths) ** 2,
    }[settings["position"]]
    category = (u.category != v.category) * empty
    return Fraction(settings["alpha"]) * position + Fraction(settings["beta"]) * category


def _disorder(pairing: Pairing, units: list[Unit], n: int, settings: dict[str, Any]) -> Fraction:
    """Mean over the n(n − 1)/2 pairs of a unitary alignment; a pair with an empty unit is Δ∅."""
    real = sum(
        (_cost(units[u], units[v], settings) for u, v in combinations(pairing, 2)), Fraction(0)
    )
    pairs = n * (n - 1) // 2
    n_empty = pairs - len(pairing) * (len(pairing) - 1) // 2
    return (real + n_empty * Fraction(settings["delta_empty"])) / pairs


def alignments(given: dict[str, Any], settings: dict[str, Any], soft: bool = False) -> Best:
    """Find the least sum of disorders for each number of unitary alignments, by brute force.

    The first unit that is not yet aligned is put into every unitary alignment that it can be in,
    unless its units alone would cost less; `soft` lets the others be in several.
    """
    return _alignments(json.dumps(given), json.dumps(settings), soft)


@cache
def _alignments(given_text: str, settings_text: str, soft: bool) -> Best:
    given, settings = json.loads(given_text), json.loads(settings_text)
    units = units_of(given)
    annotators = given["annotators"]
    of = [[u for u, unit in enumerate(units) if unit.annotator == name] for name in annotators]
    owner = {u: a for a, own in enumerate(of) for u in own}
    everything, empty = (1 << len(units)) - 1, Fraction(settings["delta_empty"])

    def pairings_with(first: int, free: int) -> Iterator[Pairing]:
        some = [
            [first] if owner[first] == a else [None, *(u for u in own if free >> u & 1)]
            for a, own in enumerate(of)
        ]
        for chosen in product(*some):
            pairing = tuple(u for u in chosen if u is not None)
            if disorder(pairing) <= len(pairing) * empty:
                yield pairing

    @cache
    def disorder(pairing: Pairing) -> Fraction:
        return _disorder(pairing, units, len(annotators), settings)

    @cache
    def best(left: int) -> Best:
        if not left:
            return {0: (Fraction(0), 1, ())}
        first = (left & -left).bit_length() - 1
        found: Best = {}
        for pairing in pairings_with(first, everything if soft else left):
            rest = left & ~sum(1 << u for u in pairing)
            for size, (cost, times, chosen) in best(rest).items():
                total = cost + disorder(pairing)
                known = found.get(size + 1)
                if known is None or total < known[0]:
                    found[size + 1] = (total, times, (pairing, *chosen))
                elif total == known[0]:
                    found[size + 1] = (total, known[1] + times, known[2])
        return found

    return best(everything)


Best = dict[int, tuple[Fraction, int, tuple[Pairing, ...]]]


def _least_sum(found: Best) -> Fraction:
    return min(cost for cost, _, _ in found.values())


def gamma_disorder(given: dict[str, Any], soft: bool = False, **settings: Any) -> Fraction:
    """δ: the least sum of unitary disorders over the mean number of units per annotator."""
    per_annotator = Fraction(len(units_of(given)), len(given["annotators"]))
    return _least_sum(alignments(given, settings, soft)) / per_annotator


def gamma_with_chance(given: dict[str, Any], expected: str, **settings: Any) -> Fraction:
    """γ = 1 − δ/δ_e for a given expected disorder."""
    return 1 - gamma_disorder(given, **settings) / Fraction(expected)


def soft_disorder(given: dict[str, Any], **settings: Any) -> Fraction:
    return gamma_disorder(given, soft=True, **settings)


def holistic_disorder(given: dict[str, Any], **settings: Any) -> Fraction:
    """Least mean of unitary disorders (Mathet & Widlöcher 2011)."""
    return min(cost / size for size, (cost, _, _) in alignments(given, settings).items())


def gamma_cat(given: dict[str, Any], **settings: Any) -> Fraction:
    """γ-cat on the best alignment of γ, which has to be the only one (Mathet 2017)."""
    units, found = units_of(given), alignments(given, settings)
    least = _least_sum(found)
    ways = [(times, chosen) for cost, times, chosen in found.values() if cost == least]
    if len(ways) > 1 or ways[0][0] > 1:
        raise ValueError("several alignments have the least disorder")
    empty = Fraction(settings["delta_empty"])
    only_position = {**settings, "alpha": 1, "beta": 0}
    cost, weight = Fraction(0), Fraction(0)
    for pairing in ways[0][1]:
        for u, v in combinations(pairing, 2):
            near = max(Fraction(0), 1 - _cost(units[u], units[v], only_position) / empty)
            weight += near / (len(pairing) - 1)
            cost += near / (len(pairing) - 1) * (units[u].category != units[v].category)
    used = [unit.category for unit in units]
    same = sum(Fraction(used.count(name), len(used)) ** 2 for name in set(used))
    observed = ratio(cost, weight, "no two units that stand near each other are aligned")
    return 1 - ratio(observed, 1 - same, "single category used")


def _most_pairs(partners: list[set[int]]) -> int:
    """Return the largest number of pairs in which no partner occurs twice, by brute force.

    partners  of each unit of one annotator, the units of the other that it may be paired with
    """
    if not partners:
        return 0
    first, *rest = partners
    found = [1 + _most_pairs([some - {one} for some in rest]) for one in first]
    return max([_most_pairs(rest), *found])


def _match(u: Unit, v: Unit, by: str, tolerance: int, least: Fraction) -> bool:
    """Whether two units may be paired: by their bounds, or by an overlap of `least` (Jaccard)."""
    if by in ("exact", "type") and u.category != v.category:
        return False
    if by in ("exact", "bounds"):
        return max(abs(u.start - v.start), abs(u.end - v.end)) <= tolerance
    shared = min(u.end, v.end) - max(u.start, v.start)
    return shared > 0 and Fraction(shared, max(u.end, v.end) - min(u.start, v.start)) >= least


def pairwise_f(
    given: dict[str, Any], by: str, tolerance: int = 0, min_overlap: str = "0"
) -> Fraction:
    """Mutual F of units, added over pairs of annotators (Hripcsak & Rothschild 2005)."""
    units, alike, marked = units_of(given), 0, 0
    for one, other in combinations(given["annotators"], 2):
        left, right = ([u for u in units if u.annotator == name] for name in (one, other))
        partners = [
            {k for k, v in enumerate(right) if _match(u, v, by, tolerance, Fraction(min_overlap))}
            for u in left
        ]
        alike += 2 * _most_pairs(partners)
        marked += len(left) + len(right)
    return ratio(alike, marked, NO_UNIT)


def pairwise_f_characters(given: dict[str, Any]) -> Fraction:
    """Mutual F of positions with their category, one for each unit that covers the position."""
    covered: dict[str, Counter[tuple[int, str]]] = {name: Counter() for name in given["annotators"]}
    for unit in units_of(given):
        covered[unit.annotator].update((x, unit.category) for x in range(unit.start, unit.end))
    pairs = list(combinations(covered.values(), 2))
    alike = sum((one & other).total() for one, other in pairs)
    return ratio(2 * alike, sum(one.total() + other.total() for one, other in pairs), NO_UNIT)


class Segment(NamedTuple):
    """A unit with its category, or a gap with None."""

    start: int
    end: int
    category: str | None


def _tiled(units: list[Unit], length: int) -> list[Segment]:
    """Return the units of one annotator with the gaps between them."""
    found, at = [], 0
    for unit in sorted(units, key=lambda one: (one.start, one.end)):
        if unit.start > at:
            found.append(Segment(at, unit.start, None))
        found.append(Segment(unit.start, unit.end, unit.category))
        at = unit.end
    return [*found, Segment(at, length, None)] if at < length else found


def _lines(given: dict[str, Any], category: str | None = None) -> list[list[Segment]]:
    units = units_of(given)
    return [
        _tiled(
            [u for u in units if u.annotator == name and category in (None, u.category)],
            given["length"],
        )
        for name in given["annotators"]
    ]


def alpha_u(given: dict[str, Any], category: str) -> Fraction:
    """α_U of one category, or of `all` (Krippendorff 1995, with the corrected sign of 2004)."""
    names = given["tagset"] if category == "all" else [category]
    units = [u for u in units_of(given) if u.category in names]
    if not units:
        raise UndefinedError(NO_UNIT)
    observed = sum((_alpha_u_observed(_lines(given, name), given) for name in names), Fraction(0))
    expected = sum((_alpha_u_expected(_lines(given, name), given) for name in names), Fraction(0))
    return 1 - ratio(observed, expected, NO_CHANCE)


def _alpha_u_observed(lines: list[list[Segment]], given: dict[str, Any]) -> Fraction:
    total = 0
    for one, other in permutations(lines, 2):
        for g, h in product(one, other):
            if g.category and h.category and g.start < h.end and h.start < g.end:
                total += (g.start - h.start) ** 2 + (g.end - h.end) ** 2
            elif g.category and not h.category and h.start <= g.start and g.end <= h.end:
                total += (g.end - g.start) ** 2
            elif h.category and not g.category and g.start <= h.start and h.end <= g.end:
                total += (h.end - h.start) ** 2
    m = len(lines)
    return Fraction(total, m * (m - 1) * given["length"] ** 2)


def _alpha_u_expected(lines: list[list[Segment]], given: dict[str, Any]) -> Fraction:
    every = [segment for line in lines for segment in line]
    units = [s.end - s.start for s in every if s.category]
    gaps = [s.end - s.start for s in every if not s.category]
    if not units:
        return Fraction(0)
    above = sum(
        Fraction(len(units) - 1, 3) * (2 * size**3 - 3 * size**2 + size)
        + size**2 * sum(gap - size + 1 for gap in gaps if gap >= size)
        for size in units
    )
    atoms = len(lines) * given["length"]
    below = atoms * (atoms - 1) - sum(size * (size - 1) for size in units)
    return Fraction(2, given["length"]) * above / below


GAP = "φ"


def _coincidences(given: dict[str, Any], merged: bool) -> tuple[dict[Any, Fraction], Any]:
    """ℓ_ck by atoms of length 1, and the self terms s_c of the whole segments."""
    lines = _lines(given)
    m = len(lines)

    def name(segment: Segment) -> str:
        if segment.category is None:
            return GAP
        return "unit" if merged else segment.category

    at = [{x: name(s) for s in line for x in range(s.start, s.end)} for line in lines]
    lengths: dict[Any, Fraction] = {}
    for x in range(given["length"]):
        for one, other in permutations(at, 2):
            pair = (one[x], other[x])
            lengths[pair] = lengths.get(pair, Fraction(0)) + Fraction(1, m - 1)
    selves: dict[str, Fraction] = {}
    for segment in (s for line in lines for s in line):
        size = segment.end - segment.start
        own = size**2 if segment.category else size
        selves[name(segment)] = selves.get(name(segment), Fraction(0)) + own
    return lengths, selves


def _restricted(given: dict[str, Any]) -> tuple[dict[Any, Fraction], dict[str, Fraction]]:
    """ℓ_ck without gaps, and the squared lengths that units share with the others' units."""
    lengths, _ = _coincidences(given, merged=False)
    kept = {pair: size for pair, size in lengths.items() if GAP not in pair}
    lines = _lines(given)
    marked = [{x for s in line if s.category for x in range(s.start, s.end)} for line in lines]
    selves: dict[str, Fraction] = {}
    for a, line in enumerate(lines):
        others = [one for b, one in enumerate(marked) if b != a]
        for segment in (s for s in line if s.category):
            inside = range(segment.start, segment.end)
            shared = Fraction(sum(x in one for one in others for x in inside), len(others))
            name = str(segment.category)
            selves[name] = selves.get(name, Fraction(0)) + shared**2
    return kept, selves


def _alpha_of(lengths: dict[Any, Fraction], selves: dict[Any, Fraction]) -> Fraction:
    total = sum(lengths.values())
    margins = _margins(lengths)
    differ = sum(size for (c, k), size in lengths.items() if c != k)
    apart = total**2 - sum(size**2 for size in margins.values())
    expected = apart / ratio(total - sum(selves.values()) / total, 1, NO_CHANCE)
    return 1 - ratio(differ, expected, NO_CHANCE)


def _margins(lengths: dict[Any, Fraction]) -> dict[str, Fraction]:
    found: dict[str, Fraction] = {}
    for (c, _), size in lengths.items():
        found[c] = found.get(c, Fraction(0)) + size
    return found


def cu_alpha(given: dict[str, Any]) -> Fraction:
    lengths, selves = _restricted(given)
    if not lengths:
        raise UndefinedError("no unit of one annotator meets a unit of another")
    return _alpha_of(lengths, selves)


def ku_alpha(given: dict[str, Any], category: str) -> Fraction:
    """1 − (ε_·k/ℓ_·k) (ℓ_·k − ℓ_kk)/(ε_·k − ε_kk) on the matrices without gaps."""
    lengths, selves = _restricted(given)
    margins = _margins(lengths)
    total = sum(lengths.values())
    own = margins.get(category, Fraction(0))
    if not own:
        raise UndefinedError("no unit of one annotator meets a unit of another")
    pairs = total - sum(selves.values()) / total
    expected = (total * own - selves[category]) / pairs
    expected_same = (own**2 - selves[category]) / pairs
    differ = own - lengths.get((category, category), Fraction(0))
    return 1 - expected / own * ratio(differ, expected - expected_same, NO_CHANCE)


UNITS: dict[str, Callable[..., Fraction]] = {
    "gamma_disorder": gamma_disorder,
    "soft_gamma_disorder": soft_disorder,
    "holistic_disorder": holistic_disorder,
    "gamma_with_chance": gamma_with_chance,
    "gamma_cat": gamma_cat,
    "pairwise_f": lambda given, **how: pairwise_f(given, "exact", **how),
    "pairwise_f_bounds": lambda given, **how: pairwise_f(given, "bounds", **how),
    "pairwise_f_overlap": lambda given, **how: pairwise_f(given, "overlap", **how),
    "pairwise_f_type": lambda given, **how: pairwise_f(given, "type", **how),
    "pairwise_f_characters": pairwise_f_characters,
    "alpha_u": alpha_u,
    "u_alpha": lambda given: _alpha_of(*_coincidences(given, merged=False)),
    "u_alpha_binary": lambda given: _alpha_of(*_coincidences(given, merged=True)),
    "cu_alpha": cu_alpha,
    "ku_alpha": ku_alpha,
}
