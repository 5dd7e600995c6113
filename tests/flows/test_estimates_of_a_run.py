"""What a corpus contains, in a run: the command's numbers, gates, drift, the page."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from accordeur.data.store.store import Store
from accordeur.tasks.queues_of_rounds import QueueRow, queue_table, write_queue
from tests.flows.command_line import accordeur
from tests.flows.outcomes import results_of

NAMES = np.array(["none", "hate", "offence"])
N, AUDITED = 600, 150


def exports(folder: Path) -> Path:
    """Labels of gpt on two batches, of which it errs more on the second, and of a random audit."""
    rng = np.random.default_rng(5)
    truth = rng.choice(3, N, p=[0.6, 0.25, 0.15])
    right = np.where(np.arange(N) < N // 2, 0.95, 0.5)
    given = {
        "gpt": np.where(rng.random(N) < right, truth, (truth + 1) % 3),
        **{name: np.where(rng.random(N) < 0.95, truth, 0) for name in ("annika", "benno")},
    }
    seen = set(rng.choice(N, AUDITED, replace=False).tolist())
    rows = [
        f"{'ab'[i >= N // 2]}{i // 10:02},q{i % 10},{name},{NAMES[codes[i]]}"
        for name, codes in given.items()
        for i in range(N)
        if name == "gpt" or i in seen
    ]
    path = folder / "labels.csv"
    path.write_text("\n".join(["document,item,annotator,label", *rows]) + "\n", encoding="utf-8")
    return path


def campaign(folder: Path, more: str) -> Path:
    """A private campaign, in which no name of a human may be shown."""
    humans = "".join(
        f'[annotators.{name}]\npseudonym = "H{k}"\n' for k, name in enumerate(("annika", "benno"))
    )
    path = folder / "campaign.toml"
    path.write_text(
        '[campaign]\nname = "Hate"\nprivacy = true\n[[sources]]\npath = "labels.csv"\n'
        f'batch_pattern = "(.)"\n[annotators.gpt]\nrole = "system"\n{humans}{more}'
        "[engine]\nworkers = 1\n",
        encoding="utf-8",
    )
    return path


@pytest.mark.long
@pytest.mark.services
def test_a_run_says_what_the_command_says(
    tmp_path: Path, run_campaign: Callable[..., tuple[dict[str, Any], Any]]
) -> None:
    table = exports(tmp_path)
    gates = (
        '[[gates]]\nmeasure = "corrected_share"\nof = "hate"\non = "upper bound"\nat_most = 0.5\n'
        '[[gates]]\nmeasure = "corrected_share"\nof = "hate"\non = "width"\nat_most = 0.01\n'
        '[[gates]]\nmeasure = "corrected_share"\nof = "love"\nat_least = 0.1\n'
    )
    section = '[estimate]\naudit = "random"\nwanted_width = 0.05\n'
    outcome, _ = run_campaign(campaign(tmp_path, section + gates))
    results = results_of(outcome)
    [of_run] = results["estimates"]
    done = accordeur(
        "estimate", table, "--system", "gpt", "--audit-is-random", "--wanted-width", "0.05",
        "--json",
    )  # fmt: skip
    of_command = json.loads(done.stdout)
    [system], [same] = of_run["systems"], of_command["systems"]
    shares = {one["category"]: one for one in system["shares"]}
    assert shares == {one["category"]: one for one in same["shares"]}
    assert system["accuracy"] == same["accuracy"]
    assert of_run["agreement"]["value"] == pytest.approx(of_command["agreement"]["value"])
    assert (of_run["random_by"], of_run["target"]) == ("declared", "majority")
    assert of_run["annotators"] == ["H0", "H1"]
    [drift] = system["drift"]
    assert (drift["kind"], drift["p_value"]) == ("batch", 0.001)
    first, second = (part["shares"]["hate"] for part in drift["parts"])
    assert abs(first["value"] - first["naive"]) < abs(second["value"] - second["naive"])
    assert [gate["outcome"] for gate in results["gates"]] == ["passed", "failed", "failed"]
    assert "love" in results["gates"][2]["reason"]
    values = pq.read_table(Path(outcome["report"]).parent / "values.parquet").to_pylist()
    kept = {one["name"]: one["value"] for one in values if one["measure"] == "corrected_share"}
    assert kept == {name: one["value"] for name, one in shares.items()}
    [agreement] = results["items"]
    assert agreement["annotators"] == ["H0", "H1"]  # no system enters agreement
    page = Path(outcome["report"]).read_text(encoding="utf-8")
    assert "The user states that the audit is random." in page
    assert "gpt errs differently in the 2 batches (p = 0.001" in page
    assert "annika" not in page

    audited = [row.split(",") for row in table.read_text().splitlines() if ",benno," in row]
    rows = [
        QueueRow(1, agreement["layer"], document, item, "", "audit", 0.25, 0.0)
        for document, item, *_ in audited[:10]
    ]
    write_queue(Store(str(Path(outcome["report"]).parents[2])), queue_table(rows))
    outcome, _ = run_campaign(campaign(tmp_path, "[estimate]\n"))
    [of_run] = results_of(outcome)["estimates"]
    assert of_run["random_by"] == "recorded"
    reasons = {one["reason"] for one in of_run["systems"][0]["shares"]}
    assert reasons == {"10 audited items, and a correction needs 20"}
