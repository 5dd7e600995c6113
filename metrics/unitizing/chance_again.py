"""The virtual documents that an expected disorder came from, drawn once more: seeds are kept."""

from __future__ import annotations

from collections.abc import Iterator

from ..alignment.continuum import Continuum
from ..chance.corpus import Corpus
from ..chance.draws import as_continuum
from ..chance.sampler import drawer
from ..chance.samples import ChanceSample, ExpectedDisorder
from .settings import GammaSettings


def drawn_again(
    corpus: Corpus, expected: ExpectedDisorder, settings: GammaSettings
) -> Iterator[tuple[ChanceSample, list[Continuum]]]:
    """Each sample of the process chosen, with its virtual documents in their order.

    `settings` are those that `expected` was computed with.
    """
    for sample in expected.samples:
        if sample.process != expected.process:
            continue
        draw = drawer(
            corpus,
            sample.process,
            study=settings.seed,
            n_annotators=sample.n_annotators,
            chance=settings,
        )
        yield sample, [as_continuum(drawn, corpus.tagset) for drawn in draw(range(sample.n))]
