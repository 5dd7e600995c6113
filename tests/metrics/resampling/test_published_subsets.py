"""M(k) of campaigns that are shared: what was published of them, or holds for them."""

from __future__ import annotations

import numpy as np
import pytest

from accordeur.metrics.resampling.subsets.modification_rate import modification_rate


@pytest.mark.shared
def test_bluebirds(bluebirds):
    # 39 annotators, two categories, complete: no reference can tie
    result = modification_rate(bluebirds)
    assert (result.n_items, result.n_annotators, result.n_tied_reference) == (108, 39, 0)
    off = 1 - bluebirds.counts().max(axis=1) / 39
    assert result.rate[0] == pytest.approx(off.mean(), abs=1e-12)
    assert result.rate[0::2] == pytest.approx(result.rate[1::2], abs=1e-12)
    assert (np.diff(result.rate[::2]) < 0).all()


@pytest.mark.shared
def test_weather_sentiment(weather_sentiment):
    # 110 annotators, at least 20 labels an item; five labels given twice
    assert weather_sentiment.n_duplicates == 5
    by_label = modification_rate(weather_sentiment, draw="labels", ks=range(1, 20), n_replicates=0)
    assert by_label.n_duplicates == 5
    assert (by_label.empty == 0).all()
    assert (np.diff(by_label.rate[1:]) < 0).all()
    by_annotator = modification_rate(weather_sentiment, ks=[1, 50], n_replicates=0)
    n_labels = (weather_sentiment.codes >= 0).sum(axis=1)
    assert by_annotator.empty[0] == pytest.approx(1 - n_labels.mean() / 110)
    assert by_annotator.empty[1] < 1e-4


@pytest.mark.shared
def test_snow_rte_and_hs_brexit_ties(snow_rte, hs_brexit):
    rte = modification_rate(snow_rte, draw="labels", ks=range(1, 11), n_replicates=0)
    assert (rte.n_items, rte.n_annotators, rte.n_tied_reference) == (800, 164, 65)
    assert rte.rate[9] == pytest.approx(65 / 800 / 2)  # ten of ten: the tied references alone
    brexit = modification_rate(hs_brexit, ties="abstain", n_replicates=0)
    assert (brexit.n_tied_reference, brexit.n_unresolved) == (84, 84)
