"""Disagreement of units by pair of annotators: its sums are the F and what explains γ."""

from __future__ import annotations

import numpy as np
import pytest

from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.alignment.dissimilarity import Dissimilarity
from accordeur.metrics.causes.disagreement import Disagreement, DisagreementKind
from accordeur.metrics.chance.corpus import corpus_of_continua
from accordeur.metrics.measures import FOUND
from accordeur.metrics.options import UnitMatching
from accordeur.metrics.signature import How
from accordeur.metrics.units.disagreement_of_lengths import disagreement_of_lengths
from accordeur.metrics.units.disagreement_of_pairs import UnitsOfAnnotators, disagreement_of_pairs
from accordeur.metrics.units.found_units import (
    count_found_units,
    disagreement_of_found,
    found_estimates,
)
from accordeur.metrics.units.observed import align_documents
from accordeur.metrics.units.pairwise_f import MATCHES, pairwise_f, units_of_corpus
from accordeur.metrics.units.unit_disagreement import (
    UnitGroups,
    disorder_rows,
    unit_disagreement,
)

NAMES, TAGSET = ("A", "B", "C"), ("x", "y")
METRIC = Dissimilarity()


def continua(seed: int, n: int = 12) -> list[Continuum]:
    """Random units, which nest and overlap; the third annotator has not seen every document."""
    rng = np.random.default_rng(seed)
    found = []
    for d in range(n):
        owners = np.sort(rng.integers(0, 2 if d % 3 == 0 else 3, 14))
        starts = rng.integers(0, 40, owners.size).astype(float)
        ends = starts + rng.integers(1, 6, owners.size)
        names = NAMES[: int(owners.max()) + 1]
        codes = rng.integers(-1, 2, owners.size)
        found.append(Continuum(starts, ends, codes, owners, names, TAGSET, length=50.0))
    return found


def units_of(documents: list[Continuum]) -> UnitsOfAnnotators:
    return units_of_corpus(corpus_of_continua(documents), NAMES)


def of_gamma(documents: list[Continuum]) -> tuple[Disagreement, UnitGroups]:
    alignments = align_documents(documents, METRIC)
    usage = np.array([np.bincount(one.categories % 3, minlength=3) for one in documents], float)
    present = np.array([[name in one.annotators for name in NAMES] for one in documents])
    by = UnitGroups.of_documents(usage, NAMES, TAGSET)
    rows = disorder_rows(documents, alignments, METRIC, NAMES)
    found = unit_disagreement(rows, usage, np.ones(len(documents)), present, by)
    assert found is not None
    return found, by


@pytest.mark.parametrize("measure", [name for name, match in MATCHES.items() if match])
@pytest.mark.parametrize("matching", [UnitMatching(), UnitMatching(tolerance=1, min_overlap=0.3)])
@pytest.mark.parametrize("seed", range(4))
def test_the_value_is_the_f_between_annotators(
    measure: str, matching: UnitMatching, seed: int
) -> None:
    documents = continua(seed)
    found, by = of_gamma(documents)
    _, of_f = disagreement_of_pairs(found, units_of(documents), by, [measure], matching)
    assert of_f[measure].value == pytest.approx(pairwise_f(documents, measure, matching).value)


def test_a_unit_is_missing_or_has_other_bounds_or_another_category() -> None:
    units = {"A": [(0, 5, 0), (10, 15, 0), (20, 25, 0)], "B": [(0, 5, 1), (11, 16, 0)]}
    rows = [(s, e, k, a) for a, own in enumerate(units.values()) for s, e, k in own]
    starts, ends, codes, owners = (np.array(column) for column in zip(*rows, strict=True))
    one = Continuum(starts.astype(float), ends.astype(float), codes, owners, NAMES[:2], TAGSET)
    found, by = of_gamma([one])
    found, of_f = disagreement_of_pairs(found, units_of([one]), by, ["pairwise_f"])
    counts = of_f["pairwise_f"].counts.sum(axis=0)
    assert {
        (kind.cause, kind.categories): (int(counts[0, 1, j]), int(counts[1, 0, j]))
        for j, kind in enumerate(found.kinds)
        if counts[..., j].any()
    } == {
        ("missing", ("x",)): (1, 0),
        ("boundary", ("x",)): (2, 0),
        ("category", ("x", "y")): (2, 0),
    }
    assert found.kinds[0] == DisagreementKind("missing", found.categories[:1])
    assert found.offsets is not None
    step = found.offsets.steps.index((1, 1))
    assert found.offsets.counts[0, :, :, step].tolist() == [[0, 0, 0], [1, 0, 0], [0, 0, 0]]
    assert found.choices is not None
    assert found.choices.uses[0, 0, 1].sum() == 3
    assert found.choices.apart[0, 0, 1].sum() == 2


@pytest.mark.parametrize("seed", range(4))
def test_found_where_and_what_are_one_minus_what_lowers_them(seed: int) -> None:
    documents = continua(seed)
    found, by = of_gamma(documents)
    rows = count_found_units(documents, align_documents(documents, METRIC), NAMES)
    values = found_estimates(rows, how=How(measure=FOUND[0]))
    of_measures = disagreement_of_found(rows, found, by)
    assert [of_measures[one.measure].value for one in values] == pytest.approx(
        [one.value for one in values]
    )


@pytest.mark.parametrize("seed", range(4))
def test_the_value_in_lengths_is_the_f_by_characters(seed: int) -> None:
    documents = [without_overlaps(one) for one in continua(seed)]
    found, by = of_gamma(documents)
    of_lengths = disagreement_of_lengths(found, units_of(documents), by)
    own = of_lengths["pairwise_f_characters"]
    assert own.value == pytest.approx(pairwise_f(documents, "pairwise_f_characters").value)
    assert of_lengths["u_alpha"] is own
    assert of_lengths["u_alpha_binary"].value > own.value


def without_overlaps(one: Continuum) -> Continuum:
    """Keep the units of each annotator that begin after the earlier ones end."""
    kept, end = [], dict.fromkeys(range(3), -1.0)
    for u in np.argsort(one.starts, kind="stable").tolist():
        if one.starts[u] >= end[int(one.owners[u])]:
            kept.append(u)
            end[int(one.owners[u])] = float(one.ends[u])
    return Continuum(
        one.starts[kept], one.ends[kept], one.categories[kept], one.owners[kept],
        one.annotators, TAGSET, length=one.length,
    )  # fmt: skip
