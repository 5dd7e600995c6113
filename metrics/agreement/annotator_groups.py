"""Groups of annotators: do they agree more within groups than between them?

Each group is compared with all other annotators by three values: Krippendorff's α within the group,
cross-replication reliability κ_x between the two sides (Wong, Paritosh & Aroyo 2021), and κ_x
normalised by the agreement within both sides, which is 1 if the grouping makes no difference. The
groups of an attribute are compared as in Prabhakaran et al. (2024), "GRASP: A Disagreement Analysis
Framework to Assess Group Associations in Perspectives", with a permutation test: annotators are
assigned at random to groups of the same sizes, and the test statistic is the excess of the
agreement within the sides over the agreement between them.

A group with fewer than `smallest_group` annotators has no value, and its annotators are excluded
from every comparison of the attribute, so that the other values disclose nothing about them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from ..differences import holm
from ..estimate import Estimate
from ..options import NO_INTERVALS, GroupComparison, Sampling
from ..results import AttributeGroups, GroupAgreement
from .cross_replication import cross_replication
from .distances import Distance
from .evaluate import evaluate_matrix
from .label_matrix import LabelMatrix

WITHIN = "krippendorff_alpha"
DEFAULT = GroupComparison()
MOST_TESTED = 5000  # items in the permutation test; larger campaigns are sampled


def compare_groups(
    matrix: LabelMatrix,
    attribute: str,
    values: Mapping[str, str],
    *,
    distance: Distance = "nominal",
    options: GroupComparison = DEFAULT,
    sampling: Sampling,
) -> AttributeGroups:
    """Compare the agreement within and between the groups of an attribute.

    values  annotator → value of the attribute

    Groups are compared only if at least two of them have `options.smallest_group` annotators who
    gave labels. All groupings are tested if there are at most `options.permutations` of them.
    p-values are corrected for the number of groups of the attribute (Holm 1979). Raises RoleError
    for systems.
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
    found = AttributeGroups(attribute, (), len(hidden), sum(hidden), n_unknown)
    if len(large) < 2:
        return found
    in_any_group = [column for of in large.values() for column in of]
    groups: list[GroupAgreement] = []
    for name, of in large.items():
        others = [column for column in in_any_group if column not in of]
        [within] = evaluate_matrix(
            matrix.select_annotators(of), measures=[WITHIN], distance=distance, sampling=sampling
        )[:1]
        sides = (matrix.select_annotators(of), matrix.select_annotators(others))
        between, normalized = cross_replication(*sides, distance=distance, sampling=sampling)
        one = GroupAgreement(name, len(of), within, between, normalized)
        if len(large) == 2 and groups:  # the second of two groups: the same comparison mirrored
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
    """Mean agreement within both sides minus the agreement between them."""
    own = between.detail.alpha_first + between.detail.alpha_second
    return own / 2 - between.value


def _with_p_value(
    one: GroupAgreement,
    matrix: LabelMatrix,
    of: Sequence[int],
    others: Sequence[int],
    distance: Distance,
    permutations: int,
    seed: int,
) -> GroupAgreement:
    """Add the p-value to a comparison; nan if the excess is undefined."""
    if not permutations or math.isnan(_excess_within(one.between)):
        return one
    rng = np.random.default_rng([seed, 3])
    if matrix.n_items > MOST_TESTED:
        kept = np.zeros(matrix.n_items, dtype=bool)
        kept[rng.choice(matrix.n_items, MOST_TESTED, replace=False)] = True
        matrix = matrix.select_items(kept)

    def excess(side: Sequence[int], rest: Sequence[int]) -> float:
        sides = (matrix.select_annotators(side), matrix.select_annotators(rest))
        return _excess_within(
            cross_replication(*sides, distance=distance, sampling=NO_INTERVALS)[0]
        )

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
    # Sides of equal size may be exchanged: both assignments are the same grouping.
    n_same = 2 if len(of) == len(others) else 1
    if is_exact:
        return replace(one, p_value=hits / len(known), least_p=n_same / n_splits)
    p_value = (1 + hits) / (1 + len(known))
    return replace(one, p_value=p_value, least_p=max(n_same / n_splits, 1 / (1 + len(known))))


def _random_groupings(
    columns: Sequence[int], size: int, n: int, rng: np.random.Generator, *, exact: bool
) -> Iterator[tuple[list[int], list[int]]]:
    """Return all ways to assign the annotators to two sides, or `n` random ones."""
    if exact:
        for chosen in combinations(columns, size):
            yield list(chosen), [column for column in columns if column not in chosen]
        return
    for _ in range(n):
        order = rng.permutation(columns).tolist()
        yield order[:size], order[size:]
