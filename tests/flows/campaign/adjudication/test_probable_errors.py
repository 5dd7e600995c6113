"""Probable errors out for adjudication, and what the decisions say of their list."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from accordeur.data.store.store import Store
from accordeur.flows.campaign.adjudication.adjudicate import LastRun, last_run
from accordeur.flows.campaign.adjudication.decisions import read_decisions
from accordeur.flows.campaign.file.campaign_config import load_campaign
from accordeur.reports.results import MistakeQueue
from accordeur.tasks.mistakes.mistakes_of_run import mistakes_of_layer
from accordeur.tasks.options import MistakeOptions
from tests.flows.campaign.adjudication.decided import DECIDED, filled, rows_of
from tests.flows.in_process import said


@pytest.fixture(scope="module")
def queue(campaign: Path) -> Path:
    path = campaign.parent / "queue.csv"
    code, output = said("adjudicate", campaign, path, "--probable-errors")
    assert code == 0, output
    assert " disagreements with a probable error, " in output
    return path


def of_units(
    campaign: Path, decisions: Path | None = None, *, references: bool = False
) -> MistakeQueue:
    store = Store(load_campaign(campaign).store.url)
    run: LastRun = last_run(store)
    [layer] = [layer for layer in run.layers if not layer.is_labels]
    given = [] if decisions is None else [one for _, one in read_decisions(decisions)]
    layer = replace(layer, references=("adjudicated",) if references else ())
    spec = run.dissimilarities[layer.name]
    options = MistakeOptions()
    return mistakes_of_layer(
        store, run.keys, layer, spec, options, given, with_references=references
    )


def test_the_most_probable_errors_come_first_with_their_reason(campaign: Path, queue: Path) -> None:
    found, rows = of_units(campaign), rows_of(queue)
    first = found.mistakes[0]
    assert rows[0]["document"] == first.document
    assert rows[0]["where"] == first.where
    expected = f"{', '.join(first.annotators)}: {first.label or 'nothing'} (very likely). "
    assert rows[0]["probable error"].startswith(expected)
    assert len(rows) == len({one.case for one in found.mistakes})
    assert [one.probability for one in found.mistakes] == sorted(
        (one.probability for one in found.mistakes), reverse=True
    )


def test_decisions_measure_the_precision_of_the_list(campaign: Path, queue: Path) -> None:
    """A decision against the suspected annotation counts as a change, another one does not."""
    rows, found = rows_of(queue), of_units(campaign)
    assert (found.n_decided, found.n_changed) == (0, 0)
    n_of_case = Counter(one.case for one in found.mistakes)
    single = [one for one in found.mistakes if n_of_case[one.case] == 1]
    alone = [one for one in single if one.reason == "alone"]
    missed = [one for one in single if one.reason == "missed"]
    named = {one.case: one for one in (*alone[:1], *missed[:2])}
    assert len(named) == 3
    undecided = dict.fromkeys(DECIDED, "")  # other tests decide on the same campaign
    changes = {row["case"]: undecided for row in rows}
    changes |= {
        row["case"]: {
            "decision": "(nothing)" if named[row["case"]] is missed[1] else named_label(row)
        }
        for row in rows
        if row["case"] in named
    }
    changes[alone[0].case] = {"decision": "(nothing)"}
    decided = filled(queue, queue.with_name("decided.csv"), changes)
    after = of_units(campaign, decided)
    assert after.n_decided == 3
    assert after.n_changed == 2  # the lone unit is removed, one missed unit is added
    assert after.interval[0] < 2 / 3 < after.interval[1]
    # Decisions never change a probability, nor agreement; decided errors leave the list.
    open_ = [one for one in found.mistakes if one.case not in named]
    assert after.mistakes == open_
    assert (after.n_probable, after.expected) == (found.n_probable, found.expected)


def test_what_a_reference_of_the_campaign_decides_leaves_the_list(campaign: Path) -> None:
    """The demonstration has a reference of every document; it is seeded with its errors."""
    found, decided = of_units(campaign), of_units(campaign, references=True)
    assert found.n_decided == 0
    assert len(found.mistakes) == found.n_probable
    assert decided.mistakes == []
    assert decided.n_decided == decided.n_probable == found.n_probable
    assert decided.n_changed > 0.8 * decided.n_decided
    assert sum(one.n_changed for one in decided.grades) == decided.n_changed


def named_label(row: dict[str, str]) -> str:
    said_there = [value for name, value in row.items() if name.startswith("said: ") and value]
    return next(value.split(" ")[0] for value in said_there if value != "(nothing)")
