"""Verdicts on systems that locate units."""

from __future__ import annotations

import pytest

from accordeur.metrics.estimate import Estimate
from accordeur.reports.language import Language
from accordeur.reports.page.blocks import Fold, Prose, Table
from accordeur.reports.page.page import Page
from accordeur.reports.results import LostItem
from accordeur.reports.views.replacement import replacement_section
from tests.reports.samples.replacing import replacement
from tests.reports.views.pages import results_with


@pytest.mark.parametrize(
    ("language", "compared", "lost", "missing"),
    [
        ("en", "The items compared are documents", "tagger: documents in which", "2 documents not"),
        (
            "fr",
            "Les items comparés sont des documents",
            "tagger\u00a0: documents où",
            "Pas d’annotation de baseline pour 2 documents",
        ),
    ],
)
def test_units_are_said_to_be_compared_by_document(
    language: str, compared: str, lost: str, missing: str
) -> None:
    sample = replacement()
    document = LostItem(item="d4", advantage=-1.0, n_units=2, units={"ann": 3, "ben": 1})
    systems = [
        one.model_copy(update={"lost": [document]}) if one.lost else one for one in sample.systems
    ]
    found = sample.model_copy(update={"kind": "units", "alignment": "disorder", "systems": systems})
    section = replacement_section(Page(results_with(replacement=[found]), Language(language)))
    assert section is not None
    said = " ".join(one.text for one in section.blocks if isinstance(one, Prose))
    assert compared in said
    assert missing.replace("\u00a0", " ") in said.replace("\u00a0", " ")
    folds = [one for one in section.blocks if isinstance(one, Fold)]
    assert any(one.summary.startswith(lost) for one in folds)


@pytest.mark.parametrize(
    ("language", "said", "filled", "missing"),
    [
        ("en", "Since its earlier run draft, tagger changed 12%", "tagger 2.1", "missing – "),
        (
            "fr",
            "Depuis son exécution antérieure draft, tagger a changé 12",
            "tagger 2.1",
            "manquant – ",
        ),
    ],
)
def test_checks_are_said_and_the_checklist_names_what_is_missing(
    language: str, said: str, filled: str, missing: str
) -> None:
    sample = replacement()
    changed = Estimate(
        "changed_labels", 0.12, interval=(0.08, 0.17), confidence_level=0.9, n_items=240
    )
    of_tagger = {"checks": [changed], "earlier": "draft", "version": "tagger 2.1"}
    first, *others = sample.systems
    systems = [first.model_copy(update=of_tagger), *others]
    found = sample.model_copy(update={"systems": systems})
    section = replacement_section(Page(results_with(replacement=[found]), Language(language)))
    assert section is not None
    prose = " ".join(one.text for one in section.blocks if isinstance(one, Prose))
    assert said in prose
    folds = [one for one in section.blocks if isinstance(one, Fold)]
    [points] = [
        one for one in folds[-len(systems)].blocks if isinstance(one, Table)
    ]  # the checklist of the first system
    texts = [row[1].text for row in points.rows + points.folded]
    assert filled in texts
    assert any(text.startswith(missing) for text in texts)


@pytest.mark.parametrize(
    ("language", "said", "caption"),
    [
        (
            "en",
            "tagger marks 120% of the number of units that an annotator marks on average",
            "tagger: repeated runs, number and length of units, documents",
        ),
        (
            "fr",
            "Le nombre d’unités marquées par tagger est égal à 120\u202f% du nombre moyen d’unités",
            "tagger\u00a0: exécutions répétées, nombre et longueur des unités, documents",
        ),
    ],
)
def test_checks_of_units_are_said(language: str, said: str, caption: str) -> None:
    names = ("self_consistency", "unit_count_ratio", "unit_length_ratio")
    checks = [
        Estimate(name, 1.2, interval=(1.1, 1.3), confidence_level=0.9, n_items=40)
        for name in (*names, "position_trend", "length_trend")
    ]
    sample = replacement()
    systems = [one.model_copy(update={"checks": checks}) for one in sample.systems[:1]]
    found = sample.model_copy(update={"kind": "units", "alignment": "exact_f", "systems": systems})
    section = replacement_section(Page(results_with(replacement=[found]), Language(language)))
    assert section is not None
    assert said in " ".join(one.text for one in section.blocks if isinstance(one, Prose))
    [table] = [one for one in section.blocks if isinstance(one, Table) and one.caption == caption]
    assert len(table.rows) == len(checks)
