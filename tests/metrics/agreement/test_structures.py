"""Coreference chains and relations: published examples, enumeration, refusals."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accordeur.metrics.agreement.registry import compute, from_counts
from accordeur.metrics.agreement.structures.coreference import (
    SCORES,
    b_cubed,
    ceaf_entities,
    ceaf_mentions,
    chain_matrix,
    coreference_agreement,
    coreference_links,
    coreference_matches,
    muc,
    other_links,
)
from accordeur.metrics.agreement.structures.relation_counts import (
    relation_counts,
    relation_estimates,
)
from accordeur.metrics.agreement.structures.relations import Relations
from accordeur.metrics.errors import MetricsError

chains = st.lists(st.integers(-1, 4), min_size=2, max_size=9)


# Luo 2005, figure 1 and table 1: twelve mentions in chains of 5, 2 and 5, and four other chainings.
TRUTH = np.array([0, 0, 0, 0, 0, 1, 1, 2, 2, 2, 2, 2])
LUO = {
    "a": ([0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1], 0.947, 0.865, 0.833, 0.733),
    "b": ([0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0], 0.947, 0.737, 0.583, 0.667),
    "c": ([0] * 12, 0.900, 0.545, 0.417, 0.294),
    "d": (list(range(12)), 0.0, 0.400, 0.250, 0.178),
}


@pytest.mark.parametrize("name", sorted(LUO))
def test_luo_2005_table_1(name: str) -> None:
    other, *published = LUO[name]
    found = [
        score(TRUTH, np.array(other)) for score in (muc, b_cubed, ceaf_mentions, ceaf_entities)
    ]
    assert [matches.f_measure for matches in found] == pytest.approx(published, abs=6e-4)


def test_vilain_1995() -> None:
    """One chain A–B–C–D against A–B and C–D: two of three links found, both drawn links right."""
    assert muc(np.array([0, 0, 0, 0]), np.array([0, 0, 1, 1])).shares == (2 / 3, 1.0)


@settings(max_examples=60, deadline=None)
@given(chains, st.data())
def test_links_by_enumeration(first: list[int], data: st.DataObject) -> None:
    second = data.draw(st.lists(st.integers(-1, 4), min_size=len(first), max_size=len(first)))
    sets = []
    for labels in (first, second):
        marked = [m for m, chain in enumerate(labels) if chain >= 0]
        pairs = list(combinations(marked, 2))
        sets.append(
            (
                {(m, n) for m, n in pairs if labels[m] == labels[n]},
                {(m, n) for m, n in pairs if labels[m] != labels[n]},
            )
        )
    for part, score in enumerate((coreference_links, other_links)):
        one, two = sets[0][part], sets[1][part]
        found = score(np.array(first), np.array(second))
        assert (found.first_matched, found.first_total) == (len(one & two), len(one))
        assert (found.second_matched, found.second_total) == (len(one & two), len(two))


@settings(max_examples=60, deadline=None)
@given(chains, st.data())
def test_scores_are_symmetric_and_in_bounds(first: list[int], data: st.DataObject) -> None:
    second = data.draw(st.lists(st.integers(-1, 4), min_size=len(first), max_size=len(first)))
    renamed = [7 - chain if chain >= 0 else -1 for chain in second]
    for score in SCORES:
        there = coreference_matches(score, np.array(first), np.array(second))
        back = coreference_matches(score, np.array(renamed), np.array(first))
        for one, two in zip(there, back, strict=True):
            assert one.f_measure == pytest.approx(two.f_measure, nan_ok=True)
            assert math.isnan(one.f_measure) or 0 <= one.f_measure <= 1
        same = coreference_matches(score, np.array(first), np.array(first))
        assert all(math.isnan(part.f_measure) or part.f_measure == 1 for part in same)


def test_counts_of_documents_add_up() -> None:
    documents = [np.array([[0, 0], [0, 0], [1, 0]]), np.array([[0, 0], [0, 1], [-1, 1]])]
    estimate = coreference_agreement("b_cubed", documents)
    parts = [b_cubed(document[:, 0], document[:, 1]) for document in documents]
    assert estimate.value == pytest.approx((parts[0] + parts[1]).f_measure)
    assert estimate.n_items == 6
    nothing = coreference_agreement("muc", [np.full((3, 2), -1)])
    assert str(nothing.reason) == "no pair of annotators linked any mention"
    assert coreference_agreement("muc", []).reason


def test_alpha_of_chains() -> None:
    """Passonneau 2004: labels are sets of mentions; equal chains have distance 0."""
    document = np.array([[0, 0], [0, 0], [0, 1], [1, 1], [2, -1]])
    matrix = chain_matrix([document, document], ("x", "y"))
    assert matrix.n_items == 10
    assert matrix.tagset[:4] == ("0,1,2", "3", "4", "0,1")
    assert (matrix.codes[4] == (2, -1)).all()
    values = [
        compute("krippendorff_alpha", matrix, distance=name).value
        for name in ("nominal", "jaccard", "masi", "passonneau2004")
    ]
    assert values[0] < min(values[1:])
    agreed = chain_matrix([document[:, [0, 0]]], ("x", "y"))
    assert compute("krippendorff_alpha", agreed, distance="masi").value == 1


def test_bad_chains_are_refused() -> None:
    with pytest.raises(MetricsError, match="known: muc"):
        coreference_matches("lea", TRUTH, TRUTH)
    with pytest.raises(MetricsError, match="one number a mention"):
        coreference_matches("muc", TRUTH, TRUTH[:3])
    with pytest.raises(MetricsError, match="2 chainings for 3"):
        chain_matrix([np.zeros((2, 2), int)], ("x", "y", "z"))


def relations(*drawn: tuple[int, int, int, int], n_places: int = 4) -> Relations:
    present = np.ones((n_places, 2), dtype=bool)
    present[-1, 1] = False
    columns = np.array(drawn, dtype=int).reshape(-1, 4).T
    return Relations(present, *columns, tagset=("cause", "time"), annotators=("x", "y"))


def test_relations_between_aligned_units() -> None:
    """One relation alike, one of another category, one that y could not draw, one only y drew."""
    document = relations(
        (0, 1, 0, 0), (0, 1, 0, 1), (1, 2, 0, 0), (1, 2, 1, 1), (0, 3, 1, 0), (2, 0, 0, 1)
    )
    counts = relation_counts(document)
    assert counts.category.n_items == 12
    assert counts.category.n_unpaired == 6  # places that y has no unit at
    assert from_counts("percent_agreement", counts.category).value == pytest.approx(4 / 6)
    assert from_counts("percent_agreement", counts.typing).value == pytest.approx(1 / 2)
    found = relation_estimates(counts, n_replicates=0)
    assert found["presence_f"].value == pytest.approx(4 / 5)
    assert found["category_f"].value == pytest.approx(2 / 5)


def test_undirected_relations() -> None:
    document = relations((1, 0, 0, 0), (0, 1, 0, 1))
    for directed, f in ((True, 0), (False, 1)):
        counts = relation_counts(document, directed=directed)
        assert relation_estimates(counts, n_replicates=0)["presence_f"].value == f


def test_repeated_relations_are_counted_and_the_first_stays() -> None:
    counts = relation_counts(relations((0, 1, 0, 0), (0, 1, 1, 0), (0, 1, 0, 1)))
    assert counts.category.n_duplicates == 1
    assert relation_estimates(counts, n_replicates=0)["category_f"].value == 1


def test_relations_that_cannot_be_are_refused() -> None:
    with pytest.raises(MetricsError, match="check the alignment"):
        relations((0, 3, 0, 1))
    with pytest.raises(MetricsError, match="categories must lie in"):
        relations((0, 1, 5, 0))
    nothing = relation_estimates(relation_counts(relations()))
    assert str(nothing["presence_f"].reason) == "no relation drawn"
    assert str(nothing["presence"].reason) == "single category used"
