"""Findings: which come first, and that none is lost or shown twice."""

from __future__ import annotations

from dataclasses import replace

import pytest

from accordeur.metrics.coded_warning import Finding
from accordeur.metrics.effect_of_omission import EffectKind
from accordeur.reports.page.blocks import FindingBlock, Fold, Table
from accordeur.reports.results import Effect, Gate, GateOutcome
from accordeur.reports.views.findings import findings_section, further_findings_section
from tests.reports import samples
from tests.reports.views.pages import page_of

ALPHA = "krippendorff_alpha"


def effect(k: int, low: float = 0.01) -> Effect:
    return Effect(
        kind=EffectKind.annotator,
        names=(f"annotator {k}",),
        measure=ALPHA,
        value=0.6,
        difference=0.1 - k / 100,
        standard_error=0.01,
        n_documents=12,
        interval=(low, 0.2),
        n_candidates=7,
    )


def test_values_whose_gate_failed_come_first_and_every_effect_stands_once() -> None:
    base = samples.typical()
    layers = [
        base.items[0].model_copy(update={"layer": name, "effects": [effect(k) for k in range(7)]})
        for name in ("passes", "fails")
    ]
    gates = [
        Gate(
            measure=ALPHA, layer=name, operator=">=", threshold=0.7, value=0.6, outcome=outcome,
            fails_run=outcome is GateOutcome.failed,
        )
        for name, outcome in (("passes", GateOutcome.passed), ("fails", GateOutcome.failed))
    ]  # fmt: skip
    page = page_of(base.model_copy(update={"items": layers, "units": [], "gates": gates}))
    first, further = findings_section(page), further_findings_section(page)
    assert first is not None
    assert further is not None
    tables = [block for block in first.blocks if isinstance(block, Table)]
    others = [block for block in further.blocks if isinstance(block, Table)]
    assert [one.caption.split(",")[0].rsplit(" ", 1)[1] for one in tables] == ["fails", "passes"]
    assert [[len(one.rows) for one in some] for some in (tables, others)] == [[5, 5], [2, 2]]
    assert not {one.caption for one in tables} & {one.caption for one in others}
    for shown, left in zip(tables, others, strict=True):
        names = [row[0].text for row in (*shown.rows, *left.rows)]
        assert names == [f"without annotator {k}" for k in range(7)]


def test_effects_are_closed_and_name_no_cause_that_the_verdict_does_not() -> None:
    base = samples.typical()
    layer = base.items[0].model_copy(update={"effects": [effect(k, low=-0.1) for k in range(3)]})
    section = findings_section(page_of(base.model_copy(update={"items": [layer], "units": []})))
    assert section is not None
    assert not [block for block in section.blocks if isinstance(block, Table)]
    (fold,) = (block for block in section.blocks if isinstance(block, Fold))
    assert fold.summary.endswith("(changes: 3)")


@pytest.mark.parametrize(
    ("difference", "said"), [(-0.08, "Merging them would not help"), (0.08, "or merge them if")]
)
def test_advice_on_merging_agrees_with_its_effect(difference: float, said: str) -> None:
    names = ("negative", "neutral")
    merged = replace(effect(0), kind=EffectKind.categories, names=names, difference=difference)
    figures = {"first": names[1], "second": names[0]}
    shares = {"second_given_first": 0.27, "first_given_second": 0.2}
    finding = Finding("confused_categories", {**figures, **shares})
    base = samples.typical()
    update = {"effects": [merged], "findings": [finding]}
    layer = base.items[0].model_copy(update=update)
    section = findings_section(page_of(base.model_copy(update={"items": [layer], "units": []})))
    assert section is not None
    (block,) = (one for one in section.blocks if isinstance(one, FindingBlock))
    assert said in block.advice
