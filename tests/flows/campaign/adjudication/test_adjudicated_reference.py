"""The reference of the next run, with the decisions that were made."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from accordeur.data.errors import DataError
from accordeur.data.store.store import Store
from accordeur.flows.campaign.adjudication.adjudicate import (
    import_decisions,
)
from accordeur.flows.campaign.adjudication.decisions import read_decisions
from accordeur.flows.campaign.file.campaign_config import Config, load_campaign
from accordeur.flows.campaign.stages.references_and_scores import reference_settings
from accordeur.flows.demo import write_demo
from accordeur.flows.release_audit import release_audit
from accordeur.flows.toml_file import ConfigError
from tests.flows.campaign.adjudication.decided import filled, measured, rows_of
from tests.flows.command_line import accordeur
from tests.flows.in_process import said
from tests.flows.small import write_quick_demo, write_small


@pytest.mark.parametrize(
    ("section", "sentence"),
    [
        ('rule = "vote"', "reference.rule"),
        ('annotator = "anna"', "only if it is marked as such"),
        ('rule = "annotator"', "only if it is marked as such"),
        ('gold = "anna"', "gold applies only to the rules consensus and dawid_skene"),
        ("support = 0", "reference.support"),
        (
            'decision = "x.csv"',
            "allowed here: rule, ties, support, bounds, annotator, soft, gold, decisions",
        ),
    ],
)
def test_mistakes_in_the_section_name_the_key(tmp_path: Path, section: str, sentence: str) -> None:
    campaign = write_demo(tmp_path / "demo")
    with campaign.open("a", encoding="utf-8") as stream:
        stream.write(f"\n[reference]\n{section}\n")
    with pytest.raises(ConfigError, match=re.escape(sentence)):
        load_campaign(campaign)


def test_decisions_beside_the_campaign_file_are_read(campaign: Path, listed: Path) -> None:
    name = "sentiment|12-notice|s4"
    filled(listed, campaign.parent / "decided.csv", {name: {"decision": "positive"}})
    config = load_campaign(campaign)
    declared = {"rule": "majority", "decisions": str(campaign.parent / "decided.csv")}
    config = Config.model_validate({**config.model_dump(), "reference": declared})
    settings = reference_settings(config, Store(config.store.url))
    assert settings is not None
    assert settings.rule == "majority"
    assert ("sentiment", "12-notice", "s4") in {
        (name, one.document, one.item) for name, one in settings.decisions
    }


@pytest.mark.long
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
    with pytest.raises(
        DataError, match="names the unknown layer 'moods'; the layers found are labels, units"
    ):
        run_campaign(campaign)


@pytest.mark.long
@pytest.mark.services
def test_the_next_run_has_the_reference_and_its_history(
    tmp_path: Path, run_campaign: Callable[..., tuple[dict[str, Any], Any]]
) -> None:
    """A whole run: the adjudicated reference stands in the results and beside the report."""
    campaign = write_quick_demo(tmp_path / "demo")
    text = campaign.read_text(encoding="utf-8")
    campaign.write_text(f'{text}\n[reference]\nrule = "dawid_skene"\n', encoding="utf-8")
    config = measured(campaign)
    listed = tmp_path / "open.csv"
    assert accordeur("adjudicate", campaign, listed).returncode == 0
    store = Store(config.store.url)
    file = filled(listed, tmp_path / "d.csv", {"sentiment|12-notice|s1": {"decision": "neutral"}})
    import_decisions(store, read_decisions(file))
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
    assert "references built without one annotator" in page
    assert "Dawid–Skene" in page


@pytest.mark.long
@pytest.mark.services
def test_an_audit_waits_for_decisions_whose_annotations_have_changed(
    tmp_path: Path, run_campaign: Callable[..., tuple[dict[str, Any], Any]]
) -> None:
    campaign = write_small(tmp_path)
    run_campaign(campaign)
    listed = tmp_path / "open.csv"
    assert said("adjudicate", campaign, listed)[0] == 0
    [*_, case] = [row for row in rows_of(listed) if row["layer"] == "labels"]
    decided = filled(listed, tmp_path / "decided.csv", {case["case"]: {"decision": "x"}})
    assert said("adjudicate", campaign, "--decisions", decided)[0] == 0
    with (tmp_path / "labels.csv").open("a", encoding="utf-8") as file:
        file.write(f"{case['document']},{case['where']},cleo,x\n")
    state = release_audit(str(campaign), return_state=True)
    outcome = state.result(raise_on_failure=False)
    assert state.name == "NotReleasable"
    reopened = f"their annotations have changed: 1 ({case['document']}, {case['where']})"
    assert reopened in state.message
    assert outcome["bundle"]
    with pytest.raises(DataError, match="which is not in the list of disagreements"):
        import_decisions(Store(load_campaign(campaign).store.url), read_decisions(decided))
