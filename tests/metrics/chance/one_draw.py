"""One virtual continuum of a chance model, for tests of the models themselves."""

from __future__ import annotations

from typing import Any

from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.chance.corpus import as_corpus
from accordeur.metrics.chance.sample_drawing import batch_sampler
from accordeur.metrics.chance.virtual_documents import as_continuum


def draw_continuum(corpus: Any, *, index: int, **settings: Any) -> Continuum:
    """Return the continuum that (study, model, index) determine; settings as `batch_sampler`."""
    flat = as_corpus(corpus)
    [drawn] = batch_sampler(flat, settings.pop("process"), **settings)([index])
    return as_continuum(drawn, flat.tagset)
