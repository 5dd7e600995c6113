"""Bounds of units that are times: one rule for durations, clock times and seconds with decimals."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

import accordeur as acc
from accordeur.data.readers.common.bounds import Bounds, are_seconds

BOUNDS = ["start", "end"]


@pytest.fixture
def whole() -> pd.DataFrame:
    draw = np.random.default_rng(2)
    cells = [
        (f"d{d}", who, start, start + int(draw.integers(3, 9)), "xy"[int(draw.integers(2))])
        for d in range(4)
        for who in ("ann", "ben")
        for start in range(3000, 3200, 20)
    ]
    return pd.DataFrame(cells, columns=["document", "annotator", *BOUNDS, "category"])


def _clock(seconds: int) -> str:
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"


@pytest.mark.parametrize(
    "written",
    [
        lambda bounds: pd.to_timedelta(bounds, unit="s"),
        lambda bounds: bounds.map(_clock),
        lambda bounds: bounds + 0.5,
    ],
    ids=["durations", "clock", "decimals"],
)
def test_times_give_the_value_of_the_same_whole_numbers(
    whole: pd.DataFrame, written: object, tmp_path: Path
) -> None:
    times = whole.assign(**{name: written(whole[name]) for name in BOUNDS})  # type: ignore[operator]
    measure = "pairwise_f_overlap"
    expected = acc.gamma(whole, measure=measure, replicates=0)
    found = acc.gamma(times, measure=measure, replicates=0)
    assert found.value == expected.value
    assert any("kept as milliseconds: start, end" in one for one in found.notes)
    assert not any("milliseconds" in one for one in expected.notes)
    sides = [times[times.annotator == who].drop(columns="annotator") for who in ("ann", "ben")]
    same = [whole[whole.annotator == who].drop(columns="annotator") for who in ("ann", "ben")]
    scores = acc.score(*sides, replicates=0)
    assert scores["exact_f"].value == acc.score(*same, replicates=0)["exact_f"].value
    if "time" not in str(times["start"].dtype):
        times.to_csv(tmp_path / "units.csv", index=False)
        of_file = acc.gamma(tmp_path / "units.csv", measure=measure, replicates=0)
        assert of_file.value == expected.value


def test_sides_of_a_score_have_one_unit(whole: pd.DataFrame) -> None:
    """Whole seconds beside durations are seconds, too."""
    ann = whole[whole.annotator == "ann"].drop(columns="annotator")
    durations = ann.assign(**{name: pd.to_timedelta(ann[name], unit="s") for name in BOUNDS})
    assert acc.score(durations, pl.from_pandas(ann), replicates=0)["exact_f"].value == 1


def test_a_single_fraction_among_offsets_is_a_mistake(whole: pd.DataFrame) -> None:
    cells = [2.5, *whole["start"].tolist()[1:]]
    with pytest.raises(ValueError, match=r"the start 2\.5 is no bound: bounds are whole numbers"):
        acc.gamma(whole.assign(start=pd.Series(cells, dtype=object)))
    assert not are_seconds(["2.5", "7", "9"])
    assert not are_seconds(["2.0", "7.0"])


def test_clock_times_have_hours_and_fractions_or_neither() -> None:
    of_seconds = Bounds("s")
    assert [*map(of_seconds.parse, ("1:02:03.25", "2:03", "123.25"))] == [3723250, 123000, 123250]
    assert not isinstance(Bounds("char").parse("2:03"), int)


def test_a_plan_of_units_is_that_of_gamma(whole: pd.DataFrame, tmp_path: Path) -> None:
    whole.to_csv(tmp_path / "units.csv", index=False)
    of_file = acc.plan(tmp_path / "units.csv", measure="gamma", width=0.3)
    assert acc.plan(whole, width=0.3) == of_file
