"""Diarization error rate: a published case, overlaps and collars by counting instants."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accordeur.metrics.errors import MetricsError
from accordeur.metrics.options import Sampling
from accordeur.metrics.scores.diarization import TIMES, diarization_error_rate, diarization_times
from accordeur.metrics.unit_rows import Units

CORPORA = Path(__file__).resolve().parents[2] / "corpora"


def turns(rows: list, document: int = 0) -> Units:
    names = {name: k for k, name in enumerate(sorted({row[2] for row in rows}))}
    table = np.array([(document, s, e, names[who]) for s, e, who in rows]).reshape(-1, 4)
    return Units(*table.T)


def test_known_value() -> None:
    case = json.loads((CORPORA / "known_values_scoring.json").read_text(encoding="utf-8"))
    case = case["diarization"]
    times = diarization_times(turns(case["reference"]), turns(case["hypothesis"]), n_documents=1)
    names = {"missed": "missed", "false_alarm": "false_alarm", "confusion": "confusion"}
    for name in (*names, "correct", "total"):
        assert times[0, TIMES.index(name)] == case[name]
    assert diarization_error_rate(times).value == pytest.approx(case["expected"], abs=1e-12)


speech = st.lists(
    st.tuples(st.integers(0, 12), st.integers(1, 6), st.sampled_from("abc")), max_size=5
).map(lambda rows: [(s, s + n, who) for s, n, who in rows])


def by_instants(reference: list, system: list, collar: int, overlaps: bool) -> dict[str, float]:
    """Quarter by quarter of a time unit, every mapping of speakers tried."""
    bounds = [b for s, e, _ in reference for b in (s, e)]
    instants = []
    for q in range(80):
        at = q / 4 + 1 / 8
        r = {who for s, e, who in reference if s <= at < e}
        if any(abs(at - b) < collar / 2 for b in bounds) or (not overlaps and len(r) > 1):
            continue
        instants.append((r, {who for s, e, who in system if s <= at < e}))
    speakers = sorted({who for *_, who in system})
    slots = [*sorted({who for *_, who in reference}), *[None] * len(speakers)]
    correct = 0
    for goals in set(itertools.permutations(slots, len(speakers))):
        mapped = dict(zip(speakers, goals, strict=True))
        correct = max(correct, sum(len(r & {mapped[w] for w in s}) for r, s in instants))
    both = sum(min(len(r), len(s)) for r, s in instants)
    given_, said = sum(len(r) for r, _ in instants), sum(len(s) for _, s in instants)
    counted = (correct, both - correct, given_ - both, said - both, given_)
    return {name: value / 4 for name, value in zip(TIMES, counted, strict=True)}


@given(speech, speech, st.sampled_from([0, 1, 2]), st.booleans())
@settings(max_examples=60)
def test_against_counting_instants(reference, system, collar, overlaps) -> None:
    times = diarization_times(
        turns(reference), turns(system), n_documents=1, collar=collar, overlaps=overlaps
    )
    expected = by_instants(reference, system, collar, overlaps)
    assert dict(zip(TIMES, times[0], strict=True)) == pytest.approx(expected)


def test_documents_add_up() -> None:
    one, two = [(0, 10, "x")], [(0, 4, "y"), (4, 10, "x")]
    first, second = turns(one, 0), turns(two, 1)
    reference = Units(
        *(np.concatenate(p) for p in zip(first.arrays(), second.arrays(), strict=True))
    )
    system = turns([(0, 10, "s")], 1)
    times = diarization_times(reference, system, n_documents=3)
    assert times[0].tolist() == [0, 0, 10, 0, 10]
    assert times[1].tolist() == [6, 4, 0, 0, 10]
    assert diarization_error_rate(times, sampling=Sampling(20)).value == 14 / 20


def test_undefined_and_refused() -> None:
    silent = diarization_error_rate(
        diarization_times(Units.empty(), turns([(0, 5, "a")]), n_documents=1)
    )
    assert math.isnan(silent.value)
    assert silent.detail.false_alarm == 5
    with pytest.raises(MetricsError, match="collar is -1"):
        diarization_times(Units.empty(), Units.empty(), n_documents=1, collar=-1)
    with pytest.raises(MetricsError, match=r"outside 0\.\.0"):
        diarization_times(turns([(0, 5, "a")], 3), Units.empty(), n_documents=1)
