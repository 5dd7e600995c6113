"""Objects that have a distance, in exact fractions: trees, texts, rankings and boxes."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations
from typing import Any, NamedTuple

from .exact_numbers import UndefinedError, mean, ratio

Distance = Callable[[str, str], Fraction]

NO_PAIR = "no item with two objects"
NO_CHANCE = "all objects are alike: no distance is expected by chance"
NOT_COMPARED = "heads of different sentences are not compared: no distance is expected by chance"


class Tree(NamedTuple):
    """A dependency tree: head (0 for a root) and relation of each token, tokens from 1."""

    heads: tuple[int, ...]
    relations: tuple[str, ...]

    def ancestors(self, token: int) -> list[int]:
        """Return the heads above a token, up to the artificial root 0."""
        found = []
        while token:
            token = self.heads[token - 1]
            found.append(token)
        return found

    def post_order(self, root: int = 0) -> list[int]:
        children = [k for k, head in enumerate(self.heads, 1) if head == root]
        return [node for child in children for node in self.post_order(child)] + [root]


def _tree(text: str) -> Tree:
    heads, relations = zip(*(token.split(":", 1) for token in text.split()), strict=True)
    return Tree(tuple(map(int, heads)), relations)


@cache
def tree_edit(one: str, other: str) -> Fraction:
    """Least number of deleted, inserted and relabelled nodes, by all mappings (Tai 1979).

    A mapping pairs nodes so that pairs keep their order in post-order and who is above whom; nodes
    without a partner are deleted or inserted.
    """
    first, second = _tree(one), _tree(other)
    left, right = first.post_order(), second.post_order()
    above = [
        {left.index(x): set(first.ancestors(x)) for x in left},
        {right.index(x): set(second.ancestors(x)) for x in right},
    ]
    names = [
        ["root" if x == 0 else tree.relations[x - 1] for x in order]
        for tree, order in ((first, left), (second, right))
    ]
    best = len(left) + len(right)

    def extend(i: int, j: int, cost: int, pairs: tuple[tuple[int, int], ...]) -> None:
        """Decide on node i; the nodes of the other tree from j on are free."""
        nonlocal best
        if cost + abs((len(left) - i) - (len(right) - j)) >= best:
            return
        if i == len(left):
            best = cost + len(right) - j
            return
        for k in range(j, len(right)):
            if all((left[i] in above[0][a]) == (right[k] in above[1][b]) for a, b in pairs):
                relabelled = names[0][i] != names[1][k]
                extend(i + 1, k + 1, cost + k - j + relabelled, (*pairs, (i, k)))
        extend(i + 1, j, cost + 1, pairs)

    extend(0, 0, 0, ())
    return Fraction(best)


def _attachment(one: str, other: str, labelled: bool) -> Fraction:
    """Share of the tokens of the longer sentence whose head, or relation if labelled, differs."""
    sides = [list(zip(*_tree(text), strict=True)) for text in (one, other)]
    size = max(map(len, sides))
    parts = 2 if labelled else 1
    same = sum(a[:parts] == b[:parts] for a, b in zip(*sides, strict=False))
    return 1 - Fraction(same, size)


def _written(text: str, normalised: bool) -> str:
    """Unite composed characters; if normalised, also case and forms, without punctuation."""
    if not normalised:
        return unicodedata.normalize("NFC", text)
    folded = unicodedata.normalize("NFKC", text.casefold())
    return "".join(x for x in folded if unicodedata.category(x)[0] not in "PS")


def _error(one: str, other: str, by: str, normalised: bool = False) -> Fraction:
    """Levenshtein's distance of words or characters over the length of the longer text."""
    words = [_written(text, normalised).split() for text in (one, other)]
    a, b = words if by == "word" else [list(" ".join(some)) for some in words]
    return Fraction(_edits(tuple(a), tuple(b)), max(len(a), len(b), 1))


@cache
def _edits(a: tuple[str, ...], b: tuple[str, ...]) -> int:
    if not a or not b:
        return len(a) + len(b)
    if a[0] == b[0]:
        return _edits(a[1:], b[1:])
    return 1 + min(_edits(a[1:], b), _edits(a, b[1:]), _edits(a[1:], b[1:]))


def kendall_tau(one: str, other: str) -> Fraction:
    """Share of pairs of candidates in another order; tied in one ranking only counts 1/2."""
    places = [
        {name.strip(): k for k, group in enumerate(text.split(">")) for name in group.split("=")}
        for text in (one, other)
    ]
    names = sorted({*places[0], *places[1]})
    if len(names) < 2:
        return Fraction(0)

    def order(side: int, x: str, y: str) -> int:
        a, b = (places[side].get(name, len(names)) for name in (x, y))
        return (a > b) - (a < b)

    return mean(
        Fraction(abs(order(0, x, y) - order(1, x, y)), 2) for x, y in combinations(names, 2)
    )


Box = tuple[list[Fraction], str]


def _boxes(text: str) -> list[Box]:
    rows = [] if text == "none" else [part.split(None, 4) for part in text.split(";")]
    return [([Fraction(x) for x in row[:4]], (row[4:] or [""])[0].strip()) for row in rows]


def _overlap(one: Box, other: Box, labelled: bool) -> Fraction:
    """Intersection over union of two boxes; 0 for other categories if labelled."""
    if labelled and one[1] != other[1]:
        return Fraction(0)
    common = Fraction(1)
    for axis in (0, 1):
        sides = [(box[axis], box[axis] + box[axis + 2]) for box, _ in (one, other)]
        (start, end), (start_2, end_2) = sides
        common *= max(Fraction(0), min(end, end_2) - max(start, start_2))
    areas = [box[2] * box[3] for box, _ in (one, other)]
    return common / (sum(areas) - common)


def _apart(one: str, other: str, labelled: bool) -> Fraction:
    """1 − the sum of overlaps of the best matching over the number of boxes of the larger set."""
    fewer, more = sorted((_boxes(one), _boxes(other)), key=len)
    if not more:
        return Fraction(0)
    best = max(
        sum((_overlap(a, b, labelled) for a, b in zip(fewer, some, strict=True)), Fraction(0))
        for some in permutations(more, len(fewer))
    )
    return 1 - best / len(more)


DISTANCES: dict[str, Distance] = {
    "tree_edit": tree_edit,
    "tree_edit_squared": lambda a, b: tree_edit(a, b) ** 2,
    "uas": lambda a, b: _attachment(a, b, labelled=False),
    "las": lambda a, b: _attachment(a, b, labelled=True),
    "word_error": lambda a, b: _error(a, b, "word"),
    "character_error": lambda a, b: _error(a, b, "character"),
    "word_error_normalised": lambda a, b: _error(a, b, "word", normalised=True),
    "character_error_normalised": lambda a, b: _error(a, b, "character", normalised=True),
    "kendall_tau": kendall_tau,
    "box_iou": lambda a, b: _apart(a, b, labelled=False),
    "labelled_box_iou": lambda a, b: _apart(a, b, labelled=True),
}


def _paired(given: dict[str, Any]) -> list[list[str]]:
    """Return the objects of each item that has two or more."""
    rows = [[x for x in row if x is not None] for row in given["objects"]]
    kept = [row for row in rows if len(row) > 1]
    if not kept:
        raise UndefinedError(NO_PAIR)
    return kept


def _observed(rows: Sequence[Sequence[str]], apart: Distance) -> Fraction:
    """Mean over objects of their mean distance to the others on their item."""
    return mean(
        mean(apart(one, other) for k, other in enumerate(row) if k != own)
        for row in rows
        for own, one in enumerate(row)
    )


def mean_distance(given: dict[str, Any], distance: str) -> Fraction:
    return _observed(_paired(given), DISTANCES[distance])


def _chance(
    given: dict[str, Any], distance: str, same_item: bool
) -> tuple[list[list[str]], list[Fraction]]:
    """Objects by item, and the distances of all pairs, of one item too only if `same_item`."""
    rows = _paired(given)
    if distance in ("uas", "las"):
        raise UndefinedError(NOT_COMPARED)
    objects = [(i, one) for i, row in enumerate(rows) for one in row]
    pairs = [(a, b) for (i, a), (j, b) in combinations(objects, 2) if same_item or i != j]
    if not pairs:
        raise UndefinedError("a single item: there are no objects of other items to compare with")
    return rows, [DISTANCES[distance](a, b) for a, b in pairs]


def alpha(given: dict[str, Any], distance: str, same_item: bool = True) -> Fraction:
    rows, chance = _chance(given, distance, same_item)
    return 1 - ratio(_observed(rows, DISTANCES[distance]), mean(chance), NO_CHANCE)


def ks(given: dict[str, Any], distance: str) -> Fraction:
    """Largest difference of the shares of observed and of expected distances up to a bound."""
    rows, chance = _chance(given, distance, same_item=False)
    if not any(chance):
        raise UndefinedError(NO_CHANCE)
    observed = [DISTANCES[distance](a, b) for row in rows for a, b in combinations(row, 2)]
    return max(
        mean(x <= bound for x in observed) - mean(x <= bound for x in chance)
        for bound in (*observed, max(chance))
    )


OBJECTS: dict[str, Callable[..., Fraction]] = {
    "mean_distance": mean_distance,
    "krippendorff_alpha": alpha,
    "alpha_random2": lambda given, distance: alpha(given, distance, same_item=False),
    "ks": ks,
}
