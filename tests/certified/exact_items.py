"""Coefficients on items, ratings and rankings in exact fractions, by their definitions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

from .exact_numbers import UndefinedError, mean, ratio, sine_squared_of_turn, square_root

Label = Any
Row = tuple[int, list[Label]]  # how often it occurs, a label or None for each annotator
Distance = Callable[[Label, Label], Fraction]

ONE_CATEGORY = "single category used"
NO_PAIR = "no item with two labels"
TWO_ONLY = "two annotators are compared"


def rows_of(given: dict[str, Any], missing: str) -> list[Row]:
    """Return the rows that a convention on missing labels uses; sets of labels as frozensets."""
    table = [[frozenset(x) if isinstance(x, list) else x for x in row] for row in given["labels"]]
    rows = list(zip(given.get("times", [1] * len(table)), table, strict=True))
    fewest = {"available": 1, "paired": 2, "pairwise": 1, "complete": len(table[0])}[missing]
    return [row for row in rows if len(labels_of(row)) >= fewest]


def labels_of(row: Row) -> list[Label]:
    return [label for label in row[1] if label is not None]


def _number(value: Any) -> Fraction:
    return Fraction(str(value))


def distance_of(name: str, given: dict[str, Any], rows: Iterable[Row]) -> Distance:
    """Return the distance of this name; `ordinal` depends on how often the labels are used."""
    tagset = given["tagset"]
    if name == "nominal":
        return lambda c, k: Fraction(c != k)
    if name in SET_DISTANCES:
        return lambda c, k: 1 - SET_DISTANCES[name](c, k)
    if name == "table":
        place = {label: k for k, label in enumerate(tagset)}
        return lambda c, k: _number(given["distances"][place[c]][place[k]])
    if name == "ordinal":
        used = [label for row in rows for label in labels_of(row) for _ in range(row[0])]
        middle = {t: Fraction(used.count(t), 2) for t in tagset}
        below = {t: sum(used.count(s) for s in tagset[:k]) for k, t in enumerate(tagset)}
        return lambda c, k: (below[c] + middle[c] - below[k] - middle[k]) ** 2
    if name.startswith("circular/"):
        circle = _number(name.partition("/")[2])
        return lambda c, k: sine_squared_of_turn((_number(c) - _number(k)) / circle)
    scale, _, by = name.removeprefix("gwet_").partition("_")
    ranks = {label: Fraction(k + 1) for k, label in enumerate(tagset)}
    numeric = by != "ranks" and scale != "ordinal"
    place_of = {label: _number(label) if numeric else ranks[label] for label in tagset}
    low, high = min(place_of.values()), max(place_of.values())

    def apart(c: Label, k: Label) -> Fraction:
        return PLAIN_DISTANCES[scale](place_of[c], place_of[k], low, high)

    if not name.startswith("gwet_"):
        return apart
    largest = max(apart(c, k) for c in tagset for k in tagset)
    return lambda c, k: apart(c, k) / largest


def _bipolar(c: Fraction, k: Fraction, low: Fraction, high: Fraction) -> Fraction:
    below = (c + k - 2 * low) * (2 * high - c - k)
    return (c - k) ** 2 / below if below else Fraction(0)


PLAIN_DISTANCES: dict[str, Callable[[Fraction, Fraction, Fraction, Fraction], Fraction]] = {
    "linear": lambda c, k, low, high: abs(c - k),
    "quadratic": lambda c, k, low, high: (c - k) ** 2,
    "interval": lambda c, k, low, high: (c - k) ** 2,
    "ratio": lambda c, k, low, high: ((c - k) / (c + k)) ** 2 if c + k else Fraction(0),
    "radical": lambda c, k, low, high: square_root(abs(c - k)),
    "ordinal": lambda c, k, low, high: abs(c - k) * (abs(c - k) + 1) / 2,
    "bipolar": _bipolar,
}


def _jaccard(c: frozenset[str], k: frozenset[str]) -> Fraction:
    return Fraction(len(c & k), len(c | k)) if c | k else Fraction(1)


def _monotonicity(c: frozenset[str], k: frozenset[str]) -> Fraction:
    if c == k:
        return Fraction(1)
    if c <= k or k <= c:
        return Fraction(2, 3)
    return Fraction(1, 3) if c & k else Fraction(0)


SET_DISTANCES: dict[str, Callable[[frozenset[str], frozenset[str]], Fraction]] = {
    "jaccard": _jaccard,
    "dice": lambda c, k: Fraction(2 * len(c & k), len(c) + len(k)) if c or k else Fraction(1),
    "masi": lambda c, k: _jaccard(c, k) * _monotonicity(c, k),
    "passonneau2004": _monotonicity,
}


def _observed(rows: Sequence[Row], distance: Distance) -> Fraction:
    """Mean over items with two labels of the mean distance over their pairs of labels."""
    total, n = Fraction(0), 0
    for times, row in ((row[0], labels_of(row)) for row in rows):
        if len(row) > 1:
            total += times * mean(distance(c, k) for c, k in permutations(row, 2))
            n += times
    return ratio(total, n, NO_PAIR)


def _between(p: dict[Label, Fraction], q: dict[Label, Fraction], distance: Distance) -> Fraction:
    return sum((a * b * distance(c, k) for c, a in p.items() for k, b in q.items()), Fraction(0))


def _shares(rows: Sequence[Row], annotator: int | None = None) -> dict[Label, Fraction]:
    """Mean over items of the share of each label, of all annotators or of one."""
    shares: dict[Label, Fraction] = {}
    n = 0
    for times, row in rows:
        some = [x for x in (row if annotator is None else [row[annotator]]) if x is not None]
        n += times if some else 0
        for label in some:
            shares[label] = shares.get(label, Fraction(0)) + Fraction(times, len(some))
    return {label: share / n for label, share in shares.items()}


def _beyond(observed: Fraction, expected: Fraction) -> Fraction:
    return 1 - ratio(observed, expected, ONE_CATEGORY)


def percent_agreement(given: dict[str, Any], missing: str, distance: str = "nominal") -> Fraction:
    rows = rows_of(given, missing)
    return 1 - _observed(rows, distance_of(distance, given, rows))


def bennett_s(given: dict[str, Any], missing: str, distance: str = "nominal") -> Fraction:
    rows, tagset = rows_of(given, missing), given["tagset"]
    apart = distance_of(distance, given, rows)
    uniform = {label: Fraction(1, len(tagset)) for label in tagset}
    return _beyond(_observed(rows, apart), _between(uniform, uniform, apart))


def fleiss_kappa(given: dict[str, Any], missing: str, distance: str = "nominal") -> Fraction:
    rows = rows_of(given, missing)
    apart, p = distance_of(distance, given, rows), _shares(rows)
    return _beyond(_observed(rows, apart), _between(p, p, apart))


def conger_kappa(given: dict[str, Any], missing: str, distance: str = "nominal") -> Fraction:
    rows = rows_of(given, missing)
    apart = distance_of(distance, given, rows)
    observed = _observed(rows, apart)
    p = [one for a in range(len(given["labels"][0])) if (one := _shares_or_none(rows, a))]
    return _beyond(observed, mean(_between(a, b, apart) for a, b in permutations(p, 2)))


def _shares_or_none(rows: Sequence[Row], annotator: int) -> dict[Label, Fraction] | None:
    return _shares(rows, annotator) if any(row[annotator] is not None for _, row in rows) else None


def _of_two(measure: Callable[..., Fraction]) -> Callable[..., Fraction]:
    def of_two(given: dict[str, Any], **conventions: Any) -> Fraction:
        if len(given["labels"][0]) != 2:
            raise UndefinedError(TWO_ONLY)
        return measure(given, **conventions)

    return of_two


def _of_pairs(given: dict[str, Any], missing: str) -> list[tuple[Fraction, Fraction]]:
    """Observed and expected disagreement of each two annotators on the items both labelled."""
    found = []
    rows = rows_of(given, missing)
    for a, b in combinations(range(len(given["labels"][0])), 2):
        both = [(n, [row[a], row[b]]) for n, row in rows if None not in (row[a], row[b])]
        if both:
            apart = distance_of("nominal", given, both)
            expected = _between(_shares(both, 0), _shares(both, 1), apart)
            found.append((_observed(both, apart), expected))
    if not found:
        raise UndefinedError(NO_PAIR)
    return found


def hubert_kappa(given: dict[str, Any], missing: str) -> Fraction:
    observed, expected = zip(*_of_pairs(given, missing), strict=True)
    return _beyond(mean(observed), mean(expected))


def light_kappa(given: dict[str, Any], missing: str) -> Fraction:
    defined = [1 - o / e for o, e in _of_pairs(given, missing) if e]
    if not defined:
        raise UndefinedError(ONE_CATEGORY)
    return mean(defined)


def krippendorff_alpha(given: dict[str, Any], missing: str, distance: str) -> Fraction:
    rows = rows_of(given, missing)
    apart = distance_of(distance, given, rows)
    used: dict[Label, int] = {}
    observed = Fraction(0)
    for times, row in ((row[0], labels_of(row)) for row in rows):
        pairs = permutations(row, 2) if len(row) > 1 else ()
        observed += times * sum((apart(c, k) for c, k in pairs), Fraction(0)) / max(1, len(row) - 1)
        for label in row:
            used[label] = used.get(label, 0) + times
    n = sum(used.values())
    if not n:
        raise UndefinedError(NO_PAIR)
    counts = {label: Fraction(times) for label, times in used.items()}
    return _beyond(observed / n, _between(counts, counts, apart) / (n * (n - 1)))


def gwet_ac1(given: dict[str, Any], missing: str, distance: str = "nominal") -> Fraction:
    rows, tagset = rows_of(given, missing), given["tagset"]
    apart, p, size = distance_of(distance, given, rows), _shares(rows), len(tagset)
    observed = 1 - _observed(rows, apart)
    if size == 1:
        return observed
    weights = sum(1 - apart(c, k) for c in tagset for k in tagset)
    hard = sum((one * (1 - one) for one in p.values()), Fraction(0))
    expected = weights * hard / (size * (size - 1))
    return 1 - ratio(1 - observed, 1 - expected, ONE_CATEGORY)


def finn_r(given: dict[str, Any], missing: str) -> Fraction:
    rows, tagset = rows_of(given, missing), given["tagset"]
    apart = distance_of("quadratic_ranks", given, rows)
    uniform = Fraction(len(tagset) ** 2 - 1, 12)
    return 1 - ratio(_observed(rows, apart) / 2, uniform, ONE_CATEGORY)


ITEMS: dict[str, Callable[..., Fraction]] = {
    "percent_agreement": percent_agreement,
    "weighted_agreement": percent_agreement,
    "bennett_s": bennett_s,
    "weighted_s": bennett_s,
    "scott_pi": _of_two(fleiss_kappa),
    "fleiss_kappa": fleiss_kappa,
    "weighted_pi": fleiss_kappa,
    "cohen_kappa": _of_two(conger_kappa),
    "conger_kappa": conger_kappa,
    "weighted_kappa": conger_kappa,
    "hubert_kappa": hubert_kappa,
    "light_kappa": light_kappa,
    "krippendorff_alpha": krippendorff_alpha,
    "gwet_ac1": gwet_ac1,
    "gwet_ac2": gwet_ac1,
    "finn_r": finn_r,
}


def _mean_squares(given: dict[str, Any]) -> tuple[int, int, Fraction, Fraction, Fraction, Fraction]:
    """n, k, and mean squares between items, within items, between raters, and of the residual."""
    table = [[_number(x) for x in row] for row in given["ratings"]]
    n, k = len(table), len(table[0])
    items, raters = (
        [mean(row) for row in table],
        [mean(column) for column in zip(*table, strict=True)],
    )
    every = mean(items)
    between = k * sum((one - every) ** 2 for one in items) / (n - 1)
    within = sum((x - m) ** 2 for row, m in zip(table, items, strict=True) for x in row)
    of_raters = n * sum((one - every) ** 2 for one in raters)
    residual = (within - of_raters) / ((n - 1) * (k - 1))
    return n, k, between, within / (n * (k - 1)), of_raters / (k - 1), residual


EQUAL_RATINGS = "all ratings are equal"


def icc(given: dict[str, Any], model: int, average: bool) -> Fraction:
    """Shrout & Fleiss (1979), table 4 and page 426; model 1, 2 or 3."""
    n, k, between, within, raters, residual = _mean_squares(given)
    error = within if model == 1 else residual
    raters_part = (raters - residual) / n if model == 2 else Fraction(0)
    if average and model == 2 and icc(given, 2, average=False) <= Fraction(-1, k - 1):
        raise UndefinedError("ICC(2,1) is at or below −1/(k − 1), the pole of Spearman–Brown")
    if average:
        return ratio(between - error, between + raters_part, "the means of the items do not differ")
    below = between + (k - 1) * error + k * raters_part
    return ratio(between - error, below, EQUAL_RATINGS)


def _differences(given: dict[str, Any], first: int, second: int) -> list[Fraction]:
    pairs = [(row[first], row[second]) for row in given["ratings"]]
    return [_number(a) - _number(b) for a, b in pairs if a is not None and b is not None]


def difference(given: dict[str, Any], first: int, second: int, of: str) -> Fraction:
    """Mean, standard deviation or limits of agreement of two raters (Bland & Altman 1986)."""
    values = _differences(given, first, second)
    middle = mean(values)
    spread = square_root(sum((x - middle) ** 2 for x in values) / (len(values) - 1))
    width = Fraction("1.95996398454005423552459443052055")  # of a normal distribution's 95 %
    return {
        "mean": middle,
        "sd": spread,
        "lower": middle - width * spread,
        "upper": middle + width * spread,
    }[of]


RATINGS: dict[str, Callable[..., Fraction]] = {
    **{
        f"icc_{model}_{form}": lambda given, model=model, form=form: icc(given, model, form == "k")
        for model in (1, 2, 3)
        for form in "1k"
    },
    "mean_difference": lambda given, first, second: difference(given, first, second, "mean"),
    "limits_of_agreement": difference,
}


def kendall_w(given: dict[str, Any], ties: str) -> Fraction:
    """W of m annotators' ratings of n items, ranked with mean ranks (Kendall & Smith 1939)."""
    table = [[_number(x) for x in row] for row in given["ratings"]]
    n, m = len(table), len(table[0])
    columns = list(zip(*table, strict=True))
    ranks = [[Fraction(sum(y < x for y in c) * 2 + c.count(x) + 1, 2) for x in c] for c in columns]
    sums = [sum(column[i] for column in ranks) for i in range(n)]
    spread = sum((one - mean(sums)) ** 2 for one in sums)
    tied = sum(c.count(x) ** 3 - c.count(x) for c in columns for x in set(c))
    below = m**2 * (n**3 - n) - (m * tied if ties == "corrected" else 0)
    return ratio(12 * spread, below, "every annotator ties all items")


RANKINGS: dict[str, Callable[..., Fraction]] = {"kendall_w": kendall_w}
