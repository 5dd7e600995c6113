"""Cards of the annotators of a layer, from its stored labels or best alignments.

Without Prefect, so that a quick look calls the same functions as a run.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

import numpy as np
import pyarrow as pa

from ...data.schema import Role
from ...data.store.in_memory import Tables
from ...data.store.store import Store
from ...metrics.agreement.distances import DISTANCES
from ...metrics.agreement.label_matrix import LabelMatrix
from ...metrics.annotator_card import AnnotatorCard, Quantity
from ...metrics.arrays import Flags, Floats, Ints
from ...metrics.errors import MetricsError
from ...metrics.estimate import Estimate
from ...metrics.intervals.evaluate import Share, ratio_of_columns
from ...metrics.item_name import place_of_item
from ...metrics.options import Sampling
from ...metrics.references.annotator_cards import CardInput, annotator_cards, card_value
from ...metrics.references.label_list import LabelList
from ...metrics.references.place_labels import NOTHING
from ...metrics.scores.category_counts import CategoryCounts
from ...metrics.scores.unit_match_counts import match_units_by_each
from ...metrics.units.pairwise_f import pairwise_f
from ...reports.results.annotators import AnnotatorCards
from ..batches_and_periods import documents_by_group, documents_with_last_change
from ..inputs.scales import FEWEST_STEPS, is_finite_number, scale_in_words
from ..layers import LayerSpec
from ..mistakes.places import AlignedDocument, place_namer
from ..mistakes.probable_errors import labels_at_places
from ..passes import continua_of_passes, has_passes, label_values_between_passes
from ..references.disagreement_cases import aligned_documents, human_labels
from ..reporting.pace import paces_of
from ..scores.sides_of_shard import Against, units_by_annotator, units_of_shard
from ..scores.unit_scores import units_of_documents
from ..stored_annotations import label_rows, matrix_of_rows
from ..units.alignment import DissimilaritySpec


def cards_of_labels(
    store: Tables,
    keys: Sequence[str],
    layer: LayerSpec,
    sampling: Sampling,
    *,
    places_of: Collection[str] | None = None,
) -> AnnotatorCards:
    """Return the cards of a layer of labels.

    places_of  annotators whose places are listed; None: all
    """
    matrix = human_labels(store, keys, layer)
    homes, numbers = matrix.documents_to_resample, np.arange(matrix.n_items)
    documents = [place_of_item(name)[0] for name in matrix.items]
    labels = LabelList.from_labels(matrix, rule="annotator cards")
    scale = _scale_of_labels(labels, layer)
    places = np.array([scale.index(name) for name in labels.tagset] if scale else [], float)
    given = CardInput(
        labels,
        numbers if homes is None else homes,
        _reference(store, keys, layer, matrix),
        _batches(store, keys, layer, documents),
        ordered={"label": places[labels.codes]} if scale else {},
        place_of=lambda item: place_of_item(matrix.items[item]),
    )
    retest = label_values_between_passes(
        store,
        keys,
        layer,
        measure="percent_agreement",
        of_two="percent_agreement",
        distance="nominal",
        sampling=sampling,
    )
    found = _cards(store, keys, layer, given, sampling, places_of)
    values = dict(retest)
    cards = [replace(one, retest=values.get(one.annotator)) for one in found.cards]
    return found.model_copy(update={"cards": cards, "scale": scale})


def cards_of_units(
    store: Tables,
    keys: Sequence[str],
    layer: LayerSpec,
    aligned: Sequence[AlignedDocument],
    sampling: Sampling,
    *,
    places_of: Collection[str] | None = None,
) -> AnnotatorCards:
    """Return the cards of a layer of units, whose items are the places of the best alignments."""
    labels, place_of = labels_at_places(aligned, layer), place_namer(aligned, layer.name)
    sizes = [alignment.units.shape[0] for _, _, alignment in aligned]
    home = np.repeat(np.arange(len(aligned)), sizes)
    names = [document for document, _, _ in aligned]

    def name_of(item: int) -> tuple[str, str]:
        place = place_of(item)
        return place.document, place.where

    given = CardInput(
        labels,
        home,
        None,
        _batches(store, keys, layer, [names[d] for d in home.tolist()]),
        labels.tagset.index(NOTHING),
        _bounds_of_units(aligned),
        name_of,
    )
    found = _cards(store, keys, layer, given, sampling, places_of)
    again = _units_between_passes(store, keys, layer, sampling)
    cards = [replace(one, retest=again.get(one.annotator)) for one in found.cards]
    if not layer.references:
        return found.model_copy(update={"cards": cards})
    cards = with_scores_of_units(cards, store, keys, layer, sampling)
    return found.model_copy(update={"cards": cards, "reference": list(layer.references)})


def cards_of_stored_units(
    store: Store,
    keys: Sequence[str],
    layer: LayerSpec,
    dissimilarity: DissimilaritySpec,
    sampling: Sampling,
    *,
    places_of: Collection[str] | None = None,
) -> AnnotatorCards:
    """Return the cards of a layer of units from the stored best alignments of a run."""
    aligned = [
        (document, continuum, alignment)
        for _, document, continuum, alignment in aligned_documents(
            store, keys, layer, dissimilarity
        )
        if alignment is not None and alignment.units.shape[0]
    ]
    return cards_of_units(store, keys, layer, aligned, sampling, places_of=places_of)


def _units_between_passes(
    store: Tables, keys: Sequence[str], layer: LayerSpec, sampling: Sampling
) -> dict[str, Estimate]:
    """Return the share of the same units in the passes of each annotator with several."""
    found = {}
    passes = continua_of_passes(store, [k for k in keys if has_passes(store, k, layer)], layer)
    for name, continua in passes.items():
        with suppress(MetricsError):  # bounds that are no whole numbers are hardly ever the same
            found[name] = pairwise_f(continua, sampling=sampling)
    return found


def _cards(
    store: Tables,
    keys: Sequence[str],
    layer: LayerSpec,
    given: CardInput,
    sampling: Sampling,
    places_of: Collection[str] | None,
) -> AnnotatorCards:
    humans: Mapping[str, str] = dict.fromkeys(layer.humans, Role.HUMAN)
    paces = {one.annotator: one for one in paces_of(store, keys, humans, sampling.seed)}
    cards = annotator_cards(given, sampling, places_of=places_of)
    return AnnotatorCards(
        layer=layer.name,
        of_units=given.nothing is not None,
        reference=[] if given.reference is None else list(layer.references),
        level=sampling.confidence_level,
        cards=[replace(one, pace=paces.get(one.annotator)) for one in cards],
    )


def _scale_of_labels(labels: LabelList, layer: LayerSpec) -> list[str]:
    """Return the categories, lowest first; [] unless three or more have an order."""
    tagset = labels.tagset
    declared = DISTANCES.get(layer.distance)
    is_ordered = (declared and declared.ordered) or all(map(is_finite_number, tagset))
    scale = tagset if is_ordered else scale_in_words(tagset)
    return [] if layer.sets or len(tagset) < FEWEST_STEPS or not scale else [*scale]


def _bounds_of_units(aligned: Sequence[AlignedDocument]) -> dict[Quantity, Floats]:
    """Return starts and lengths of the units at each place, as `place_labels` lists them."""
    starts, lengths = [np.empty(0)], [np.empty(0)]
    for _, continuum, alignment in aligned:
        units = alignment.units.ravel()
        begin, end = (np.append(one, np.nan)[units] for one in (continuum.starts, continuum.ends))
        starts.append(begin)
        lengths.append(end - begin)
    return {"start": np.concatenate(starts), "length": np.concatenate(lengths)}


def _reference(
    store: Tables, keys: Sequence[str], layer: LayerSpec, matrix: LabelMatrix
) -> Ints | None:
    """Return the category of each item in the first reference that has it, -1 for none."""
    if not layer.references:
        return None
    rows = [label_rows(store, key, layer, layer.references) for key in keys]
    decided = matrix_of_rows(pa.concat_tables(rows), layer, layer.references, Role.REFERENCE)
    first = (decided.codes >= 0).argmax(axis=1)
    codes = decided.codes[np.arange(decided.n_items), first].tolist()
    of_item = dict(zip(decided.items, codes, strict=True))
    return np.array([of_item.get(name, -1) for name in matrix.items], dtype=np.int64)


def _batches(
    store: Tables, keys: Sequence[str], layer: LayerSpec, documents: Sequence[str]
) -> dict[str, Flags]:
    """Return the items of each batch, given the document of each item; {} below two batches."""
    groups = pa.concat_tables([documents_with_last_change(store, key, layer) for key in keys])
    found = {}
    for name, those in documents_by_group(groups, "batch", documents).items():
        found[name] = np.zeros(len(documents), dtype=np.bool_)
        found[name][those] = True
    return found


def with_scores_of_units(
    cards: Sequence[AnnotatorCard],
    store: Tables,
    keys: Sequence[str],
    layer: LayerSpec,
    sampling: Sampling,
) -> list[AnnotatorCard]:
    """Return the cards with the shares of the units of the first reference that they found.

    The documents are those that the annotator and the reference finished.
    """
    first = layer.references[0]
    sides = [units_of_shard(store, key, layer, [Against(first)], layer.humans) for key in keys]
    by = units_by_annotator(pa.concat_tables(sides), (first, *layer.humans))
    made = []
    for card in cards:
        own = by[card.annotator]
        shared = sorted(own.keys() & by[first].keys())
        counts = match_units_by_each(
            units_of_documents(by[first], shared),
            units_of_documents(own, shared),
            tagset=layer.tagset,
            matches=("overlap", "exact"),
            n_documents=len(shared),
        )
        found, exact = (
            card_value(Share(ratio_of_columns(0, 1)), _sums(one), sampling)
            for one in (counts["overlap"], counts["exact"])
        )
        made.append(replace(card, reference_found=found, reference_exact=exact))
    return made


def _sums(counts: CategoryCounts) -> Floats:
    """Return the matched and all units of the reference, (D, 2), of the documents with some."""
    sums = np.stack([counts.found.sum(axis=1), counts.reference.sum(axis=1)], axis=1)
    return sums[sums[:, 1] > 0].astype(np.float64)
