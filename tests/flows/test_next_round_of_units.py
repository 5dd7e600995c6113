"""Rounds of a campaign of units: documents that were chosen as informative never enter γ."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import accordeur as acc
from tests.flows.in_process import found
from tests.flows.outcomes import results_of

NOISE = {"ann": 2, "ben": 4, "cat": 8}
DOCUMENTS = [f"d{i:02}" for i in range(12)]


def units(document: str, annotator: str) -> list[tuple[int, int, str]]:
    """What the annotator marks in the document, whenever it is requested."""
    number = int(document[1:])
    rng = np.random.default_rng([number, *annotator.encode()])
    return [
        (100 * k + int(start), 100 * k + 40 + int(end), "ab"[(number + k) % 2])
        for k in range(3)
        for start, end in [rng.integers(0, NOISE[annotator] + number, 2)]
    ]


def write(path: Path, cells: Iterable[tuple[str, str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["document", "annotator", "start", "end", "category"])
        writer.writerows((d, who, *unit) for d, who in cells for unit in units(d, who))


@pytest.mark.long
@pytest.mark.services
def test_informative_documents_enter_references_and_not_gamma(
    tmp_path: Path, run_campaign: Callable[..., tuple[dict[str, Any], Any]]
) -> None:
    first = [(d, who) for i, d in enumerate(DOCUMENTS) for who in ("ann", "ben")[: 1 + i % 2]]
    write(tmp_path / "first.csv", [*first, ("d01", "cat")])
    campaign = tmp_path / "campaign.toml"
    text = (
        '[campaign]\nname = "Units"\n[[sources]]\npath = "first.csv"\n'
        '[reference]\nrule = "consensus"\n[intervals]\nreplicates = 200\n'
        "[chance]\nprecision = 0.2\n[reading_grid]\ntrials = 0\n"
        "[next]\nbudget = 10\nrandom_share = 0.4\n"
    )
    campaign.write_text(text, encoding="utf-8")
    run_campaign(campaign)
    queue = found("next", campaign)
    new = [row for row in queue["assignments"] if not row["exists"]]
    purposes = [row["purpose"] for row in new]
    assert (purposes.count("random"), purposes.count("informative")) == (4, 6)

    write(tmp_path / "second.csv", [(row["document"], row["annotator"]) for row in new])
    second = '[[sources]]\npath = "second.csv"\n[reference]'
    campaign.write_text(text.replace("[reference]", second), encoding="utf-8")
    outcome, _ = run_campaign(campaign)
    results = results_of(outcome)
    warning = next(one for one in results["alerts"] if one["code"] == "adaptive_documents")
    assert warning["figures"]["n"] == 6
    assert "18 collected because they were informative" in outcome["account"]

    every = tmp_path / "every.csv"
    write(every, [*first, ("d01", "cat"), *((row["document"], row["annotator"]) for row in new)])
    rounds = str(tmp_path / "runs" / "queue")
    alone = acc.gamma(every, queue=rounds, replicates=0, precision=0.2)
    [of_run] = [one for one in results["units"][0]["values"] if one["measure"] == "gamma"]
    assert of_run["value"] == pytest.approx(alone.value, abs=1e-12)
    assert of_run["value"] != pytest.approx(
        acc.gamma(every, replicates=0, precision=0.2).value, abs=1e-3
    )

    again = found("next", campaign)  # disorder is that of all annotations, informative or not
    assert again["round"] == 2
    assert (again["n_labels"], again["n_random"]) == (len(first) + 1 + 10, len(first) + 1 + 4)
    assert again["agreement"]["value"] == of_run["value"]
    narrow = found("next", campaign, "--dry-run", "--goal", "agreement")
    assert {row["purpose"] for row in narrow["assignments"]} == {"random"}
    assert 0 < narrow["expected_width"] < np.diff(of_run["interval"])[0]
    audit = found("next", campaign, "--dry-run", "--audit", "5")["assignments"]
    drawn = [row["document"] for row in audit if row["purpose"] == "audit"]
    assert len({*drawn} & {*DOCUMENTS}) == len(drawn) == 5
