"""The verdict: gates, earlier runs, and values that say little."""

from __future__ import annotations

import pytest

from accordeur.metrics.coded_warning import Finding
from accordeur.metrics.estimate import Estimate
from accordeur.reports.page.blocks import Table, Verdict
from accordeur.reports.render import render
from accordeur.reports.results import (
    GateOutcome,
    ItemAgreement,
    RunPoint,
)
from accordeur.reports.summary import markdown_summary
from accordeur.reports.views.items import items_section
from accordeur.reports.views.sections import sections_of
from tests.reports import samples
from tests.reports.views.pages import page_of, results_with


def test_the_verdict_fails_with_one_gate():
    block = sections_of(page_of(samples.typical()))[0].blocks[0]
    assert isinstance(block, Verdict)
    assert block.outcome == "fail"
    assert [gate.mark for gate in block.gates] == ["fail", "pass", "pass"]
    assert block.values[0].change == "−0.049 since run 2026-02-23 (α was 0.690 then)."


@pytest.mark.parametrize(("lower", "told"), [(1.0, True), (0.9, False)])
def test_an_interval_without_width_is_explained(lower: float, told: bool):
    value = Estimate(measure="krippendorff_alpha", value=1.0, interval=(lower, 1.0))
    layer = ItemAgreement(
        layer="l", tagset=["x", "y"], annotators=["A", "B"], n_items=4, values=[value]
    )
    section = items_section(page_of(results_with(items=[layer])))
    assert section is not None
    [table] = [one for one in section.blocks if isinstance(one, Table)]
    assert ("An interval without width" in table.note) is told


def test_an_earlier_run_is_named_in_the_pages_language():
    batch = RunPoint(run="7", kind="batch", measure="gamma", layer="entities", value=0.7)
    run = RunPoint(run="run 7", measure="gamma", layer="entities", value=0.7)
    results = samples.typical().model_copy(update={"history": [run, batch]})
    html = render(results, language="fr")
    assert "depuis l’exécution 7 (" in html
    assert ">exécution 7</th>" in html
    assert ">7</th>" in html


def test_the_verdict_says_of_a_few_units_that_their_value_is_chance():
    results = samples.typical()
    layer = results.units[0]
    finding = Finding("few_units", {"n_units": 4, "fewest": 10})
    few = layer.model_copy(update={"findings": [finding]})
    [section] = sections_of(page_of(results.model_copy(update={"units": [few]})))[:1]
    [verdict] = section.blocks
    assert isinstance(verdict, Verdict)
    meaning = {value.layer: value.meaning for value in verdict.values}[layer.layer]
    assert meaning.startswith("The layer has 4 units. Below 10, γ is mostly due to chance")


def test_an_undecided_gate_is_neither_passed_nor_failed():
    results = samples.typical()
    gates = [
        gate.model_copy(
            update={"outcome": GateOutcome.undecided, "fails_run": False, "interval": (0.55, 0.73)}
        )
        if gate.outcome is GateOutcome.failed
        else gate
        for gate in results.gates
    ]
    results = results.model_copy(update={"gates": gates})
    block = sections_of(page_of(results))[0].blocks[0]
    assert isinstance(block, Verdict)
    assert block.outcome == "undecided"
    assert block.headline == "Quality gates: 2 passed, 0 failed, 1 undecided."
    assert [gate.mark for gate in block.gates] == ["undecided", "pass", "pass"]
    assert "the 95% CI [0.550, 0.730] contains the threshold" in block.gates[0].sentence
    assert "? **Quality gates: 2 passed, 1 undecided.**" in markdown_summary(results)
    assert "contient le seuil" in render(results, language="fr")
