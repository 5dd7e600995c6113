"""Every format of `adjudicate --to` with every format of `--from`, over one difficult campaign."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from accordeur.data.errors import DataError
from accordeur.data.schema import Assignment, Document, Record, Relation, Unit
from accordeur.data.store.store import Store
from accordeur.data.writers.registry import writer
from accordeur.flows.campaign.adjudication.adjudicate import (
    all_cases,
    import_decisions,
    last_run,
    recorded_decisions,
)
from accordeur.flows.campaign.adjudication.decisions import read_decisions
from accordeur.flows.campaign.adjudication.tool_decisions import tool_decisions
from accordeur.flows.campaign.file.campaign_config import load_campaign
from accordeur.flows.commands.adjudicate import Format, adjudicate
from tests.flows.campaign.adjudication.decided import filled, measured, rows_of

FORMATS = [one.value for one in Format]
TEXTS = {
    "emoji": "The 👩‍🚀 cafe\u0301 met שלום עולם at noon near e\u0301cole today.",
    "arabic": "مرحبا بالعالم and Anna",
    "empty": "Nothing is marked here.",
}
SPLIT = ((16, 19), (22, 26))
UNITS = [  # document, annotator, start, end, category, fragments
    ("emoji", "ann", 4, 7, "PER", ()),
    ("emoji", "bob", 4, 7, "LOC", ()),
    ("emoji", "ann", 16, 26, "PER", SPLIT),
    ("emoji", "bob", 16, 26, "PER", ()),
    ("emoji", "ann", 35, 49, "LOC", ((35, 39), (41, 43), (45, 49))),
    ("emoji", "bob", 35, 49, "LOC", ()),
    ("arabic", "ann", 0, 5, "PER", ()),
    ("arabic", "bob", 0, 6, "PER", ()),
    ("arabic", "ann", 18, 22, "PER", ()),
]


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("trips")
    records: list[Record] = []
    for name, text in TEXTS.items():
        records.append(Document(name, len(text), "char", text=text))
        records += [Assignment(name, who) for who in ("ann", "bob")]
    records += [
        Unit(document, who, f"T{n}", start, end, category, fragments=fragments)
        for n, (document, who, start, end, category, fragments) in enumerate(UNITS, 1)
    ]
    records.append(Relation("emoji", "ann", "R1", "T1", "T5", "near"))
    writer("brat").write(records, folder / "exports")
    labels = [f"{name},{name},{who},{mood}" for name in TEXTS
              for who, mood in (("ann", "glad"), ("bob", "sad"))]  # fmt: skip
    table = "\n".join(["document,item,annotator,label", *labels, ""])
    (folder / "moods.csv").write_text(table, "utf-8")
    path = folder / "campaign.toml"
    path.write_text(
        '[campaign]\nname = "trips"\n[[sources]]\npath = "exports"\n'
        '[[sources]]\npath = "moods.csv"\n',
        "utf-8",
    )
    measured(path)
    return path


@pytest.fixture(scope="module")
def written(campaign: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """What `adjudicate` writes in each format, where ann's annotations are the decisions."""
    folder = tmp_path_factory.mktemp("written")
    found: dict[str, Path] = {}
    for to in Format:
        out = folder / (f"{to}.csv" if to is Format.csv else to)
        adjudicate(campaign, out, as_=to)
        found[to] = out
    shutil.rmtree(found["brat"] / "bob")
    for other in found["inception_xmi"].rglob("bob.xmi"):
        other.unlink()
    tasks = json.loads((found["label_studio"] / "tasks.json").read_text("utf-8"))
    for task in tasks:
        task["annotations"] = [
            one for one in task["annotations"] if one["completed_by"] == {"email": "ann"}
        ]
    found["label_studio"] = folder / "curated.json"
    found["label_studio"].write_text(json.dumps(tasks), "utf-8")
    decisions = {}
    for row in rows_of(found["csv"]):
        category, _, bounds = row["said: ann"].partition(" ")
        pairs = [piece.split("–") for piece in bounds.split(";") if "–" in piece]
        starts, ends = (";".join(pair[k] for pair in pairs) for k in (0, 1))
        decisions[row["case"]] = {"decision": category, "start": starts, "end": ends, "who": "ann"}
    found["csv"] = filled(found["csv"], folder / "filled.csv", decisions)
    return found


def test_fragments_that_differ_within_the_same_bounds_are_cases(campaign: Path) -> None:
    store = Store(load_campaign(campaign).store.url)
    shown = {
        case.where: {one.bounds_text for one in case.said.values()}
        for case in all_cases(store, last_run(store))
        if case.document == "emoji" and case.layer != "moods"
    }
    assert shown["16–26"] == {"16–19;22–26", "16–26"}
    assert shown["35–49"] == {"35–39;41–43;45–49", "35–49"}


@pytest.mark.parametrize("from_", FORMATS)
@pytest.mark.parametrize("to", FORMATS)
def test_every_pair_closes_or_says_what_is_wrong(
    campaign: Path, written: dict[str, Path], to: str, from_: str
) -> None:
    store = Store(load_campaign(campaign).store.url)
    run, path = last_run(store), written[to]
    if to != from_:
        with pytest.raises(DataError, match=path.name):
            read_decisions(path) if from_ == "csv" else tool_decisions(store, path, from_, run)
        return
    given = (
        read_decisions(path)
        if from_ == "csv"
        else tool_decisions(store, path, from_, run, when="2026-11-20").decisions
    )
    with_labels = to in ("csv", "label_studio")
    cases = [one for one in all_cases(store, run) if with_labels or one.bounds[0] >= 0]
    decided = {one.case: one for _, one in given}
    assert decided.keys() == {one.case for one in cases}
    for case in cases:
        ann, one = case.said["ann"], decided[case.case]
        assert (one.category, one.fragments) == (ann.category, ann.fragments)
        assert [one.start, one.end] == pytest.approx([ann.start, ann.end], nan_ok=True)
    import_decisions(store, given)
    kept = [one.fragments for _, one in recorded_decisions(store)]
    assert SPLIT in kept
    out = path.parent / f"again-{to}.csv"
    adjudicate(campaign, out, as_=Format.csv)
    assert sum(bool(row["decision"]) for row in rows_of(out)) >= len(cases)
    assert ("16;22", "19;26") in [(row["start"], row["end"]) for row in rows_of(out)]


def test_brat_refuses_categories_of_two_layers(campaign: Path, tmp_path: Path) -> None:
    table = tmp_path / "spans.csv"
    table.write_text(
        "document,annotator,start,end,category\nemoji,ann,0,3,PER\nemoji,bob,0,3,LOC\n"
    )
    both = tmp_path / "campaign.toml"
    both.write_text(
        f'[campaign]\nname = "two"\n[[sources]]\npath = "{campaign.parent / "exports"}"\n'
        f'[[sources]]\npath = "{table}"\nlayer_names = {{ "" = "spans" }}\n',
        "utf-8",
    )
    measured(both)
    with pytest.raises(DataError, match="brat has no layers, and the category 'LOC' is in"):
        adjudicate(both, tmp_path / "out", as_=Format.brat)
    assert not (tmp_path / "out").exists()
