"""Disagreements out, decisions back in, and the next reference built with them."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from data.errors import DataError
from data.readers.base import SourceOptions
from data.readers.registry import read_source
from data.schema import Unit
from data.store.store import Store
from flows.campaign.adjudication.adjudicate import (
    all_cases,
    last_run,
    read_back,
    recorded_decisions,
    remember_run,
)
from flows.campaign.adjudication.decisions import read_decisions
from flows.campaign.file.config import Config, load
from flows.campaign.orders import plan, sharding
from flows.campaign.orders.found import found_in
from flows.campaign.orders.layers import layer_specs
from flows.campaign.stages.validity import reference_settings
from flows.demo import write_demo
from flows.toml_file import ConfigError
from metrics.errors import MetricsError, RoleError
from tasks.intake.ingest import ingest
from tasks.intake.validate import validate
from tasks.units.alignment import align_units
from tasks.validity.reference import build_reference
from tests.flows.command_line import accordeur
from tests.flows.small import write_small

ROOT = Path(__file__).resolve().parents[4]
DECIDED = {"decision": "", "start": "", "end": "", "who": "erik", "when": "2026-11-20", "why": ""}


def measured(campaign: Path) -> Config:
    """The stages of a run that adjudication needs, as plain functions on the store."""
    config = load(campaign)
    store = Store(config.store.url)
    sources = [ingest(store.url, spec) for spec in plan.source_specs(config)]
    kept = [{"files": one["files"], "layers": one["layers"]} for one in sources]
    shards = validate(store.url, kept, sharding.shards_of(12, 4), plan.validation_spec(config))
    found = found_in(config, shards["shards"])
    layers = layer_specs(config, found)
    keys = [shard["key"] for shard in shards["shards"]]
    units = [layer for layer in layers if not layer.is_labels]
    measures = {one.name: plan.dissimilarity_spec(config, one.name, found) for one in units}
    for layer in units:
        align_units(store.url, keys, layer, measures[layer.name])
    remember_run(store, keys, layers, measures)
    return config


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demonstration campaign with what the last run would have left in its store."""
    path = write_demo(tmp_path_factory.mktemp("adjudication") / "demo")
    measured(path)
    return path


@pytest.fixture(scope="module")
def listed(campaign: Path) -> Path:
    path = campaign.parent / "open.csv"
    done = accordeur("adjudicate", campaign, path)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"47 disagreements, 47 open: {path}\n"
    return path


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as stream:
        return list(csv.DictReader(stream))


def filled(path: Path, out: Path, changes: dict[str, dict[str, str]]) -> Path:
    """The file with decisions on some cases."""
    rows = rows_of(path)
    for row in rows:
        if row["case"] in changes:
            row.update({**DECIDED, **changes[row["case"]]})
    with out.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return out


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
    item = next(row for row in rows if row["case"] == "sentiment|12-notice|s1")
    assert item["said: anna"] in ("negative", "neutral", "positive")
    assert not any(row[name] for row in rows for name in DECIDED)


def test_annotation_tools_get_the_units_that_differ(campaign: Path, tmp_path: Path) -> None:
    done = accordeur("adjudicate", campaign, tmp_path / "brat", "--to", "brat")
    assert done.returncode == 0, done.stderr
    assert "12 disagreements on labels (use csv)" in done.stdout
    found = [
        record
        for record in read_source(tmp_path / "brat", "brat", SourceOptions())
        if isinstance(record, Unit)
    ]
    assert {unit.annotator for unit in found} == {"anna", "ben", "chloe"}
    assert ("03-review", "ben", 117, 123, "Event") in {
        (unit.document, unit.annotator, unit.start, unit.end, unit.category) for unit in found
    }


def test_decisions_come_back_and_stay(campaign: Path, listed: Path, tmp_path: Path) -> None:
    """The round trip: decided, kept with its history, listed again, and in the reference."""
    rows = rows_of(listed)
    spurious, item = rows[0]["case"], "sentiment|12-notice|s1"
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

    config = load(campaign)
    store = Store(config.store.url)
    settings = reference_settings(config, store)
    assert settings is not None
    assert settings.rule == "adjudicated"  # decisions ask for it without a [reference]
    run = last_run(store)
    summaries = {}
    for layer in run.layers:
        path = build_reference(
            store.url, run.keys, layer, run.dissimilarities.get(layer.name), settings, "out"
        )
        summaries[layer.name] = store.read_json(path)["reference"]
    entities, sentiment = summaries["entities"], summaries["sentiment"]
    assert entities["n_unresolved"] + sentiment["n_unresolved"] == 44
    assert [one["by"] for one in sentiment["history"]] == ["frida"]
    assert {one["decision"] for one in entities["history"]} == {"(nothing)", "Place 3–9"}
    released = store.read_table("out/sentiment/reference.parquet").to_pylist()
    [decided] = [r for r in released if (r["document"], r["item"]) == ("12-notice", "s1")]
    assert (decided["label"], decided["confidence"]) == ("neutral", 1.0)


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
        read_back(store, read_decisions(file))
    assert len(recorded_decisions(store)) == 2
    settings = reference_settings(config, store)
    assert settings is not None
    run = last_run(store)
    layer = next(layer for layer in run.layers if layer.name == "sentiment")
    path = build_reference(store.url, run.keys, layer, None, settings, "out")
    summary = store.read_json(path)["reference"]
    assert [one["decision"] for one in summary["history"]] == ["negative", "positive"]
    released = store.read_table("out/sentiment/reference.parquet").to_pylist()
    [row] = [r for r in released if (r["document"], r["item"]) == (case.document, case.where)]
    assert row["label"] == "positive"


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"decision": ""}, "no decision; give a category"),
        ({"decision": "neutral", "who": ""}, "a decision without `who`"),
        ({"decision": "neutral", "when": ""}, "a decision without `when`"),
        ({"decision": "neutral", "when": "yesterday"}, "give a date or time of ISO 8601"),
        ({"decision": "neutral", "start": "x"}, "`start` is 'x'; give a whole number"),
        ({"decision": "angry"}, "not in the tagset (negative, neutral, positive)"),
        ({"decision": "neutral", "start": "9", "end": "4"}, "the end must be after the start"),
        ({"decision": "neutral", "case": "sentiment|12-notice|s9", "where": "s9"},
         "is on 'sentiment|12-notice|s9', which is not in the list of disagreements"),
    ],
)  # fmt: skip
def test_a_wrong_decision_is_told_and_none_is_kept(
    campaign: Path, listed: Path, tmp_path: Path, change: dict[str, str], sentence: str
) -> None:
    store = Store(load(campaign).store.url)
    before = len(recorded_decisions(store))
    file = filled(listed, tmp_path / "wrong.csv", {"sentiment|12-notice|s2": change})
    with pytest.raises((DataError, MetricsError), match=re.escape(sentence)):
        read_back(store, read_decisions(file))
    assert len(recorded_decisions(store)) == before


def test_spreadsheets_that_save_with_semicolons(listed: Path, tmp_path: Path) -> None:
    file = filled(listed, tmp_path / "f.csv", {"sentiment|12-notice|s1": {"decision": "neutral"}})
    rows = rows_of(file)
    with (tmp_path / "semi.csv").open("w", encoding="utf-8-sig", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]), delimiter=";")
        writer.writeheader()
        writer.writerows(rows)
    [(layer, decision)] = read_decisions(tmp_path / "semi.csv")
    assert (layer, decision.case) == ("sentiment", "12-notice\x1fs1")
    (tmp_path / "other.csv").write_text("item,label\n1,2\n", encoding="utf-8")
    with pytest.raises(DataError, match="the column case is missing"):
        read_decisions(tmp_path / "other.csv")


def test_nothing_to_list_before_a_run(tmp_path: Path) -> None:
    campaign = write_demo(tmp_path / "demo")
    done = accordeur("adjudicate", campaign, tmp_path / "open.csv")
    assert done.returncode == 2
    assert "holds no run yet" in done.stderr
    both = accordeur("adjudicate", campaign)
    assert both.returncode == 2
    assert "give either where to write the disagreements, or --decisions" in both.stderr


@pytest.mark.parametrize(
    ("section", "sentence"),
    [
        ('rule = "vote"', "reference.rule"),
        ('annotator = "anna"', "only when it is marked"),
        ('rule = "annotator"', "only when it is marked"),
        ("support = 0", "reference.support"),
        ('decision = "x.csv"', "allowed here: rule, ties, support, bounds, annotator, decisions"),
    ],
)
def test_mistakes_in_the_section_name_the_key(tmp_path: Path, section: str, sentence: str) -> None:
    campaign = write_demo(tmp_path / "demo")
    with campaign.open("a", encoding="utf-8") as stream:
        stream.write(f"\n[reference]\n{section}\n")
    with pytest.raises(ConfigError, match=re.escape(sentence)):
        load(campaign)


def test_decisions_beside_the_campaign_file_are_read(campaign: Path, listed: Path) -> None:
    name = "sentiment|12-notice|s4"
    filled(listed, campaign.parent / "decided.csv", {name: {"decision": "positive"}})
    config = load(campaign)
    declared = {"rule": "majority", "decisions": str(campaign.parent / "decided.csv")}
    config = Config.model_validate({**config.model_dump(), "reference": declared})
    settings = reference_settings(config, Store(config.store.url))
    assert settings is not None
    assert settings.rule == "majority"
    assert ("sentiment", "12-notice\x1fs4") in {(n, d.case) for n, d in settings.decisions}


def test_a_system_is_not_one_more_annotator(campaign: Path) -> None:
    config = load(campaign)
    people = {**config.annotators, "tagger": replace_role(config, "tagger", "human")}
    shard: dict[str, Any] = {
        "roles": {"tagger": ["system"]}, "unit_layers": {}, "label_layers": {}, "unit_length": {},
        "taking_part": {},
    }  # fmt: skip
    with pytest.raises(RoleError, match=r"'tagger' is a system and cannot be counted.*α \.495"):
        found_in(config.model_copy(update={"annotators": people}), [shard])


def replace_role(config: Config, name: str, role: str) -> Any:
    return config.annotators[name].model_copy(update={"role": role})


@pytest.mark.services
def test_a_run_refuses_decisions_on_a_layer_that_nothing_holds(
    tmp_path: Path, run_campaign: Callable[..., tuple[dict[str, Any], Any]]
) -> None:
    campaign = write_small(tmp_path)
    decided = (
        "case,layer,document,where,decision,start,end,who,when,why\n"
        "moods|d|i,moods,d,i,low,,,erik,2026-11-20,\n"
    )
    (tmp_path / "decided.csv").write_text(decided, encoding="utf-8")
    with campaign.open("a", encoding="utf-8") as stream:
        stream.write('\n[reference]\ndecisions = "decided.csv"\n')
    with pytest.raises(DataError, match="is on layer 'moods'; the layers found are labels, units"):
        run_campaign(campaign)


@pytest.mark.services
def test_the_next_run_has_the_reference_and_its_history(
    tmp_path: Path, run_campaign: Callable[..., tuple[dict[str, Any], Any]]
) -> None:
    """A whole run: the adjudicated reference stands in the results and beside the report."""
    campaign = write_demo(tmp_path / "demo")
    text = campaign.read_text(encoding="utf-8")
    campaign.write_text(f'{text}\n[reference]\nrule = "dawid_skene"\n', encoding="utf-8")
    config = measured(campaign)
    listed = tmp_path / "open.csv"
    assert accordeur("adjudicate", campaign, listed).returncode == 0
    store = Store(config.store.url)
    file = filled(listed, tmp_path / "d.csv", {"sentiment|12-notice|s1": {"decision": "neutral"}})
    read_back(store, read_decisions(file))
    outcome, _ = run_campaign(campaign)
    folder = Path(outcome["report"]).parent
    results = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    built = {r["layer"]: r for r in results["references"] if r["rule"] == "dawid_skene"}
    assert set(built) == {"entities", "sentiment"}
    assert [one["by"] for one in built["sentiment"]["history"]] == ["erik"]
    assert any(warning["code"] == "consensuality" for warning in built["sentiment"]["warnings"])
    assert (folder / "reference" / "sentiment" / "reference.parquet").is_file()
    assert (folder / "reference" / "entities" / "brat" / "reference" / "01-workshop.ann").is_file()
    for validity in results["validity"]:
        assert {one["system"] for one in validity["human_range"]} == {"anna", "ben", "chloe"}
        assert validity["baselines"]
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "Human range" in page
    assert "Dawid–Skene" in page


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ('l|c2,l,d,w,"x,1,A,,,lead,2026-01-02,', "line 3: not a row of a table .* not closed"),
        ("l|c2,l,d,w,x,,,,lead,2026-01-02,,,A", "line 3: more cells than the header"),
        (f"l|c2,l,d,w,{'x' * 200_000},A,,,lead,2026-01-02,", "line 3: not a row of a table"),
    ],
)
def test_a_damaged_file_of_decisions_is_refused_as_a_whole(tmp_path, row, message):
    """A quotation mark that is never closed would take the decisions after it along."""
    header = "case,layer,document,where,said,decision,start,end,who,when,why"
    good = "l|c1,l,d,w,x,A,,,lead,2026-01-02,"
    path = tmp_path / "decided.csv"
    path.write_text("\n".join([header, good, row, good.replace("c1", "c3")]), encoding="utf-8")
    with pytest.raises(DataError, match=message):
        read_decisions(path)
