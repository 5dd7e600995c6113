"""`accordeur annotators` on exports: the cards of the annotators of labels or units."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from ...data.readers.tables.given import Given
from ...metrics.alignment.best_alignment import best_alignment
from ...metrics.references.unit_places import units_at_places
from ...reports.results.annotators import AnnotatorCards
from ..inputs.exported_labels import UnitsOnlyError, read_exported_labels
from ..inputs.reading_options import Reading
from ..inputs.results_of_exports import ExportSummary
from ..inputs.unit_options import CardOptions
from ..intake.layer_contents import OF_SCORES
from ..layers import LayerSpec
from ..units.units_of_exports import read_units
from .annotator_cards import LayerCards


def cards_of_exports(
    paths: Given | Sequence[Given],
    reading: Reading,
    options: CardOptions,
    *,
    places_of: Collection[str] | None = None,
) -> ExportSummary[AnnotatorCards]:
    """Return the cards of the humans of an export of labels or units.

    places_of  annotators whose places are listed; None: all

    Raises DataError if only one annotator provides labels, and as the readers do.
    """
    try:
        labels = read_exported_labels(paths, reading)
    except UnitsOnlyError:
        return _of_units(
            list(paths) if isinstance(paths, Sequence) else [paths], reading, options, places_of
        )
    labels.require_two_annotators()
    shard, own = labels.shard, labels.layer
    layer = LayerSpec.of(labels.contents, declared=reading.categories, roles=OF_SCORES)
    layer = layer if layer.references else own
    found = LayerCards(shard.store, [shard.key], layer, options, places_of).of_labels()
    if not labels.names_documents:
        found = _without_documents(found)
    account = labels.account()
    return ExportSummary(found, account.rows, account.rejected, labels.warnings(distance=None))


def _without_documents(found: AnnotatorCards) -> AnnotatorCards:
    """Return the cards without the name of the file that is the only document."""
    cards = [
        replace(card, places=tuple(replace(place, document="") for place in card.places))
        for card in found.cards
    ]
    return found.model_copy(update={"cards": cards})


def _of_units(
    paths: Sequence[Given],
    reading: Reading,
    options: CardOptions,
    places_of: Collection[str] | None,
) -> ExportSummary[AnnotatorCards]:
    units = read_units(paths, reading)
    dissimilarity = options.dissimilarity_for(
        "gamma", units.continua, tagset_is_declared=bool(reading.categories)
    )
    aligned = [
        (document, continuum, units_at_places(continuum, best_alignment(continuum, dissimilarity)))
        for document, continuum, _ in units.documents
        if continuum.n_annotators > 1 and continuum.n_units
    ]
    shard, account = units.shard, units.account()
    found = LayerCards(shard.store, [shard.key], units.layer, options, places_of).of_units(aligned)
    return ExportSummary(found, account.rows, account.rejected, units.warnings())
