"""What the others' units say of each annotator's: reliabilities and calibrated probabilities.

Each annotator is held out in turn. How far the others' posterior agrees with the annotator's marks
is the annotator's reliability; how well it predicts the marks of reliable annotators calibrates it.
Where units are known, their annotator is one more target, of reliability 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...alignment.continuum import Continuum
from ...arrays import Floats
from .logistic import Logistic
from .noisy_targets import fit_noisy_targets
from .segments import OTHER, SAME, SegmentChain, segment_chains, units_by_category
from .sequence_model import SequenceModel

MOST_DOCUMENTS = 1000  # whose annotators are held out, spread over all; known ones are added
_PRIOR_CHAINS = 2.0  # by which an annotator's agreement is drawn to the mean
_GOLD_WEIGHT = 5.0  # of a known document, beside one of an annotator of reliability 1
_VOTE, _TARGET = 2, 4  # powers of the reliability: weight of a vote, weight of a target
_EDGE = 1e-4  # posteriors are clipped to [_EDGE, 1 − _EDGE] before their log odds are taken
_VOTES_EDGE = 0.02


@dataclass(frozen=True, slots=True)
class HeldOutChain:
    """A chain of the others' units, and what the held-out annotator marked in it.

    share      float64 (S,): share of each segment in the target's units
    posterior  float64 (S,): of the sequence model, from the others' marks
    starts, ends  the target's bounds in this category
    truth      float64 (S,): share of each segment in known units; None in other documents
    """

    target: int
    chain: SegmentChain
    share: Floats
    posterior: Floats
    starts: Floats
    ends: Floats
    truth: Floats | None = None


@dataclass(frozen=True, slots=True)
class Calibration:
    """How posteriors become probabilities, and annotators' weights.

    reliability  float64 (A, K) in [0, 1]: F of the annotator's marks against the others' posterior,
                 and against known units where there are some
    targets      float64 (A, K): weight of the annotator as a target of predictions
    lengths      float64 (K,): median length of a unit
    segments     P(the truth has the segment) of its features
    outside      length marked outside all the others' units, as a share of the length inside
    """

    reliability: Floats
    targets: Floats
    lengths: Floats
    segments: Logistic
    outside: float

    def probabilities(self, chain: SegmentChain, posterior: Floats) -> Floats:
        """P(the segment is in a unit of the truth), (S,)."""
        return self.segments.predict(
            _segment_features(chain, posterior, self.reliability, self.lengths)
        )

    def weights(self, chain: SegmentChain) -> Floats:
        """Weights of the votes of the chain's annotators, (n,)."""
        return vote_weights(chain, self.reliability)


def vote_weights(chain: SegmentChain, reliability: Floats) -> Floats:
    own = reliability[chain.annotators, chain.category]
    weights: Floats = np.maximum(own, 1e-3) ** _VOTE
    return weights


def log_odds(shares: Floats, edge: float = _EDGE) -> Floats:
    clipped = np.clip(shares, edge, 1 - edge)
    odds: Floats = np.log(clipped) - np.log1p(-clipped)
    return odds


def hold_out_each_annotator(
    documents: Sequence[Continuum],
    number_of: Mapping[str, int],
    model: SequenceModel,
    gold: str | None,
) -> tuple[list[HeldOutChain], Floats]:
    """The chains without each annotator, and the length (A, K) marked outside all others' units.

    Documents where two others remain, or one where there are none; known units are not "others".
    """
    step = max(1, -(-len(documents) // MOST_DOCUMENTS))
    chosen = [d for d, one in enumerate(documents) if d % step == 0 or gold in one.annotators]
    n_others = [len(set(documents[d].annotators) - {gold}) - 1 for d in chosen]
    least = min(2, max(n_others, default=0))
    chains: list[SegmentChain] = []
    seen: list[tuple[int, Floats, Floats, Floats, Floats | None]] = []
    outside = np.zeros(model.log_rates.shape[:2])
    empty = np.empty(0)
    for d, others in zip(chosen, n_others, strict=True):
        continuum = documents[d]
        known = {i for i, name in enumerate(continuum.annotators) if name == gold}
        true_units = units_by_category(continuum, min(known)) if known else None
        for i, name in enumerate(continuum.annotators):
            if others + (i in known) < max(least, 1):
                continue
            own = units_by_category(continuum, i)
            target = number_of[name]
            for chain in segment_chains(d, continuum, number_of, without={*known, i}):
                starts, ends = own.get(chain.category, (empty, empty))
                share = chain.covered_shares(starts, ends)
                chains.append(chain)
                truth = None
                if true_units is not None and i not in known:
                    truth = chain.covered_shares(*true_units.get(chain.category, (empty, empty)))
                seen.append((target, share, starts, ends, truth))
                outside[target, chain.category] -= share @ chain.widths
            for category, (starts, ends) in own.items():
                outside[target, category] += total_length(starts, ends)
    posteriors = model.posteriors(chains)
    held = [
        HeldOutChain(target, chain, share, posterior, starts, ends, truth)
        for (target, share, starts, ends, truth), chain, posterior in zip(
            seen, chains, posteriors, strict=True
        )
    ]
    return held, np.maximum(outside, 0.0)


def total_length(starts: Floats, ends: Floats) -> float:
    """Length covered by units; overlaps count once."""
    order = np.argsort(starts)
    starts, ends = starts[order], np.maximum.accumulate(ends[order])
    reached = np.concatenate([[-np.inf], ends[:-1]])
    return float(np.maximum(ends - np.maximum(starts, reached), 0.0).sum())


def calibrate(
    held: Sequence[HeldOutChain],
    outside: Floats,
    lengths: Floats,
    gold: int | None,
) -> Calibration:
    """Reliabilities, and the regression that predicts a target from the others."""
    reliability = _reliabilities_without(held, outside, gold)
    weight = reliability**_TARGET
    if gold is not None:
        weight[gold] *= _GOLD_WEIGHT
    width = np.concatenate([one.chain.widths for one in held])
    targets = np.concatenate([np.full(one.share.size, one.target) for one in held])
    categories = np.concatenate([np.full(one.share.size, one.chain.category) for one in held])
    share = np.concatenate([one.share for one in held])
    features = np.concatenate(
        [_segment_features(one.chain, one.posterior, reliability, lengths) for one in held]
    )
    segments = fit_noisy_targets(features, share, width, targets, weight.mean(axis=1), known=gold)
    inside = float((width * weight[targets, categories]) @ share)
    beyond = float((outside * weight).sum())
    return Calibration(reliability, weight, lengths, segments, beyond / inside if inside else 0.0)


def _reliabilities_without(
    held: Sequence[HeldOutChain], outside: Floats, gold: int | None
) -> Floats:
    """(A, K): 2·Σ share·posterior / Σ (share + posterior), by length.

    Drawn to the annotator's over all categories, and that to the mean, by two chains each. With
    known units in place of the posterior, where there are some, drawn to this result.
    """
    if gold is not None:
        held = [one for one in held if one.target != gold]
        outside = outside * (np.arange(outside.shape[0]) != gold)[:, None]
    both, total, n = _overlaps(((one, one.posterior) for one in held), outside.shape)
    total += outside
    mean = both.sum() / total.sum() if total.sum() else 0.5
    own = _shrunken_share(both.sum(axis=1), total.sum(axis=1), n.sum(axis=1), mean)
    result = _shrunken_share(both, total, n, own[:, None])
    if gold is not None:
        known = ((one, one.truth) for one in held if one.truth is not None)
        result = _shrunken_share(*_overlaps(known, outside.shape), result)
        result[gold] = 1.0
    return result


def _overlaps(
    chains: Iterable[tuple[HeldOutChain, Floats]], shape: tuple[int, ...]
) -> tuple[Floats, Floats, Floats]:
    """2·Σ share·truth and Σ (share + truth), by length, and the number of chains; (A, K) each."""
    both, total, n = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    for one, truth in chains:
        a, k, width = one.target, one.chain.category, one.chain.widths
        both[a, k] += 2 * (one.share * truth) @ width
        total[a, k] += (one.share + truth) @ width
        n[a, k] += 1
    return both, total, n


def _shrunken_share(
    both: Floats,
    total: Floats,
    n: Floats,
    towards: float | Floats,
) -> Floats:
    f = np.divide(both, total, out=np.zeros(both.shape), where=total > 0)
    drawn: Floats = (f * n + towards * _PRIOR_CHAINS) / (n + _PRIOR_CHAINS)
    return drawn


def _segment_features(
    chain: SegmentChain,
    posterior: Floats,
    reliability: Floats,
    lengths: Floats,
) -> Floats:
    """(S, 7): log odds of the posterior and of the weighted votes, the votes weighted and plain,
    the weighted votes for another category, and log lengths, in median units, of the units marked
    there and of the segment (no less than half of one: short segments are uncertain bounds)."""
    weights = vote_weights(chain, reliability)
    same = chain.marks == SAME
    for_it = weights @ same
    votes = for_it / weights.sum()
    median = lengths[chain.category]
    logs = np.log(np.where(same, chain.lengths, median) / median)
    length = np.divide(weights @ logs, for_it, out=np.zeros(for_it.shape), where=for_it > 0)
    return np.column_stack(
        [
            log_odds(posterior),
            log_odds(votes, _VOTES_EDGE),
            votes,
            same.mean(axis=0),
            weights @ (chain.marks == OTHER) / weights.sum(),
            length,
            np.log(np.maximum(chain.widths / median, 0.5)),
        ]
    )
