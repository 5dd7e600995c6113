"""What tells the parts of a study apart has words in every language."""

from __future__ import annotations

from typing import get_args

import pytest

from accordeur.flows.study.study_config import Grid
from accordeur.metrics.options import Ties
from accordeur.metrics.resampling.synthetic.synthetic_annotators import (
    GENERATORS,
    Spread,
    WrongClass,
)
from accordeur.reports.language import LANGUAGES, STUDY, Language
from accordeur.reports.study.settings import part_label, part_sentence
from accordeur.reports.study.study_results import StudyPart

NAMED_BY_THEIR_VALUE = {"measure", "degradation", "model"}
OF_MANY_CELLS = {"magnitude"}  # one part for all of them
OF_OTHER_PACKAGES = {"variables"}  # named by themselves


def part(**apart: str) -> StudyPart:
    return StudyPart(label="x", apart=apart, settings={}, n_trials=1, curves=[])


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_list_of_the_grid_and_every_word_in_it_is_said(code):
    say = Language(code, STUDY)
    for key in set(Grid.model_fields) - NAMED_BY_THEIR_VALUE - OF_MANY_CELLS - OF_OTHER_PACKAGES:
        assert say.knows(f"setting.{key}"), key
    words = [one for kind in (Ties, Spread, WrongClass) for one in get_args(kind)] + [*GENERATORS]
    assert [one for one in words if not say.knows(f"setting_value.{one}") and one != "p1"] == []


def test_a_label_in_both_languages():
    one = part(ties="random", generator="item_by_item", influence="0.5", merged="", model="mace")
    assert part_label(Language("en", STUDY), one) == (
        "ties drawn at random, generator item by item, errors on contested items, power 0.5, "
        "categories as labelled, MACE model"
    )
    assert part_label(Language("fr", STUDY), one) == (
        "égalités tirées au sort, générateur item par item, "
        "erreurs sur les items disputés, puissance 0,5, "
        "catégories d’origine, modèle MACE"
    )
    grid = part(measure="gamma", degradation="omission")
    assert part_label(Language("fr", STUDY), grid) == "γ, unités omises"
    assert part_label(Language("fr", STUDY), part()) == "x"  # results that name no settings


def test_a_sentence_goes_on_after_the_label_of_its_part_and_symbols_stay():
    say = Language("fr", STUDY)
    assert part_sentence(say, "ex æquo", "Avec 2.") == "Ex æquo\u00a0: avec 2."
    assert part_sentence(say, "ex æquo", "M(k), exact") == "Ex æquo\u00a0: M(k), exact"
    assert part_sentence(say, "", "Avec 2.") == "Avec 2."
