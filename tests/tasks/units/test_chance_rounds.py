"""Rounds of chance samples: the first task draws what is small, the same as round by round."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from accordeur.data.store.store import Store
from accordeur.metrics.chance.sample_plan import Kept
from accordeur.metrics.units.gamma_settings import GammaSettings
from accordeur.tasks.analysis import Counted, count
from accordeur.tasks.layers import LayerSpec
from accordeur.tasks.units import chance_rounds
from accordeur.tasks.units.alignment import DissimilaritySpec, UnitAlignment
from accordeur.tasks.units.chance import Drawing, draw_chance, read_gathered_corpus
from accordeur.tasks.units.chance_rounds import (
    SampleNeeds,
    add_drawn_samples,
    begin_chance,
    next_jobs,
)
from tests.tasks.stores import table, validated

LAYER = LayerSpec("units", "units", ("LOC", "PER"), ("anna", "ben"))
DISSIMILARITY = DissimilaritySpec()
SETTINGS = GammaSettings(precision=0.02)
DRAWING = Drawing.of(LAYER, DISSIMILARITY, SETTINGS)


@pytest.fixture
def aligned(tmp_path: Path) -> tuple[Store, list[Counted]]:
    return _aligned(tmp_path, LAYER)


def _aligned(tmp_path: Path, layer: LayerSpec) -> tuple[Store, list[Counted]]:
    """Eight documents of about six units by two people."""
    rng, rows = np.random.default_rng(1), []
    for d in range(8):
        for start in np.sort(rng.choice(190, 6, replace=False)):
            for who in layer.humans:
                first = start + rng.integers(0, 4)
                category = rng.choice(LAYER.tagset)
                rows.append(f"doc{d},{who},{first},{first + 6},{category}")
    path = table(tmp_path, "units.csv", "document,annotator,start,end,category", rows)
    store, shards = validated(tmp_path, [{"path": path, "layer_names": {"": "units"}}])
    alignment = UnitAlignment(layer, DISSIMILARITY)
    return store, count(store.url, [one.key for one in shards], [alignment])


def test_small_rounds_are_drawn_with_the_corpus(
    aligned: tuple[Store, list[Counted]],
) -> None:
    store, shards = aligned
    begun = begin_chance(store.url, shards, DRAWING, SETTINGS)
    corpus = read_gathered_corpus(store.url, begun.corpus.place, LAYER)
    assert corpus is not None
    needed = begun.needed
    assert needed == SampleNeeds.of(corpus, SETTINGS)
    assert next_jobs(add_drawn_samples({}, begun.drawn), needed, SETTINGS) == []  # precise enough
    kept: Kept = {}
    while jobs := next_jobs(kept, needed, SETTINGS):  # one round after the other, elsewhere
        what = (begun.corpus.place, DRAWING, jobs)
        kept = add_drawn_samples(kept, draw_chance(store.url, *what, fresh=True))
    at_once = add_drawn_samples({}, begun.drawn)
    assert at_once.keys() == kept.keys()
    assert all(np.array_equal(at_once[key], kept[key]) for key in kept)
    assert {one.job.first for one in begun.drawn} > {0}


def test_the_same_units_under_pseudonyms_are_not_drawn_from_again(
    aligned: tuple[Store, list[Counted]], tmp_path: Path
) -> None:
    store, shards = aligned
    begun = begin_chance(store.url, shards, DRAWING, SETTINGS)
    hidden = replace(LAYER, humans=("N1", "N2"))
    same, renamed = _aligned(tmp_path, hidden)
    assert same.url == store.url
    drawing = Drawing.of(hidden, DISSIMILARITY, SETTINGS)
    again = begin_chance(store.url, renamed, drawing, SETTINGS)
    assert again.corpus.place != begun.corpus.place
    assert [one.samples for one in again.drawn] == [one.samples for one in begun.drawn]
    assert all(one.reused for one in again.drawn)
    other = Drawing.of(hidden, replace(DISSIMILARITY, alpha=2.0), SETTINGS)
    assert not any(one.reused for one in begin_chance(store.url, renamed, other, SETTINGS).drawn)


def test_a_large_round_is_left_to_others(
    aligned: tuple[Store, list[Counted]], monkeypatch: pytest.MonkeyPatch
) -> None:
    store, shards = aligned
    monkeypatch.setattr(chance_rounds, "SMALL_SECONDS", 0.0)
    begun = begin_chance(store.url, shards, DRAWING, SETTINGS)
    assert begun.drawn == ()
    assert next_jobs({}, begun.needed, SETTINGS)


def test_nothing_is_needed_of_no_document(tmp_path: Path) -> None:
    begun = begin_chance(str(tmp_path / "store"), [], DRAWING, SETTINGS)
    assert (begun.needed, begun.drawn) == (None, ())
