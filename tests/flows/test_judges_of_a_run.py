"""Judges in a campaign: terminal, campaign and Python give one number, and agreement has none."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import accordeur as acc
from accordeur.flows.campaign.file.campaign_config import load_campaign
from accordeur.flows.toml_file import ConfigError
from tests.flows.command_line import accordeur
from tests.flows.outcomes import results_of
from tests.flows.test_replacement_of_a_run import campaign, exports

ROLES = "".join(
    f'[annotators.{name}]\nrole = "{role}"\n'
    for name, role in {"gpt": "system", "llama": "system"}.items()
) + "".join(f"[annotators.{name}]\n" for name in ("ann", "ben", "cat"))
BARS = """
[[judges.bars]]
measure = "cohen_kappa"
at_least = 0.5

[[judges.bars]]
measure = "recall"
of = "1"
at_least = 0.2
on = "lower bound"
"""
SECTION = (
    '[judges]\naudit_is_random = true\nlengths = "lengths.csv"\nearlier = { gpt = "llama" }\n'
    'by = "topics.csv"\n'
)


def with_topics(table: Path) -> Path:
    """Add a column with the topic of each item, and write it as a table of its own."""
    header, *rows = table.read_text(encoding="utf-8").splitlines()
    topics = [f"{row},{'even' if row[6] in '02468' else 'odd'}" for row in rows]  # d00,q1,…
    table.write_text("\n".join([f"{header},topic", *topics]) + "\n", encoding="utf-8")
    own = {",".join((*row.split(",")[:2], row.rpartition(",")[2])) for row in topics}
    text = "\n".join(["document,item,topic", *sorted(own)])
    (table.parent / "topics.csv").write_text(text, encoding="utf-8")
    return table


@pytest.mark.long
@pytest.mark.services
def test_command_campaign_and_python_give_one_number(
    tmp_path: Path, run_campaign: Callable[..., tuple[dict[str, Any], Any]]
) -> None:
    table = with_topics(exports(tmp_path))
    path = campaign(tmp_path, f"{ROLES}{SECTION}{BARS}")
    outcome, _ = run_campaign(path)
    results = results_of(outcome)
    [check] = acc.open_run(path).judges.values()
    own = check.to_document()
    asked = ("--judge", "gpt", "--judge", "llama", "--audit-is-random", "--earlier", "gpt=llama")
    given = (*asked, "--lengths", tmp_path / "lengths.csv", "--bars", path, "--by", "topic")
    done = accordeur("judge", table, *given, "--json")
    said = json.loads(done.stdout)
    for key in own.keys() - {"agreement"}:
        assert own[key] == said[key], key
    agreed = {one["measure"]: one["value"] for one in results["items"][0]["values"]}
    for mine, other in zip(own["agreement"], said["agreement"], strict=True):
        assert (mine["value"], mine["interval"]) == (other["value"], other["interval"])
        assert agreed.get(mine["measure"], mine["value"]) == mine["value"]
    rows = list(csv.DictReader(table.open(encoding="utf-8")))
    found = acc.judge(
        {name: [row[name] for row in rows if row["pass"] == "1"] for name in rows[0]},
        judges=["gpt", "llama"],
        document="document",
    )
    assert found.to_document()["candidates"] == own["candidates"]
    # The bars are gates of a kind of their own, and no value of the results is a candidate's.
    gates = [(gate["measure"], gate["of"], gate["outcome"]) for gate in results["gates"]]
    assert gates == [
        ("candidate_cohen_kappa", "gpt", "passed"),
        ("candidate_recall", "gpt, 1", "passed"),
        ("candidate_cohen_kappa", "llama", "failed"),
        ("candidate_recall", "llama, 1", gates[3][2]),
    ]
    assert "candidates" not in results
    page = (Path(outcome["report"])).read_text(encoding="utf-8")
    assert "Are the judges like the humans?" in page
    assert any("FAILED by the bars: llama does not meet" in line for line in outcome["scores"])


SYSTEMS = "".join(f'[annotators.{name}]\nrole = "system"\n' for name in ("gpt", "llama"))


@pytest.mark.services
@pytest.mark.parametrize(
    ("declared", "n_rejected", "outcomes"),
    [
        (SYSTEMS, 0, {("gpt", "passed"), ("llama", "failed")}),
        (f"{SYSTEMS}[annotators.zoe]\n", 1, {("", "failed")}),
    ],
    ids=["systems alone", "another human"],
)
def test_a_bar_is_evaluated_or_fails_the_run(
    tmp_path: Path,
    run_campaign: Callable[..., tuple[dict[str, Any], Any]],
    declared: str,
    n_rejected: int,
    outcomes: set[tuple[str, str]],
) -> None:
    """Naming the systems alone leaves the humans in; a list without them rejects all of them."""
    with_topics(exports(tmp_path))
    bar = BARS.partition('[[judges.bars]]\nmeasure = "recall')[0]
    outcome, _ = run_campaign(campaign(tmp_path, f"{declared}[judges]\n{bar}"))
    results = results_of(outcome)
    assert len(results["validation"]["account"]["rejected"]) == n_rejected
    assert {(gate["of"], gate["outcome"]) for gate in results["gates"]} == outcomes
    assert any(gate["fails_run"] for gate in results["gates"])


@pytest.mark.long
@pytest.mark.services
def test_a_section_judges_changes_no_other_value(
    tmp_path: Path, run_campaign: Callable[..., tuple[dict[str, Any], Any]]
) -> None:
    with_topics(exports(tmp_path))
    found = []
    for name, section in (("with", SECTION), ("without", "")):
        (tmp_path / name).mkdir()
        for file in ("labels.csv", "lengths.csv", "topics.csv"):
            (tmp_path / name / file).write_bytes((tmp_path / file).read_bytes())
        outcome, _ = run_campaign(campaign(tmp_path / name, f"{ROLES}{section}"))
        results = results_of(outcome)
        found.append({key: one for key, one in results.items() if key != "run"})
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("section", "said"),
    [
        ('[judges]\nlengths = "none.csv"\n', "judges.lengths"),
        ("[judges]\n[[judges.bars]]\nmeasure = 'recall'\n", "give either at_least or at_most"),
        ("[judges]\n[[judges.bars]]\nat_least = 0.5\n", "judges.bars"),
        ("[judges]\n[[judges.bars]]\nmeasure = 'recal'\nat_least = 0.5\n", "no measure 'recal'"),
        ("[judges]\nexpertise = 'guru'\n", "expertise"),
    ],
)
def test_a_mistake_in_the_section_is_named(tmp_path: Path, section: str, said: str) -> None:
    from accordeur.flows.campaign.file.declared import require_tables

    exports(tmp_path)
    with pytest.raises(ConfigError, match=said):
        require_tables(load_campaign(campaign(tmp_path, f"{ROLES}{section}")))


@pytest.mark.parametrize(
    ("section", "said"),
    [
        ("reference = 'anna'\n", "no label of 'anna'; give majority or one of ann, ben, cat"),
        ("panel = true\n", "is the majority of three or more systems, and there are 2"),
        ("[[judges.bars]]\nmeasure = 'recall'\nof = 'x'\nat_least = 0.5\n", "no category"),
        ("[[judges.bars]]\nmeasure = 'brier'\nat_most = 0.5\n", "only computed with confidence"),
        ("[[judges.bars]]\nmeasure = 'weighted_kappa'\nat_least = 0.5\n", "are cohen_kappa"),
        ("[[judges.bars]]\nmeasure = 'corrected_share'\nat_least = 0.5\n", "audit_is_random"),
        ("confidence = 'lengths.csv'\n", "need the columns item and confidence"),
        ("by = 'labels.csv'\n", "slices need the column item"),
    ],
)
def test_what_stops_the_check_of_judges_is_found_before_a_run(
    tmp_path: Path, section: str, said: str
) -> None:
    exports(tmp_path)
    done = accordeur("check", campaign(tmp_path, f"{ROLES}[judges]\n{section}"))
    assert done.returncode != 0
    assert said in " ".join(done.stdout.split())
