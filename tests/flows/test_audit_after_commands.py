"""A bundle that is made after each command that writes into the store verifies."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from accordeur.flows.release.bundle_check import altered_files, altered_inputs, altered_numbers
from tests.flows.in_process import said
from tests.flows.runs import audit_run, campaign_run
from tests.flows.small import write_quick_demo
from tests.flows.studies import SYNTHETIC

pytestmark = [pytest.mark.services, pytest.mark.long]


def succeed(*arguments: str | Path) -> None:
    code, output = said(*arguments)
    assert code == 0, output


def decide(campaign: Path) -> None:
    """Decide on the first disagreement about a sentiment."""
    cases = campaign.parent / "cases.csv"
    succeed("adjudicate", campaign, cases)
    with cases.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.reader(file))
    columns = {name: at for at, name in enumerate(rows[0])}
    decided = next(row for row in rows[1:] if row[columns["layer"]] == "sentiment")
    for name, value in (("decision", "positive"), ("who", "anna"), ("when", "2026-01-01")):
        decided[columns[name]] = value
    with cases.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    succeed("adjudicate", campaign, "--decisions", cases)


def study(campaign: Path) -> None:
    """A study that computes in the campaign's store."""
    file = campaign.parent / "study.toml"
    file.write_text(SYNTHETIC.replace('url = "runs"', 'url = "store"'), encoding="utf-8")
    succeed("study", file)


COMMANDS: dict[str, Callable[[Path], None]] = {
    "next": lambda campaign: succeed("next", campaign, "--budget", "6", "--audit", "4"),
    "adjudicate": decide,
    "probable errors": lambda campaign: succeed(
        "adjudicate", campaign, campaign.parent / "probable.csv", "--probable-errors"
    ),
    "document": lambda campaign: succeed("document", campaign, "08-telegram"),
    "study": study,
    "calibrate": lambda campaign: succeed(
        "calibrate", "--campaign", campaign, "--to", campaign.parent / "calibration.html"
    ),
    "index": lambda campaign: succeed("index", campaign, "--to", campaign.parent / "store/site"),
    "compare": lambda campaign: succeed(
        "compare", campaign, "--to", campaign.parent / "store/compared.html"
    ),
    "clean": lambda campaign: succeed("store", campaign, "--clean"),
    "audit": lambda campaign: audit_run(campaign) and None,
}


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory, prefect_server: str) -> Path:
    """The demonstration, run twice; every command below writes into its one store.

    Its sentiments have no reference, so that something is left to decide.
    """
    path = write_quick_demo(tmp_path_factory.mktemp("written"))
    sentiments = path.parent / "exports/sentiment.csv"
    lines = sentiments.read_text(encoding="utf-8").splitlines()
    kept = [one for one in lines if "adjudicated" not in one]
    assert len(kept) < len(lines)
    sentiments.write_text("\n".join([*kept, ""]), encoding="utf-8")
    campaign_run(path)
    text = path.read_text(encoding="utf-8").replace("seed = 2026", "seed = 2027")
    path.write_text(text, encoding="utf-8")
    campaign_run(path)
    return path


@pytest.mark.parametrize(
    "names",
    [
        pytest.param(list(COMMANDS), id="all"),
        *(pytest.param([one], id=one, marks=pytest.mark.release) for one in COMMANDS),
    ],
)
def test_an_audit_verifies_after(names: list[str], campaign: Path) -> None:
    for name in names:
        COMMANDS[name](campaign)
    outcome, _ = audit_run(campaign)
    bundle = Path(outcome["bundle"])
    assert altered_files(bundle, None) == []
    assert altered_inputs(bundle, campaign) == []
    assert altered_numbers(bundle, campaign) == []
