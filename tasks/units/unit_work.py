"""Inputs and settings of the values of a layer of units."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...data.store.store import Store
from ...metrics.alignment.continuum import Continuum
from ...metrics.alignment.dissimilarity import Dissimilarity
from ...metrics.chance.corpus import Corpus, continua_of_corpus
from ...metrics.units.gamma_settings import GammaSettings
from ..analysis import Counted
from ..layers import LayerSpec
from ..options import UnitSettings
from .alignment import DissimilaritySpec
from .chance import read_gathered_corpus
from .unit_estimates import UnitMeasure

_PART_DOCUMENTS = 500


@dataclass(frozen=True, slots=True)
class UnitWork:
    """Inputs and settings of a layer of units.

    shards        results of `alignment`
    corpus_place  place of `chance.corpus_node`
    """

    layer: LayerSpec
    shards: Sequence[Counted]
    corpus_place: str
    dissimilarity: DissimilaritySpec
    gamma: GammaSettings
    settings: UnitSettings

    @property
    def places(self) -> list[str]:
        return [shard.place for shard in self.shards]

    @property
    def metric(self) -> Dissimilarity:
        return self.dissimilarity.dissimilarity_for(self.layer)

    def corpus(self, store: Store) -> Corpus | None:
        return read_gathered_corpus(store.url, self.corpus_place, self.layer)

    def sampled_continua(self, store: Store) -> list[Continuum]:
        """Return a hash-based sample of the corpus, large enough to locate disagreement."""
        corpus = self.corpus(store)
        if corpus is None:
            return []
        taken = range(self.n_part_documents(corpus))
        return [continua_of_corpus(corpus.document(d))[0] for d in taken]

    def n_part_documents(self, corpus: Corpus) -> int:
        """Return the number of documents on which γ of parts is computed."""
        return min(corpus.n_documents, _PART_DOCUMENTS)

    @property
    def coarse_settings(self) -> GammaSettings:
        """Settings for parts of the campaign, with a precision of 2 % for chance."""
        return replace(
            self.gamma,
            precision=max(self.gamma.precision, 0.02),
            replicates=min(self.gamma.replicates, 200),
        )

    @property
    def is_for_new_annotators(self) -> bool:
        """Whether intervals are for new annotators, too."""
        return self.settings.interval == "annotators"

    def measure(self, name: str) -> UnitMeasure:
        """Return a measure with the settings of the layer.

        Its dissimilarity is that of the campaign file, or its own if this has no position.
        """
        return UnitMeasure(
            name,
            self.dissimilarity.dissimilarity_for(self.layer, name),
            self.gamma,
            self.settings.matching,
            self.is_for_new_annotators,
        )
