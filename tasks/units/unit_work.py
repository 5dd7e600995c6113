"""Inputs and settings of the values of a layer of units."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...data.store.store import Store
from ...metrics.alignment.continuum import Continuum
from ...metrics.alignment.dissimilarity import Dissimilarity
from ...metrics.chance.corpus import Corpus, continua_of_corpus
from ...metrics.estimate import Estimate
from ...metrics.units.expected_documents import Expectation
from ...metrics.units.gamma_settings import GammaSettings
from ..analysis import Counted
from ..layers import LayerSpec
from ..options import UnitSettings
from .alignment import DissimilaritySpec
from .chance import read_gathered_corpus
from .unit_estimates import with_annotator_intervals

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

    def dissimilarity_of(self, measure: str) -> Dissimilarity:
        """Return the dissimilarity of the campaign file, or the measure's if it has no position."""
        return self.dissimilarity.dissimilarity_for(self.layer, measure)

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

    def with_intervals(
        self,
        estimates: list[Estimate],
        measure: str,
        continua: Sequence[Continuum],
        expected: Expectation | None = None,
    ) -> list[Estimate]:
        """What a measure gives of these documents, with intervals for new annotators where they
        are wanted; `expected` as `with_annotator_intervals` takes it."""
        if not self.is_for_new_annotators:
            return estimates
        own = (
            continua,
            self.dissimilarity_of(measure),
            self.gamma,
            expected,
            self.settings.matching,
        )
        return with_annotator_intervals(estimates, measure, *own)
