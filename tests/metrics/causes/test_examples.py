"""Examples of a cause are places that show it, with what every annotator did there."""

from __future__ import annotations

import re

import numpy as np
import pytest

from accordeur.metrics.causes.campaign_parts import campaign_parts
from accordeur.metrics.causes.cause import Cause
from accordeur.metrics.causes.cause_search import find_causes
from accordeur.metrics.causes.disagreement import Disagreement
from accordeur.metrics.causes.examples import MOST_PLACES, places_of_cause
from accordeur.metrics.chance.corpus import corpus_of_continua
from accordeur.metrics.units.disagreement_of_pairs import disagreement_of_pairs
from accordeur.metrics.units.pairwise_f import units_of_corpus
from accordeur.metrics.units.unit_disagreement import UnitGroups
from accordeur.reports.results import Example
from accordeur.tasks.cause_examples import MOST_EXAMPLES, UnitExamples
from benchmarks.planted_campaigns import (
    ANNOTATORS,
    CATEGORIES,
    LENGTH,
    Fault,
    documents,
    labels_of,
    units_of,
)
from benchmarks.planted_faults import FAULTS, MECHANISMS
from benchmarks.verdict import disagreement_of

CHLOE = ANNOTATORS[2]


def fault(name: str) -> Fault:
    return next(one for one in (*FAULTS, *MECHANISMS) if one.name == name)


def examples_of_labels(name: str) -> tuple[Cause, np.ndarray, np.ndarray]:
    """Return the first cause, the labels at its places and their documents."""
    found, matrix = disagreement_of("labels", 101, fault(name)), labels_of(101, fault(name))
    first = find_causes(found).causes[0]
    places = places_of_cause(found, first)
    assert 10 <= places.size <= MOST_PLACES
    assert np.unique(places).size == places.size
    assert matrix.documents is not None
    homes = matrix.documents[places]
    assert np.unique(homes[:10]).size == 10  # one of each document first
    return first, matrix.codes[places], homes


def test_labels_that_show_a_favoured_category() -> None:
    _, codes, _ = examples_of_labels("an annotator favours a category")
    assert (codes[:, 2] == 0).all()
    assert (codes[:, [0, 1, 3]] != 0).all(axis=1)[:10].all()


def test_labels_that_show_a_copy() -> None:
    _, codes, _ = examples_of_labels("an annotator copies another")
    assert (codes[:, 0] == codes[:, 2]).all()
    assert (codes[:, [1, 3]] != codes[:, :1]).any(axis=1).all()


def test_labels_that_show_two_confused_categories_in_one_type() -> None:
    _, codes, homes = examples_of_labels("LOC and ORG exchanged in one type")
    assert all({0, 1} <= set(row) for row in codes.tolist())
    assert (documents().type[homes] == 1).all()


def test_labels_that_show_errors_by_night() -> None:
    first, codes, homes = examples_of_labels("errors by night")
    assert first.part is not None
    latest = documents().hours[homes]
    apart = np.array([[(row != x).any() for x in row] for row in codes])
    assert ((latest >= int(first.part.name[:2])) & apart).any(axis=1).all()


def units(name: str) -> tuple[Disagreement, UnitExamples]:
    of, continua = documents(), units_of(101, fault(name))
    corpus = corpus_of_continua(continua)
    given = units_of_corpus(corpus, ANNOTATORS)
    usage = np.zeros((len(continua), len(CATEGORIES) + 1))
    np.add.at(usage, (given[0].documents, given[0].categories), 1)
    parts = campaign_parts(of.names, of.batches, of.weeks)
    by = UnitGroups.of_documents(usage, ANNOTATORS, CATEGORIES, parts)
    _, of_f = disagreement_of_pairs(by.nothing_compared(usage), given, by, ["pairwise_f"])

    def texts_of(names: object) -> dict[str, str]:
        return dict.fromkeys(of.names, "word " * (LENGTH // 5))

    return of_f["pairwise_f"], UnitExamples(given, ANNOTATORS, CATEGORIES, of.names, texts_of)


def shown(name: str) -> tuple[Cause, list[Example]]:
    found, examples = units(name)
    first = find_causes(found).causes[0]
    assert fault(name).is_named_by(first)
    return first, examples(places_of_cause(found, first))


def starts(said: str) -> list[int]:
    return [int(one) for one in re.findall(r"(\d+)–", said)]


def test_units_that_show_an_offset_in_a_batch() -> None:
    _, examples = shown("an annotator's units of a batch have an offset")
    assert len(examples) == MOST_EXAMPLES
    names = documents().names
    for one in examples:
        assert documents().batches[names.index(one.document)] == "B"
        others = [starts(text) for name, text in one.said.items() if name != CHLOE]
        assert any(a + 1 in starts(one.said[CHLOE]) for of_other in others for a in of_other)
        assert one.context[slice(*one.marked)].strip()


@pytest.mark.parametrize(
    ("name", "is_extra"),
    [("an annotator misses units", False), ("an annotator marks too many units", True)],
)
def test_units_that_only_some_annotators_mark(name: str, *, is_extra: bool) -> None:
    first, examples = shown(name)
    assert (first.annotator, first.marks_more) == (CHLOE, is_extra)
    for one in examples:
        assert bool(one.said[CHLOE]) == is_extra
        assert any(bool(text) != is_extra for who, text in one.said.items() if who != CHLOE)


def test_units_that_show_where_in_documents_they_are_missed() -> None:
    first, examples = shown("units are missed late in documents")
    assert first.part is not None
    assert all(int(one.where.partition("–")[2]) > int(first.part.name) for one in examples)
