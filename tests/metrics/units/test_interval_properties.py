"""Every measure on units and every sampling: interval and value, the whole and its parts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.alignment.dissimilarity import Dissimilarity
from accordeur.metrics.errors import UndefinedError
from accordeur.metrics.estimate import Estimate
from accordeur.metrics.measures import PAIRWISE_F
from accordeur.metrics.options import Sampling
from accordeur.metrics.signature import How
from accordeur.metrics.units.breakdown import (
    gamma_by_category,
    gamma_by_pair,
    gamma_without_each,
)
from accordeur.metrics.units.found_units import count_found_units, found_estimates
from accordeur.metrics.units.gamma import GAMMA_2015, gamma
from accordeur.metrics.units.gamma_cat import gamma_cat
from accordeur.metrics.units.gamma_settings import GammaSettings
from accordeur.metrics.units.krippendorff.alpha_u import alpha_u
from accordeur.metrics.units.krippendorff.u_alpha import u_alpha
from accordeur.metrics.units.observed import align_documents
from accordeur.metrics.units.pairwise_f import (
    f_by_category,
    f_by_pair,
    f_of_counts,
    pairwise_counts,
    pairwise_f,
)
from tests.metrics.intervals.properties import assert_interval_holds

FAST = GammaSettings(
    processes=("shuffle",), precision=0.5, min_samples=4, max_samples=4, replicates=40
)
TAGSET = ("x", "y")


def of_all_measures(documents: Sequence[Continuum]) -> list[Estimate]:
    """Every measure on units; α_U only where documents have the same number of annotators."""
    alignments = align_documents(documents, GAMMA_2015)
    options = FAST.arguments
    found = [gamma(documents, GAMMA_2015, FAST).corpus]
    found += [gamma(documents, GAMMA_2015, FAST, objective=o).corpus for o in ("soft", "mean")]
    of_categories = gamma_cat(documents, alignments, GAMMA_2015, **options)
    found += [of_categories.gamma_cat, *of_categories.gamma_k.values()]
    family = u_alpha(documents, **options)
    found += [family.u_alpha, family.u_alpha_binary, family.cu_alpha, *family.ku_alpha.values()]
    found += [pairwise_f(documents, name, sampling=FAST) for name in PAIRWISE_F]
    names = sorted({name for one in documents for name in one.annotators})
    rows = count_found_units(documents, alignments, names)
    found += found_estimates(rows, FAST, how=How(measure="units_found"))
    try:
        whole = alpha_u(documents, **options)
    except UndefinedError:
        return found
    return [*found, whole.all, *whole.categories.values()]


@st.composite
def documents(draw: st.DrawFn) -> list[Continuum]:
    """One to five documents of two or three annotators, with few units, many of them alike."""
    n_annotators = draw(st.integers(2, 3))
    found = []
    for _ in range(draw(st.integers(1, 5))):
        places = draw(
            st.lists(st.sampled_from([(0, 4), (5, 9), (10, 14), (11, 15), (16, 20)]), max_size=3)
        )
        rows = [
            (*place, draw(st.integers(0, 1)), annotator)
            for annotator in range(n_annotators)
            for place in dict.fromkeys(places)
            if draw(st.booleans())
        ]
        rows = [
            row
            for i, row in enumerate(rows)
            if not any(row[3] == other[3] and row[0] < other[1] for other in rows[:i])
        ]
        starts, ends, codes, owners = zip(*rows, strict=True) if rows else ((),) * 4
        found.append(
            Continuum(
                np.array(starts, float),
                np.array(ends, float),
                np.array(codes, int),
                np.array(owners, int),
                tuple("abc"[:n_annotators]),
                TAGSET,
                length=24.0,
            )
        )
    return found


@settings(max_examples=25, deadline=None)
@given(documents())
def test_every_interval_contains_its_value_within_the_range(campaign: list[Continuum]) -> None:
    n_content = sum(one.n_units > 0 for one in campaign)
    for estimate in of_all_measures(campaign):
        assert_interval_holds(estimate, n_content)


def campaign(seed: int, n_documents: int = 8, n_annotators: int = 3) -> list[Continuum]:
    """Annotators who miss, move and confuse units of two categories."""
    rng, found = np.random.default_rng(seed), []
    for _ in range(n_documents):
        ends = np.cumsum(rng.integers(10, 25, 6))
        owner, unit = np.nonzero(rng.random((n_annotators, 6)) < 0.8)
        codes = (rng.integers(0, 2, 6)[unit] + (rng.random(unit.size) < 0.2)) % 2
        moved = rng.integers(-2, 1, unit.size)
        found.append(
            Continuum(
                ends[unit] - 6.0 + moved,
                ends[unit].astype(float) + moved,
                codes,
                owner,
                tuple("abc"[:n_annotators]),
                TAGSET,
                length=float(ends[-1]) + 9,
            )
        )
    return found


def test_content_in_one_or_two_documents_gives_no_interval_and_says_why() -> None:
    """Documents where nobody marked anything say nothing of how well units are marked."""
    one, two = campaign(1, n_documents=2)
    nothing = one.select_units(np.zeros(one.n_units, dtype=bool))
    for few in ([one, *[nothing] * 9], [one, two, *[nothing] * 8]):
        for estimate in of_all_measures(few):
            assert math.isnan(estimate.interval[0]), estimate.measure
            assert estimate.reason or "fewer than 3" in str(estimate.detail.interval_reason)
    with_three = of_all_measures([*campaign(1, n_documents=3), *[nothing] * 7])
    for estimate in with_three:
        assert math.isfinite(estimate.interval[0]), estimate.measure


def test_full_agreement_leaves_room_below() -> None:
    """Eight documents without an error do not show that there are none."""
    alike = [
        replace(
            one,
            starts=np.tile(one.starts[one.owners == 0], 3),
            ends=np.tile(one.ends[one.owners == 0], 3),
            categories=np.tile(one.categories[one.owners == 0], 3),
            owners=np.repeat(np.arange(3), (one.owners == 0).sum()),
            gaps=np.empty(0),
        )
        for one in campaign(2)
    ]
    for estimate in of_all_measures(alike):
        assert estimate.value == pytest.approx(1.0), estimate.measure
        assert 0.3 < estimate.interval[0] < 0.995, estimate.measure
        assert estimate.interval[1] == pytest.approx(1.0)


def test_independent_categories_have_an_interval_that_covers_0() -> None:
    """One unit in thirty is of the rarer category, by chance: annotators hardly agree on it."""
    covered = {"gamma_cat": 0, "cu_alpha": 0}
    for seed in range(20):
        rng = np.random.default_rng(seed)
        given_ = [
            replace(one, categories=(rng.random(one.n_units) < 1 / 30).astype(int))
            for one in campaign(seed, n_documents=12, n_annotators=2)
        ]
        given_[0].categories[:1] = 1  # at least one
        alignments = align_documents(given_, GAMMA_2015)
        for one in (
            gamma_cat(given_, alignments, GAMMA_2015, n_replicates=200, seed=seed).gamma_cat,
            u_alpha(given_, n_replicates=200, seed=seed).cu_alpha,
        ):
            covered[one.measure] += one.interval[0] <= 0 <= one.interval[1]
    assert min(covered.values()) >= 18


def test_the_only_pair_and_the_only_category_are_the_whole() -> None:
    """Also where one of the two is alone on a document, from which chance may draw."""
    of_one_category = [
        replace(one, categories=np.zeros(one.n_units, dtype=int))
        for one in campaign(3, n_annotators=2)
    ]
    given_ = [*of_one_category, of_one_category[0].select_annotators(["a"])]
    whole = gamma(given_, GAMMA_2015, FAST).corpus
    [of_pair] = gamma_by_pair(given_, settings=FAST).values()
    of_category = gamma_by_category(given_, settings=FAST)["x"]
    for part in (of_pair, of_category):
        assert (part.value, part.interval) == (whole.value, whole.interval)
    [of_pair] = gamma_by_pair(given_, settings=FAST, new_annotators=True).values()
    assert "3 annotators" in str(of_pair.detail.interval_reason)
    counts = pairwise_counts(given_)
    whole = f_of_counts(counts, FAST)
    [of_pair] = f_by_pair(counts, FAST).values()
    of_category = f_by_category(counts, FAST)["x"]
    for part in (of_pair, of_category):
        assert (part.value, part.interval) == (whole.value, whole.interval)


def test_without_one_of_three_annotators_is_the_pair_of_the_others() -> None:
    given_ = [*campaign(4), *(one.select_annotators(["a", "b"]) for one in campaign(5, 3))]
    pairs = gamma_by_pair(given_, settings=FAST)
    without = gamma_without_each(given_, settings=FAST)
    assert without["a"] == pairs["b", "c"]
    assert without["c"] == pairs["a", "b"]


def test_parts_have_the_interval_that_is_requested() -> None:
    given_ = campaign(6)
    counts = pairwise_counts(given_)
    for found in (
        gamma_by_category(given_, settings=FAST, new_annotators=True),
        f_by_category(counts, FAST, new_annotators=True),
    ):
        for part in found.values():
            assert part.is_for_new_annotators
            assert part.how.interval is not None
            assert part.how.interval.over == "documents and annotators"
    narrow = gamma_by_category(given_, settings=FAST)["x"]
    wide = gamma_by_category(given_, settings=FAST, new_annotators=True)["x"]
    assert wide.interval[0] <= narrow.interval[0]
    assert wide.interval[1] >= narrow.interval[1]


def test_a_lone_unit_is_the_event_of_every_dissimilarity() -> None:
    """Δ∅ is the unit of all costs: the interval does not depend on it."""
    given_ = campaign(7)
    one, other = (
        gamma(given_, Dissimilarity(delta_empty=empty), FAST).corpus for empty in (1.0, 7.0)
    )
    assert other.value == pytest.approx(one.value)
    assert other.interval == pytest.approx(one.interval)


def test_the_error_over_documents_is_that_of_the_jackknife() -> None:
    """Delete-one-document values of uα, |uα and α_U: Efron 1982."""
    given_ = campaign(8, n_documents=20)
    measured = {
        "u_alpha": lambda some: u_alpha(some, n_replicates=2).u_alpha,
        "u_alpha_binary": lambda some: u_alpha(some, n_replicates=2).u_alpha_binary,
        "alpha_u": lambda some: alpha_u(some, n_replicates=2).all,
        "pairwise_f": lambda some: pairwise_f(some, sampling=Sampling(2)),
    }
    for name, measure in measured.items():
        without = np.array(
            [measure([*given_[:d], *given_[d + 1 :]]).value for d in range(len(given_))]
        )
        error = math.sqrt(19 / 20 * ((without - without.mean()) ** 2).sum())
        assert measure(given_).detail.standard_error == pytest.approx(error, rel=0.05), name


def renamed(documents: Sequence[Continuum], rng: np.random.Generator) -> list[Continuum]:
    """Return documents, annotators and categories under other names, each in another order."""
    found = []
    names = rng.permutation(documents[0].n_annotators)
    categories = rng.permutation(len(documents[0].tagset)).astype(np.int32)
    for d in rng.permutation(len(documents)).tolist():
        one = documents[d]
        rows = rng.permutation(one.n_units)
        found.append(
            replace(
                one,
                starts=one.starts[rows],
                ends=one.ends[rows],
                categories=categories[one.categories[rows]],
                owners=names[one.owners[rows]].astype(np.int32),
                gaps=one.gaps[rows],
            )
        )
    return found


def test_names_change_no_value_and_no_bound() -> None:
    """Of documents, annotators and categories."""
    rng = np.random.default_rng(17)
    corpus = []
    for _ in range(7):
        marked = [rng.random(9) < 0.8 for _ in range(3)]
        places, kinds = 100 * np.arange(9) + rng.integers(0, 40, 9), rng.integers(0, 3, 9)
        starts = np.concatenate([places[own] + rng.integers(0, 7, own.sum()) for own in marked])
        corpus.append(
            Continuum(
                starts,
                starts + rng.integers(5, 30, starts.size),
                np.concatenate(
                    [(kinds[own] + (rng.random(own.sum()) < 0.2)) % 3 for own in marked]
                ),
                np.repeat(np.arange(3), [own.sum() for own in marked]),
                ("anna", "boris", "chen"),
                ("x", "y", "z"),
                length=1000.0,
            )
        )
    one, two = (
        {
            of.measure: (of.value, *of.interval)
            for of in of_all_measures(some)
            if not of.detail.category
        }
        for some in (corpus, renamed(corpus, rng))
    )
    for measure, found in one.items():
        assert two[measure] == pytest.approx(found, abs=1e-9, nan_ok=True), measure
