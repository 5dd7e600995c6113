"""Disagreements out, and decisions back in."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from accordeur.data.readers.base import SourceOptions
from accordeur.data.readers.sources import read_source
from accordeur.data.schema import Unit
from accordeur.data.store.store import Store
from accordeur.flows.campaign.adjudication.adjudicate import (
    all_cases,
    import_decisions,
    last_run,
    recorded_decisions,
)
from accordeur.flows.campaign.adjudication.decisions import read_decisions
from accordeur.flows.campaign.file.campaign_config import load_campaign
from accordeur.flows.campaign.stages.references_and_scores import reference_settings
from accordeur.flows.demo import write_demo
from accordeur.tasks.agreement.effects_and_causes import label_disagreements
from accordeur.tasks.node import complete
from accordeur.tasks.references.build import ReferenceRule, copy_released_files, reference_node
from accordeur.tasks.references.disagreement_cases import human_labels
from accordeur.tasks.units.alignment import alignment_place
from accordeur.tasks.units.worst_documents import drawings_of_documents, unit_disagreements
from tests.flows.campaign.adjudication.decided import DECIDED, filled, measured, place_of, rows_of
from tests.flows.command_line import accordeur


def referred(store: Store, keys: Sequence[str], rule: ReferenceRule) -> dict[str, Any]:
    """Build a reference, release it below `out`, and return its summary."""
    [built] = complete(store, [reference_node(keys, rule)])
    copy_released_files(store, built.place, f"out/{rule.layer.name}")
    summary: dict[str, Any] = store.read_json(built.fields)["references"][0]
    return summary


def test_the_list_is_by_cost_and_says_who_said_what(listed: Path) -> None:
    rows = rows_of(listed)
    costs = [float(row["cost"]) for row in rows]
    assert costs == sorted(costs, reverse=True)
    assert {row["layer"] for row in rows} == {"entities", "sentiment"}
    first = rows[0]
    assert (first["document"], first["where"]) == ("03-review", "117–123")
    assert first["said: ben"] == "Event 117–123"
    assert first["said: anna"] == first["said: chloe"] == "(nothing)"
    assert "ended in a silence nobody wanted" in first["context"]
    item = next(row for row in rows if place_of(row) == "sentiment|12-notice|s1")
    assert item["said: anna"] in ("negative", "neutral", "positive")
    assert not any(row[name] for row in rows for name in DECIDED)


def test_the_report_names_disagreements_as_the_list_does(campaign: Path, listed: Path) -> None:
    """So that decisions made on the page can be read back."""
    config = load_campaign(campaign)
    store = Store(config.store.url)
    run = last_run(store)
    names = {row["case"] for row in rows_of(listed)}
    found = []
    for layer in run.layers:
        if layer.is_labels:
            found += label_disagreements(human_labels(store, run.keys, layer), layer)
            continue
        spec = run.dissimilarities[layer.name]
        places = {key: alignment_place(key, layer, spec) for key in run.keys}
        documents = sorted({row["document"] for row in rows_of(listed)})
        found += unit_disagreements(drawings_of_documents(store, layer, places, documents), layer)
    assert len(found) == len(names)
    assert {one.case for one in found} == names


def test_annotation_tools_get_the_units_that_differ(campaign: Path, tmp_path: Path) -> None:
    done = accordeur("adjudicate", campaign, tmp_path / "brat", "--as", "brat")
    assert done.returncode == 0, done.stderr
    assert "12 disagreements on labels (use csv)" in done.stdout
    found = [
        record
        for record in read_source(tmp_path / "brat", "brat", SourceOptions())
        if isinstance(record, Unit)
    ]
    assert {unit.annotator for unit in found} == {"anna", "ben", "chloe"}
    assert ("03-review", "ben", 117, 123, "Event") in {
        (unit.document, unit.annotator, unit.start_offset, unit.end_offset, unit.category)
        for unit in found
    }


def test_nothing_to_list_before_a_run(tmp_path: Path) -> None:
    campaign = write_demo(tmp_path / "demo")
    done = accordeur("adjudicate", campaign, tmp_path / "open.csv")
    assert done.returncode == 2
    assert "holds no run" in done.stderr
    both = accordeur("adjudicate", campaign)
    assert both.returncode == 2
    assert "give either where to write the disagreements, or --decisions" in both.stderr


def test_decisions_come_back_and_stay(campaign: Path, listed: Path, tmp_path: Path) -> None:
    """The round trip: decided, kept with its history, listed again, and in the reference."""
    rows = rows_of(listed)
    spurious = rows[0]["case"]
    item = next(row["case"] for row in rows if place_of(row) == "sentiment|12-notice|s1")
    other = next(row for row in rows if row["layer"] == "entities" and float(row["cost"]) < 0.5)
    file = filled(
        listed,
        tmp_path / "decided.csv",
        {
            spurious: {"decision": "(nothing)", "why": "a recital is no event here"},
            item: {"decision": "neutral", "who": "frida"},
            other["case"]: {"decision": "Place", "start": "3", "end": "9"},
        },
    )
    done = accordeur("adjudicate", campaign, "--decisions", file)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "3 new decisions kept; 3 disagreements decided, 44 open"
    assert lines[1].startswith("open: entities, 05-complaint, 67–73")
    again = accordeur("adjudicate", campaign, "--decisions", file)
    assert again.stdout.startswith("0 new decisions kept; 3 disagreements decided, 44 open")
    relisted = tmp_path / "again.csv"
    assert "47 disagreements, 44 open" in accordeur("adjudicate", campaign, relisted).stdout
    kept = {row["case"]: row for row in rows_of(relisted) if row["decision"]}
    assert kept[spurious]["why"] == "a recital is no event here"
    assert (kept[item]["who"], kept[item]["when"]) == ("frida", "2026-11-20")

    config = load_campaign(campaign)
    store = Store(config.store.url)
    settings = reference_settings(config, store)
    assert settings is not None
    assert settings.rule == "adjudicated"  # decisions ask for it without a [reference]
    run = last_run(store)
    summaries = {}
    for layer in run.layers:
        rule = ReferenceRule(layer, run.dissimilarities.get(layer.name), settings)
        summaries[layer.name] = referred(store, run.keys, rule)
    entities, sentiment = summaries["entities"], summaries["sentiment"]
    assert entities["n_unresolved"] + sentiment["n_unresolved"] == 44
    assert [one["by"] for one in sentiment["history"]] == ["frida"]
    assert {one["decision"] for one in entities["history"]} == {"(nothing)", "Place 3–9"}
    released = store.read_table("out/sentiment/reference.parquet").to_pylist()
    [decided] = [r for r in released if (r["document"], r["item"]) == ("12-notice", "s1")]
    assert decided["label"] == "neutral"
    assert 0 < decided["predicted_agreement"] < 1  # of a further annotator, not of adjudicators


def test_the_latest_decision_holds_and_both_are_kept(tmp_path: Path) -> None:
    campaign = write_demo(tmp_path / "demo")
    config = measured(campaign)
    store = Store(config.store.url)
    case = next(c for c in all_cases(store, last_run(store)) if c.layer == "sentiment")
    name = f"sentiment|{case.document}|{case.where}"
    listed = tmp_path / "open.csv"
    assert accordeur("adjudicate", campaign, listed).returncode == 0
    for when, decision in (("2026-11-21", "positive"), ("2026-11-20", "negative")):
        file = filled(
            listed, tmp_path / f"{when}.csv", {name: {"decision": decision, "when": when}}
        )
        import_decisions(store, read_decisions(file))
    assert len(recorded_decisions(store)) == 2
    settings = reference_settings(config, store)
    assert settings is not None
    run = last_run(store)
    layer = next(layer for layer in run.layers if layer.name == "sentiment")
    summary = referred(store, run.keys, ReferenceRule(layer, None, settings))
    assert [one["decision"] for one in summary["history"]] == ["negative", "positive"]
    released = store.read_table("out/sentiment/reference.parquet").to_pylist()
    [row] = [r for r in released if (r["document"], r["item"]) == (case.document, case.where)]
    assert row["label"] == "positive"
