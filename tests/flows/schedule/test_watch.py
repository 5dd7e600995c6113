"""Exports that arrive: contents count, dates do not, and nothing starts while files still grow."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from accordeur.data.store.manifest import write_run_manifest
from accordeur.data.store.store import Store
from accordeur.flows.campaign.earlier.unchanged_run import exports_hash
from accordeur.flows.campaign.file.campaign_config import load_campaign
from accordeur.flows.watch import Watch, keep_watching


@pytest.fixture
def campaign(tmp_path: Path) -> Path:
    (tmp_path / "exports").mkdir()
    (tmp_path / "exports" / "a.csv").write_text("item,annotator,label\n1,a,x\n", encoding="utf-8")
    file = tmp_path / "campaign.toml"
    text = '[campaign]\nname = "x"\n[[sources]]\npath = "exports/*.csv"\nformat = "table"\n'
    file.write_text(text, encoding="utf-8")
    return file


def measured(campaign: Path, number: int = 1) -> None:
    """As if a run had measured what is there."""
    config = load_campaign(campaign)
    results = {"run": {"input_hash": exports_hash(campaign, config)}}
    store, folder = Store(config.store.url), f"reports/run-{number:04d}"
    store.write_json(f"{folder}/results.json", results)
    write_run_manifest(store, folder, {}, places={}, series={}, files=[])


def test_a_run_is_due_once_when_files_have_come_to_rest(campaign: Path) -> None:
    watch = Watch(campaign)
    assert [watch.is_due() for _ in range(4)] == [False, True, False, False]
    growing = campaign.parent / "exports" / "b.csv"
    seen = []
    for part in ("item,annotator,label\n", "2,a,x\n", "2,b,x\n"):
        with growing.open("a", encoding="utf-8") as file:
            file.write(part)
        seen.append(watch.is_due())
    assert seen == [False, False, False]  # it grew between every two looks
    assert [watch.is_due() for _ in range(2)] == [True, False]


def test_what_the_last_run_measured_is_not_measured_again(campaign: Path) -> None:
    measured(campaign)
    watch = Watch(campaign)
    assert [watch.is_due() for _ in range(3)] == [False] * 3
    (campaign.parent / "exports" / "a.csv").unlink()  # a document removed is a change
    assert [watch.is_due() for _ in range(2)] == [False, True]


def test_dates_say_nothing(campaign: Path) -> None:
    measured(campaign)
    watch = Watch(campaign)
    export = campaign.parent / "exports" / "a.csv"
    before = export.stat()
    os.utime(export, (before.st_atime, before.st_mtime + 3600))
    assert [watch.is_due() for _ in range(2)] == [False, False]
    content = export.read_text(encoding="utf-8")
    export.write_text(content.replace("x", "y"), encoding="utf-8")  # the same size …
    os.utime(export, ns=(before.st_atime_ns, before.st_mtime_ns))  # … and the old date
    assert [watch.is_due() for _ in range(2)] == [False, True]


def test_watching_calls_until_it_is_told_to_stop(campaign: Path) -> None:
    started, over = threading.Event(), threading.Event()
    calls: list[str] = []

    def start() -> None:
        calls.append("started")
        started.set()

    thread = threading.Thread(
        target=keep_watching, args=(campaign, start), kwargs={"seconds": 0.05, "until": over}
    )
    thread.start()
    try:
        assert started.wait(20)
    finally:
        over.set()
        thread.join(20)
    assert not thread.is_alive()
    assert len(calls) == 1
