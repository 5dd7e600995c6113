"""A table's column `role`, columns that nobody reads, and annotators called like no human."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from accordeur.data.annotator_names import suggested_roles
from accordeur.data.readers.base import SourceOptions
from accordeur.data.schema import Assignment, Role
from tests.data.readers.both_ways import read_both_ways
from tests.flows.in_process import found, said, texts, values

PEOPLE = [("anna", "human"), ("ben", "Human"), ("tagger", "SYSTEM"), ("boss", " reference ")]


def labels(path: Path, *, role: str = "role", skip: tuple[str, ...] = ()) -> Path:
    """Ten items by two humans, who differ on one, a system that differs on four, a reference."""
    rows = [f"item,annotator,label,{role}"]
    for k in range(10):
        for who, its_role in PEOPLE:
            wrong = {"anna": k < 1, "tagger": k < 4}.get(who, False)
            if who not in skip:
                rows.append(f"{k},{who},{'xy'[(k + wrong) % 2]},{its_role}")
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def units(path: Path) -> Path:
    rows = ["document,annotator,start,end,category,role"]
    for k in range(12):
        for n, (who, role) in enumerate(PEOPLE):
            start = 20 * k + k * k + (n == 2) * 7
            rows.append(f"d{k % 3},{who},{start},{start + 5 + k % 4},{'AB'[k % 5 > 1]},{role}")
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("command", [("agree",), ("resample",)])
def test_agreement_is_that_of_the_humans_alone(tmp_path: Path, command: tuple[str, ...]) -> None:
    every = found(*command, labels(tmp_path / "all.csv"))["results"]
    alone = labels(tmp_path / "humans.csv", skip=("tagger", "boss"))
    assert [row["value"] for row in every] == [
        row["value"] for row in found(*command, alone)["results"]
    ]


def test_units_of_a_system_are_not_in_gamma(tmp_path: Path) -> None:
    plain = values("gamma", units(tmp_path / "units.csv"), "--replicates", "0")
    assert plain["gamma"] == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("cell", "sentence"),
    [
        ("robot", "the role 'robot' is not human, system, reference or audit"),
        ("reference", "'anna' is reference here but human in an earlier row"),
    ],
)
def test_a_row_of_another_role_is_rejected(tmp_path: Path, cell: str, sentence: str) -> None:
    path = labels(tmp_path / "labels.csv")
    lines = path.read_text().splitlines()
    lines[5] = lines[5].replace("human", cell)
    path.write_text("\n".join(lines) + "\n")
    [row] = found("agree", path)["rejected"]
    assert (row["location"], row["annotator"]) == ("line 6", "anna")
    assert sentence in row["message"]


def test_a_column_of_another_meaning_is_left_out_on_request(tmp_path: Path) -> None:
    path = labels(tmp_path / "labels.csv")
    path.write_text(path.read_text().replace("human", "Agent").replace("Human", "Patient"))
    assert "(`--option role=`)" in said("agree", path)[1]
    plain = labels(tmp_path / "plain.csv", role="note")
    assert values("agree", path, "--option", "role=") == values("agree", plain)


def test_both_ways_of_reading_give_the_same_roles(tmp_path: Path) -> None:
    for path in (labels(tmp_path / "labels.csv"), units(tmp_path / "units.csv")):
        records = read_both_ways(path, "table", SourceOptions())
        roles = {one.annotator: one.role for one in records if isinstance(one, Assignment)}
        expected = [Role.HUMAN, Role.HUMAN, Role.SYSTEM, Role.REFERENCE]
        assert roles == dict(zip(dict(PEOPLE), expected, strict=True))


def test_two_files_that_give_an_annotator_two_roles_are_refused(tmp_path: Path) -> None:
    labels(tmp_path / "a.csv")
    (tmp_path / "b.csv").write_text("item,annotator,label,role\n1,anna,x,system\n")
    code, sentence = said("agree", tmp_path)
    assert code == 2
    assert "annotator 'anna' is system in b.csv and human in an earlier source" in sentence
    assert "--role anna=human" in sentence
    assert said("agree", tmp_path, "--role", "anna=human")[0] == 0


def test_columns_that_are_not_used_are_named_once(tmp_path: Path) -> None:
    for name in ("a", "b"):
        labels(tmp_path / f"{name}.csv", role="hour")
    for given in (tmp_path, tmp_path / "a.csv"):
        notes = [text for text in texts(found("agree", given)) if "not used" in text]
        assert notes == ["Columns of the tables that are not used (1): hour."]


def test_names_of_systems_and_references_are_warned_of(tmp_path: Path) -> None:
    path = labels(tmp_path / "labels.csv", role="note")
    path.write_text(path.read_text().replace("tagger", "gpt-4").replace("boss", "gold"))
    notes = "\n".join(texts(found("agree", path)))
    assert "1 of 4 annotators counted as human have names of systems: “gpt-4”." in notes
    assert "1 of 4 annotators counted as human have names of references: “gold”." in notes
    roles = ("--role", "gpt-4=system", "--role", "gold=reference")
    assert values("agree", path, *roles) == values(
        "agree", labels(tmp_path / "humans.csv", skip=("tagger", "boss"))
    )
    assert not [text for text in texts(found("agree", path, *roles)) if "human" in text]
    campaign = tmp_path / "campaign.toml"
    campaign.write_text('[campaign]\nname = "x"\n[[sources]]\npath = "labels.csv"\n')
    output = said("check", campaign)[1]
    assert "counted as human have names of systems: “gpt-4”." in output
    assert "Columns of the tables that are not used (1): note." in output


def test_a_verdict_on_replacement_follows_the_warning_of_its_annotators(tmp_path: Path) -> None:
    people = ("anna", "ben", "cid", "claude-3", "gpt-4", "tagger")
    rows = [
        f"{k},{who},{'xy'[(k + n * k) % 3 % 2]}" for k in range(30) for n, who in enumerate(people)
    ]
    path = tmp_path / "labels.csv"
    path.write_text("item,annotator,label\n" + "\n".join(rows) + "\n", encoding="utf-8")
    code, output = said("replace", path, "--system", "tagger")
    assert code == 0, output
    of_table, of_roles, *_ = output.splitlines()
    assert of_table.startswith("labels.csv: ")
    assert "2 of 5 annotators counted as human have names of systems" in of_roles
    assert output.count("names of systems") == 1


@pytest.mark.parametrize(
    ("name", "role"),
    [
        *((name, Role.REFERENCE) for name in ("gold", "Gold_Standard", "curator", "gold2")),
        *((name, Role.SYSTEM) for name in ("gpt-4", "claude-3-opus", "model", "System 1")),
        *((name, Role.SYSTEM) for name in ("prediction", "predictions", "crf_model", "ChatGPT")),
        *((name, None) for name in ("anna", "goldberg", "Modeste", "systemine", "golda")),
    ],
)
def test_which_names_are_warned_of(name: str, role: Role | None) -> None:
    assert suggested_roles([name]).get(name) == role


@pytest.mark.long
def test_too_many_columns_are_refused(tmp_path: Path) -> None:
    names = ["item", *(f"rater{k}" for k in range(10_000))]
    cells = ",".join(["x"] * len(names))
    (tmp_path / "a.csv").write_text(f"{','.join(names)}\n{cells}\n")
    pairs = ", ".join(f'"{name}": "x"' for name in names)
    (tmp_path / "a.jsonl").write_text(f"{{{pairs}}}\n")
    pq.write_table(pa.table({name: ["x"] for name in names}), tmp_path / "a.parquet")
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet()
    sheet.append(names)
    sheet.append(["x"] * len(names))
    book.save(tmp_path / "a.xlsx")
    for ending in ("csv", "jsonl", "parquet", "xlsx"):
        code, sentence = said("agree", tmp_path / f"a.{ending}")
        assert code == 2
        assert sentence == (
            f"a.{ending}: the table has 10,001 columns, and at most 10,000 are read; give it one "
            "row per label (columns item, annotator, label) instead"
        )
