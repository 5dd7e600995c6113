"""What each kind of error costs in γ: the parts of the observed disorder."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.alignment.dissimilarity import Dissimilarity, pair_cost
from accordeur.metrics.units.disorder_by_cause import disorder_by_cause, error_costs
from accordeur.metrics.units.gamma import gamma
from accordeur.metrics.units.observed import align_documents

UNITS = st.lists(
    st.tuples(st.integers(0, 60), st.integers(1, 12), st.integers(-1, 2), st.integers(0, 2)),
    min_size=1,
    max_size=8,
)


def _continuum(units: list[tuple[int, int, int, int]], n_annotators: int = 3) -> Continuum:
    starts, lengths, categories, owners = (np.array(column) for column in zip(*units, strict=True))
    names = tuple("abc"[:n_annotators])
    return Continuum(
        starts.astype(np.float64),
        (starts + lengths).astype(np.float64),
        categories.astype(np.int32),
        owners.astype(np.int32),
        names,
        ("x", "y", "z"),
        length=80.0,
    )


@settings(max_examples=40)
@given(
    st.lists(UNITS, min_size=2, max_size=3),
    st.sampled_from(
        [
            Dissimilarity(),
            Dissimilarity(alpha=3.0, beta=0.5, delta_empty=2.0),
            Dissimilarity.sporadic(),
        ]
    ),
)
def test_parts_are_the_pairs_of_the_alignment_and_sum_to_its_disorder(documents, metric) -> None:
    continua = [_continuum(units) for units in documents]
    alignments = align_documents(continua, metric)
    parts = disorder_by_cause(continua, alignments, metric)
    for row, continuum, alignment in zip(parts, continua, alignments, strict=True):
        missing = paired = 0.0
        for members in alignment.units.tolist():
            for u, v in combinations(members, 2):
                if min(u, v) < 0:
                    missing += metric.delta_empty / 3
                else:
                    paired += pair_cost(continuum, u, v, metric) / 3
        assert row[0] == pytest.approx(missing)
        assert row[1] + row[2] == pytest.approx(paired)
        assert row.sum() == pytest.approx(alignment.total)


def test_costs_sum_to_one_minus_gamma() -> None:
    units = [(10 * k, 8 - k % 2 * owner, (k + owner // 2) % 3, owner)
             for k in range(6) for owner in range(3) if (k, owner) != (2, 1)]  # fmt: skip
    continua = [_continuum(units), _continuum(units[:9])]
    result = gamma(continua, precision=0.05, replicates=0)
    costs = error_costs(
        disorder_by_cause(continua, result.alignments, Dissimilarity()), result.corpus
    )
    assert [one.cause for one in costs] == ["missing", "boundary", "category"]
    assert all(one.cost > 0 for one in costs)
    assert sum(one.cost for one in costs) == pytest.approx(1 - result.corpus.value, abs=1e-12)
    assert sum(one.share for one in costs) == pytest.approx(1)
    assert sum(one.disorder for one in costs) == pytest.approx(result.corpus.observed)


@pytest.mark.parametrize(
    ("changed", "cause"),
    [
        ((0, 10, 0, 1), None),
        ((2, 10, 0, 1), "boundary"),
        ((0, 10, 1, 1), "category"),
        ((60, 10, 0, 1), "missing"),
    ],
)
def test_one_kind_of_error_has_all_the_cost(changed, cause) -> None:
    continuum = _continuum([(0, 10, 0, 0), (30, 5, 2, 0), changed, (30, 5, 2, 1)], 2)
    [row] = disorder_by_cause(
        [continuum], align_documents([continuum], Dissimilarity()), Dissimilarity()
    )
    nonzero = [
        name for name, part in zip(("missing", "boundary", "category"), row, strict=True) if part
    ]
    assert nonzero == ([cause] if cause else [])


def test_a_single_function_has_no_separate_causes() -> None:
    whole = Dissimilarity(pair_function=lambda c, u, v: np.zeros(u.shape))
    continuum = _continuum([(0, 10, 0, 0), (0, 10, 0, 1)], 2)
    parts = disorder_by_cause([continuum], align_documents([continuum], whole), whole)
    result = gamma([continuum], precision=0.1, replicates=0, processes=("shuffle",))
    assert error_costs(parts, result.corpus) == ()
