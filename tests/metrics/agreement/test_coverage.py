"""How often an interval holds the value of the population, by simulation."""

from __future__ import annotations

import pytest
from agreement_intervals import bootstrap, linearized
from agreement_samples import sample

from accordeur.metrics.agreement.coefficients import compute_coefficient

POPULATION = {"spread": 0.25, "difficulty": 0.12}


def coverage(over: str, method: str, *, n_campaigns: int, n_documents: int, size: int) -> float:
    """Share of simulated campaigns whose 95 % interval holds π of the population."""
    population = sample(0, n_items=400_000, n_documents=40_000, **POPULATION)
    truth = compute_coefficient("fleiss_kappa", population).value
    held = 0
    for seed in range(1, n_campaigns + 1):
        matrix = sample(seed, n_items=size * n_documents, n_documents=n_documents, **POPULATION)
        options = {"measures": ["fleiss_kappa"], "over": over}
        if method == "linearized":
            found = linearized(matrix, **options)
        else:
            found = bootstrap(matrix, seed=seed, n_replicates=300, method=method, **options)
        held += found["fleiss_kappa"].lower <= truth <= found["fleiss_kappa"].upper
    return held / n_campaigns


@pytest.mark.parametrize("method", ["expanded-percentile", "linearized"])
def test_coverage_of_intervals_over_documents(method: str) -> None:
    """400 campaigns of 40 unlike documents: near 95 % of the intervals hold the population's π."""
    assert 0.91 <= coverage("documents", method, n_campaigns=400, n_documents=40, size=10) <= 0.98


def test_intervals_over_items_are_too_short_when_documents_differ() -> None:
    """Why documents are drawn, not items: labels of one document are not independent."""
    options = {"n_campaigns": 200, "n_documents": 25, "size": 40}
    assert coverage("items", "expanded-percentile", **options) < 0.85
    assert coverage("documents", "expanded-percentile", **options) > 0.89


def test_expanded_percentiles_hold_where_documents_are_few() -> None:
    """Plain percentiles contain the value in .84 of the trials."""
    options = {"n_campaigns": 300, "n_documents": 8, "size": 20}
    assert 0.88 < coverage("documents", "expanded-percentile", **options) < 0.98
