"""The first sentence of a comparison names the value that moved and what explains it."""

from __future__ import annotations

import math

import pytest

from accordeur.reports.language import PORTFOLIO, Language
from accordeur.reports.portfolio.comparison_sentences import comparison_sentences
from accordeur.reports.portfolio.portfolio_results import Paired
from accordeur.reports.results import Changes
from tests.reports import samples

NEW = Changes(since="run 4", n_added=80)


@pytest.mark.parametrize(
    ("change", "on_shared", "said"),
    [
        (
            (-0.07, (-0.11, -0.03)),
            (0.0, (0.0, 0.0)),
            (
                "α (stance) fell by 0.070: nothing changed on the 120 documents of both runs; the "
                "new documents (80) explain the fall."
            ),
        ),
        (
            (0.07, (0.03, 0.11)),
            (0.01, (-0.02, 0.04)),
            (
                "α (stance) rose by 0.070: on the 120 documents of both runs there is no clear "
                "change (+0.010); the new documents (80) explain the rise."
            ),
        ),
        (
            (-0.07, (-0.11, -0.03)),
            (-0.05, (-0.09, -0.01)),
            (
                "α (stance) fell by 0.070; on the 120 documents of both runs the change is −0.050, "
                "so new documents do not explain it alone."
            ),
        ),
        (
            (-0.07, (-0.15, 0.01)),
            (0.0, (0.0, 0.0)),
            "α (stance): no clear change (−0.070); other documents might have shown none.",
        ),
        ((0.0, (math.nan, math.nan)), (0.0, (0.0, 0.0)), "α (stance) did not change."),
    ],
)
def test_a_comparison_begins_with_its_sentence(
    change: tuple[float, tuple[float, float]],
    on_shared: tuple[float, tuple[float, float]],
    said: str,
) -> None:
    base = samples.comparison()
    paired = Paired(
        n_documents=120, first=0.7, second=0.7, change=on_shared[0], interval=on_shared[1]
    )
    update = {"change": change[0], "interval": change[1], "paired": paired}
    value = base.values[0].model_copy(update=update)
    found = base.model_copy(update={"values": [value], "documents": NEW})
    assert comparison_sentences(Language("en", PORTFOLIO), found) == [said]
