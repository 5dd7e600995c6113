"""The loop with an annotation tool: disagreements written for it, curated there, read back."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from accordeur.data.errors import DataError
from accordeur.data.schema import Assignment, Label, Role, Unit
from accordeur.data.store.store import Store
from accordeur.data.writers.registry import writer
from accordeur.flows.campaign.adjudication.adjudicate import (
    all_cases,
    disagreement_records,
    import_decisions,
    last_run,
)
from accordeur.flows.campaign.adjudication.tool_decisions import tool_decisions
from accordeur.flows.campaign.file.campaign_config import load_campaign
from accordeur.flows.demo import write_demo
from tests.flows.campaign.adjudication.decided import measured

PLACES = {"brat": ".", "inception_xmi": ".", "label_studio": "tasks.json"}
READERS = {"brat": "brat", "inception_xmi": "uima_xmi", "label_studio": "label_studio"}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    campaign = write_demo(tmp_path_factory.mktemp("tools") / "demo")
    measured(campaign)
    return Store(load_campaign(campaign).store.url)


@pytest.mark.parametrize("tool", list(PLACES))
def test_curated_in_a_tool(store: Store, tool: str, tmp_path: Path) -> None:
    """The curator keeps the first said unit of each case, and leaves the costliest one out."""
    run = last_run(store)
    cases = all_cases(store, run)
    in_units = {layer.name for layer in run.layers if not layer.is_labels}
    labels = tool == "label_studio"
    records, _ = disagreement_records(store, run, cases, labels=labels)
    kept = [record for record in records if record.TABLE == "documents"]
    expected: dict[str, tuple[float, float, str] | None] = {}
    for number, case in enumerate(case for case in cases if case.layer in in_units):
        said = next(one for one in case.said.values() if not math.isnan(one.start))
        expected[case.case] = (said.start, said.end, said.category) if number else None
        if number:
            start, end = int(said.start), int(said.end)
            kept.append(Unit(case.document, "gold", f"g{number}", start, end, said.category,
                             case.layer))  # fmt: skip
    n_labels = 0
    for case in cases:
        if labels and case.layer not in in_units:
            kept.append(Label(case.document, case.where, "gold", ("neutral",), case.layer))
            n_labels += 1
    documents = {case.document for case in cases}
    kept += [Assignment(document, "gold", role=Role.REFERENCE) for document in documents]
    writer(tool).write(kept, tmp_path)
    place = tmp_path / PLACES[tool]
    found = tool_decisions(store, place, READERS[tool], run, who="gold", when="2026-11-20")
    assert found.n_elsewhere == 0
    decided = {
        d.case: (d.start, d.end, d.category) if d.keep else None
        for layer, d in found.decisions
        if layer in in_units
    }
    assert decided == expected
    assert sum(layer not in in_units for layer, _ in found.decisions) == n_labels
    assert {(d.who, d.when) for _, d in found.decisions} == {("gold", "2026-11-20")}
    outcome = import_decisions(store, found.decisions)
    assert outcome.n_decided >= len(expected) + n_labels
    again = tool_decisions(store, place, READERS[tool], run, who="gold", when="2026-11-20")
    assert import_decisions(store, again.decisions).n_new == 0


def test_who_curated_must_be_known(store: Store, tmp_path: Path) -> None:
    run = last_run(store)
    records, _ = disagreement_records(store, run, all_cases(store, run), labels=False)
    writer("brat").write(records, tmp_path)
    with pytest.raises(DataError, match="give the curator's name with --who"):
        tool_decisions(store, tmp_path, "brat", run)
    with pytest.raises(
        DataError, match=r"no annotator 'zoe' \(--who\); its annotators are anna, ben"
    ):
        tool_decisions(store, tmp_path, "brat", run, who="zoe")


def test_nothing_is_kept_of_an_export_with_refused_rows(store: Store, tmp_path: Path) -> None:
    run = last_run(store)
    records, _ = disagreement_records(store, run, all_cases(store, run), labels=True)
    writer("label_studio").write(records, tmp_path)
    tasks = json.loads((tmp_path / "tasks.json").read_text("utf-8"))
    (tmp_path / "tasks.json").write_text(json.dumps([*tasks, tasks[0]]), "utf-8")
    with pytest.raises(
        DataError, match="decisions are not taken from an export with rejected rows"
    ):
        tool_decisions(store, tmp_path / "tasks.json", "label_studio", run, who="anna")
