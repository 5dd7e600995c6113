"""The stages of a run in this process, without Prefect's server and without a report.

The campaign is small and has everything that a stage is made for: labels with a system, units,
relations and a reference.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from accordeur.data.row_account import RowAccount
from accordeur.data.store.store import Store
from accordeur.flows.campaign import measure
from accordeur.flows.campaign.file.campaign_config import load_campaign
from accordeur.flows.campaign.run import Run, RunRequest
from accordeur.flows.campaign.stages import reading_grid
from accordeur.tasks import logged_task
from accordeur.tasks.node import Outcome
from accordeur.tasks.reporting.account_of_run import account_of_run
from tests.flows import relation_campaign

BASE: dict[str, Any] = {
    "campaign": {"name": "Stages"},
    "sources": [
        {"path": "brat", "layer_names": {"": "events"}, "batch_pattern": "(.)"},
        {"path": "labels.csv", "format": "table", "layer_names": {"": "mood"}},
    ],
    "annotators": {"tagger": {"role": "system"}},
    "layers": {"mood": {"categories": ["bad", "fair", "good"], "distance": "ordinal"}},
    "validation": {"undeclared_annotators": "accept"},
    "chance": {"processes": ["shuffle"], "precision": 0.5, "max_samples": 40},
    "intervals": {"replicates": 20},
    "reading_grid": {"trials": 2, "documents": 2, "magnitudes": [0.0, 0.5], "shifts": [0.0, 1.0]},
    "reference": {"rule": "majority", "soft": "votes"},
    "groups": {"permutations": 19},
    "replacement": {"min_items": 5},
    "estimate": {"audit": "random"},
    "judges": {"min_items": 5},
}


def _toml(value: Any) -> str:
    if isinstance(value, Mapping):
        inner = ", ".join(f"{json.dumps(key)} = {_toml(one)}" for key, one in value.items())
        return f"{{ {inner} }}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(value, ensure_ascii=False)


def write_exports(folder: Path) -> None:
    relation_campaign.write_campaign(folder)
    moods, rows = ("bad", "fair", "good"), ["document,item,annotator,label"]
    for d in "abc":
        for i in range(6):
            for k, who in enumerate(("ana", "boris", "cleo", "tagger")):
                rows.append(f"{d},s{i},{who},{moods[(i + (i % 4 == k)) % 3]}")
    (folder / "labels.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    items = [f"{d},s{i}" for d in "abc" for i in range(6)]
    tables = {
        "lengths": ["document,item,length", *(f"{item},9" for item in items)],
        "distributions": ["document,item,bad,fair,good", *(f"{one},0.2,0.3,0.5" for one in items)],
        "attributes": ["annotator,age", "ana,old", "boris,young"],
        "judgments": ["document,item,annotator,label,judge,verdict", "a,s1,ana,fair,boris,1"],
        "confidence": ["document,item,confidence", *(f"{item},0.9" for item in items)],
        "topics": ["document,item,topic", *(f"{item},x" for item in items)],
        "audited": ["document,item,label", "a,s0,bad"],
    }
    for name, lines in tables.items():
        (folder / f"{name}.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "other.csv").write_text("\n".join(rows[:-4]) + "\n", encoding="utf-8")


@dataclass(slots=True)
class _Done:
    value: Any

    def result(self) -> Any:
        return self.value


@dataclass(slots=True)
class Here(Run):
    """A run whose tasks are called at once; `places` are the places that each stage used."""

    places: dict[str, set[str]] = field(default_factory=dict)

    def submit(
        self,
        task: Any,
        what: str,  # names of tasks
        *positional: Any,
        stage: str = "",
        after: Iterable[str] = (),
        **keyword: Any,
    ) -> Any:
        list(after)
        return _Done(task.fn(self.store_url, *positional, **keyword))

    def gather(
        self,
        futures: Sequence[Any],
        probes: Any = None,
        *,
        makes: Callable[[Any], Iterable[str]] = lambda _result: (),
    ) -> list[Any]:
        return [future.result() for future in futures]

    @contextmanager
    def stage(self, name: str, n_tasks: int, *, of_all: bool = True) -> Iterator[dict[str, Any]]:
        before = dict(self.used.series)
        yield {"name": name, "n_tasks": 0, "n_parts": 0, "n_reused": 0, "of_all": of_all}
        new = self.used.series.keys() - before.keys()
        self.places.setdefault(name, set()).update(new)

    def note(self, stage: dict[str, Any], outcomes: Sequence[Any]) -> None:
        Run.note(self, stage, outcomes)
        places = {one.place for one in outcomes if isinstance(one, Outcome)}
        self.places.setdefault(stage["name"], set()).update(places)


class _Silent:
    def info(self, *_: object) -> None: ...


def places_by_stage(
    folder: Path, changes: Mapping[str, Any], monkeypatch: pytest.MonkeyPatch
) -> Here:
    """Run the stages with these sections of the campaign file in place of those of `BASE`."""
    path = folder / "campaign.toml"
    sections = {**BASE, **changes}
    path.write_text("".join(f"{k} = {_toml(v)}\n" for k, v in sections.items()), encoding="utf-8")
    run = _run_here(path, monkeypatch)
    monkeypatch.setattr(measure, "write_report", lambda *_: {})
    sources = measure._ingest(run)
    measure._measure_all_stages(run, sources, "")
    return run


def _run_here(path: Path, monkeypatch: pytest.MonkeyPatch) -> Here:
    for module in (measure, logged_task):
        monkeypatch.setattr(module, "get_run_logger", _Silent)
    monkeypatch.setattr(measure, "tag_flow_run", lambda *_: None)
    monkeypatch.setattr(reading_grid, "edge_from", lambda _: None)
    return Here(load_campaign(path), RunRequest(path, "reports/run-0001"))


@dataclass(frozen=True, slots=True)
class Measured:
    """What a run measured: the results of its layers by kind, and the account of its rows."""

    results: Mapping[str, list[dict[str, Any]]]
    account: RowAccount


def measured_in_process(path: Path, monkeypatch: pytest.MonkeyPatch) -> Measured:
    """Run the stages of a campaign file; without a report, its results are those of the layers."""
    run = _run_here(path, monkeypatch)
    ends: list[Any] = []
    monkeypatch.setattr(measure, "write_report", lambda *given: ends.extend(given) or {})
    measure._measure_all_stages(run, measure._ingest(run), "")
    _, _, shards, layers, contents, summaries, *_ = ends
    store = Store(run.store_url)
    results: dict[str, list[dict[str, Any]]] = {}
    for summary in summaries:
        for kind, found in store.read_json(summary).items():
            if isinstance(found, list):
                results.setdefault(kind, []).extend(found)
    facts = [shard.facts for shard in shards]
    account = account_of_run(store, facts, layers, [], contents.roles, {})
    return Measured(results, account)
