"""Causes of a low agreement: gains against values without a part, and what stands out."""

from __future__ import annotations

import numpy as np
import pytest

import accordeur as acc
from accordeur.metrics.agreement.diagnosis.label_disagreement import label_disagreement
from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.metrics.causes.campaign_parts import campaign_parts
from accordeur.metrics.causes.cause_search import candidate_causes, find_causes
from accordeur.metrics.causes.disagreement import (
    EVERY_KIND,
    Disagreement,
    DisagreementKind,
    Part,
    PartKind,
    document_groups,
    max_document_groups,
)
from accordeur.metrics.causes.gradual_fall import gradual_fall
from accordeur.metrics.causes.similar_pairs import compare_pairs
from accordeur.metrics.causes.strata import strata_of_times
from benchmarks.planted_campaigns import Fault, documents, labels_of, units_of
from benchmarks.planted_faults import FAULTS, MECHANISMS
from benchmarks.verdict import disagreement_of, disagreements_of

BATCHES = ["a"] * 6 + ["b"] * 6


def disagreement(codes: np.ndarray) -> Disagreement:
    """Of three annotators and four categories, two items a document."""
    n = codes.shape[0] // 2
    matrix = LabelMatrix(
        codes=codes.astype(np.int32),
        tagset=("v", "w", "x", "y"),
        annotators=("A", "B", "C"),
        documents=np.repeat(np.arange(n), 2),
        items=tuple(map(str, range(codes.shape[0]))),
    )
    names = [f"d{d}" for d in range(n)]
    found = label_disagreement(
        matrix, "nominal", campaign_parts(names, (BATCHES * n)[:n], [""] * n)
    )
    assert found is not None
    return found


@pytest.fixture
def found() -> Disagreement:
    return disagreement(np.random.default_rng(4).integers(0, 4, (24, 3)))


def test_the_value_is_one_minus_observed_over_expected_disagreement(found: Disagreement) -> None:
    assert found.value == pytest.approx(1 - found.amounts.sum() / found.chances.sum())
    codes = np.tile(np.arange(24)[:, None] % 4, (1, 3))
    assert disagreement(codes).value == 1


@pytest.mark.parametrize("n_documents", [200, 201])
def test_up_to_200_documents_are_resampled_one_by_one(n_documents: int) -> None:
    groups = document_groups((), n_documents, max_document_groups(3, 4))
    assert np.unique(groups).size == 200
    assert np.bincount(groups).max() == 1 + (n_documents > 200)


def test_who_uses_a_rare_category_more_is_no_cause_of_what_chance_explains() -> None:
    random = np.random.default_rng(1)
    true = random.random(1000) < 0.2
    codes = np.where(random.random((1000, 3)) < 0.5, true[:, None], False).astype(np.int64)
    codes[:, 2] = true  # A and B see half of the rare cases, C all of them
    found = disagreement(codes)
    own = next(one for one in candidate_causes(found) if one.names == (EVERY_KIND, "C", None))
    assert found.counts[:, :, 2].sum() > found.counts[:, 0, 1].sum()
    assert own.gain == pytest.approx(
        acc.krippendorff_alpha(codes[:, :2], rows="items").value - found.value, abs=0.01
    )
    assert own.gain < 0


@pytest.mark.parametrize(
    ("annotator", "part"), [("B", None), ("", Part(PartKind.batch, "b")), ("C", None)]
)
def test_a_gain_is_the_value_of_the_others_minus_the_value_of_all(
    found: Disagreement, annotator: str, part: Part | None
) -> None:
    [cause] = [one for one in candidate_causes(found) if one.names == (EVERY_KIND, annotator, part)]
    rest = ~found.cells(EVERY_KIND, annotator, part)
    others = 1 - found.amounts[rest].sum() / found.chances[rest[..., 0]].sum()
    assert cause.gain == pytest.approx(others - found.value)


def test_a_cause_counts_what_it_is_compared_with() -> None:
    codes = np.tile(np.arange(240)[:, None] % 4, (1, 3))
    codes[::2, 2] = (codes[::2, 2] + 1) % 4
    codes[::8, 1] = (codes[::8, 1] + 1) % 4
    found = disagreement(codes)
    clear = {one.names: one for one in candidate_causes(found) if one.is_clear}
    own = clear[EVERY_KIND, "C", None]
    a_and_b = codes[:, 0] != codes[:, 1]
    assert (own.n_rest, own.n_compared_rest) == (a_and_b.sum(), a_and_b.size)
    codes = np.tile(np.arange(240)[:, None] % 4, (1, 3))
    is_b = np.repeat(np.array((BATCHES * 120)[:120]) == "b", 2)
    codes[is_b, 0] = (codes[is_b, 0] + np.arange(is_b.sum()) % 2) % 4
    codes[::16, 1] = (codes[::16, 1] + 1) % 4
    clear = {one.names: one for one in candidate_causes(disagreement(codes)) if one.is_clear}
    part = clear[EVERY_KIND, "", Part(PartKind.batch, "b")]
    pairs = [(0, 1), (0, 2), (1, 2)]
    apart = np.array([codes[:, a] != codes[:, b] for a, b in pairs])
    assert (part.n, part.n_compared) == (apart[:, is_b].sum(), apart[:, is_b].size)
    assert (part.n_rest, part.n_compared_rest) == (apart[:, ~is_b].sum(), apart[:, ~is_b].size)


def test_an_annotator_may_mark_more_units_of_one_category_and_fewer_of_another() -> None:
    """C marks PER that A and B do not mark, and misses more ORG that they mark."""
    kinds = (DisagreementKind("missing", ("ORG",)), DisagreementKind("missing", ("PER",)))
    counts = np.zeros((40, 3, 3, 2), dtype=np.int64)
    counts[:, :2, 2, 0] = np.random.default_rng(1).integers(4, 7, (40, 2))
    counts[:, 2, :2, 1] = np.random.default_rng(2).integers(2, 4, (40, 2))
    pairs = np.triu(np.full((3, 3), 20.0), 1)
    found = Disagreement(
        amounts=counts.astype(np.float64), counts=counts, chances=np.tile(pairs, (40, 1, 1)),
        compared=np.tile(pairs, (40, 1, 1)).astype(np.int64), usage=np.full((40, 2), 10.0),
        kinds=kinds, annotators=("A", "B", "C"), categories=("ORG", "PER"),
    )  # fmt: skip
    clear = {one.names: one for one in candidate_causes(found) if one.is_clear}
    org, per = (clear[kind, "C", None] for kind in kinds)
    assert (org.marks_more, per.marks_more) == (False, True)


def test_only_what_is_clear_is_counted(found: Disagreement) -> None:
    codes = np.tile(np.arange(240)[:, None] % 4, (1, 3))
    codes[::2, 2] = (codes[::2, 2] + 1) % 4
    for one in (*candidate_causes(found), *candidate_causes(disagreement(codes))):
        assert (one.n > 0, one.n_compared > 0) == (one.is_clear, one.is_clear)


def test_a_part_of_disagreement_adds_up(found: Disagreement) -> None:
    kinds = [DisagreementKind("category", one.categories) for one in found.kinds]
    sums = [found.amounts[found.cells(one)].sum() for one in kinds]
    assert sum(sums) == pytest.approx(found.amounts.sum())
    assert found.counts.sum() <= found.compared.sum()


def test_many_annotators_are_not_distinguished() -> None:
    """Batch b is bad: 60 annotators, of whom three label each item."""
    rng = np.random.default_rng(5)
    codes = np.full((240, 60), -1, dtype=np.int32)
    for i in range(240):
        own = rng.choice(60, 3, replace=False)
        errs = rng.random(3) < (0.7 if i >= 180 else 0.05)
        codes[i, own] = np.where(errs, rng.integers(0, 4, 3), i % 4)
    matrix = LabelMatrix(
        codes=codes,
        tagset=("v", "w", "x", "y"),
        annotators=tuple(f"a{a}" for a in range(60)),
        documents=np.repeat(np.arange(120), 2),
        items=tuple(map(str, range(240))),
    )
    parts = campaign_parts([f"d{d}" for d in range(120)], ["a"] * 90 + ["b"] * 30, [""] * 120)
    found = label_disagreement(matrix, "nominal", parts)
    assert found is not None
    by_annotator = np.where(codes < 0, np.nan, codes).T
    assert found.value == pytest.approx(
        acc.krippendorff_alpha(by_annotator, rows="annotators").value
    )
    [first, *_] = find_causes(found).causes
    assert (first.annotator, first.part) == ("", Part(PartKind.batch, "b"))


def test_a_fall_is_gradual_or_at_once() -> None:
    """By a line through the periods, or by a step where the cause begins."""
    for name, expected in {
        "quality falls each week": ("2026-W02", "2026-W09"),
        "worse from week 4 on": ("", ""),
    }.items():
        [fault] = [one for one in FAULTS if one.name == name]
        found = disagreement_of("labels", 7, fault)
        [first, *_] = find_causes(found).causes
        assert gradual_fall(found, first) == expected


def test_a_gradual_fall_goes_from_batch_to_batch_where_each_week_is_one() -> None:
    [fault] = [one for one in FAULTS if one.name == "quality falls each week"]
    of = documents()
    batches = [f"batch {week[-1]}" for week in of.weeks]
    parts = campaign_parts(of.names, batches, of.weeks)
    found = label_disagreement(labels_of(7, fault), "nominal", parts)
    assert found is not None
    [first, *_] = find_causes(found).causes
    assert gradual_fall(found, first) == ("batch 2", "batch 9")


def test_no_cause_without_disagreement_or_documents() -> None:
    codes = np.tile(np.arange(24)[:, None] % 4, (1, 3))
    assert find_causes(disagreement(codes)).causes == ()


def test_types_are_names_without_the_final_number() -> None:
    names = [f"{kind}-{k:02}" for kind in ("news", "tweet") for k in range(3)]
    parts = [part for part, _ in campaign_parts(names, [""] * 6, [""] * 6)]
    assert parts == [Part(PartKind.document_type, "news"), Part(PartKind.document_type, "tweet")]
    assert campaign_parts([f"d{k}" for k in range(6)], [""] * 6, [""] * 6) == ()


def test_equal_parts_are_one_part_and_batches_are_in_natural_order() -> None:
    batches = [f"batch {k}" for k in (2, 10, 1, 2, 10, 1)]
    parts = [part for part, _ in campaign_parts(["x"] * 6, batches, batches)]
    assert parts[:3] == [Part(PartKind.batch, f"batch {k}") for k in (1, 2, 10)]
    assert parts[3:] == [Part(PartKind.since, f"batch {k}") for k in (2, 10)]


def test_groups_of_documents_keep_parts_apart() -> None:
    flags = np.arange(1000) % 10 == 0
    groups = document_groups([(Part(PartKind.batch, "b"), flags)], 1000, 40)
    assert not set(groups[flags]) & set(groups[~flags])
    assert np.unique(groups).size in range(40, 43)


@pytest.mark.parametrize("fault", [one for one in FAULTS if one.of_labels], ids=lambda f: f.name)
def test_the_first_cause_of_labels_names_a_planted_fault(fault: Fault) -> None:
    causes = find_causes(disagreement_of("labels", 101, fault)).causes
    assert fault.is_named_by(causes[0])


def test_no_cause_in_a_campaign_without_a_fault() -> None:
    assert find_causes(disagreement_of("labels", 101, None)).causes == ()


@pytest.mark.parametrize(
    "fault", [one for one in MECHANISMS if one.of_labels], ids=lambda f: f.name
)
def test_the_only_cause_of_labels_names_a_planted_mechanism(fault: Fault) -> None:
    [cause] = find_causes(disagreement_of("labels", 101, fault)).causes
    assert fault.is_named_by(cause)


@pytest.mark.parametrize("fault", MECHANISMS[3:6], ids=lambda fault: fault.name)
def test_the_first_cause_of_units_names_where_in_documents_or_when(fault: Fault) -> None:
    found = disagreements_of("units", 101, fault)["pairwise_f"]
    first = find_causes(found).causes[0]
    assert fault.is_named_by(first)
    assert first.mechanism is not None
    assert first.mechanism.share > first.mechanism.share_of_others


def test_units_missed_late_are_one_cause_not_one_from_each_of_two_positions() -> None:
    [cause] = find_causes(disagreements_of("units", 91003, MECHANISMS[3])["gamma"]).causes
    assert MECHANISMS[3].is_named_by(cause)


def test_strata_spread_all_disagreement_and_chance() -> None:
    found = disagreement_of("labels", 101, None)
    for one in found.strata:
        x, e = one.spread(found.amounts.sum(axis=3), found.chances)
        assert x.sum() == pytest.approx(2 * found.amounts.sum())
        assert e.sum() == pytest.approx(2 * found.chances.sum())


def test_hours_after_midnight_belong_to_the_evening_before() -> None:
    times = ["2026-01-05T09:30:00Z", "2026-01-05T23:10:00Z", "2026-01-06T02:00:00Z", "2026-01-06"]
    numbers, nobody = np.arange(4), np.zeros(4, dtype=np.int64)
    hours, order = strata_of_times(times, numbers, nobody, (4, 1))
    assert hours.of_work[:, 0].tolist() == [1, 7, 7, -1]
    assert order.of_work[:, 0].tolist() == [-1] * 4  # too few documents
    assert strata_of_times(["", "2026-01-06"], numbers[:2], nobody[:2], (2, 1)) == []


def test_an_offset_is_the_mechanism_of_a_low_f_and_costs_little_of_gamma() -> None:
    fault = MECHANISMS[2]
    found = disagreements_of("units", 101, fault)
    [cause] = find_causes(found["pairwise_f"]).causes
    assert fault.is_named_by(cause)
    assert cause.mechanism is not None
    assert (cause.mechanism.start, cause.mechanism.end) == (1, 1)
    assert find_causes(found["gamma"]).causes == ()


def test_a_pair_too_alike_lowers_the_value_by_what_it_added() -> None:
    found = disagreement_of("labels", 101, MECHANISMS[0])
    [cause] = find_causes(found).causes
    assert cause.gain == pytest.approx(found.without_pairs([("ana", "chloe")]).value - found.value)
    assert cause.interval[0] < cause.gain < cause.interval[1] < 0


def test_two_schools_of_annotators_are_no_copies() -> None:
    """Two pairs of annotators who read one category differently agree best among themselves."""
    rng = np.random.default_rng(3)
    codes = np.repeat(rng.integers(0, 4, (600, 1)), 4, axis=1)
    codes[:, 2:][codes[:, 2:] == 0] = 1
    codes = np.where(rng.random(codes.shape) < 0.03, rng.integers(0, 4, codes.shape), codes)
    matrix = LabelMatrix(
        codes=codes.astype(np.int32),
        tagset=("v", "w", "x", "y"),
        annotators=("A", "B", "C", "D"),
        documents=np.arange(600) // 5,
        items=tuple(map(str, range(600))),
    )
    found = label_disagreement(matrix)
    assert found is not None
    assert compare_pairs(found).clear(6) == []
    assert find_causes(found).causes[0].kind.categories == ("v", "w")


def test_a_careless_annotator_has_no_mechanism() -> None:
    """Errors at random are spread over the categories."""
    careless = next(one for one in FAULTS if one.name == "a careless annotator")
    [first, *_] = find_causes(disagreement_of("labels", 101, careless)).causes
    assert first.mechanism is None


def test_a_fault_changes_only_what_it_is_about() -> None:
    exchanged = next(one for one in FAULTS if one.name == "LOC and ORG exchanged from week 4")
    early = documents().week < 4
    same = labels_of(1, None).codes == labels_of(1, exchanged).codes
    assert same[np.repeat(early, 6)].all()
    assert not same.all()
    of_units = zip(units_of(1, None)[:3], units_of(1, exchanged)[:3], strict=True)
    assert all(np.array_equal(one.starts, other.starts) for one, other in of_units)


def test_a_category_that_some_annotators_do_not_use_is_said_with_counts() -> None:
    """A and B know no y, and use x; the others use both."""
    rng = np.random.default_rng(2)
    true = rng.choice(4, 600, p=[0.3, 0.3, 0.2, 0.2])
    codes = np.where(rng.random((600, 4)) < 0.1, rng.integers(0, 4, (600, 4)), true[:, None])
    codes[:, :2] = np.where(codes[:, :2] == 3, 2, codes[:, :2])
    matrix = LabelMatrix(
        codes=codes.astype(np.int32),
        tagset=("v", "w", "x", "y"),
        annotators=("A", "B", "C", "D"),
        documents=np.repeat(np.arange(100), 6),
        items=tuple(map(str, range(600))),
    )
    found = label_disagreement(matrix)
    assert found is not None
    first, *_ = find_causes(found).causes
    assert (first.kind.categories, first.annotator) == (("x", "y"), "")
    assert first.mechanism is not None
    counts = [(name, int((codes[:, a] == 3).sum())) for a, name in enumerate("ABCD")]
    assert first.mechanism.category == "y"
    assert first.mechanism.by_annotator == tuple(counts)
