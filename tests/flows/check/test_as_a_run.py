"""`accordeur check` finds what the stages of a run find."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from accordeur.data.store.store import Store
from accordeur.data.validation import raw_rows
from accordeur.data.validation.preparation import prepare
from accordeur.flows.campaign.file.campaign_config import load_campaign
from accordeur.flows.campaign.task_settings import settings_of_tasks as plan
from accordeur.flows.campaign.task_settings import sharding
from accordeur.flows.check.check_findings import findings_of
from accordeur.flows.check.check_reading import CampaignRead, read_campaign
from accordeur.tasks.intake.ingest import ingest
from accordeur.tasks.intake.layer_contents import contents_of
from accordeur.tasks.intake.shards import ShardFacts, shard_facts
from accordeur.tasks.intake.validate import raw_rows_and_layers as rows_of_shard
from tests.flows import relation_campaign

DEMO = Path(__file__).parents[3] / "flows" / "demo_campaign" / "campaign.toml"


def as_a_run(campaign: Path, folder: Path) -> tuple[ShardFacts, Counter[str]]:
    """The facts of all rows as one shard, by the stages of a run; rejected rows by rule."""
    config = load_campaign(campaign)
    store = Store(str(folder))
    spec = plan.validation_spec(config)
    sources = [ingest(store.url, source).raw for source in plan.source_specs(config)]
    [shard] = sharding.equal_shards(1, 1)
    [(raw, layers)] = rows_of_shard(store, sources, [shard], spec)
    prepared = prepare(raw, spec.declared, layers)
    rules = Counter(prepared.rejected["rule"].to_pylist())
    return shard_facts("", prepared, prepared.tables), rules


def require_the_same(campaign: Path, folder: Path) -> CampaignRead:
    facts, rules = as_a_run(campaign, folder)
    read = read_campaign(load_campaign(campaign))
    total = read.total
    assert total.n_rows == facts.rows_in
    assert {rule: one.n for rule, one in total.rejected.items()} == rules
    assert len(read.documents) == facts.n_documents
    assert {name: sorted(roles) for name, roles in total.roles.items()} == facts.roles
    assert contents_of(read.facts, {}) == contents_of([facts], {})
    for layer, people in facts.taking_part.items():
        for who, n in people.items():
            per_document, _ = read.per_document({who}, layer)
            assert per_document.sum() == n, (layer, who)
    return read


def test_the_demonstration_is_read_as_its_run_reads_it(tmp_path: Path) -> None:
    read = require_the_same(DEMO, tmp_path)
    assert (read.total.n_rows, read.total.n_rejected) == (548, 8)  # docs/demonstration.html


def test_relations_are_read_as_a_run_reads_them(tmp_path: Path) -> None:
    require_the_same(relation_campaign.write_campaign(tmp_path), tmp_path / "store")


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
categories = ["A", "B"]
[annotators]
anna = {}
ben = {}
carl = {}
""",
        encoding="utf-8",
    )
    return campaign


@pytest.mark.parametrize("rows_in_memory", [10, 1_000_000])
@pytest.mark.parametrize("seed", range(8))
def test_random_faults_are_found_as_a_run_finds_them(
    tmp_path: Path, seed: int, rows_in_memory: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(raw_rows, "ROWS_IN_MEMORY", rows_in_memory)
    read = require_the_same(write_random(tmp_path, seed), tmp_path / "store")
    assert all(one.first.rule == rule for rule, one in read.total.rejected.items())


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
        f'[campaign]\nname = "real"\n[[sources]]\npath = "{shared_data / path}"\n'
        + ('layers = ["POS"]\n' if path == "webanno_projects" else ""),  # others are ambiguous
        encoding="utf-8",
    )
    read = require_the_same(campaign, tmp_path / "store")
    layers = findings_of(load_campaign(campaign), read).layers
    [found] = [one for one in layers if one.name == layer]
    assert len(found.humans) == n_humans
