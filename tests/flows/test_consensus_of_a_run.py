"""The rule consensus in a run: units with confidence, known documents, models of labels."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from accordeur.flows.campaign.file.campaign_config import load_campaign
from accordeur.flows.campaign.file.reference import require_gold
from accordeur.flows.toml_file import ConfigError
from tests.flows.small import write_small

SECTION = """
[annotators.anna]
[annotators.ben]
[annotators.chloe]
[annotators.expert]
role = "reference"
[reference]
rule = "consensus"
gold = "expert"
"""


@pytest.fixture
def campaign(tmp_path: Path) -> Path:
    """The small campaign with a third annotator, and an expert in one document."""
    file = write_small(tmp_path)
    with (tmp_path / "units.csv").open("a", encoding="utf-8") as stream:
        for d in range(4):
            for u in range(5):
                stream.write(f"d{d},chloe,{20 * u},{20 * u + 8},{'AB'[(u + d) % 2]}\n")
        stream.write("d0,expert,3,9,A\nd0,expert,40,48,B\n")
    with (tmp_path / "labels.csv").open("a", encoding="utf-8") as stream:
        for d in range(4):
            stream.writelines(f"d{d},i{u},chloe,{'xy'[u * d % 2]}\n" for u in range(5))
        stream.write("d1,i1,expert,x\n")
    with file.open("a", encoding="utf-8") as stream:
        stream.write(SECTION)
    return file


def test_gold_must_have_the_role_reference_somewhere(campaign: Path) -> None:
    require_gold(load_campaign(campaign), {"expert"})
    with pytest.raises(ConfigError, match=r"no layer has 'expert' with the role reference"):
        require_gold(load_campaign(campaign), set())


@pytest.mark.long
@pytest.mark.services
def test_a_run_releases_the_consensus(
    campaign: Path, run_campaign: Callable[..., tuple[dict[str, Any], Any]]
) -> None:
    outcome, _ = run_campaign(campaign)
    folder = Path(outcome["report"]).parent
    units = pq.read_table(folder / "reference" / "units" / "reference.parquet").to_pylist()
    known = [row for row in units if row["document"] == "d0"]
    assert [(row["start_offset"], row["end_offset"], row["category"]) for row in known] == [
        (3, 9, "A"),
        (40, 48, "B"),
    ]
    assert {row["confidence"] for row in known} == {1.0}
    others = [row for row in units if row["document"] != "d0"]
    assert len(others) == 15
    for row in others:
        assert 0 < row["confidence"] < 1
        assert 0 <= row["start_confidence"] <= row["confidence"] + 0.5
    results = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    made = {one["layer"]: one for one in results["references"] if one["rule"] == "consensus"}
    everything = [one for one in made["units"]["reliabilities"] if not one["category"]]
    assert {one["annotator"] for one in everything} == {"anna", "ben", "chloe"}
    exact = {one["annotator"]: one["exact"] for one in everything}
    assert exact["anna"] == exact["chloe"] >= exact["ben"]
    labels = pq.read_table(folder / "reference" / "labels" / "reference.parquet").to_pylist()
    known = [row for row in labels if (row["document"], row["item"]) == ("d1", "i1")]
    assert (known[0]["label"], 0 < known[0]["predicted_agreement"] < 1) == ("x", True)
    models = made["labels"]["label_models"]
    assert {one["rule"] for one in models} == {
        *("majority", "dawid_skene", "consensus", "glad", "mace"),
    }
    assert min(one["excess"] for one in models) == 0
    for one in made.values():
        assert ("gold_not_training", 1) in [
            (warning["code"], warning["figures"].get("n")) for warning in one["warnings"]
        ]
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "Annotators and the consensus" in page
    assert "Held-out log-loss" in page
