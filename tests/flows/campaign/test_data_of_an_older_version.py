"""What an older version left with users: its stores, campaigns, decisions, bundles, certificates.

How the archives were made is described beside them.
"""

from __future__ import annotations

import csv
import json
import re
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow.parquet as pq
import pytest

from accordeur.metrics.signature import VERSION
from accordeur.tasks.certified_cases.cases import read_cases
from accordeur.tasks.certified_cases.outcomes import Outcomes, our_outcomes
from tests.flows.in_process import said
from tests.flows.runs import campaign_run

pytestmark = pytest.mark.services

N_DISAGREEMENTS, N_DECIDED = 36, 6
DIGITS = 10.0  # as many as are asked of a certified value


class Continued(NamedTuple):
    """A campaign of 0.2.0 after a run of this version."""

    folder: Path
    facts: dict[str, Any]

    @property
    def campaign(self) -> Path:
        return self.folder / "campaign.toml"

    def results(self, run: int) -> dict[str, Any]:
        path = self.folder / "store" / "reports" / f"run-{run:04}" / "results.json"
        plain: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return plain


def unpack(archive: Path, folder: Path) -> Path:
    with tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")
    return folder


@pytest.fixture(scope="module")
def continued(
    corpora: Path, tmp_path_factory: pytest.TempPathFactory, prefect_server: str
) -> Continued:
    archive = corpora / "stores" / "campaign-0.2.0.tar.xz"
    folder = unpack(archive, tmp_path_factory.mktemp("continued"))
    return Continued(folder, campaign_run(folder / "campaign.toml")[0])


@pytest.mark.long
def test_every_stage_of_a_store_of_0_1_0_is_computed_again(
    corpora: Path, tmp_path: Path, run_campaign: Callable[..., tuple[dict[str, Any], Any]]
) -> None:
    unpack(corpora / "stores" / "store-0.1.0.tar.xz", tmp_path)
    facts, _ = run_campaign(tmp_path / "campaign.toml")
    reused = {one["stage"]: one["n_reused"] for one in facts["stages"] if one["n_reused"]}
    assert facts["stages"]
    assert not reused


def test_a_campaign_of_0_2_0_is_measured_again_to_the_same_values(continued: Continued) -> None:
    assert Path(continued.facts["report"]).parent.name == "run-0002"
    assert not [one for one in continued.facts["stages"] if one["n_reused"]]
    before, now = continued.results(1), continued.results(2)
    assert (before["run"]["version"], now["run"]["version"]) == ("0.2.0", VERSION)
    for kind, measure in (("items", "krippendorff_alpha"), ("units", "gamma")):
        one, other = (
            next(v for layer in each[kind] for v in layer["values"] if v["measure"] == measure)
            for each in (before, now)
        )
        drawn = 0.002 if measure == "gamma" else 1e-12  # chance is drawn in another order since
        assert other["value"] == pytest.approx(one["value"], abs=drawn)


def test_compare_reads_a_run_of_0_2_0(continued: Continued) -> None:
    code, output = said("compare", continued.campaign, "1", "2")
    assert code == 0, output
    assert f"0.2.0 → {VERSION}" in output
    rows = [line.split() for line in output.splitlines() if line.startswith("gamma (entities)")]
    assert rows == [["gamma", "(entities)", "0.504", "0.504", "+0.0002"]]


def test_decisions_recorded_by_0_2_0_decide_the_reference(
    continued: Continued, tmp_path: Path
) -> None:
    code, output = said("adjudicate", continued.campaign, tmp_path / "open.csv")
    assert code == 0, output
    said_of = re.match(r"(\d+) disagreements, (\d+) open, (\d+) decided by a reference: ", output)
    assert said_of is not None, output
    n, n_open, n_by_reference = map(int, said_of.groups())
    assert (n, n_open + n_by_reference) == (N_DISAGREEMENTS, N_DISAGREEMENTS - N_DECIDED)
    with (continued.folder / "decisions.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["decision"]]
    decided = {(row["document"], row["where"]): row["decision"] for row in rows}
    assert len(decided) == N_DECIDED
    folder = continued.folder / "store" / "reports" / "run-0002" / "reference" / "sentiment"
    reference = {
        (row["document"], row["item"]): row["label"]
        for row in pq.read_table(folder / "reference.parquet").to_pylist()
    }
    labels = {place: label for place, label in decided.items() if place in reference}
    assert len(labels) == 3
    assert {place: reference[place] for place in labels} == labels


def test_labels_that_a_round_of_0_2_0_requested_are_known_as_such(
    continued: Continued, tmp_path: Path
) -> None:
    with (continued.folder / "exports" / "labels.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    queue = continued.folder / "store" / "queue"
    with (queue / "round-0001" / "queue.csv").open(encoding="utf-8-sig") as file:
        asked = [row for row in csv.DictReader(file) if row["purpose"] != "audit"]
    purposes = [row["purpose"] for row in asked]
    assert (purposes.count("random"), purposes.count("informative")) == (4, 4)
    rows += [
        {name: row[name] for name in ("document", "item", "annotator")}
        | {"role": "human", "label": "neutral"}
        for row in asked
    ]
    with (tmp_path / "labels.csv").open("w", encoding="utf-8") as file:
        writer = csv.DictWriter(file, [*rows[0], "layer"])
        writer.writeheader()
        writer.writerows(row | {"layer": "sentiment"} for row in rows)
    code, output = said("agree", tmp_path / "labels.csv", "--queue", queue)
    assert code == 0, output
    assert "4 excluded (collected because they were informative" in output
    code, output = said("next", continued.campaign)
    assert code == 0, output
    assert output.startswith("round 2, layer sentiment: ")


@pytest.mark.long
def test_a_bundle_of_0_2_0_verifies_or_says_why_not(continued: Continued) -> None:
    bundle = continued.folder / "release"
    code, output = said("audit", "--verify", bundle)
    assert code == 0, output
    assert "nothing differs\nchecked: each file against its checksum and the manifest" in output
    assert f"Accordeur 0.2.0 wrote them, and this is {VERSION}" in output
    code, output = said("audit", continued.campaign, "--verify", bundle)
    if code:
        assert f"but Accordeur 0.2.0 measured the bundle and this is {VERSION}" in output
    else:
        assert "measuring them again gives the same numbers and tables" in output


def test_a_certificate_of_0_2_0_is_read_and_every_certified_value_is_still_reached(
    continued: Continued,
) -> None:
    text = (continued.folder / "certificate.json").read_text(encoding="utf-8")
    cases = read_cases()
    before = Outcomes.from_json(json.loads(text))
    assert (before.package, before.version) == ("accordeur", "0.2.0")
    digits, now = before.digits(cases), our_outcomes(cases).digits(cases)
    assert len(digits) > 1000
    # κ of two annotators counted labels alone on their item, by which three cases are certified
    assert {*digits} - {*now} == {"items-130", "items-137", "items-180"}
    assert not {
        case: now[case] for case in now.keys() & digits if now[case] < min(digits[case], DIGITS)
    }
