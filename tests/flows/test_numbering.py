"""Numbered folders of the store."""

from __future__ import annotations

from pathlib import Path

import pytest

from accordeur.data.store.store import Store
from accordeur.flows.numbering import next_audit, next_run, next_simulation, next_study


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(str(tmp_path))


def test_the_first_of_each_is_1(store: Store) -> None:
    assert next_run({}) == "reports/run-0001"
    assert next_audit(store) == "audits/audit-0001"
    assert next_study(store) == "reports/study-0001"
    assert next_simulation(store) == "reports/simulation-0001"


def test_each_counts_its_own(store: Store) -> None:
    for path in (
        "reports/study-0002/study.html",
        "reports/simulation-0010/simulation.html",
        "audits/audit-0003/SHA256SUMS",
        "audits/audit-0004/report.html",  # cut short: no checksums
    ):
        store.write_bytes(path, b"x")
    assert next_run({1: "reports/run-0001/results.json", 7: ""}) == "reports/run-0008"
    assert next_study(store) == "reports/study-0003"
    assert next_simulation(store) == "reports/simulation-0011"
    assert next_audit(store) == "audits/audit-0004"
