"""The rows that `accordeur score` reads: of the reference, of systems, rejected or excluded."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from accordeur.reports.account import account_sentence
from accordeur.reports.language import Language
from accordeur.tasks.inputs.assessment_options import ScoreOptions
from accordeur.tasks.scores.score_exports import score_exports

HEAD = "document,item,annotator,label"


def test_every_row_of_both_sides_has_one_fate(tmp_path: Path) -> None:
    gold, system = tmp_path / "gold.csv", tmp_path / "system.csv"
    rows = [HEAD, "d1,1,gold,x", "d1,2,gold,y", "d2,1,gold,x", "d2,1,gold,y"]
    gold.write_text("\n".join(rows) + "\n", encoding="utf-8")
    rows = [HEAD, "d1,1,sys,x", "d1,2,sys,x", "d2,1,sys,x", "d3,1,sys,x", "d1,1,other,y"]
    system.write_text("\n".join(rows) + "\n", encoding="utf-8")
    found = score_exports(str(gold), [f"{system}#sys"], options=ScoreOptions(replicates=0)).rows
    assert found.n_read == 9
    assert (found.reference_only, found.system, found.measured) == (3, 3, 0)
    assert found.excluded == {"no_reference": 1, "annotator_excluded": 1}
    assert found.rejected == {"label_occurs_once": 1}
    assert account_sentence(found, Language("en")) == (
        "9 rows read: 3 reference only, 3 of systems, 2 excluded (1 of excluded annotators, "
        "1 without a reference), 1 rejected (label_occurs_once)"
    )


def test_a_reference_and_a_system_of_one_export_are_counted_once(tmp_path: Path) -> None:
    both = tmp_path / "both.csv"
    rows = [HEAD, "d1,1,gold,x", "d1,1,sys,x", "d1,2,sys,x", "d1,1,third,x"]
    both.write_text("\n".join(rows) + "\n", encoding="utf-8")
    found = score_exports(
        f"{both}#gold",
        [f"{both}#sys"],
        single_annotator=True,
        options=ScoreOptions(replicates=0),
    ).rows
    assert (found.n_read, found.reference_only, found.system) == (4, 1, 2)
    assert found.excluded == {"annotator_excluded": 1}


def test_a_ground_truth_is_the_reference_and_its_rows_are_counted_once(tmp_path: Path) -> None:
    def choice(label: str) -> list[dict[str, Any]]:
        kind = {"id": "c", "type": "choices", "from_name": "topic", "to_name": "text"}
        return [{**kind, "value": {"choices": [label]}}]

    tasks = [
        {
            "id": f"t{k}",
            "data": {"text": "one"},
            "annotations": [
                {"completed_by": "anna", "result": choice("x"), "ground_truth": k < 2},
                {"completed_by": "ben", "result": choice("y")},
            ],
            "predictions": [{"model_version": "m", "result": choice("x")}],
        }
        for k in range(3)
    ]
    path = tmp_path / "tasks.json"
    path.write_text(json.dumps(tasks), encoding="utf-8")
    found = score_exports(
        f"{path}#ground_truth",
        [f"{path}#prediction:m"],
        reference_options={"ground_truth": "reference"},
        system_options={"ground_truth": "reference"},
        options=ScoreOptions(replicates=0),
    ).rows
    assert (found.n_read, found.reference_only, found.system) == (9, 2, 2)
    assert found.excluded == {"annotator_excluded": 4, "no_reference": 1}


def test_a_system_that_is_the_reference_and_guessed_columns_are_said(tmp_path: Path) -> None:
    """One file twice: the predictions are read as the reference, too."""
    gold, system = tmp_path / "gold.conll", tmp_path / "system.conll"
    for path in (gold, system):
        path.write_text("Paris NNP B-X B-X\nRome NNP B-X O\n", encoding="utf-8")
    chosen = ScoreOptions(replicates=0)
    notes = "\n".join(score_exports(str(gold), [str(system)], options=chosen).notes)
    assert "CoNLL files with 4 columns" in notes
    assert "system is identical to the reference in everything that is scored" in notes
    columns = {"columns": "3"}
    found = score_exports(
        str(gold),
        [str(system)],
        reference_options=columns,
        system_options={"columns": "4"},
        options=chosen,
    )
    assert found.notes == []


def test_rejected_rows_say_whose_export_they_are_of(tmp_path: Path) -> None:
    for who, start in (("anna", 9), ("ben", 8)):
        folder = tmp_path / who
        folder.mkdir()
        (folder / "d1.txt").write_text("abc def ghi", encoding="utf-8")
        (folder / "d1.ann").write_text(f"T1\tX 0 3\tabc\nT2\tX {start} 99\tghi\n", encoding="utf-8")
    paths = [str(tmp_path / who) for who in ("anna", "ben")]
    found = score_exports(paths[0], paths[1:], options=ScoreOptions(replicates=0))
    assert [row.source for row in found.rejected] == ["anna/d1.ann", "ben/d1.ann"]


def test_a_gap_that_only_one_side_has_is_an_error(tmp_path: Path) -> None:
    """`nausea and vomiting`: the fragments `16 20;31 39` are not the unit from 16 to 39."""
    gold, system = tmp_path / "gold.csv", tmp_path / "sys.csv"
    head = "document,annotator,start,end,category,fragments\n"
    gapped, whole = "16,39,X,16 20;31 39\n", "16,39,X,\n"
    gold.write_text(head + "".join(f"d{d},gold,{gapped}" for d in range(4)), encoding="utf-8")
    rows = [f"d{d},sys,{gapped if d else whole}" for d in range(4)]
    system.write_text(head + "".join(rows), encoding="utf-8")
    found = score_exports(str(gold), [f"{system}#sys"], options=ScoreOptions(replicates=0))
    [scores] = found.evaluation.systems.values()
    values = {one.measure: one.value for one in scores.values}
    assert values["exact_f"] == values["bounds_f"] == 0.75
    assert (values["partial_f"], values["overlap_f"]) == (0.875, 1.0)
    assert scores.errors["wrong_bounds"] == 1
