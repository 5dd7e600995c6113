"""A campaign that gets worse: what its second run finds, and what the first screen shows of it.

The ten-second test: from the first screen alone a reader knows the state of the gate, the trend,
the likely cause and what to do.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.flows.outcomes import results_of
from tests.reports.browser import launched

Run = Callable[..., tuple[dict[str, Any], Any]]
LABELS = ("claim", "evidence", "background")
ERRORS = {"ana": 0.08, "bruno": 0.08, "chloe": 0.6, "dario": 0.08}


def write_campaign(folder: Path, n_documents: int, worse_from: int) -> Path:
    """Labels by three careful annotators and one who guesses; later documents are worse."""
    dice, rows = random.Random(3), ["document,item,annotator,label"]
    for d in range(n_documents):
        for i in range(6):
            truth = dice.choice(LABELS)
            for who, error in ERRORS.items():
                guesses = dice.random() < error + 0.5 * (d >= worse_from)
                rows.append(f"d{d:03},s{i},{who},{dice.choice(LABELS) if guesses else truth}")
    folder.mkdir(exist_ok=True)
    (folder / "labels.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    campaign = folder / "campaign.toml"
    campaign.write_text(
        f"""
[campaign]
name = "Arguments"
guideline = "1.{n_documents}"
[[sources]]
path = "labels.csv"
format = "table"
layer_names = {{ "" = "roles" }}
[[gates]]
measure = "krippendorff_alpha"
layer = "roles"
at_least = 0.8
[intervals]
replicates = 200
[engine]
workers = 1
""",
        encoding="utf-8",
    )
    return campaign


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("worse")


@pytest.fixture
def second(folder: Path, run_campaign: Run) -> dict[str, Any]:
    """The outcome of the second run; the first one had the first thirty documents."""
    done = folder / "outcome.json"
    if not done.exists():
        run_campaign(write_campaign(folder, 30, worse_from=30))
        outcome, _ = run_campaign(write_campaign(folder, 50, worse_from=30))
        done.write_text(json.dumps(outcome, default=str), encoding="utf-8")
    found: dict[str, Any] = json.loads(done.read_text(encoding="utf-8"))
    return found


def test_the_gate_names_the_annotator_who_guesses(second: dict[str, Any]) -> None:
    results = results_of(second)
    [gate] = results["gates"]
    assert gate["outcome"] == "failed"
    first = results["actions"][0]
    assert (first["kind"], first["cause"]["annotator"]) == ("cause", "chloe")
    low, high = first["interval"]
    assert 0 < low < first["gain"] < high
    assert first["value"] == pytest.approx(gate["value"] + first["gain"])


def test_the_fall_since_the_first_run_is_an_alert(second: dict[str, Any]) -> None:
    run = json.loads((Path(second["report"]).parent / "run.json").read_text(encoding="utf-8"))
    [drift] = run["drift"]
    assert (drift["layer"], drift["since"], drift["fell"]) == ("roles", "run 1", True)
    assert drift["interval"][1] < 0
    assert any(alert.startswith("roles: α fell since run 1") for alert in second["alerts"])
    assert run["changes"]["n_added"] == 20
    assert run["changes"]["guideline"] == ["1.30", "1.50"]
    assert run["history"][0]["started"]


@pytest.mark.browser
def test_the_first_screen_says_state_trend_cause_and_action(
    second: dict[str, Any], chromium: str
) -> None:
    with launched(chromium) as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto(Path(second["report"]).as_uri())
        words = {
            ".main-value .mark": "Failed",
            ".main-value .distance": "below the threshold (≥ 0.8)",
            ".main-value .change": "Alert: falling",
            ".cause": "chloe disagrees with the others more than",
            ".actions": "Go through the disagreements of chloe",
            ".data-line": "50 documents",
        }
        for selector, said in words.items():
            place = page.locator(selector).first
            assert said in place.inner_text(), selector
            box = place.bounding_box()
            assert box is not None
            assert box["y"] + box["height"] <= 900, selector
        page.locator(".actions a").first.click()
        expect(page.locator("#disagreements h2")).to_be_in_viewport()
