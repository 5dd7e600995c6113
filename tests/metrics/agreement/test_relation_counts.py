"""Counts of relations and chains equal the whole matrices they stand for, and add up."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from accordeur.metrics.agreement.coefficients import compute_coefficient
from accordeur.metrics.agreement.counts import count
from accordeur.metrics.agreement.item_subsets import remove_null_category
from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.metrics.agreement.structures.chain_counts import (
    DISTANCES,
    chain_counts,
    chain_estimates,
    chains_of_links,
    join_chain_counts,
)
from accordeur.metrics.agreement.structures.relation_counts import (
    NO_RELATION,
    Relations,
    f_by_category,
    f_by_pair,
    join_relation_counts,
    relation_counts,
    relation_estimates,
)
from accordeur.metrics.agreement.structures.relation_disagreement import relation_disagreements
from accordeur.metrics.causes.campaign_parts import campaign_parts
from accordeur.metrics.causes.cause_search import find_causes
from accordeur.metrics.causes.disagreement import DisagreementKind, Part, PartKind
from accordeur.metrics.coreference import BETWEEN_ANNOTATORS, coreference_counts, coreference_f
from accordeur.metrics.options import Sampling

TAGSET = ("cause", "time")


def of_rows(present: NDArray[np.bool_], rows: list[tuple[int, int, int, int]]) -> Relations:
    sources, targets, categories, owners = np.array(rows, dtype=int).reshape(-1, 4).T
    annotators = ("x", "y", "z")[: present.shape[1]]
    return Relations(present, sources, targets, categories, owners, TAGSET, annotators)


@st.composite
def documents(draw: st.DrawFn, n_annotators: int = 3) -> Relations:
    """Up to six places, some absent for some annotators, relations between present ones."""
    n_places = draw(st.integers(1, 6))
    cells = draw(st.lists(st.booleans(), min_size=n_places * n_annotators,
                          max_size=n_places * n_annotators))  # fmt: skip
    present = np.array(cells).reshape(n_places, n_annotators)
    wanted = draw(
        st.lists(
            st.tuples(
                st.integers(0, n_places - 1), st.integers(0, n_places - 1),
                st.integers(0, 1), st.integers(0, n_annotators - 1),
            ),
            max_size=12,
        )
    )  # fmt: skip
    kept = [r for r in wanted if r[0] != r[1] and present[r[0], r[3]] and present[r[1], r[3]]]
    return of_rows(present, kept)


def every_pair(those: list[Relations], *, directed: bool = True) -> LabelMatrix:
    """Every pair of places as an item: what the counts stand for, by brute force."""
    rows, homes, n_repeated = [], [], 0
    for d, one in enumerate(those):
        drawn: dict[tuple[int, int, int], int] = {}
        columns = (one.sources, one.targets, one.owners, one.categories)
        for source, target, owner, category in zip(*map(np.ndarray.tolist, columns), strict=True):
            ends = (source, target) if directed else tuple(sorted((source, target)))
            n_repeated += (*ends, owner) in drawn
            drawn.setdefault((*ends, owner), category)
        places = range(one.present.shape[0])
        for ends in permutations(places, 2) if directed else combinations(places, 2):
            rows.append(
                [
                    drawn.get((*ends, a), len(TAGSET)) if one.present[list(ends), a].all() else -1
                    for a in range(len(one.annotators))
                ]
            )
            homes.append(d)
    return LabelMatrix(
        codes=np.array(rows, dtype=np.int32).reshape(-1, len(those[0].annotators)),
        tagset=(*TAGSET, NO_RELATION),
        annotators=those[0].annotators,
        documents=np.array(homes, dtype=np.int64),
        n_duplicates=n_repeated,
    )


def f_of(matrix: LabelMatrix) -> float:
    """2 · (relations that both drew) / (relations of one + of the other), where both could."""
    null, alike, drawn = matrix.tagset.index(NO_RELATION), 0, 0
    for first, second in combinations(matrix.codes.T, 2):
        both = (first >= 0) & (second >= 0)
        alike += ((first == second) & (first != null) & both).sum()
        drawn += ((first != null) & both).sum() + ((second != null) & both).sum()
    return 2 * alike / drawn if drawn else math.nan


@settings(max_examples=80)
@given(st.lists(documents(), min_size=1, max_size=3), st.booleans())
def test_counts_are_those_of_every_pair_of_places(those: list[Relations], directed: bool) -> None:
    matrix = every_pair(those, directed=directed)
    whole = count(matrix)
    found = join_relation_counts([relation_counts(one, directed=directed) for one in those])
    total = found.category
    assert total.fingerprint() == whole.fingerprint() or whole.n_items == 0
    assert (total.n_items, total.n_unpaired) == (whole.n_items, whole.n_unpaired)
    assert total.n_complete == whole.n_complete
    codes = np.where(matrix.codes < 0, -1, matrix.codes == matrix.tagset.index(NO_RELATION))
    presence = replace(matrix, codes=codes, tagset=("drawn", NO_RELATION))
    expected = {
        "presence": compute_coefficient("krippendorff_alpha", presence).value,
        "category": compute_coefficient("krippendorff_alpha", matrix).value,
        "typing": compute_coefficient(
            "krippendorff_alpha", remove_null_category(matrix, null=NO_RELATION)
        ).value,
        "presence_f": f_of(presence),
        "category_f": f_of(matrix),
    }
    estimates = relation_estimates(found)
    values = {name: one.value for name, one in estimates.items()}
    assert values == pytest.approx(expected, nan_ok=True)


def test_f_of_categories_and_pairs_by_hand() -> None:
    """x and y draw one `cause` alike; x another that y calls `time`; z draws nothing."""
    drawn = [(0, 1, 0, 0), (0, 1, 0, 1), (1, 2, 0, 0), (1, 2, 1, 1)]
    document = of_rows(np.ones((3, 3), dtype=bool), drawn)
    counts = relation_counts(document)
    # cause: 1 alike of 2 + 1 drawn by x and y, 2 by x and z, 1 by y and z; time: one for each pair
    assert dict(f_by_category(counts))["cause"].value == pytest.approx(2 / 6)
    assert dict(f_by_category(counts))["time"].value == 0
    by_pair = {name: one.value for name, one in f_by_pair(counts)}
    assert by_pair == {"x – y": 0.5, "x – z": 0, "y – z": 0}
    of_all = relation_estimates(counts, Sampling())
    assert of_all["presence_f"].value == pytest.approx(4 / 8)
    assert math.isnan(of_all["presence_f"].interval[0])  # one document
    two = relation_estimates(join_relation_counts([counts, counts]), Sampling())["category_f"]
    lower, upper = two.interval
    assert 0 <= lower < two.value < upper <= 1  # two equal documents do not show that all are equal


def chain_matrix(documents: list[NDArray[np.integer]], annotators: tuple[str, ...]) -> LabelMatrix:
    """Mentions as items, labelled with the set of mentions of their chain (Passonneau 2004)."""
    known: dict[tuple[int, ...], int] = {}
    rows, start = [], 0
    for chains in documents:
        codes = np.full(chains.shape, -1, dtype=np.int32)
        for a in range(len(annotators)):
            for chain in set(chains[:, a].tolist()) - {-1}:
                mentions = np.nonzero(chains[:, a] == chain)[0]
                codes[mentions, a] = known.setdefault(
                    tuple((mentions + start).tolist()), len(known)
                )
        rows.append(codes)
        start += chains.shape[0]
    members = np.zeros((len(known), start), dtype=bool)
    for mentions, code in known.items():
        members[code, list(mentions)] = True
    tagset = tuple(",".join(map(str, mentions)) for mentions in known)
    codes = np.concatenate(rows)
    return LabelMatrix(codes=codes, tagset=tagset, annotators=annotators, members=members)


def test_alpha_of_chains_is_that_of_sets_of_mentions() -> None:
    """Passonneau 2004: labels are sets of mentions; equal chains have distance 0."""
    document = np.array([[0, 0], [0, 0], [0, 1], [1, 1], [2, -1]])
    matrix = chain_matrix([document, document], ("x", "y"))
    distances = ("nominal", "jaccard", "masi", "passonneau2004")
    nominal, *values = [
        compute_coefficient("krippendorff_alpha", matrix, distance=name).value for name in distances
    ]
    assert nominal < min(values)
    agreed = chain_matrix([document[:, [0, 0]]], ("x", "y"))
    assert compute_coefficient("krippendorff_alpha", agreed, distance="masi").value == 1


chainings = st.lists(st.lists(st.integers(-1, 2), min_size=2, max_size=2), min_size=1, max_size=7)


@settings(max_examples=80)
@given(st.lists(chainings, min_size=1, max_size=3))
def test_chains_of_documents_add_up_to_the_campaign(drawn: list[list[list[int]]]) -> None:
    those = [np.array(one) for one in drawn]
    counts = join_chain_counts([chain_counts(one) for one in those])
    found = chain_estimates(counts, n_annotators=2)
    whole = chain_estimates(counts.total(), n_annotators=2)
    assert [one.value for one in whole] == pytest.approx([one.value for one in found], nan_ok=True)
    matrix = chain_matrix(those, ("x", "y"))
    for estimate, distance in zip(found, DISTANCES, strict=False):
        expected = compute_coefficient("krippendorff_alpha", matrix, distance=distance)
        assert estimate.value == pytest.approx(expected.value, nan_ok=True)
    for estimate, score in zip(found[len(DISTANCES) :], BETWEEN_ANNOTATORS, strict=True):
        sums = sum(coreference_counts(*one.T) for one in those)
        expected = float(coreference_f(sums[None], score)[0])
        assert estimate.measure == score
        assert estimate.value == pytest.approx(expected, nan_ok=True)
        if math.isnan(expected):
            assert str(estimate.reason) == "no pair of annotators linked any mention"


def test_links_make_chains_and_unlinked_units_stand_alone() -> None:
    present = np.array([[1, 1], [1, 1], [1, 1], [0, 1], [1, 1]], dtype=bool)
    chains = chains_of_links(present, np.array([0, 1, 2]), np.array([1, 2, 3]), np.array([0, 0, 1]))
    assert chains[:, 0].tolist() == [0, 0, 0, -1]  # place 4 is linked by nobody
    assert len(set(chains[:2, 1].tolist())) == 2  # y has units there and links neither
    assert chains[2, 1] == chains[3, 1]
    assert chain_counts(chains).n_chains.tolist() == [2]


def test_intervals_of_chains_come_from_documents() -> None:
    good, bad = np.array([[0, 0], [0, 0], [1, 1]]), np.array([[0, 0], [0, 1], [1, 1]])
    counts = join_chain_counts([chain_counts(one) for one in (good, bad, good, bad, good)])
    alpha, *_ = chain_estimates(counts, n_annotators=2, sampling=Sampling(seed=3))
    assert alpha.interval[0] < alpha.value < alpha.interval[1]
    assert "|distance:passonneau2004|" in alpha.signature
    assert chain_estimates(counts, n_annotators=2, sampling=Sampling(seed=3))[0] == alpha


@settings(max_examples=60, deadline=None)
@given(st.lists(documents(), min_size=1, max_size=4))
def test_the_disagreement_of_relations_is_what_lowers_their_f(those: list[Relations]) -> None:
    counts = join_relation_counts([relation_counts(one) for one in those])
    values = relation_estimates(counts)
    found = relation_disagreements(counts, ("x", "y", "z"), TAGSET)
    assert bool(found) == bool(counts.drawn.any())
    for name in ("presence_f", "category_f") if found else ():
        assert found[f"relation_{name}"].value == pytest.approx(values[name].value)


def test_a_batch_with_other_relations_is_their_cause() -> None:
    """Both link all of four places; in batch B, y draws half of the causes only."""
    rng, present = np.random.default_rng(1), np.ones((8, 2), dtype=bool)
    those = []
    for d in range(40):
        rows = [(i, j, int(rng.integers(2)), 0) for i, j in permutations(range(4), 2)]
        rows += [(i, j, k, 1) for i, j, k, _ in rows if k or d < 30 or rng.random() < 0.5]
        those.append(of_rows(present, rows))
    counts = join_relation_counts([relation_counts(one) for one in those])
    parts = campaign_parts([f"d{d}" for d in range(40)], ["A"] * 30 + ["B"] * 10, [""] * 40)
    found = relation_disagreements(counts, ("x", "y"), TAGSET, parts)["relation_category_f"]
    [cause, *_] = find_causes(found).causes
    assert cause.kind == DisagreementKind("relation", ("cause",))
    assert cause.part == Part(PartKind.batch, "B")
