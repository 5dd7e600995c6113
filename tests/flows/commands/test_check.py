"""`accordeur check`: what it says, its exit codes, and that a run finds the same."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from data.preparation import prepare
from data.rules import Declared
from data.schema import Document, Relation, Unit
from data.sifting import batches, sift
from data.store import Store
from flows.campaign import plan, sharding
from flows.campaign.config import load
from flows.cli import app
from flows.dry.reading import CampaignRead, read_campaign
from tasks.ingest import ingest
from tasks.shard_facts import shard_facts
from tasks.validate import raw_rows
from tests.flows import relation_campaign
from tests.flows.small import write_small

ROOT = Path(__file__).parents[3]
DEMO = ROOT / "flows" / "demo_campaign" / "campaign.toml"
# A unit read before its text is refused by these, where a run says inside_document.
OF_LATER = ("annotator_known", "category_in_tagset", "unit_occurs_once")


def checked(campaign: Path, *options: str) -> tuple[int, str]:
    """Exit code and output."""
    done = CliRunner().invoke(app, ["check", str(campaign), *options])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


def as_json(campaign: Path) -> tuple[int, dict[str, Any]]:
    code, said = checked(campaign, "--json")
    return code, json.loads(said)


def as_a_run(campaign: Path, folder: Path) -> tuple[dict[str, Any], Counter[str]]:
    """The facts of all rows as one shard, by the stages of a run; refused rows by rule."""
    config = load(campaign)
    store = Store(str(folder))
    spec = plan.validation_spec(config)
    sources = [ingest(store.url, source) for source in plan.source_specs(config)]
    [shard] = sharding.shards_of(1, 1)
    raw, layers = raw_rows(store, sources, shard, spec)
    prepared = prepare(raw, spec.declared, layers)
    rules = Counter(prepared.rejected["rule"].to_pylist())
    return shard_facts("", prepared, prepared.tables), rules


def require_the_same(campaign: Path, folder: Path) -> CampaignRead:
    facts, rules = as_a_run(campaign, folder)
    read = read_campaign(load(campaign))
    total = read.total
    assert total.n_rows == facts["rows_in"]
    assert {rule: one.n for rule, one in total.set_aside.items()} == rules
    assert len(read.documents) == facts["n_documents"]
    assert {name: sorted(roles) for name, roles in total.roles.items()} == facts["roles"]
    assert total.relating == facts["relating"]
    for table, key in (
        ("units", "unit_layers"),
        ("labels", "label_layers"),
        ("relations", "relation_layers"),
    ):
        assert total.accepted[table] == facts[key], table
    for layer, people in facts["taking_part"].items():
        for who, n in people.items():
            per_document, _ = read.presence.per_document({who}, layer)
            assert per_document.sum() == n, (layer, who)
    return read


def test_the_demonstration_is_read_as_its_run_reads_it(tmp_path: Path) -> None:
    read = require_the_same(DEMO, tmp_path)
    assert (read.total.n_rows, read.total.n_set_aside) == (549, 8)  # docs/demonstration.html
    code, said = checked(DEMO, "--why")
    assert code == 1
    assert "1 category_in_tagset: ben/05-complaint.ann line 6: " in said
    assert "2 annotator_known, the first: sentiment.csv" in said
    assert "format brat: named in the campaign file" in said
    assert "layer sentiment: used and not in the tagset: 'postive'" in said


def test_relations_are_read_as_a_run_reads_them(tmp_path: Path) -> None:
    campaign = relation_campaign.write_campaign(tmp_path)
    require_the_same(campaign, tmp_path / "store")
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
    assert said["rows"] == {"read": 104, "accepted": 104, "set_aside": 0}
    assert [(one["name"], one["fewest"], one["most"]) for one in said["layers"]] == [
        ("labels", 2, 2),
        ("units", 2, 2),
    ]
    assert said["sources"][0]["formats"] == {"table": 1}
    assert said["annotators"] == {"anna": "human", "ben": "human"}
    assert (said["stops"], said["lost"]) == ([], [])


def write_random(folder: Path, seed: int) -> Path:
    """Sources that meet: brat folders with texts, relations, and tables read before and after."""
    draw = random.Random(seed)
    rows = {"first": ["document,annotator,start,end,category"], "last": []}
    rows["last"] = list(rows["first"])
    for d in range(6):
        text = "word " * draw.randint(2, 8)
        for who in ("anna", "ben"):
            other = draw.random() < 0.15
            home = folder / "brat" / who
            home.mkdir(parents=True, exist_ok=True)
            (home / f"d{d}.txt").write_text("else " * 8 if other else text, encoding="utf-8")
            lines = []
            for u in range(draw.randint(0, 4)):
                start = draw.randint(0, len(text) // 5 - 1) * 5
                surface = "else" if other else "word"
                lines.append(f"T{u}\t{draw.choice('ABZ')} {start} {start + 4}\t{surface}")
            lines += [f"R{k}\tNext Arg1:T{k} Arg2:T{k + 1}\t" for k in range(draw.randint(0, 4))]
            (home / f"d{d}.ann").write_text("\n".join(lines) + "\n", encoding="utf-8")
        for of_source in rows.values():
            for _ in range(draw.randint(0, 5)):
                start, who = draw.randint(-2, 30), draw.choice(["anna", "carl", "guest"])
                end = start + draw.randint(0, 15)
                of_source.append(f"d{d}.txt,{who},{start},{end},{draw.choice('ABZ')}")
                of_source[-1] = of_source[-1].replace(".txt", draw.choice(["", "", ".x"]))
    for name, lines in rows.items():
        (folder / f"{name}.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    campaign = folder / "campaign.toml"
    campaign.write_text(
        """
[campaign]
name = "Random"
[[sources]]
path = "first.csv"
format = "table"
layer_names = { "" = "words" }
[[sources]]
path = "brat/anna"
annotator = "anna"
layer_names = { "" = "words" }
[[sources]]
path = "brat/ben"
annotator = "ben"
layer_names = { "" = "words" }
[[sources]]
path = "last.csv"
format = "table"
layer_names = { "" = "words" }
[layers.words]
tagset = ["A", "B"]
[annotators]
anna = {}
ben = {}
carl = {}
""",
        encoding="utf-8",
    )
    return campaign


@pytest.mark.parametrize("rows_at_once", [1, 7, 50_000])
@pytest.mark.parametrize("seed", range(8))
def test_random_faults_are_found_as_a_run_finds_them(
    tmp_path: Path, seed: int, rows_at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batches, "ROWS_AT_ONCE", rows_at_once)
    campaign = write_random(tmp_path, seed)
    facts, rules = as_a_run(campaign, tmp_path / "store")
    read = read_campaign(load(campaign))
    found = {rule: one.n for rule, one in read.total.set_aside.items()}
    assert read.total.n_rows == facts["rows_in"]
    assert sum(found.values()) == facts["rows_rejected"], (found, rules)
    apart = found.keys() - {"inside_document", *OF_LATER}
    assert {rule: found[rule] for rule in apart} == {rule: rules[rule] for rule in apart}


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
tagset = ["PER", "LOC", "ORG"]
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
    assert "layer entities (units) is not measured: no document has two" in said["lost"][1]
    no_layer = "is never met: no layer has it (labels is not measured; entities is not measured)"
    assert said["lost"][2:] == [
        "the gate on gamma (entities) is never met: no layer has it (entities is not measured)",
        "the gate on gamma (labels) is never met: no layer has it (labels is not measured)",
        f"the gate on krippendorff_alpha {no_layer}",
    ]
    notes = "\n".join(said["notes"])
    assert "3 documents have one annotator only: d1, d2, d3" in notes
    assert "not in the campaign file, read with the defaults and any category: 'labels'" in notes
    assert "layer entities: used and not in the tagset: 'per'" in notes
    assert "layer entities: in the tagset and never used: 'ORG'" in notes
    assert "in [annotators] and in no export: 'zoe'" in notes
    assert "'PER' and 'per' are counted as different categories of layer entities" in notes
    assert "'Anna' and 'anna' are counted as different annotators" in notes
    [first, _] = said["sources"]
    assert {one["rule"]: one["first"]["where"] for one in first["set_aside"]}[
        "category_in_tagset"
    ] == "line 3"


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ('[[sources]]\npath = "away.csv"\n', "away.csv: no such file or folder"),
        ('[layers.moods]\ntagset = ["a", "b"]\n', "layers.moods: no export holds it"),
        ('[layers.labels]\ndistance = "ordinal"\n', "layers.labels: the ordinal distance needs"),
        ("[relations.links]\n", "relations.links: no export holds it; the layers found are none"),
        ('[validation]\non_rejected = "stop"\n', 'validation.on_rejected is "stop"'),
    ],
)
def test_what_would_stop_a_run_exits_with_2(tmp_path: Path, more: str, why: str) -> None:
    code, said = as_json(write_faulty(tmp_path, more))
    assert code == 2
    assert any(why in one for one in said["stops"])


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
        [sys.executable, "-m", "flows.cli", "check", str(campaign)],
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
        "import sys\nfrom typer.testing import CliRunner\nfrom flows.cli import app\n"
        f"done = CliRunner().invoke(app, ['check', {str(DEMO)!r}])\n"
        "assert done.exit_code == 1, done.output\n"
        "loaded = {'prefect', 'dask', 'distributed', 'great_expectations'} & set(sys.modules)\n"
        "assert not loaded, loaded\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert done.returncode == 0, done.stderr


def test_units_held_for_their_document_are_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batches, "ROWS_AT_ONCE", 4)
    monkeypatch.setattr(sift, "HELD_ROWS", 3)
    held: list[int] = []
    ready = sift.Sifter._ready

    def watched(self: sift.Sifter, rows: dict[str, Any], source: int) -> Any:
        found = ready(self, rows, source)
        held.append(rows["units"].num_rows)
        return found

    monkeypatch.setattr(sift.Sifter, "_ready", watched)
    rows = [
        Unit(document="late", annotator="anna", unit=f"u{u}", start=u, end=u + 9) for u in range(40)
    ]
    sifter = sift.Sifter(Declared())
    found = list(sifter.source(iter([*rows, Document(document="late", length=20)]), 0))
    assert max(held) <= 3
    assert sum(int(one.kept.sum()) for one in found if one.table == "units") == 40
    late = [row for _, one in sifter.end() for row in one.refused.to_pylist()]
    assert len(late) == 28  # u12 … u39 end after 20
    assert {(row["rule"], row["document"]) for row in late} == {("inside_document", "late")}
    assert late[0]["value"] == "48"


def test_units_and_relations_wait_for_what_is_read_after_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(batches, "ROWS_AT_ONCE", 1)
    units = [
        Unit(document="d", annotator="anna", unit=f"u{u}", start=u, end=u + 9, where=f"line {u}")
        for u in (0, 1, 15)
    ]
    relations = [
        Relation(document="d", annotator="anna", relation=f"r{b}", from_unit="u0", to_unit=f"u{b}")
        for b in (1, 15)
    ]
    sifter = sift.Sifter(Declared())
    found = list(sifter.source(iter(relations), 0))
    found += sifter.source(iter([*units, Document(document="d", length=20)]), 1)
    refused = [row for one in found for row in one.refused.to_pylist()]
    assert [(row["rule"], row["where"]) for row in refused] == [("inside_document", "line 15")]
    [(source, late)] = sifter.end()
    assert source == 0
    assert late.kept.tolist() == [True, False]
    assert late.refused["rule"].to_pylist() == ["ends_accepted"]


@pytest.mark.shared
@pytest.mark.parametrize(
    ("path", "layer", "n_humans"),
    [
        ("bratiaa_example/example-project", "units", 4),
        ("bluebirds/bluebirds_long.csv", "labels", 39),
        ("inception_pos_project/Example_Project_POS.zip", "POS", 3),  # the fourth has not finished
        ("webanno_projects", "POS", 3),
        ("stac_glozz", "units", 3),
    ],
)
def test_real_exports_are_read_as_a_run_reads_them(
    tmp_path: Path, shared_data: Path, path: str, layer: str, n_humans: int
) -> None:
    campaign = tmp_path / "campaign.toml"
    campaign.write_text(
        f'[campaign]\nname = "real"\n[[sources]]\npath = "{shared_data / path}"\n',
        encoding="utf-8",
    )
    require_the_same(campaign, tmp_path / "store")
    _, said = as_json(campaign)
    [found] = [one for one in said["layers"] if one["name"] == layer]
    assert len(found["humans"]) == n_humans
