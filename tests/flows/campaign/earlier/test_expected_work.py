"""Work that is expected and has not arrived, from ledgers made by hand."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pydantic import ValidationError

from accordeur.data.ledger import LEDGER
from accordeur.data.store.store import Store
from accordeur.flows.campaign.earlier import expected_work
from accordeur.flows.campaign.earlier.expected_work import missing_as_json, missing_in_ledger
from accordeur.flows.campaign.file.campaign_config import Config
from accordeur.flows.campaign.file.run_sections import Expected
from accordeur.metrics.pace import FALSE_ALARMS, fewest_usual

BEGIN = datetime(2026, 3, 2, 9, tzinfo=UTC)


def config(*expect: Expected, **annotators: dict[str, object]) -> Config:
    return Config.model_validate(
        {
            "campaign": {"name": "x"},
            "sources": [{"path": "a.csv", "format": "table"}],
            "annotators": annotators,
            "expect": [one.model_dump() for one in expect],
        }
    )


def ledger(*weeks: tuple[int, int, str]) -> pa.Table:
    """Work of (week, documents, annotators' letters), ten rows in each document."""
    rows = [
        {"document": f"w{week}-{k}", "annotator": who, "layer": "topic", "role": "human",
         "arrived": week, "n_rows": 10}
        for week, n, letters in weeks for k in range(n) for who in letters
    ]  # fmt: skip
    return pa.Table.from_pylist(rows, schema=LEDGER)


def missing(
    given: Config, work: pa.Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, weeks: float
) -> list[str]:
    def started(store: Store, path: str) -> str:
        return (BEGIN + timedelta(weeks=int(path))).isoformat()

    monkeypatch.setattr(expected_work, "started_of_run", started)
    monkeypatch.setattr(expected_work, "earlier_runs", lambda store: {k: str(k) for k in range(60)})
    now = BEGIN + timedelta(weeks=weeks)
    found = missing_in_ledger(Store(str(tmp_path)), given, work, now)
    return [one["sentence"] for one in missing_as_json(found)]


def test_a_silent_week_is_missed_and_a_delivery_a_few_minutes_early_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given, work = config(Expected(arrives="weekly")), ledger((1, 2, "ab"), (2, 2, "ab"))
    minute = 1 / 7 / 24 / 60
    assert missing(given, work, tmp_path, monkeypatch, 2 + 6 / 7) == []
    for weeks in (3 - 5 * minute, 3):
        assert missing(given, work, tmp_path, monkeypatch, weeks) == [
            "No new work has arrived for 7 days, since 2026-03-16; some is expected every week."
        ]


def test_who_stopped_is_named_and_who_left_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = ledger((1, 2, "abc"), (2, 2, "a"), (3, 2, "a"))
    each = Expected(arrives="weekly", annotator="each")
    [one] = missing(config(each, c={"left": True}), work, tmp_path, monkeypatch, 3)
    assert one.startswith("No new work of b has arrived for 14 days, since 2026-03-09")
    pseudonyms = config(Expected(arrives="weekly", annotator="Bea"), Bea={"pseudonym": "b"})
    assert missing(pseudonyms, work, tmp_path, monkeypatch, 3) == [one]
    other_layer = Expected(arrives="weekly", layer="stance")
    assert missing(config(other_layer), work, tmp_path, monkeypatch, 9) == []  # none ever arrived


@pytest.mark.parametrize("what", ["documents", "labels", "annotators"])
def test_a_small_delivery_is_missed_after_five_others(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = [(k, 15 + k % 2, "abcdef") for k in range(1, 8)]
    given = config(Expected(usual=what))
    small = (8, 3, "ab")
    assert missing(given, ledger(*usual), tmp_path, monkeypatch, 8) == []
    assert missing(given, ledger(*usual[:4], small), tmp_path, monkeypatch, 8) == []
    [one] = missing(given, ledger(*usual, small), tmp_path, monkeypatch, 8)
    assert one.startswith("The last delivery has ")
    assert "after the 7 before it" in one


def test_the_bound_of_usual_deliveries_has_its_rate_of_false_alarms() -> None:
    logs = np.random.default_rng(1).normal(3, 0.3, (40_000, 7))
    alarms = [np.exp(one[-1]) < fewest_usual(np.exp(one[:-1]), level=0.02) for one in logs]
    assert np.mean(alarms) == pytest.approx(0.02, abs=4 * (0.02 * 0.98 / 40_000) ** 0.5)
    assert math.isclose(FALSE_ALARMS * 52, 0.05)
    assert np.isnan(fewest_usual(np.full(4, 9.0)))


@pytest.mark.parametrize(
    "wrong", [{}, {"arrives": "weekly", "usual": "labels"}, {"usual": "labels", "annotator": "a"}]
)
def test_an_expectation_is_of_one_thing(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError, match=r"give either|leave out annotator"):
        Expected.model_validate(wrong)
