"""Probabilities of segments from a model of annotators, trained by known documents that help."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...alignment.continuum import Continuum
from ..gold_training import gold_improves_predictions
from .held_out_units import (
    MOST_DOCUMENTS,
    Calibration,
    HeldOutChain,
    calibrate,
    hold_out_each_annotator,
)
from .segments import SegmentChain, segment_chains, units_by_category
from .sequence_model import fit_sequence_model

_EDGE = 1e-3  # probabilities are clipped to [_EDGE, 1 − _EDGE] in the loss of a known document


@dataclass(frozen=True, slots=True)
class UnitFit:
    """A fit to all documents.

    annotators     names, without the gold annotator
    gold           number of the gold annotator, who trained the fit; None without
    chains         of all documents, without the gold annotator
    probabilities  float64 (S,) for each chain: P(the segment is in a unit of the truth)
    """

    annotators: tuple[str, ...]
    gold: int | None
    held: list[HeldOutChain]
    calibration: Calibration
    chains: list[SegmentChain]
    probabilities: list[NDArray[np.float64]]
    converged: bool


def fit_units(documents: Sequence[Continuum], *, gold: str | None, strength: float) -> UnitFit:
    """The fit, trained by the units of `gold` in the documents where this annotator stands."""
    names = sorted({name for one in documents for name in one.annotators} - {gold})
    number_of = {name: a for a, name in enumerate([*names, *([gold] if gold else [])])}
    known = len(names) if gold else None
    lengths = _median_lengths(documents)
    model = fit_sequence_model(
        [chain for d, one in enumerate(documents) for chain in segment_chains(d, one, number_of)],
        len(number_of),
        lengths,
        known=[] if known is None else [known],
        strength=strength,
    )
    held, outside = hold_out_each_annotator(documents, number_of, model, gold)
    calibration = calibrate(held, outside, lengths, known)
    chains = [
        chain
        for d, one in enumerate(documents)
        for chain in segment_chains(d, one, number_of, without=_indices_of(one, gold))
    ]
    probabilities = [
        calibration.probabilities(chain, posterior)
        for chain, posterior in zip(chains, model.posteriors(chains), strict=True)
    ]
    return UnitFit(tuple(names), known, held, calibration, chains, probabilities, model.converged)


def fit_with_gold_if_better(
    documents: Sequence[Continuum], gold: str, *, strength: float
) -> UnitFit:
    """The fit trained by `gold` if it then predicts other known documents better, else without.

    Compared on all known documents and at most `MOST_DOCUMENTS` others, by log-loss of the segments
    that the other annotators propose.
    """
    unknown = [_without(one, gold) for one in documents]
    plain = fit_units(unknown, gold=None, strength=strength)
    known = [d for d, one in enumerate(documents) if gold in one.annotators]
    step = max(1, -(-len(documents) // MOST_DOCUMENTS))
    chosen = np.array(sorted({*known, *range(0, len(documents), step)}))
    place = np.searchsorted(chosen, known)
    compared = [documents[d] for d in chosen.tolist()]

    def trained_losses(fold: NDArray[np.intp]) -> NDArray[np.float64]:
        hidden = {known[i] for i in fold.tolist()}
        some = [unknown[d] if d in hidden else documents[d] for d in chosen.tolist()]
        return _losses(fit_units(some, gold=gold, strength=strength), compared, gold)[place[fold]]

    if gold_improves_predictions(_losses(plain, documents, gold)[known], trained_losses):
        return fit_units(documents, gold=gold, strength=strength)
    return plain


def _losses(fit: UnitFit, documents: Sequence[Continuum], gold: str) -> NDArray[np.float64]:
    """Log-loss of each document's segments by length, (D,); 0 where nothing is known."""
    losses = np.zeros(len(documents))
    none = np.empty(0)
    for chain, probability in zip(fit.chains, fit.probabilities, strict=True):
        one = documents[chain.document]
        for a in _indices_of(one, gold):
            truth = chain.covered_shares(
                *units_by_category(one, a).get(chain.category, (none, none))
            )
            p = np.clip(probability, _EDGE, 1 - _EDGE)
            loss = -truth * np.log(p) - (1 - truth) * np.log1p(-p)
            losses[chain.document] += float(loss @ chain.widths)
    return losses


def _indices_of(continuum: Continuum, name: str | None) -> set[int]:
    return {a for a, other in enumerate(continuum.annotators) if other == name}


def _without(continuum: Continuum, name: str) -> Continuum:
    """The document without one annotator."""
    return continuum.select_annotators({*continuum.annotators} - {name})


def _median_lengths(documents: Sequence[Continuum]) -> NDArray[np.float64]:
    codes = np.concatenate([one.categories for one in documents])
    lengths = np.concatenate([one.ends - one.starts for one in documents])
    return np.array(
        [
            np.median(lengths[codes == k]) if (codes == k).any() else 1.0
            for k in range(len(documents[0].tagset))
        ]
    )


def best_threshold(
    probabilities: NDArray[np.float64], widths: NDArray[np.float64], outside: float = 0.0
) -> tuple[float, float]:
    """(least probability kept, expected F) of the set of segments with the greatest expected F.

    F = 2·Σ_kept p·w / (Σ_kept w + (1 + outside)·Σ p·w), as a ratio of expectations; the best set
    holds the most probable segments (Lewis 1995). (1, 0) without any probability.
    """
    order = np.argsort(-probabilities, kind="stable")
    hits, kept = np.cumsum((probabilities * widths)[order]), np.cumsum(widths[order])
    if not hits.size or not hits[-1]:
        return 1.0, 0.0
    f = 2 * hits / (kept + (1 + outside) * hits[-1])
    best = int(f.argmax())
    return float(probabilities[order][best]), float(f[best])
