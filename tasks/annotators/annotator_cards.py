"""Cards of the annotators of a layer, from its stored labels or best alignments.

Without Prefect, so that a quick look calls the same functions as a run.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from ...data.schema import Role
from ...data.store.in_memory import Tables
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
from ..references.disagreement_cases import human_labels
from ..reporting.pace import paces_of
from ..scores.sides_of_shard import Against, units_by_annotator, units_of_shard
from ..scores.unit_scores import units_of_documents
from ..stored_annotations import label_rows, matrix_of_rows


@dataclass(frozen=True, slots=True)
class LayerCards:
    """The cards of the annotators of a layer, from what a store has of it.

    places_of  annotators whose places are listed; None: all
    """

    store: Tables
    keys: Sequence[str]
    layer: LayerSpec
    sampling: Sampling
    places_of: Collection[str] | None = None

    def of_labels(self) -> AnnotatorCards:
        """Return the cards of a layer of labels."""
        store, keys, layer = self.store, self.keys, self.layer
        matrix = human_labels(store, keys, layer)
        homes, numbers = matrix.documents_to_resample, np.arange(matrix.n_items)
        documents = [place_of_item(name)[0] for name in matrix.items]
        labels = LabelList.from_labels(matrix, rule="annotator cards")
        scale = _scale_of_labels(labels, layer)
        places = np.array([scale.index(name) for name in labels.tagset] if scale else [], float)
        given = CardInput(
            labels,
            numbers if homes is None else homes,
            self._reference(matrix),
            self._batches(documents),
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
            sampling=self.sampling,
        )
        found = self._cards(given, dict(retest))
        return found.model_copy(update={"scale": scale})

    def of_units(self, aligned: Sequence[AlignedDocument]) -> AnnotatorCards:
        """Return the cards of a layer of units, whose items are the places of best alignments."""
        labels = labels_at_places(aligned, self.layer)
        place_of = place_namer(aligned, self.layer.name)
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
            self._batches([names[d] for d in home.tolist()]),
            labels.tagset.index(NOTHING),
            _bounds_of_units(aligned),
            name_of,
        )
        found = self._cards(given, self._units_between_passes())
        references = list(self.layer.references)
        if not references:
            return found
        cards = self._with_scores_of_units(found.cards)
        return found.model_copy(update={"cards": cards, "reference": references})

    def _cards(self, given: CardInput, retest: Mapping[str, Estimate]) -> AnnotatorCards:
        humans: Mapping[str, str] = dict.fromkeys(self.layer.humans, Role.HUMAN)
        found = paces_of(self.store, self.keys, humans, self.sampling.seed)
        paces = {one.annotator: one for one in found}
        return AnnotatorCards(
            layer=self.layer.name,
            of_units=given.nothing is not None,
            reference=[] if given.reference is None else list(self.layer.references),
            level=self.sampling.confidence_level,
            cards=[
                replace(one, pace=paces.get(one.annotator), retest=retest.get(one.annotator))
                for one in annotator_cards(given, self.sampling, places_of=self.places_of)
            ],
        )

    def _units_between_passes(self) -> dict[str, Estimate]:
        """Return the share of the same units in the passes of each annotator with several."""
        store, layer = self.store, self.layer
        found = {}
        keys = [key for key in self.keys if has_passes(store, key, layer)]
        for name, continua in continua_of_passes(store, keys, layer).items():
            with suppress(
                MetricsError
            ):  # bounds that are no whole numbers are hardly ever the same
                found[name] = pairwise_f(continua, sampling=self.sampling)
        return found

    def _reference(self, matrix: LabelMatrix) -> Ints | None:
        """Return the category of each item in the first reference that has it, -1 for none."""
        layer = self.layer
        if not layer.references:
            return None
        rows = [label_rows(self.store, key, layer, layer.references) for key in self.keys]
        decided = matrix_of_rows(pa.concat_tables(rows), layer, layer.references, Role.REFERENCE)
        first = (decided.codes >= 0).argmax(axis=1)
        codes = decided.codes[np.arange(decided.n_items), first].tolist()
        of_item = dict(zip(decided.items, codes, strict=True))
        return np.array([of_item.get(name, -1) for name in matrix.items], dtype=np.int64)

    def _batches(self, documents: Sequence[str]) -> dict[str, Flags]:
        """Return the items of each batch, given the document of each; {} below two batches."""
        store, layer = self.store, self.layer
        groups = pa.concat_tables([documents_with_last_change(store, k, layer) for k in self.keys])
        found = {}
        for name, those in documents_by_group(groups, "batch", documents).items():
            found[name] = np.zeros(len(documents), dtype=np.bool_)
            found[name][those] = True
        return found

    def _with_scores_of_units(self, cards: Sequence[AnnotatorCard]) -> list[AnnotatorCard]:
        """Return the cards with the shares of the units of the first reference that they found.

        The documents are those that the annotator and the reference finished.
        """
        layer, first = self.layer, self.layer.references[0]
        against = [Against(first)]
        sides = [units_of_shard(self.store, k, layer, against, layer.humans) for k in self.keys]
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
                card_value(Share(ratio_of_columns(0, 1)), _sums(one), self.sampling)
                for one in (counts["overlap"], counts["exact"])
            )
            made.append(replace(card, reference_found=found, reference_exact=exact))
        return made


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


def _sums(counts: CategoryCounts) -> Floats:
    """Return the matched and all units of the reference, (D, 2), of the documents with some."""
    sums = np.stack([counts.found.sum(axis=1), counts.reference.sum(axis=1)], axis=1)
    return sums[sums[:, 1] > 0].astype(np.float64)
