"""Files of decisions as people and spreadsheets leave them."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from accordeur.data.errors import DataError
from accordeur.data.store.store import Store
from accordeur.flows.campaign.adjudication.adjudicate import (
    import_decisions,
    recorded_decisions,
)
from accordeur.flows.campaign.adjudication.decisions import read_decisions
from accordeur.flows.campaign.file.campaign_config import load_campaign
from accordeur.metrics.errors import MetricsError
from tests.flows.campaign.adjudication.decided import filled, rows_of


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"decision": ""}, "no decision; give a category"),
        ({"decision": "neutral", "who": ""}, "the decision has no `who`"),
        ({"decision": "neutral", "when": ""}, "the decision has no `when`"),
        ({"decision": "neutral", "when": "yesterday"}, "give an ISO 8601 date or time"),
        ({"decision": "neutral", "start": "x"}, "`start` is 'x'; give a whole number"),
        ({"decision": "angry"}, "not one of the categories (negative, neutral, positive)"),
        ({"decision": "neutral", "start": "9", "end": "4"}, "the end must be after the start"),
        ({"decision": "neutral", "case": "sentiment|12-notice|s9", "where": "s9"},
         "is on 12-notice, s9, which is not in the list of disagreements"),
    ],
)  # fmt: skip
def test_a_wrong_decision_is_told_and_none_is_kept(
    campaign: Path, listed: Path, tmp_path: Path, change: dict[str, str], sentence: str
) -> None:
    store = Store(load_campaign(campaign).store.url)
    before = len(recorded_decisions(store))
    file = filled(listed, tmp_path / "wrong.csv", {"sentiment|12-notice|s2": change})
    with pytest.raises((DataError, MetricsError), match=re.escape(sentence)):
        import_decisions(store, read_decisions(file))
    assert len(recorded_decisions(store)) == before


def test_spreadsheets_that_save_with_semicolons(listed: Path, tmp_path: Path) -> None:
    file = filled(listed, tmp_path / "f.csv", {"sentiment|12-notice|s1": {"decision": "neutral"}})
    rows = rows_of(file)
    with (tmp_path / "semi.csv").open("w", encoding="utf-8-sig", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]), delimiter=";")
        writer.writeheader()
        writer.writerows(rows)
    [(layer, decision)] = read_decisions(tmp_path / "semi.csv")
    assert (layer, decision.document, decision.item) == ("sentiment", "12-notice", "s1")
    (tmp_path / "other.csv").write_text("item,label\n1,2\n", encoding="utf-8")
    with pytest.raises(DataError, match="the column case is missing"):
        read_decisions(tmp_path / "other.csv")


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ('l|c2,l,d,w,"x,1,A,,,lead,2026-01-02,', "line 3: not a row of a table .* not closed"),
        ("l|c2,l,d,w,x,,,,lead,2026-01-02,,,A", "line 3: more cells than the header"),
        (f"l|c2,l,d,w,{'x' * 200_000},A,,,lead,2026-01-02,", "line 3: not a row of a table"),
    ],
)
def test_a_damaged_file_of_decisions_is_refused_as_a_whole(tmp_path, row, message):
    """A quotation mark that is never closed would take the decisions after it along."""
    header = "case,layer,document,where,said,decision,start,end,who,when,why"
    good = "l|c1,l,d,w,x,A,,,lead,2026-01-02,"
    path = tmp_path / "decided.csv"
    path.write_text("\n".join([header, good, row, good.replace("c1", "c3")]), encoding="utf-8")
    with pytest.raises(DataError, match=message):
        read_decisions(path)
