"""The bars in the terminal."""

from __future__ import annotations

import pytest

from accordeur.flows.commands.run import main_values
from accordeur.flows.progress.watcher import ProgressBars


def test_rounds_that_were_not_planned_lengthen_the_bar(capsys: pytest.CaptureFixture[str]) -> None:
    with ProgressBars() as terminal:
        terminal.stage("chance units", 1)
        for _ in range(3):
            terminal.advance()
    said = capsys.readouterr().err
    assert "3/3" in said
    assert "3/1" not in said


def test_the_main_value_of_each_layer_is_printed_after_a_run() -> None:
    def value(layer: str, measure: str, number: float | None, **more: object) -> dict[str, object]:
        told = {"interval": [0.5, 0.75], "reason": ""} | more
        return {"layer": layer, "measure": measure, "value": number} | told

    assert main_values(
        [
            value("tone", "krippendorff_alpha", 0.6249),
            value("tone", "gwet_ac1", 0.9),
            value("links", "gamma", None, reason="no unit", interval=[None, None]),
            value("area", "gamma", -0.25, interval=[None, None]),
        ]
    ) == [
        "krippendorff_alpha (tone): 0.625 [0.500, 0.750]",
        "gamma (links): undefined (no unit)",
        "gamma (area): −0.250",
    ]
