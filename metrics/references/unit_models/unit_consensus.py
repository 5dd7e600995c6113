"""A consensus of units that weighs annotators by their reliability, with calibrated confidence.

1. A hidden Markov model of the segments between bounds gives each annotator's rates of errors, and
   the posterior of each segment (`sequence_model`). These posteriors are overconfident.
2. Each annotator is held out in turn: a regression predicts what reliable annotators mark from what
   the others marked (`held_out_units`), and is corrected for their errors (`noisy_targets`). Known
   units train both, if this helps (`unit_fit`).
3. The most probable segments are kept, as many as maximise the expected F.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ...alignment.continuum import Continuum, Fragments
from ...coded_warning import CodedWarning
from ...errors import MetricsError
from ...results import AnnotatorReliability
from ...signature import signature_line
from ..gold_training import gold_not_training_warning
from ..label_reference import require_humans
from ..unit_reference import overlapping_fragments
from .held_out_units import Calibration, HeldOutChain, log_odds
from .logistic import Logistic
from .noisy_targets import fit_noisy_targets
from .segments import SAME, SegmentChain
from .unit_error_counts import count_errors_of_annotators
from .unit_fit import best_threshold, fit_units, fit_with_gold_if_better

_EQUAL = 1e-4  # confidences closer than this are tied, as in `model`
_STRENGTH = 20.0


@dataclass(frozen=True, slots=True)
class ConsensusUnit:
    """A unit that is proposed, kept or not.

    category    index into the tagset, -1 for none
    confidence  mean probability of its offsets, in [0, 1]: the share of them that is expected to be
                in a unit of the category
    start_confidence, end_confidence  probability that the truth has this very bound
    support     annotators with a unit of the category that overlaps it
    fragments   of a discontinuous unit (`overlapping_fragments`), () for others: the model itself
                sees no gaps
    """

    start: float
    end: float
    category: int
    confidence: float
    start_confidence: float
    end_confidence: float
    support: int
    fragments: Fragments = ()


@dataclass(frozen=True, slots=True)
class UnresolvedUnit:
    """A unit that is proposed and not kept.

    reason  confidence: below the threshold; category: another category is as probable, or more
    """

    unit: ConsensusUnit
    reason: Literal["confidence", "category"]


@dataclass(frozen=True, slots=True)
class DocumentConsensus:
    """Units of one document in the order of their starts, and what goes to revision."""

    units: tuple[ConsensusUnit, ...]
    open: tuple[UnresolvedUnit, ...]
    is_known: bool = False

    def unit_table(self) -> NDArray[np.float64]:
        """Start, end and category of each unit, float64 (M, 3)."""
        rows = [(one.start, one.end, one.category) for one in self.units]
        return np.array(rows, dtype=np.float64).reshape(-1, 3)


@dataclass(frozen=True, slots=True)
class UnitConsensus:
    """Consensus of a corpus.

    documents   one result per document, in the order given
    errors      what each annotator did otherwise than the consensus, by category
    threshold   least probability of a segment that is kept
    expected_f  F of offsets that is expected against the truth, in [0, 1]
    converged   whether EM did
    gold_trains  whether known documents trained the estimates of the others
    """

    documents: tuple[DocumentConsensus, ...]
    errors: tuple[AnnotatorReliability, ...]
    threshold: float
    expected_f: float
    converged: bool
    tagset: tuple[str, ...]
    annotators: tuple[str, ...]
    signature: str = ""
    gold_trains: bool = False

    @property
    def warnings(self) -> tuple[CodedWarning, ...]:
        is_known = np.array([one.is_known for one in self.documents], dtype=np.bool_)
        return (
            () if self.gold_trains or not is_known.any() else (gold_not_training_warning(is_known),)
        )


def consensus_of_units(
    documents: Sequence[Continuum], *, gold: str | None = None, strength: float = _STRENGTH
) -> UnitConsensus:
    """The consensus of humans' units over all documents, which share one tagset.

    documents  each with the annotators who finished it; one who marked nothing counts
    gold       annotator whose units are true, in the documents where the annotator stands: these
               keep those units, with confidence 1, and train the estimates of the others where
               held-out known documents are then predicted better
    strength   segments by which an annotator's rates of error are drawn to those of all

    Overlapping units of one annotator and category count as one. Raises MetricsError without a
    document of two annotators, or with several tagsets, RoleError when an annotator is not human
    (a gold annotator may be a reference).
    """
    tagset = documents[0].tagset if documents else ()
    if any(one.tagset != tagset for one in documents):
        raise MetricsError("documents of one consensus must have the same tagset")
    for one in documents:
        for name, role in zip(one.annotators, one.roles, strict=True):
            if name != gold:
                require_humans((name,), (role,), "consensus")
    if not any(_has_units_of_two(one, gold) for one in documents):
        raise MetricsError(
            "a consensus of units needs a document that two annotators finished, with units"
        )
    numbered = [_with_category(one) for one in documents]
    if gold is None:
        fit = fit_units(numbered, gold=None, strength=strength)
    else:
        fit = fit_with_gold_if_better(numbered, gold, strength=strength)
    calibration = fit.calibration
    widths = [chain.widths for chain in fit.chains]
    threshold, expected = best_threshold(
        np.concatenate(fit.probabilities), np.concatenate(widths), calibration.outside
    )
    bounds = _bound_calibration(fit.held, calibration, threshold, fit.gold)
    proposed: list[list[tuple[ConsensusUnit, bool]]] = [[] for _ in documents]
    for chain, probability in zip(fit.chains, fit.probabilities, strict=True):
        proposed[chain.document] += _proposed_units(
            chain, probability, threshold, calibration, bounds
        )
    results = tuple(
        _consensus_from_gold(one, gold) if gold in one.annotators else _resolve_rivals(units, one)
        for one, units in zip(numbered, proposed, strict=True)
    )
    results = tuple(
        _with_fragments(_without_category(found, len(tagset)), one, gold)
        for one, found in zip(documents, results, strict=True)
    )
    return UnitConsensus(
        results,
        count_errors_of_annotators(
            documents,
            [one.unit_table() for one in results],
            fit.annotators,
            calibration.reliability,
            tagset,
        ),
        threshold,
        expected,
        fit.converged,
        tagset,
        fit.annotators,
        signature_line(
            "consensus_of_units", gold=gold, strength=strength, annotators=len(fit.annotators)
        ),
        gold_trains=fit.gold is not None,
    )


def _with_fragments(
    found: DocumentConsensus, document: Continuum, gold: str | None
) -> DocumentConsensus:
    """Add the fragments on which the annotators agree; of a known document, those of the gold."""
    is_known = gold is not None and gold in document.annotators
    marked = document.select_annotators([str(gold)]) if is_known else document
    units = (
        replace(one, fragments=overlapping_fragments(marked, one.start, one.end, one.category))
        for one in found.units
    )
    return replace(found, units=tuple(units))


def _has_units_of_two(continuum: Continuum, gold: str | None) -> bool:
    """Whether two annotators besides gold finished the document, and one of them has units."""
    humans = [a for a, name in enumerate(continuum.annotators) if name != gold]
    return len(humans) >= 2 and bool(np.isin(continuum.owners, humans).any())


def _with_category(continuum: Continuum) -> Continuum:
    """Units without a category in a category of their own, the last one."""
    none = len(continuum.tagset)
    codes = np.where(continuum.categories < 0, none, continuum.categories).astype(np.int32)
    return replace(continuum, categories=codes, tagset=(*continuum.tagset, ""))


def _without_category(found: DocumentConsensus, none: int) -> DocumentConsensus:
    def back(one: ConsensusUnit) -> ConsensusUnit:
        return replace(one, category=-1) if one.category == none else one

    return replace(
        found,
        units=tuple(back(one) for one in found.units),
        open=tuple(replace(one, unit=back(one.unit)) for one in found.open),
    )


def _runs(kept: NDArray[np.bool_], is_cut: NDArray[np.bool_]) -> list[slice]:
    """Runs of kept segments; `is_cut` (S,): a unit begins although the segment before is kept."""
    starts = np.nonzero(kept & (is_cut | ~np.concatenate([[False], kept[:-1]])))[0]
    following = np.concatenate([is_cut[1:] | ~kept[1:], [True]])
    ends = np.nonzero(kept & following)[0] + 1
    return [slice(a, b) for a, b in zip(starts.tolist(), ends.tolist(), strict=True)]


def _majority_cuts(chain: SegmentChain, weights: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Where most, by weight, of those who mark both sides end one unit and begin another; (S,)."""
    both = (chain.units[:, 1:] >= 0) & (chain.units[:, :-1] >= 0)
    differs = both & (chain.units[:, 1:] != chain.units[:, :-1])
    cuts: NDArray[np.bool_] = weights @ differs > weights @ both / 2
    return np.concatenate([[False], cuts])


def _bound_features(
    chain: SegmentChain, run: slice, weights: NDArray[np.float64], confidence: float
) -> NDArray[np.float64]:
    """(2, 2): for start and end, log odds that one who marks the segment inside has that bound, and
    of the unit's confidence. Odds of weighted votes in units of the mean weight, each side with
    half a vote more: five of five votes are surer than one of one."""
    units = np.pad(chain.units, ((0, 0), (1, 1)), constant_values=-1)
    votes = weights / weights.mean()
    certainty = float(log_odds(np.array([confidence]), 0.02)[0])
    rows = []
    for inside, beyond in ((run.start + 1, run.start), (run.stop, run.stop + 1)):
        marking = units[:, inside] >= 0
        bound = marking & (units[:, inside] != units[:, beyond])
        odds = (votes @ bound + 0.5) / (votes @ (marking & ~bound) + 0.5)
        rows.append([float(np.log(odds)), certainty])
    return np.array(rows)


def _mean_probability(probability: NDArray[np.float64], chain: SegmentChain, run: slice) -> float:
    return float(np.average(probability[run], weights=chain.widths[run]))


def _bound_calibration(
    held: Sequence[HeldOutChain], calibration: Calibration, threshold: float, gold: int | None
) -> Logistic:
    """P(the truth has a proposed bound, if a unit of it holds the segment inside), from the bounds
    of the held-out annotators who mark that segment.

    Annotators who err at a bound tend to err alike. How often they share a bound that the truth
    does not have cannot be told from their marks, so only the bounds that they miss are corrected.
    """
    features, is_bound, targets = [], [], []
    for one in held:
        chain = one.chain
        probability = calibration.probabilities(chain, one.posterior)
        votes = calibration.weights(chain)
        for run in _runs(probability >= threshold, _majority_cuts(chain, votes)):
            marked = one.share[[run.start, run.stop - 1]] >= 0.5
            confidence = _mean_probability(probability, chain, run)
            at = (chain.bounds[run.start] in one.starts, chain.bounds[run.stop] in one.ends)
            features.append(_bound_features(chain, run, votes, confidence)[marked])
            is_bound += np.array(at)[marked].tolist()
            targets += [one.target] * int(marked.sum())
    if not targets:
        return Logistic(np.zeros(2), 0.0)
    return fit_noisy_targets(
        np.concatenate(features),
        np.array(is_bound, dtype=np.float64),
        np.ones(len(targets)),
        np.array(targets, dtype=np.int64),
        calibration.targets.mean(axis=1),
        known=gold,
        most_false_alarms=0.0,
    )


def _proposed_units(
    chain: SegmentChain,
    probability: NDArray[np.float64],
    threshold: float,
    calibration: Calibration,
    bounds: Logistic,
) -> list[tuple[ConsensusUnit, bool]]:
    """Units of a chain with whether each is kept: runs of probable segments, and of the others that
    an annotator marked and no kept unit touches."""
    votes = calibration.weights(chain)
    kept = probability >= threshold
    cuts = _majority_cuts(chain, votes)
    near = np.pad(kept, 1)
    beside = [
        run
        for run in _runs(~kept & (chain.marks == SAME).any(axis=0), cuts & False)
        if not near[run.start] and not near[run.stop + 1]
    ]
    found = []
    for run, is_kept in [
        *((run, True) for run in _runs(kept, cuts)),
        *((r, False) for r in beside),
    ]:
        confidence = _mean_probability(probability, chain, run)
        at = probability[[run.start, run.stop - 1]] * bounds.predict(
            _bound_features(chain, run, votes, confidence)
        )
        unit = ConsensusUnit(
            float(chain.bounds[run.start]),
            float(chain.bounds[run.stop]),
            chain.category,
            confidence,
            float(at[0]),
            float(at[1]),
            int((chain.marks[:, run] == SAME).any(axis=1).sum()),
        )
        found.append((unit, is_kept))
    return found


def _resolve_rivals(
    proposed: Sequence[tuple[ConsensusUnit, bool]], continuum: Continuum
) -> DocumentConsensus:
    """Keep of units in several categories that no annotator marked both the most probable one."""
    units: list[ConsensusUnit] = []
    open_ = [UnresolvedUnit(one, "confidence") for one, is_kept in proposed if not is_kept]
    tied: list[ConsensusUnit] = []
    kept = sorted((one for one, is_kept in proposed if is_kept), key=lambda one: -one.confidence)
    for one in kept:
        rivals = [o for o in [*units, *tied] if _are_rivals(one, o, continuum)]
        if not rivals:
            units.append(one)
            continue
        open_.append(UnresolvedUnit(one, "category"))
        for other in rivals:
            if other.confidence - one.confidence < _EQUAL and other in units:
                units.remove(other)
                tied.append(other)
    open_ += [UnresolvedUnit(one, "category") for one in tied]
    return DocumentConsensus(
        tuple(sorted(units, key=lambda one: (one.start, one.end, one.category))),
        tuple(sorted(open_, key=lambda one: (-one.unit.confidence, one.unit.start, one.unit.end))),
    )


def _are_rivals(a: ConsensusUnit, b: ConsensusUnit, continuum: Continuum) -> bool:
    """Units of two categories that share half of one, where no annotator marked both."""
    shared = min(a.end, b.end) - max(a.start, b.start)
    if a.category == b.category or 2 * shared < min(a.end - a.start, b.end - b.start):
        return False
    start, end = max(a.start, b.start), min(a.end, b.end)
    here = (continuum.starts < end) & (continuum.ends > start)
    owners = [set(continuum.owners[here & (continuum.categories == x.category)]) for x in (a, b)]
    return not owners[0] & owners[1]


def _consensus_from_gold(continuum: Continuum, gold: str | None) -> DocumentConsensus:
    """The gold annotator's units, with the annotators who overlap each."""
    at = continuum.annotators.index(str(gold))
    found = []
    for u in np.nonzero(continuum.owners == at)[0].tolist():
        start, end = float(continuum.starts[u]), float(continuum.ends[u])
        category = int(continuum.categories[u])
        here = (continuum.starts < end) & (continuum.ends > start)
        owners = set(continuum.owners[here & (continuum.categories == category)].tolist()) - {at}
        found.append(ConsensusUnit(start, end, category, 1.0, 1.0, 1.0, len(owners)))
    return DocumentConsensus(
        tuple(sorted(found, key=lambda one: (one.start, one.end, one.category))), (), is_known=True
    )
