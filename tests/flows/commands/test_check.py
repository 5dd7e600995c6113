"""`accordeur check`: what it says, and its exit codes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from accordeur.flows.cli import app
from tests.flows import relation_campaign
from tests.flows.small import write_small

ROOT = Path(__file__).parents[3]
DEMO = ROOT / "flows" / "demo_campaign" / "campaign.toml"


def checked(campaign: Path, *options: str) -> tuple[int, str]:
    """Exit code and output."""
    done = CliRunner().invoke(app, ["check", str(campaign), *options])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


def as_json(campaign: Path) -> tuple[int, dict[str, Any]]:
    code, said = checked(campaign, "--json")
    return code, json.loads(said)


def test_what_the_demonstration_has_set_aside_is_told_with_its_place() -> None:
    code, said = checked(DEMO, "--why")
    assert code == 1
    assert "1 category_in_tagset: ben/05-complaint.ann line 6: " in said
    assert "1 annotator_known: sentiment.csv" in said
    assert "format brat: named in the campaign file" in said
    assert said.count("postive") == 1


def test_a_private_campaign_quotes_no_rejected_value(tmp_path: Path) -> None:
    (tmp_path / "labels.csv").write_text("item,annotator,label\n1,anna,call Smith\n1,ben,yes\n")
    campaign = tmp_path / "campaign.toml"
    campaign.write_text(
        '[campaign]\nname = "c"\nprivacy = true\n[[sources]]\npath = "labels.csv"\n'
        '[layers.labels]\ncategories = ["yes", "no"]\n'
        '[annotators]\nanna = {pseudonym = "A"}\nben = {pseudonym = "B"}\n'
    )
    for options in ((), ("--json",)):
        code, said = checked(campaign, *options)
        assert code == 1
        assert "Smith" not in said
        assert "label_in_tagset (value withheld)" in said


def test_with_a_baseline_only_more_rejected_rows_are_a_problem(tmp_path: Path) -> None:
    campaign, known = tmp_path / "campaign.toml", tmp_path / "known.json"
    campaign.write_text(
        '[campaign]\nname = "c"\n[[sources]]\npath = "labels.csv"\nformat = "table"\n'
        '[layers.labels]\ncategories = ["yes", "no"]\n'
    )

    def check(*wrong: str) -> tuple[int, list[str]]:
        rows = [f"{k},{who},{'yes' if k % 2 else 'no'}" for k in range(9) for who in ("ann", "ben")]
        table = "\n".join(["item,annotator,label", *rows, *wrong, ""])
        (tmp_path / "labels.csv").write_text(table, encoding="utf-8")
        code, said = checked(campaign, "--baseline", str(known))
        return code, [line for line in said.splitlines() if known.name in line]

    first = "known.json was written: later checks report only more rejected rows than now"
    assert check("9,ann,maybe") == (1, [first])
    assert check("9,ann,maybe") == (0, [])
    more = "labels.csv: 2 rows rejected by label_in_tagset, 1 in known.json"
    assert check("9,ann,maybe", "9,ben,perhaps") == (1, [more])
    code, [said] = check()
    assert (code, said.split(":")[0]) == (0, "known.json has 1 row that is no longer rejected")
    known.write_text("[]", encoding="utf-8")
    done = CliRunner().invoke(app, ["check", str(campaign), "--baseline", str(known)])
    assert "known.json: is no file of `accordeur check --baseline`" in str(done.exception)


def test_relations_and_chains_are_told_with_their_measures(tmp_path: Path) -> None:
    campaign = relation_campaign.write_campaign(tmp_path)
    code, said = as_json(campaign)
    assert code == 0
    [relations] = [layer for layer in said["layers"] if layer["kind"] == "relations"]
    assert {"relation_presence", "chain_alpha"} <= set(relations["measures"])


def test_a_campaign_without_a_fault_exits_with_0_and_writes_nothing(tmp_path: Path) -> None:
    campaign = write_small(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    code, said = as_json(campaign)
    assert code == 0
    assert sorted(tmp_path.rglob("*")) == before
    assert said["rows"] == {"read": 80, "accepted": 80, "rejected": 0, "excluded": {}}
    assert [(one["name"], one["fewest"], one["most"]) for one in said["layers"]] == [
        ("labels", 2, 2),
        ("units", 2, 2),
    ]
    assert said["sources"][0]["formats"] == {"table": 1}
    assert said["annotators"] == {"anna": "human", "ben": "human"}
    assert (said["stops"], said["lost"]) == ([], [])


UNITS = """document,annotator,start,end,category
d1,anna,0,5,PER
d3,ben,0,5,per
d2,anna,3,9,LOC
d2,Anna,3,9,LOC
"""
LABELS = "document,item,annotator,label\nd1,i1,anna,low\nd1,i2,anna,middle\nd1,i3,anna,high\n"


def write_faulty(folder: Path, more: str = "") -> Path:
    (folder / "units.csv").write_text(UNITS, encoding="utf-8")
    (folder / "labels.csv").write_text(LABELS, encoding="utf-8")
    campaign = folder / "campaign.toml"
    campaign.write_text(
        f"""
[campaign]
name = "Faulty"
[[sources]]
path = "units.csv"
layer_names = {{ "" = "entities" }}
[[sources]]
path = "labels.csv"
[layers.entities]
categories = ["PER", "LOC", "ORG"]
[annotators]
anna = {{}}
ben = {{}}
zoe = {{}}
{more}
""",
        encoding="utf-8",
    )
    return campaign


def test_what_is_lost_and_what_is_to_look_at(tmp_path: Path) -> None:
    gates = (("gamma", "entities"), ("gamma", "labels"), ("krippendorff_alpha", None))
    more = "".join(
        f'[[gates]]\nmeasure = "{measure}"\nat_least = 0.5\n'
        + (f'layer = "{layer}"\n' if layer else "")
        for measure, layer in gates
    )
    code, said = as_json(write_faulty(tmp_path, more))
    assert code == 1
    assert said["stops"] == []
    assert (
        said["lost"][0] == "layer labels (items) is not measured: one human annotator only (anna)"
    )
    # all that ben did was rejected: he takes no part, and did not leave his document empty
    assert (
        said["lost"][1] == "layer entities (units) is not measured: one human annotator only (anna)"
    )
    no_layer = "cannot pass: no layer has it (labels is not measured; entities is not measured)"
    assert said["lost"][2:] == [
        "the gate on gamma (entities) cannot pass: no layer has it (entities is not measured)",
        "the gate on gamma (labels) cannot pass: no layer has it (labels is not measured)",
        f"the gate on krippendorff_alpha {no_layer}",
    ]
    notes = "\n".join(said["notes"])
    assert "2 documents have one annotator only: d1, d2" in notes
    assert "1 document has no human annotator: d3" in notes
    assert (
        "not in the campaign file and are read with the defaults and any category: 'labels'"
        in notes
    )
    assert "categories used but not declared" not in notes  # the rejected row names the only one
    assert "layer entities: categories declared but never used: 'ORG'" in notes
    assert "annotators in [annotators] but in no export: 'zoe'" in notes
    assert "entities: the categories 'PER', 'per' are counted as different" in notes
    assert "the annotators 'Anna', 'anna' are counted as different" in notes
    [first, _] = said["sources"]
    assert {one["rule"]: one["first"]["location"] for one in first["rejected"]}[
        "category_in_tagset"
    ] == "line 3"


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ('[[sources]]\npath = "away.csv"\n', "away.csv: no such file or folder"),
        ('[layers.moods]\ncategories = ["a", "b"]\n', "layers.moods: no export contains it"),
        (
            "[layers.label]\n",
            "layers.label: no export contains it; did you mean labels? the layers found are",
        ),
        ('[layers.labels]\ndistance = "ordinal"\n', "layers.labels: the ordinal distance needs"),
        (
            "[relations.links]\n",
            "relations.links: no export contains it; no such layer was found",
        ),
        (
            '[estimate]\naudit = "random"\nlayers = ["x"]\n',
            "estimate.layers: layer 'x' has no system with one label an item; no layer has: give",
        ),
        (
            '[replacement]\nlayers = ["labels"]\n',
            "replacement.layers: layer 'labels' has no system; no layer has: give",
        ),
        ('[validation]\non_rejected = "stop"\n', 'validation.on_rejected is "stop"'),
    ],
)
def test_what_would_stop_a_run_exits_with_2(tmp_path: Path, more: str, why: str) -> None:
    code, said = as_json(write_faulty(tmp_path, more))
    assert code == 2
    assert any(why in one for one in said["stops"])


def test_a_distance_that_units_do_not_have_stops_a_run(tmp_path: Path) -> None:
    campaign = write_faulty(tmp_path)
    text = campaign.read_text(encoding="utf-8")
    scaled = text.replace("[layers.entities]", '[layers.entities]\ndistance = "ratio"')
    campaign.write_text(scaled, encoding="utf-8")
    code, said = as_json(campaign)
    assert code == 2
    [why] = said["stops"]
    assert why.startswith("layers.entities.distance: units have no ratio distance: choose one of")


def test_the_other_sources_are_told_when_one_cannot_be_read(tmp_path: Path) -> None:
    campaign = write_faulty(tmp_path, '[[sources]]\npath = "empty.csv"\n')
    (tmp_path / "empty.csv").write_text("", encoding="utf-8")
    code, said = checked(campaign)
    assert code == 2
    assert "not read: " in said
    assert "4 units" in said
    assert "A run would stop:" in said


def test_two_roles_of_one_person_are_told_with_everything_else(tmp_path: Path) -> None:
    campaign = write_small(tmp_path)
    text = campaign.read_text(encoding="utf-8")
    campaign.write_text(
        text.replace('path = "labels.csv"', 'path = "labels.csv"\nrole = "system"'),
        encoding="utf-8",
    )
    code, said = as_json(campaign)
    assert code == 2
    assert any("annotator 'anna' is human and system" in one for one in said["stops"])
    assert len(said["layers"]) == 2


def test_a_faulty_campaign_file_is_one_sentence(tmp_path: Path) -> None:
    campaign = tmp_path / "campaign.toml"
    campaign.write_text('[campaign]\nname = "x"\nnome = 1\n', encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "accordeur.flows.cli", "check", str(campaign)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 2
    assert "campaign.nome: unknown key; did you mean name?" in done.stderr
    assert "Traceback" not in done.stderr


def test_it_imports_neither_prefect_nor_dask(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom typer.testing import CliRunner\nfrom accordeur.flows.cli import app\n"
        f"done = CliRunner().invoke(app, ['check', {str(DEMO)!r}])\n"
        "assert done.exit_code == 1, done.output\n"
        "loaded = {'prefect', 'dask', 'distributed', 'great_expectations'} & set(sys.modules)\n"
        "assert not loaded, loaded\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert done.returncode == 0, done.stderr


DECISIONS = """case,layer,document,where,decision,start,end,who,when,why
labels|d1|i1,labels,d1,i1,low,,,erik,2026-11-20,
labels|gone|i9,labels,gone,i9,low,,,erik,2026-11-20,
entities|d2|anna=3-9:LOC,entities,d2,3–9,PER,,,erik,2026-11-20,
"""


def with_decisions(folder: Path, decisions: str | None, more: str = "") -> Path:
    if decisions is not None:
        (folder / "decided.csv").write_text(decisions, encoding="utf-8")
    return write_faulty(folder, f'[reference]\ndecisions = "decided.csv"\n{more}')


def test_decisions_are_read_as_a_run_reads_them(tmp_path: Path) -> None:
    _, said = as_json(with_decisions(tmp_path, DECISIONS))
    assert said["stops"] == []
    [told] = [one for one in said["lost"] if "decision" in one]
    assert told == (
        "1 decision on documents that no export holds, the first on gone, i9 in layer labels: "
        "not applied"
    )


@pytest.mark.parametrize(
    ("decisions", "why"),
    [
        (None, "decided.csv: no such file"),
        ("case,label\n", "decided.csv: the column layer is missing"),
        (DECISIONS.replace(",low,,,erik", ",low,,,"), "line 2: the decision has no `who`"),
        (
            DECISIONS.replace("labels", "moods"),
            "names the unknown layer 'moods'; the layers found are",
        ),
        (
            DECISIONS.replace("i1,low", "i1,lowest"),
            "on 'd1, i1' by 'erik' gives 'lowest', which is not one of the categories (high",
        ),
        (DECISIONS.replace("PER,,", "PER,9,3"), "the end must be after the start"),
    ],
)
def test_a_fault_in_the_decisions_is_one_sentence(
    tmp_path: Path, decisions: str | None, why: str
) -> None:
    code, said = as_json(with_decisions(tmp_path, decisions))
    assert code == 2
    [told] = said["stops"]
    assert why in told


def test_a_reference_of_nobody_is_told(tmp_path: Path) -> None:
    campaign = write_faulty(tmp_path, '[reference]\nrule = "annotator"\nannotator = "carl"\n')
    code, said = as_json(campaign)
    assert code == 2
    assert any("no layer has a human annotator 'carl' (anna)" in one for one in said["stops"])


def test_documents_that_are_not_paired_because_of_their_names_are_told(tmp_path: Path) -> None:
    """A Mac writes the é of a file's name as two characters, other systems as one."""
    for who, name in (
        ("anna", "\u00e9t\u00e9"),
        ("ben", "\u00e9t\u00e9"),
        ("carl", "e\u0301te\u0301"),
    ):
        (tmp_path / "brat" / who).mkdir(parents=True)
        (tmp_path / "brat" / who / f"{name}.txt").write_text("one two", encoding="utf-8")
        (tmp_path / "brat" / who / f"{name}.ann").write_text("T1\tX 0 3\tone\n", encoding="utf-8")
    campaign = tmp_path / "campaign.toml"
    campaign.write_text('[campaign]\nname = "x"\n[[sources]]\npath = "brat"\n', encoding="utf-8")
    _, said = as_json(campaign)
    assert any(note.startswith("2 documents are counted as different") for note in said["notes"])


def test_units_counted_in_different_ways_are_told(tmp_path: Path) -> None:
    """Seconds in whole numbers are taken for characters, those with decimals for seconds."""
    for who, first in (("anna", "2"), ("ben", "2.5"), ("carla", "2.5")):
        (tmp_path / who).mkdir()
        rows = f"{who},X,{first},9\n{who},Y,11,17\n"
        (tmp_path / who / "talk.csv").write_text(rows, encoding="utf-8")
    campaign = tmp_path / "campaign.toml"
    source = '[[sources]]\npath = "{}/talk.csv"\n'
    text = '[campaign]\nname = "n"\n'
    campaign.write_text(text + source.format("ben") + source.format("carla"), encoding="utf-8")
    assert "offsets in different units" not in checked(campaign)[1]
    campaign.write_text(text + source.format("anna") + source.format("ben"), encoding="utf-8")
    said = " ".join(checked(campaign)[1].split())
    assert "1 document with offsets in different units" in said
    assert "talk (char, ms); set `offset_unit`" in said


def test_numbers_and_na_taken_as_names_are_told(tmp_path: Path) -> None:
    rows = [f"{i},{who},{i}.{k}" for i in range(12) for k, who in enumerate(("anna", "ben"))]
    header = "item,annotator,label\n"
    (tmp_path / "measured.csv").write_text(header + "\n".join(rows), encoding="utf-8")
    (tmp_path / "named.csv").write_text(header + "1,anna,x\n1,ben,NA\n", encoding="utf-8")
    sources = "".join(
        f'[[sources]]\npath = "{name}.csv"\nlayer_names = {{ "" = "{name}" }}\n'
        for name in ("measured", "named")
    )
    campaign = tmp_path / "c.toml"
    campaign.write_text('[campaign]\nname = "n"\n' + sources, encoding="utf-8")
    told = "\n".join(as_json(campaign)[1]["notes"])
    assert "layer measured: the 24 categories are all numbers" in told
    assert "layer named: 'NA' is counted as a category" in told
    declared = (
        '[layers.measured]\ndistance = "interval"\n[layers.named]\ncategories = ["x", "NA"]\n'
    )
    campaign.write_text('[campaign]\nname = "n"\n' + sources + declared, encoding="utf-8")
    told = "\n".join(as_json(campaign)[1]["notes"])
    assert "all numbers" not in told
    assert "is counted as a category" not in told


def test_a_campaign_whose_only_export_is_missing_is_not_searched_for_layers(tmp_path: Path) -> None:
    path = tmp_path / "campaign.toml"
    path.write_text(
        '[campaign]\nname = "c"\n[[sources]]\npath = "away.csv"\n[layers.labels]\n',
        encoding="utf-8",
    )
    code, said = checked(path)
    assert code == 2
    assert "  0 rows = 0 accepted + 0 rejected" in said
    assert "no export contains it" not in said


def test_columns_read_as_annotators_are_said_unless_the_campaign_declares_them(
    tmp_path: Path,
) -> None:
    rows = "item,ann,ben,n\n1,x,x,1\n2,x,y,2\n"
    (tmp_path / "wide.csv").write_text(rows, encoding="utf-8")
    path = tmp_path / "campaign.toml"
    text = '[campaign]\nname = "c"\n[[sources]]\npath = "wide.csv"\n'
    path.write_text(text, encoding="utf-8")
    assert "such as comments or a date (1): n." in checked(path)[1]
    path.write_text(text + "[annotators]\nann = {}\nben = {}\n", encoding="utf-8")
    assert "Columns read as annotators" not in checked(path)[1]
