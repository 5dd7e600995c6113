"""Units of systems against the annotators', by brute force and by properties."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from accordeur.metrics.alignment.best_alignment import best_alignment
from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.alignment.dissimilarity import Dissimilarity
from accordeur.metrics.replacement.replaceability import replaceability
from accordeur.metrics.replacement.replacement_options import ReplacementSettings
from accordeur.metrics.replacement.unit_comparison import (
    AnnotatedUnits,
    compare_units,
    disorder_similarity_function,
    f_similarity_function,
)
from accordeur.metrics.unit_rows import Units

K = 2
Spans = list[tuple[int, int, int]]


def drawn(seed: int, n_documents: int = 6, n_annotators: int = 4) -> list[list[Spans | None]]:
    """Spans by document and annotator; None: the annotator did not finish it."""
    rng = np.random.default_rng(seed)

    def spans() -> Spans | None:
        if rng.random() < 0.2:
            return None
        starts = rng.integers(0, 12, rng.integers(0, 4))
        return [(int(s), int(s + rng.integers(1, 5)), int(rng.integers(K))) for s in starts]

    return [[spans() for _ in range(n_annotators)] for _ in range(n_documents)]


def annotated(given: list[list[Spans | None]]) -> AnnotatedUnits:
    rows = [
        (d, *span, a)
        for d, row in enumerate(given)
        for a, one in enumerate(row)
        for span in one or []
    ]
    documents, starts, ends, categories, owners = np.array(rows, np.int64).reshape(-1, 5).T
    finished = np.array([[one is not None for one in row] for row in given])
    return AnnotatedUnits(Units(documents, starts, ends, categories), owners, finished)


def matches(match: str, first: tuple[int, ...], second: tuple[int, ...]) -> bool:
    if match == "exact":
        return first == second
    overlap = first[0] < second[1] and second[0] < first[1]
    return overlap and (match == "overlap" or first[2] == second[2])


def f_by_hand(match: str, first: Spans, second: Spans) -> float:
    if not first and not second:
        return 1.0
    few, many = sorted((first, second), key=len)
    most = max(
        sum(matches(match, a, b) for a, b in zip(few, order, strict=False))
        for order in permutations(many)
    )
    return 2 * most / (len(first) + len(second))


def disorder_by_hand(first: Spans, second: Spans) -> float:
    both = [*first, *second]
    if not both:
        return 1.0
    starts, ends, categories = np.array(both, np.float64).T
    owners = np.repeat([0, 1], [len(first), len(second)]).astype(np.int32)
    continuum = Continuum(starts, ends, categories.astype(np.int32), owners, ("a", "b"), ("x", "y"))
    return 1 - best_alignment(continuum).total / len(both)


def advantages(given, n_humans: int, similarity) -> tuple[np.ndarray, np.ndarray]:
    """Advantage and whether compared of the only system, by document and annotator."""
    advantage = np.zeros((len(given), n_humans), int)
    compared = np.zeros(advantage.shape, bool)
    for d, row in enumerate(given):
        system = row[n_humans]
        for j in range(n_humans):
            others = [row[k] for k in range(n_humans) if k != j and row[k] is not None]
            if row[j] is None or not others:
                continue
            compared[d, j] = True
            if system is None:
                advantage[d, j] = -1
                continue
            own = np.mean([similarity(row[j], one) for one in others])
            of_system = np.mean([similarity(system, one) for one in others])
            advantage[d, j] = int(of_system >= own - 1e-9) - int(own >= of_system - 1e-9)
    return advantage, compared


CASES = [
    *(
        (f_similarity_function(match, K), lambda a, b, match=match: f_by_hand(match, a, b))
        for match in ("exact", "type", "overlap")
    ),
    (disorder_similarity_function(Dissimilarity(), K), disorder_by_hand),
]


@pytest.mark.parametrize("case", range(4))
@pytest.mark.parametrize("seed", range(4))
def test_it_is_the_definition(case: int, seed: int):
    ours, by_hand = CASES[case]
    given = drawn(seed)
    [found] = compare_units(annotated(given), 3, ours)
    advantage, compared = advantages(given, 3, by_hand)
    assert found.compared.tolist() == compared.tolist()
    assert found.advantage.tolist() == advantage.tolist()
    several = [sum(one is not None for one in row[:3]) > 1 for row in given]
    assert found.n_missing == sum(
        s and row[3] is None for s, row in zip(several, given, strict=True)
    )


@pytest.mark.parametrize("ours", [one for one, _ in CASES])
def test_an_annotators_copy_may_replace_and_a_system_without_units_may_not(ours):
    rng = np.random.default_rng(5)
    given = []
    for _ in range(60):
        truth = [(10 * i, 10 * i + 5, int(rng.integers(K))) for i in range(4)]
        row = [[one for one in truth if rng.random() < 0.8] for _ in range(3)]
        given.append([*row, row[0], []])
    settings = ReplacementSettings(epsilon=0.2)
    copy, silent = (
        replaceability(str(s), one, "abc", settings, documents=np.arange(60))
        for s, one in enumerate(compare_units(annotated(given), 3, ours))
    )
    assert copy.panel.verdict == "may"
    assert silent.panel.verdict == "may_not"
    assert silent.n_missing == 0  # it finished every document
    # The copy and the annotator it copies have the same alignment with the others.
    [same, _] = compare_units(annotated(given), 3, ours)
    assert not same.advantage[:, 0].any()


@pytest.mark.parametrize("ours", [one for one, _ in CASES])
def test_renaming_categories_and_shifting_documents_changes_nothing(ours):
    given = drawn(9, n_documents=20)
    renamed = [
        [one and [(s + 7, e + 7, K - 1 - c) for s, e, c in reversed(one)] for one in row]
        for row in given
    ]
    [before], [after] = (compare_units(annotated(one), 3, ours) for one in (given, renamed))
    assert before.advantage.tolist() == after.advantage.tolist()


def test_documents_that_a_system_was_not_assigned_are_not_compared():
    given = [[[(0, 4, 0)], [(0, 4, 0)], [(0, 4, 0)], None]] * 4
    assigned = np.array([[True], [False], [True], [False]])
    [found] = compare_units(
        annotated(given), 3, f_similarity_function("exact", K), assigned=assigned
    )
    assert found.compared.any(axis=1).tolist() == [True, False, True, False]
    assert found.n_missing == 2


def test_a_category_is_compared_where_somebody_used_it():
    given = [
        [[(0, 4, 0)], [(0, 4, 0)], [(0, 4, 0)], [(0, 4, 0)]],
        [[], [], [], [(0, 4, 1)]],
        [[], [], [], []],
    ]
    [found] = compare_units(
        annotated(given).select_category(1), 3, f_similarity_function("exact", K)
    )
    assert found.compared.any(axis=1).tolist() == [False, True, False]
    assert found.advantage[1].tolist() == [-1, -1, -1]
