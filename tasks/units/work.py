"""What the numbers of a layer of units are computed from, and with which settings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from ...data.store.hashes import settings_hash
from ...data.store.store import Store
from ...metrics.alignment.continuum import Continuum
from ...metrics.alignment.dissimilarity import Dissimilarity
from ...metrics.chance.corpus import Corpus, continua_of
from ...metrics.signature import VERSION
from ...metrics.unitizing.settings import GammaSettings
from ..analysis import Counted
from ..layers import LayerSpec
from .alignment import DissimilaritySpec
from .chance import ChanceSettings, read_corpus

_PART_DOCUMENTS = 500


@dataclass(frozen=True, slots=True)
class UnitSettings:
    measures: tuple[str, ...] = ("gamma", "gamma_cat")
    n_replicates: int = 1000
    level: float = 0.95
    alignments_kept: int = 20
    period: str = "month"
    seed: int = 0
    privacy: bool = False


@dataclass(frozen=True, slots=True)
class UnitWork:
    """shards: what `alignment` returned; corpus_place: what `chance.gather_corpus` did."""

    layer: LayerSpec
    shards: Sequence[Counted]
    corpus_place: str
    dissimilarity: DissimilaritySpec
    chance: ChanceSettings
    settings: UnitSettings

    @property
    def places(self) -> list[str]:
        return [shard.place for shard in self.shards]

    @property
    def metric(self) -> Dissimilarity:
        return self.dissimilarity.for_layer(self.layer)

    def metric_of(self, measure: str) -> Dissimilarity:
        """That of the campaign file, or the measure's own where the file names no position."""
        is_own = measure.startswith("holistic")
        return (self.dissimilarity.of_holistic() if is_own else self.dissimilarity).for_layer(
            self.layer
        )

    def corpus(self, store: Store) -> Corpus | None:
        return read_corpus(store.url, self.corpus_place, self.layer)

    def first_continua(self, store: Store) -> list[Continuum]:
        """The first documents of the corpus, by a hash of their names: enough to show where
        disagreement lies."""
        corpus = self.corpus(store)
        if corpus is None:
            return []
        taken = range(self.n_part_documents(corpus))
        return [continua_of(corpus.document(d))[0] for d in taken]

    def n_part_documents(self, corpus: Corpus) -> int:
        """How many documents γ of parts is computed on."""
        return min(corpus.n_documents, _PART_DOCUMENTS)

    def gamma_settings(self) -> GammaSettings:
        return _gamma_settings(self.chance, self.settings)

    def coarse_settings(self) -> GammaSettings:
        """For parts of the campaign, which show where disagreement lies: chance to 2 %."""
        coarse = replace(self.chance, precision=max(self.chance.precision, 0.02))
        fewer = replace(self.settings, n_replicates=min(self.settings.n_replicates, 200))
        return _gamma_settings(coarse, fewer)

    def key(self, *further: object) -> str:
        """A hash of all that is computed from, and of `further`."""
        of_shards = [one.identity() for one in self.shards]
        specs = (self.layer, self.dissimilarity, self.chance, self.settings)
        return settings_hash(
            of_shards, self.corpus_place, [asdict(one) for one in specs], *further, VERSION
        )


def _gamma_settings(chance: ChanceSettings, settings: UnitSettings) -> GammaSettings:
    return GammaSettings(
        processes=chance.processes or None,  # type: ignore[arg-type]  # checked by the campaign file
        precision=chance.precision,
        min_samples=chance.min_samples,
        max_samples=chance.max_samples,
        seed=chance.seed,
        n_replicates=settings.n_replicates,
        level=settings.level,
        reconcile=chance.reconcile,  # type: ignore[arg-type]  # checked by the campaign file
    )
