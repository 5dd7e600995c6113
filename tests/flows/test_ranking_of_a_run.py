"""The ranking of systems in a campaign: numbers of the command, gates, and what stops it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import accordeur as acc
from accordeur.flows.demo import write_rank_demo
from tests.flows.command_line import accordeur
from tests.flows.outcomes import results_of
from tests.flows.test_replacement_of_a_run import campaign, exports

SECTION = '[ranking]\npreferences = "preferences.csv"\norder_effect = true\n'
BARS = "".join(
    f"[[ranking.bars]]\n{bar}\n"
    for bar in (
        "measure = 'preferred_share'\nof = 'B'\nover = 'D'\nat_least = 0.5",
        "measure = 'preferred_share'\nof = 'D'\nover = 'B'\nat_least = 0.5",
        "measure = 'strength'\nof = 'B'\nat_least = 0.9",
    )
)


def files(folder: Path) -> list[str]:
    exports(folder)
    return write_rank_demo(folder)


@pytest.mark.long
@pytest.mark.services
def test_command_campaign_and_python_give_one_ranking(
    tmp_path: Path, run_campaign: Callable[..., tuple[dict[str, Any], Any]]
) -> None:
    command = files(tmp_path)
    path = campaign(tmp_path, f"{SECTION}{BARS}")
    outcome, _ = run_campaign(path)
    found = acc.open_run(path).ranking
    assert found is not None
    assert found.to_document() == json.loads(accordeur(*command, "--order-effect", "--json").stdout)
    shares = {(one.better, one.worse): one for one in found._found.pairs}
    share = shares["B", "D"].preferred.value
    gates = [(one["of"], one["value"], one["outcome"]) for one in results_of(outcome)["gates"]]
    assert gates[:2] == [("B – D", share, "passed"), ("D – B", 1 - share, "failed")]
    assert gates[2][::2] == ("B", "undecided")
    page = Path(outcome["report"]).read_text(encoding="utf-8")
    assert page.count('class="range"') >= 4, "a set of ranks is drawn for each system"
    assert page.index('id="agreement-on-preferences"') < page.index('id="ranking"')
    assert "Agreement of the raters" not in page[page.index('id="ranking"') :]


def test_a_private_campaign_names_no_rater(tmp_path: Path) -> None:
    from accordeur.flows.campaign.file.campaign_config import load_campaign
    from accordeur.flows.campaign.stages.ranking import rank_of_campaign

    files(tmp_path)
    text = (tmp_path / "preferences.csv").read_text(encoding="utf-8").replace(",1,", ",Zoe,")
    (tmp_path / "preferences.csv").write_text(text, encoding="utf-8")
    shown = '[annotators.Zoe]\nrole = "human"\npseudonym = "P1"\n'
    ranking, _ = rank_of_campaign(load_campaign(campaign(tmp_path, shown + SECTION)))
    assert ranking is not None
    assert "Zoe" not in ranking.model_dump_json()


@pytest.mark.parametrize(
    ("section", "said"),
    [
        (f"{SECTION}[[ranking.bars]]\nmeasure = 'strength'\nof = 'X'\nat_least = 0\n", "on X, and"),
        (f"{SECTION}[[ranking.bars]]\nmeasure = 'strength'\nof = 'A'\n", "either at_least"),
        (
            f"{SECTION}[[ranking.bars]]\nmeasure = 'preferred_share'\nof = 'A'\nat_least = 0\n",
            "needs `over`",
        ),
        ("[ranking]\npreferences = 'none.csv'\n", "ranking.preferences"),
        ("[ranking]\npreferences = 'labels.csv'\n", "name the column of the left"),
        ("[ranking]\n", "preferences"),
    ],
)
def test_what_stops_a_ranking_is_found_before_a_run(
    tmp_path: Path, section: str, said: str
) -> None:
    files(tmp_path)
    done = accordeur("check", campaign(tmp_path, section))
    assert done.returncode != 0
    assert said in " ".join(f"{done.stdout} {done.stderr}".split())
