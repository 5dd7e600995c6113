"""Groups of annotators: do they agree within groups more than between them?

Of each group against all others: Krippendorff's α within the group, cross-replication reliability
κ_x between the two sides (Wong, Paritosh & Aroyo 2021), and κ_x normalised by the agreement within
both sides, which is 1 where groups make no difference. The groups of an attribute are compared as
in Prabhakaran et al. (2024), "GRASP: A Disagreement Analysis Framework to Assess Group Associations
in Perspectives", with a permutation test: annotators are dealt to groups of the same sizes at
random, and the excess of agreement within over agreement between the sides is compared.

A group below `smallest_group` annotators has no value, and its annotators take part in no
comparison of the attribute: nothing can be found out about them from the other values.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from ..differences import holm
from ..estimate import Estimate
from ..options import GroupComparison, Sampling
from .cross_replication import cross_replication
from .distances import Distance
from .evaluate import evaluate_matrix
from .label_matrix import LabelMatrix

WITHIN = "krippendorff_alpha"
DEFAULT = GroupComparison()
MOST_TESTED = 5000  # items in the permutation test, drawn from more


@dataclass(frozen=True, slots=True)
class GroupAgreement:
    """One group against the annotators of all other groups.

    within      α of the group
    between     κ_x of the group and the others
    normalized  κ_x / √(α · α of the others): 1 where the two sides agree as within themselves
    excess      mean α of both sides − κ_x, on the items that both labelled
    p_value     share of random groupings of these sizes with as large an excess; one-sided
    least_p     the smallest p-value that groups of these sizes can have
    """

    name: str
    n_annotators: int
    within: Estimate
    between: Estimate
    normalized: Estimate
    excess: float
    p_value: float = math.nan
    p_corrected: float = math.nan
    least_p: float = math.nan


@dataclass(frozen=True, slots=True)
class AttributeComparison:
    """The groups of one attribute of annotators.

    n_hidden          groups that are smaller than allowed, with their annotators
    n_unknown         annotators without a value of the attribute
    """

    attribute: str
    groups: tuple[GroupAgreement, ...]
    n_hidden: int = 0
    n_hidden_annotators: int = 0
    n_unknown: int = 0


def compare_groups(
    matrix: LabelMatrix,
    attribute: str,
    values: Mapping[str, str],
    *,
    distance: Distance = "nominal",
    options: GroupComparison = DEFAULT,
    sampling: Sampling,
) -> AttributeComparison:
    """Agreement within and between the groups of an attribute.

    values  annotator → value of the attribute
    No group is compared unless two have `options.smallest_group` annotators who gave labels. All
    groupings are tested where they are not more than `options.permutations`. p-values are
    corrected for the groups of the attribute (Holm 1979). Raises RoleError for systems.
    """
    matrix.require_humans("Agreement of groups")
    labelled = (matrix.codes >= 0).any(axis=0)
    columns: dict[str, list[int]] = {}
    n_unknown = 0
    for column in np.flatnonzero(labelled).tolist():
        value = values.get(matrix.annotators[column], "")
        if value:
            columns.setdefault(value, []).append(column)
        else:
            n_unknown += 1
    large = {name: of for name, of in sorted(columns.items()) if len(of) >= options.smallest_group}
    hidden = [len(of) for name, of in columns.items() if name not in large]
    found = AttributeComparison(attribute, (), len(hidden), sum(hidden), n_unknown)
    if len(large) < 2:
        return found
    in_any_group = [column for of in large.values() for column in of]
    groups: list[GroupAgreement] = []
    for name, of in large.items():
        others = [column for column in in_any_group if column not in of]
        [within] = evaluate_matrix(
            matrix.of_annotators(of), measures=[WITHIN], distance=distance, sampling=sampling
        )[:1]
        sides = (matrix.of_annotators(of), matrix.of_annotators(others))
        between, normalized = cross_replication(
            *sides, distance=distance, sampling=sampling.arguments
        )
        one = GroupAgreement(name, len(of), within, between, normalized, _excess_within(between))
        if len(large) == 2 and groups:  # the same comparison, seen from the other side
            same = groups[0]
            groups.append(replace(one, p_value=same.p_value, least_p=same.least_p))
            continue
        groups.append(
            _with_p_value(one, matrix, of, others, distance, options.permutations, sampling.seed)
        )
    p_values = [one.p_value for one in groups]
    corrected = p_values if len(groups) == 2 else holm(p_values)
    return replace(
        found,
        groups=tuple(
            replace(one, p_corrected=float(p)) for one, p in zip(groups, corrected, strict=True)
        ),
    )


def _excess_within(between: Estimate) -> float:
    """The mean agreement of both sides less that between them."""
    own = (float(between.detail["alpha_first"]), float(between.detail["alpha_second"]))
    return sum(own) / 2 - between.value


def _with_p_value(
    one: GroupAgreement,
    matrix: LabelMatrix,
    of: Sequence[int],
    others: Sequence[int],
    distance: Distance,
    permutations: int,
    seed: int,
) -> GroupAgreement:
    """The same with its p-value; nan where the excess is undefined."""
    if not permutations or math.isnan(one.excess):
        return one
    rng = np.random.default_rng([seed, 3])
    if matrix.n_items > MOST_TESTED:
        kept = np.zeros(matrix.n_items, dtype=bool)
        kept[rng.choice(matrix.n_items, MOST_TESTED, replace=False)] = True
        matrix = matrix.of_items(kept)
    no_interval = Sampling(replicates=0).arguments

    def excess(side: Sequence[int], rest: Sequence[int]) -> float:
        sides = (matrix.of_annotators(side), matrix.of_annotators(rest))
        return _excess_within(cross_replication(*sides, distance=distance, sampling=no_interval)[0])

    observed = excess(of, others)
    n_splits = math.comb(len(of) + len(others), len(of))
    is_exact = n_splits <= permutations
    drawn = [
        excess(side, rest)
        for side, rest in _random_groupings(
            [*of, *others], len(of), permutations, rng, exact=is_exact
        )
    ]
    known = [value for value in drawn if not math.isnan(value)]
    if math.isnan(observed) or not known:
        return one
    hits = sum(value >= observed - 1e-12 for value in known)
    # The two sides may be exchanged where they are of one size: both groupings are the same.
    n_same = 2 if len(of) == len(others) else 1
    if is_exact:
        return replace(one, p_value=hits / len(known), least_p=n_same / n_splits)
    p_value = (1 + hits) / (1 + len(known))
    return replace(one, p_value=p_value, least_p=max(n_same / n_splits, 1 / (1 + len(known))))


def _random_groupings(
    columns: Sequence[int], size: int, n: int, rng: np.random.Generator, *, exact: bool
) -> Iterator[tuple[list[int], list[int]]]:
    """Every way to deal the annotators to two sides, or `n` random ones."""
    if exact:
        for chosen in combinations(columns, size):
            yield list(chosen), [column for column in columns if column not in chosen]
        return
    for _ in range(n):
        order = rng.permutation(columns).tolist()
        yield order[:size], order[size:]
