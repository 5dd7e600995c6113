"""Every value of a report is in `values.parquet`, and the main ones in a comparison of runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pydantic import BaseModel

from accordeur.data.store.store import Store
from accordeur.metrics.estimate import Estimate
from accordeur.reports.results import Measured, Results
from accordeur.tasks.reporting.reported_values import values_of, values_table
from accordeur.tasks.run_comparison.compare_runs import compare_runs
from accordeur.tasks.run_comparison.runs import RunToCompare
from tests.reports.samples.objects import objects
from tests.reports.samples.pathological import pathological
from tests.reports.samples.typical import typical


def estimates_in(part: object) -> Iterator[Estimate]:
    if isinstance(part, Estimate):
        yield part
    elif isinstance(part, BaseModel):
        for _, field in part:
            yield from estimates_in(field)
    elif isinstance(part, list | tuple):
        for one in part:
            yield from estimates_in(one)


@pytest.mark.parametrize("sample", [typical, pathological, objects])
def test_no_value_of_a_report_is_missing(sample: Callable[[], Results]) -> None:
    results = sample()
    listed = {id(one.value) for one in values_of(results)}
    found = [one for name in Measured.model_fields for one in estimates_in(getattr(results, name))]
    assert [one for one in found if id(one) not in listed] == []


def test_estimates_of_the_corpus_are_values() -> None:
    table = values_table(typical()).to_pylist()
    rows = [one for one in table if one["part"] == "corpus, by tagger"]
    assert [(one["measure"], one["name"], one["value"]) for one in rows[:2]] == [
        ("corrected_share", "neutral", 0.634),
        ("corrected_share", "for", 0.352),
    ]
    assert (rows[-1]["measure"], rows[-1]["value"]) == ("corrected_accuracy", 0.83)


def test_a_comparison_lists_each_corrected_share(tmp_path: Path) -> None:
    runs = [
        RunToCompare(name=f"run {k}", store=Store(str(tmp_path)), folder=f"runs/{k}", results=one)
        for k, one in enumerate((typical(), typical()))
    ]
    changes = {(one.measure, one.of): one.change for one in compare_runs(*runs).values if one.of}
    assert changes["corrected_share", "for, tagger"] == 0
    assert changes["corrected_accuracy", "tagger"] == 0
