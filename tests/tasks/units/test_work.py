"""The settings that the numbers of a layer of units are computed with."""

from __future__ import annotations

import numpy as np
import pytest

from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.chance.corpus import corpus_of_continua
from accordeur.metrics.units.gamma_settings import GammaSettings
from accordeur.metrics.units.holistic_agreement import compare_greedy, holistic
from accordeur.tasks.layers import LayerSpec
from accordeur.tasks.units.alignment import DissimilaritySpec
from accordeur.tasks.units.unit_work import UnitSettings, UnitWork
from accordeur.tasks.units.values_besides_gamma import PARTS


@pytest.mark.parametrize(
    ("asked", "taken"), [((), ()), (("shuffle", "random1"), ("shuffle", "random1"))]
)
def test_parts_and_further_measures_take_the_campaigns_chance(asked, taken) -> None:
    layer = LayerSpec("events", "units", ("x",), ("a", "b"))
    chance = GammaSettings(processes=asked, precision=0.005, reconcile="tile", seed=3)
    work = UnitWork(layer, [], "corpora/c", DissimilaritySpec(), chance, UnitSettings())
    assert work.gamma.processes == work.coarse_settings.processes == taken
    assert work.gamma.precision == 0.005
    assert work.coarse_settings.precision == 0.02
    assert {one.reconcile for one in (work.gamma, work.coarse_settings)} == {"tile"}


def test_the_greedy_algorithm_stands_beside_the_holistic_measure(monkeypatch) -> None:
    rng = np.random.default_rng(0)
    documents = []
    for _ in range(6):
        starts = rng.integers(0, 100, 24).astype(float)
        ends = starts + rng.integers(3, 20, 24)
        owners = np.repeat([0, 1, 2], 8)
        documents.append(
            Continuum(starts, ends, np.zeros(24), owners, ("a", "b", "c"), ("x",), length=120)
        )
    layer = LayerSpec("events", "units", ("x",), ("a", "b", "c"))
    settings = UnitSettings(measures=("gamma", "holistic"))
    chance = GammaSettings(precision=0.05, replicates=50)
    work = UnitWork(layer, [], "", DissimilaritySpec(), chance, settings)
    monkeypatch.setattr(UnitWork, "corpus", lambda *_: corpus_of_continua(documents))
    exact, greedy = PARTS["further"](None, work).values
    by_hand = holistic(documents, work.metric, settings=work.gamma)
    beside = compare_greedy(documents, by_hand, work.metric, settings=work.gamma)
    assert (exact.measure, greedy.measure) == ("holistic", "holistic_greedy")
    assert exact.value == pytest.approx(by_hand.corpus.value)
    assert greedy.value == pytest.approx(beside.agreement.value)
    assert greedy.detail.n_documents_not_ideal == (beside.excess > 1e-9).sum() > 0
