"""The worked example of Mathet, Widlöcher & Métivier 2015: Alex, Paul and Suzan.

Offsets and asserted ranges: pygamma-agreement, tests/data/AlexPaulSuzan.csv, tests/test_gammas.py
(MIT licence, commit 44587ef). alpha = 3, beta = 1, Δ∅ = 1.
"""

from __future__ import annotations

import pytest

from accordeur.metrics.alignment.best_alignment import best_alignment
from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.alignment.dissimilarity import Dissimilarity
from accordeur.metrics.chance.corpus import corpus_of_continua
from accordeur.metrics.options import Chance
from accordeur.metrics.units.gamma import gamma
from accordeur.metrics.units.gamma_cat import gamma_cat
from accordeur.metrics.units.gamma_cat_empty_pairs import gamma_cat_empty_pairs
from tests.metrics.chance.one_draw import draw_continuum

UNITS = {
    "Alex": [(2, 9, 1), (11, 17, 2), (24, 30, 5), (32, 36, 6), (36, 44, 6), (44, 60, 7)],
    "Paul": [(2, 9, 1), (11, 17, 3), (19, 25, 5), (32, 44, 6)],
    "Suzan": [(2, 9, 1), (11, 17, 4), (21, 27, 5), (32, 36, 6), (36, 40, 6), (40, 44, 6)],
}
D = Dissimilarity(alpha=3, beta=1)


@pytest.fixture(scope="module")
def example() -> Continuum:
    rows = [(*unit, a) for a, name in enumerate(UNITS) for unit in UNITS[name]]
    return Continuum(
        [start for start, *_ in rows],
        [row[1] for row in rows],
        [row[2] - 1 for row in rows],
        [row[3] for row in rows],
        tuple(UNITS),
        tuple("1234567"),
    )


def test_the_disorder_is_096(example) -> None:
    assert best_alignment(example, D).gamma_disorder == pytest.approx(0.96, abs=0.001)


def test_gamma_with_the_shuffle_of_the_2015_software(example) -> None:
    """Pivots half a mean unit apart, as that software has them; asserted: .44 to .47."""
    result = gamma([example], D, processes=["shuffle"], min_gap=0.5, precision=0.01)
    assert 0.44 <= result.corpus.value <= 0.47
    assert result.corpus.n_items == 16
    assert result.corpus.n_annotators == 3


def test_what_is_agreed_upon_by_category(example) -> None:
    """γ-k: 1 for categories 1 and 5, 0 or below for 2, 3, 4, given to one and the same unit."""
    result = gamma_cat([example], [best_alignment(example, D)], D)
    for category in "15":
        assert result.gamma_k[category].value == 1.0
    for category in "234":
        assert result.gamma_k[category].value <= 0


def test_the_peers_gamma_cat(example) -> None:
    """Asserted: γ-cat .38 to .42, γ-k 1 for 1 and 5, .37 for 6, at most 0 for the others.

    Two best alignments have the same disorder: units of categories 6 and 7 apart or together.
    """
    alignment = best_alignment(example, D)
    assert alignment.units.shape[0] == 6
    corpus = corpus_of_continua([example])
    virtual = [
        draw_continuum(corpus, process="shuffle", study=4772, index=i, chance=Chance(min_gap=0.5))
        for i in range(300)
    ]
    chance = [(c, best_alignment(c, D)) for c in virtual]
    assert 0.38 <= gamma_cat_empty_pairs([example], [alignment], chance, D).value <= 0.42
    k = [
        gamma_cat_empty_pairs([example], [alignment], chance, D, category=c).value for c in range(7)
    ]
    assert k[0] == k[4] == 1.0
    assert k[5] == pytest.approx(0.37, abs=0.05)
    assert max(k[1], k[2], k[3], k[6]) <= 0
