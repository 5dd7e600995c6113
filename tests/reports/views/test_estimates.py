"""The section on what a corpus contains."""

from __future__ import annotations

import pytest

from accordeur.reports.language import Language
from accordeur.reports.page.blocks import Figure, Fold, Prose, Table
from accordeur.reports.page.page import Page
from accordeur.reports.views.estimates import estimates_section
from tests.reports.samples.estimating import estimates
from tests.reports.views.pages import results_with


@pytest.mark.parametrize(
    ("language", "said", "inside"),
    [
        (
            "en",
            [
                "recorded as drawn at random",
                "the majority of an item’s annotators",
                "240 human labels have at least the precision of 405 without",
                "tagger errs differently in the 2 batches (p = 0.012",
            ],
            "neutral: 0.634 [0.590, 0.677] corrected, 0.700 by the labels of tagger alone.",
        ),
        (
            "fr",
            [
                "240 étiquettes humaines ont au moins la précision de 405",
                "tagger ne fait pas les mêmes erreurs dans les 2 lots (p = 0,012",
            ],
            "neutral : 0,634 [0,590 ; 0,677] après correction",
        ),
    ],
)
def test_the_section_says_target_saving_and_drift(
    language: str, said: list[str], inside: str
) -> None:
    section = estimates_section(Page(results_with(estimates=[estimates()]), Language(language)))
    assert section is not None
    assert not section.is_open
    assert _plain(section.inside).startswith(inside)
    prose = _plain(" ".join(one.text for one in section.blocks if isinstance(one, Prose)))
    assert [one for one in said if one not in prose] == []
    [figure] = [one for one in section.blocks if isinstance(one, Figure)]
    # Humans, system and corrected of three categories; the last has an interval without a value.
    marks = [figure.svg.count(f'class="share-{name}"') for name in ("humans", "naive", "corrected")]
    assert marks == [6, 3, 5]
    [shares] = [one for one in section.blocks if isinstance(one, Table)]
    assert ["2" in row[-1].text for row in shares.rows] == [False, False, True]
    assert any(isinstance(one, Fold) for one in section.blocks)


def _plain(text: str) -> str:
    return text.replace("\u00a0", " ").replace("\u202f", " ")
