"""The page for users of other packages: its calls give what it says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "coming-from.md"
ROW = re.compile(r"^\|[^|]*`[^|]*\| ([\d.]+) \| `([^`]+)` \| ([\d.]+) \|$", re.M)


@pytest.fixture(scope="module")
def place() -> dict[str, Any]:
    """What the code of the page defines."""
    found: dict[str, Any] = {}
    text = PAGE.read_text(encoding="utf-8")
    for block in re.findall(r"^```python\n(.*?)^```", text, re.S | re.M):
        exec(block, found)
    return found


def test_calls_give_the_values_that_the_page_says(place: dict[str, Any]) -> None:
    text = PAGE.read_text(encoding="utf-8")
    rows = ROW.findall(text)
    heads = ("\n| `", "\n| seqeval `", "\n| nerv", "\n| the same with `")
    assert len(rows) == sum(map(text.count, heads))
    for theirs, call, ours in rows:
        digits = len(ours.partition(".")[2])
        value = float(eval(call, place))
        assert round(value, digits) == pytest.approx(float(ours), abs=1e-9), call
        assert theirs == ours, call


def test_figures_of_defaults_that_differ(place: dict[str, Any]) -> None:
    """The prose's figures: Gwet's convention for lone labels, and the two baselines of γ."""
    acc, nan = place["acc"], place["nan"]
    rows = [place["first"] + [nan, 1, 3], place["second"] + [1, nan, nan]]
    options: dict[str, Any] = {"rows": "annotators", "replicates": 0}
    for name, every, complete in (
        ("conger_kappa", 0.472, 0.474),
        ("scott_pi", 0.461, 0.448),
        ("gwet_ac1", 0.509, 0.511),
    ):
        assert round(acc.coefficient(name, rows, **options).value, 3) == every
        assert round(acc.coefficient(name, rows, complete=True, **options).value, 3) == complete
    shuffled = acc.gamma(place["units"], alpha=3, beta=1, processes=["shuffle"], replicates=0)
    assert round(shuffled.value, 2) == 0.56
    settings = place["gamma"].signature
    assert "processes:shuffle+statistical|chosen:statistical" in settings
    # pygamma-agreement 0.5.9: compute_gamma(precision_level=0.02) with delta_empty 2 and 4
    for delta, theirs in ((2, 0.564), (4, 0.587)):
        value = acc.gamma(
            place["units"], alpha=3, beta=1 / delta, delta_empty=delta, processes=["statistical"]
        )
        assert value.value == pytest.approx(theirs, abs=0.02)
        same = acc.gamma(
            place["units"], alpha=3, beta=1, delta_empty=delta, processes=["statistical"]
        )
        assert same.value == pytest.approx(place["statistical"].value, abs=1e-9)
