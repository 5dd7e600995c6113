"""`accordeur demo NAME`: a demonstration that needs no server."""

from __future__ import annotations

import re
from pathlib import Path

from tests.flows.in_process import said


def test_the_judge_of_the_demonstration_is_checked_by_bars(tmp_path: Path) -> None:
    code, output = said("demo", "judge", tmp_path / "new")
    assert code == 0
    assert "UNDECIDED by the bars: the labels do not decide whether gpt meets" in output
    assert re.search(r"\b2\d\d items labelled by humans would decide it", output)
    bars = tmp_path / "new" / "bars.toml"
    bars.write_text('[[bars]]\nmeasure = "cohen_kappa"\nat_least = 0.1\n', encoding="utf-8")
    code, output = said("demo", "judge", tmp_path / "new")  # the user's own bars are kept
    assert code == 0
    assert "PASSED by the bars: gpt meets every bar" in output


def test_an_unknown_demonstration_names_those_that_exist(tmp_path: Path) -> None:
    code, output = said("demo", "judges", tmp_path)
    assert code == 2
    assert "no demonstration 'judges'; there are letters, crowd, judge, rank" in output


def test_the_crowd_of_the_demonstration_agrees_less_on_politics(tmp_path: Path) -> None:
    code, output = said("demo", "crowd", tmp_path / "new")
    assert code == 0
    values = dict(re.findall(r"│ (politics|sports) +│ (\S+)", output))
    assert 0.2 < float(values["politics"]) < float(values["sports"]) < 0.7


def test_the_ranking_of_the_demonstration_leaves_first_place_open(tmp_path: Path) -> None:
    code, output = said("demo", "rank", tmp_path / "new")
    assert code == 0
    assert "First place is open between B, A and C." in output
    assert "240 comparisons on 80 items by 5 raters" in output
