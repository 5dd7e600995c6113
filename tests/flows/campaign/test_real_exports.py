"""Whole runs on exports of people: what they find."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from accordeur.reports.results import Results
from tests.flows.outcomes import results_of
from tests.flows.small import NO_GRID

pytestmark = pytest.mark.services
Run = Callable[..., tuple[dict[str, Any], Any]]


@pytest.mark.long  # the frozen campaigns run such exports by default
@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "source", "more", "expected"),
    [
        (
            "bratiaa",
            'path = "{shared}/bratiaa_example/example-project"\nformat = "brat"',
            '[units]\nmeasures = ["gamma", "gamma_cat", "alpha_u"]\n[chance]\nprecision = 0.1\n'
            + NO_GRID,
            {"rows_in": 1602, "layer": "units", "annotators": 4, "documents": 7},
        ),
        (
            "bluebirds",
            'path = "{shared}/bluebirds/bluebirds_long.csv"\nformat = "table"',
            "",
            {"layer": "labels", "annotators": 39, "alpha": 0.1255},
        ),
        (
            "inception",
            'path = "{shared}/inception_pos_project/Example_Project_POS.zip"',
            '[layers.POS]\nkind = "positions"\n',
            {"layer": "POS", "annotators": 3},  # the fourth has not finished
        ),
    ],
)
def test_real_exports(
    tmp_path: Path,
    shared_data: Path,
    run_campaign: Run,
    name: str,
    source: str,
    more: str,
    expected: dict[str, Any],
) -> None:
    campaign = tmp_path / "campaign.toml"
    campaign.write_text(
        f'[campaign]\nname = "{name}"\n[[sources]]\n{source.format(shared=shared_data)}\n{more}',
        encoding="utf-8",
    )
    outcome, _ = run_campaign(campaign)
    results = Results.model_validate(results_of(outcome))
    assert outcome["rows_in"] == outcome["rows_accepted"] + outcome["rows_rejected"]
    if "rows_in" in expected:
        assert outcome["rows_in"] == expected["rows_in"]
    [part] = [p for p in (*results.items, *results.units) if p.layer == expected["layer"]]
    assert len(part.annotators) == expected["annotators"]
    assert all(value.signature for value in part.values if not math.isnan(value.value))
    if "alpha" in expected:
        assert part.values[0].value == pytest.approx(expected["alpha"], abs=5e-5)
    assert Path(outcome["report"]).stat().st_size > 20_000
