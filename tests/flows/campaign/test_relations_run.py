"""Relations and coreference in a real run: counted by hand, and on a real Glozz export."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from accordeur.flows.toml_file import ConfigError
from accordeur.metrics.agreement.structures.chain_counts import (
    chain_counts,
    chain_estimates,
    join_chain_counts,
)
from accordeur.reports.results import Results, RunPoint
from tests.flows.outcomes import refused_as_gates
from tests.flows.outcomes import results_of as plain_results
from tests.flows.relation_campaign import write_campaign, write_quick_campaign

pytestmark = pytest.mark.services
Run = Callable[..., tuple[dict[str, Any], Any]]
STAC = Path(__file__).resolve().parents[4] / "shared" / "data" / "stac_glozz"


def results_of(outcome: dict[str, Any]) -> Results:
    folder = Path(outcome["report"]).parent
    return Results.model_validate(json.loads((folder / "results.json").read_text(encoding="utf-8")))


@pytest.mark.long
def test_relations_and_chains_reach_the_report(tmp_path: Path, run_campaign: Run) -> None:
    outcome, _ = run_campaign(write_quick_campaign(tmp_path))
    assert outcome["rows_rejected"] == 0
    assert refused_as_gates(plain_results(outcome)) == set()
    [found] = results_of(outcome).relations
    assert (found.layer, found.annotators, found.tagset) == (
        "events", ["ana", "boris"], ["Before", "Causes"],
    )  # fmt: skip
    assert found.chain_categories == ["Equiv"]
    # 9 relations and 2 + 2 + 1 + 1 + 1 links of chains
    assert (found.n_relations, found.n_left_out, found.n_documents) == (16, 0, 3)
    values = {named.name: named.value for named in found.values}
    # Ana's 3→4 in c ends where Boris has no unit: nobody could have drawn it with her
    assert values["presence_f"].value == pytest.approx(2 * 3 / 8)
    assert values["category_f"].value == pytest.approx(2 * 2 / 8)
    # presence: 12 + 12 + 6 pairs of places, 3 linked by both, 2 by one, 25 by none
    pairs, linked = 2 * 30, 8
    expected = 1 - 2 * linked * (pairs - linked) / (pairs * (pairs - 1))
    assert values["presence"].observed == pytest.approx(28 / 30)
    assert values["presence"].value == pytest.approx((28 / 30 - expected) / (1 - expected))
    # typing: Causes-Causes, Before-Causes, Before-Before
    assert values["typing"].observed == pytest.approx(2 / 3)
    assert values["typing"].value == pytest.approx(1 - (1 / 3) / (2 * 9 / 30))
    of_category = {named.name: named.value.value for named in found.per_category}
    assert of_category == {"Before": pytest.approx(2 / 3), "Causes": pytest.approx(2 / 5)}
    assert all(v.interval[0] <= v.value <= v.interval[1] for v in values.values())
    chains = join_chain_counts(
        [
            chain_counts(np.array(rows))
            for rows in (
                [[0, 0], [0, 0], [0, 0]],
                [[0, 0], [0, 1], [1, 0]],  # 1, 3, 4: each has units that the other chained
                [[0, 0], [0, 1]],
            )
        ]
    )
    by_hand = chain_estimates(chains, n_annotators=2)
    assert [v.measure for v in found.chains] == [one.measure for one in by_hand]
    assert [v.value for v in found.chains] == pytest.approx([one.value for one in by_hand])
    assert (found.n_chains, found.n_mentions) == (5, 8)

    folder = Path(outcome["report"]).parent
    page = (folder / "report.html").read_text(encoding="utf-8")
    section = re.search(r'<section id="relations".*?</section>', page, re.DOTALL)
    assert section is not None
    assert "relations drawn by both" in section[0]
    assert "Coreference chains, events" in section[0]
    assert "Hripcsak" in page
    parts = pq.read_table(folder / "values.parquet")["part"].to_pylist()
    assert {"relations, corpus", "relations, per_category", "chains"} <= set(parts)


@pytest.mark.long
def test_relations_have_a_control_chart_by_batch_and_by_run(
    tmp_path: Path, run_campaign: Run
) -> None:
    run_campaign(write_quick_campaign(tmp_path))
    gate = '[[gates]]\nmeasure = "relation_category"\nat_least = 0.1\n'  # so that there is a run 2
    outcome, _ = run_campaign(write_quick_campaign(tmp_path, gate))
    results = results_of(outcome)
    history = [RunPoint.model_validate(one) for one in plain_results(outcome)["history"]]
    points = [point for point in history if point.measure == "relation_category"]
    assert [(p.kind, p.run, p.layer) for p in points] == [
        ("run", "run 1", "events"),
        ("batch", "a", "events"),
        ("batch", "b", "events"),
        ("batch", "c", "events"),
    ]
    values = {named.name: named.value for named in results.relations[0].values}
    assert points[0].value == values["category"].value
    assert points[0].interval == values["category"].interval
    # document a: 12 pairs, one called differently; labels: 20 none, 3 Causes, 1 Before
    expected = 1 - (20 * 19 + 3 * 2) / (24 * 23)
    assert points[1].value == pytest.approx(1 - (1 / 12) / expected)
    of_chains = [point for point in history if point.measure == "chain_alpha"]
    assert [(p.kind, p.run) for p in of_chains] == [
        ("run", "run 1"),
        ("batch", "a"),
        ("batch", "b"),
        ("batch", "c"),
    ]
    assert of_chains[0].value == results.relations[0].chains[0].value
    # document b: {1, 3} and 4 alone against {1, 4} and 3 alone, counted by itself
    alone = chain_counts(np.array([[0, 0], [0, 1], [1, 0]]))
    by_hand = chain_estimates(alone, n_annotators=2)[0]
    assert of_chains[2].value == pytest.approx(by_hand.value)
    page = (Path(outcome["report"]).parent / "report.html").read_text(encoding="utf-8")
    assert "α of coreference chains, events, by run" in page
    assert "α of the relation’s category, with “none” as a category, events, by run" in page


@pytest.mark.long
def test_what_makes_chains_and_directions_is_the_campaigns_to_say(
    tmp_path: Path, run_campaign: Run
) -> None:
    more = "[relations.events]\ndirected = false\nchains = []\n"
    outcome, _ = run_campaign(write_quick_campaign(tmp_path, more))
    [found] = results_of(outcome).relations
    assert found.tagset == ["Before", "Causes", "Equiv"]
    assert found.chains == []
    of_category = {named.name: named.value.value for named in found.per_category}
    assert of_category["Causes"] == pytest.approx(2 * 2 / 5)  # b agrees, whatever the direction
    (tmp_path / "other").mkdir()
    with pytest.raises(ConfigError, match=r"relations\.cause: no export holds this layer"):
        run_campaign(write_campaign(tmp_path / "other", "[relations.cause]\n"))


@pytest.mark.long
@pytest.mark.skipif(not STAC.exists(), reason="shared/data/stac_glozz is not beside the checkout")
def test_a_real_glozz_export_and_its_copy_without_some_relations(
    tmp_path: Path, run_campaign: Run
) -> None:
    """Nobody else annotated these games: the second annotator is the first less each third link."""
    original = STAC / "s1-league2-game1" / "discourse" / "lpetersen"
    n_kept = n_dropped = 0
    for person in ("first", "second"):
        shutil.copytree(original, tmp_path / person)
    for path in (tmp_path / "second").glob("*.aa"):
        text = path.read_text(encoding="utf-8")
        relations = re.findall(r"<relation id=.*?</relation>", text, re.DOTALL)
        for r, relation in enumerate(relations):
            if r % 3 == 2:
                text = text.replace(relation, "")
                n_dropped += 1
            else:
                n_kept += 1
        path.write_text(text, encoding="utf-8")
    sources = "".join(
        f'[[sources]]\npath = "{who}"\nformat = "glozz"\nannotator = "{who}"\n'
        'layer_names = { "" = "discourse" }\n'
        for who in ("first", "second")
    )
    (tmp_path / "campaign.toml").write_text(
        f'[campaign]\nname = "STAC"\n{sources}[intervals]\nreplicates = 0\n', encoding="utf-8"
    )
    outcome, _ = run_campaign(tmp_path / "campaign.toml")
    [found] = [one for one in results_of(outcome).relations if one.tagset]
    values = {named.name: named.value for named in found.values}
    assert (found.n_documents, found.n_left_out) == (7, 0)  # the text of the first is another one
    assert n_kept > 100
    share = 2 * n_kept / (2 * n_kept + n_dropped)
    assert values["category_f"].value == pytest.approx(share, abs=0.03)
    # of two relations on one pair, which the copy may have lost the first of, the first stays
    assert found.n_repeated > 0
    assert 0.95 < values["typing"].value < 1
    assert 0.75 < values["presence"].value < values["presence_f"].value + 0.01
