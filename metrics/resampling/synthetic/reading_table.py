"""Reading table: what a campaign's agreement implies for its reference (Brégeon 2018, 3.2).

Input: the number of categories, a coefficient, and the distribution of errors over items (p1), all
from the user's own campaign. Output: the expected change of the reference with 2, 3 … annotators,
relative to a reference of `n_reference` annotators of the same kind, with intervals; and how many
annotators keep it below a required share.

All synthetic annotators make the same share of errors p2, on items drawn by p1; p2 is set so that
their mean coefficient has the required value. p1 matters as much as the coefficient (a finding of
the report), so a table is valid for its campaign, not for all campaigns with this coefficient.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...arrays import Floats, Ints
from ...bootstrap import trial_seed
from ...errors import MetricsError, UndefinedError
from ...fewest_annotators import fewest_annotators
from ...measures import USUAL
from ...options import Ties
from ...reason import Reason, ReasonCode
from .synthetic_annotators import DrawnErrors, ItemProfile, Synthesis, error_share_by_chance
from .trials import SyntheticTrials, run_synthetic_trials, values_of_campaigns

_CALIBRATION_TRIALS = 40
_CALIBRATION_STEPS = 18  # bisection steps from [0, 1]: p2 to 4e-6, far below the noise of a trial
_TURNS = np.linspace(0.5, 1, 6)  # factors on `error_share_by_chance`


@dataclass(frozen=True, slots=True)
class ReadingTable:
    """Expected change of a reference of `n_reference` annotators when k make it. Arrays (Q,).

    rate      mean of M(k) over trials
    sd        standard deviation over trials (divisor T - 1)
    interval  float64 (Q, 2): quantiles of the trials at `level`, the range of a single campaign
    weighted, weighted_interval  the same with the distance of the two labels as the cost of a
                                 change (relative to the largest distance); equal to `rate` and
                                 `interval` without distances
    reached   the mean coefficient of the trials, to compare with the required one
    p2        the error share that gives it
    """

    k: Ints
    rate: Floats
    sd: Floats
    interval: Floats
    weighted: Floats
    weighted_interval: Floats
    level: float
    coefficient_name: str
    coefficient: float
    reached: float
    p2: float
    n_reference: int
    n_categories: int
    n_items: int
    trials: int

    def fewest_annotators(self, target: float, *, upper: bool = False) -> int | None:
        """Smallest k from which the change stays below `target` (its upper bound, with `upper`).

        None where only more than half of the annotators of the reference reach it.
        """
        bound = self.interval[:, 1] if upper else self.rate
        rates = zip(self.k.tolist(), bound.tolist(), strict=True)
        return fewest_annotators(rates, n_reference=self.n_reference, target=target)


def profile_from_summary(
    p1: Sequence[float] | Floats,
    *,
    tagset: Sequence[str],
    prevalence: Sequence[float] | None = None,
    seed: int = 0,
) -> ItemProfile:
    """Build a profile without labels: p1 of each item, categories drawn by `prevalence` (uniform).

    For a campaign of which only published figures are known. Raises MetricsError as `ItemProfile`.
    """
    shares = np.asarray(p1, dtype=np.float64)
    weights = np.ones(len(tagset)) if prevalence is None else np.asarray(prevalence, np.float64)
    if weights.shape != (len(tagset),) or not (weights >= 0).all() or weights.sum() <= 0:
        raise MetricsError(f"prevalence must be {len(tagset)} shares, not all 0")
    rng = np.random.default_rng(seed)
    return ItemProfile(
        reference=rng.choice(len(tagset), size=shares.size, p=weights / weights.sum()),
        p1=shares,
        wrong=np.zeros((shares.size, len(tagset))),
        tagset=tuple(tagset),
    )


def reading_table(
    profile: ItemProfile,
    coefficient: float,
    *,
    coefficient_name: str = "krippendorff_alpha",
    n_reference: int = 25,
    synthesis: Synthesis | None = None,
    trials: int = 200,
    level: float = 0.95,
    study: str = "reading table",
    ties: Ties = "random",
    ordered: bool = False,
    distances: Floats | None = None,
) -> ReadingTable:
    """Compute the table for a campaign like `profile` with a given coefficient.

    `synthesis` sets the other options of the annotators (wrong class, influence of p1);
    n_annotators, p2 and spread are set by the table. `distances` (K, K) are used for α and as the
    costs of the weighted rate; None: nominal. Raises MetricsError for a coefficient that annotators
    of this profile cannot have (1 and above, or below the coefficient of random labels).
    """
    if coefficient_name not in USUAL:
        raise MetricsError(
            f"coefficient_name is {coefficient_name!r}; it must be one of {', '.join(USUAL)}"
        )
    base = replace(synthesis or Synthesis(), n_annotators=n_reference, spread="equal")
    if base.generator != "p1":
        raise MetricsError(f"generator is {base.generator!r}; a reading table needs 'p1'")
    p2 = _calibrate(profile, base, coefficient, coefficient_name, study, distances)

    def trials_at(costs: Floats | None) -> SyntheticTrials:
        return run_synthetic_trials(
            profile, replace(base, p2=(p2, p2)), count=trials, study=study, cell="table",
            ks=range(2, n_reference), measures=[coefficient_name], ties=ties, ordered=ordered,
            distances=costs, alpha_distance=distances,
        )  # fmt: skip

    done = trials_at(None)
    weighted = done.rate
    if distances is not None and distances.max(initial=0.0) > 0:
        weighted = trials_at(distances / distances.max()).rate
    bounds = [(1 - level) / 2, (1 + level) / 2]
    reached = done.values
    return ReadingTable(
        k=done.k,
        rate=done.rate.mean(axis=0),
        sd=done.rate.std(axis=0, ddof=1) if trials > 1 else np.full(done.k.size, np.nan),
        interval=np.quantile(done.rate, bounds, axis=0).T,
        weighted=weighted.mean(axis=0),
        weighted_interval=np.quantile(weighted, bounds, axis=0).T,
        level=level,
        coefficient_name=coefficient_name,
        coefficient=coefficient,
        reached=float(np.nanmean(reached)),
        p2=p2,
        n_reference=n_reference,
        n_categories=len(profile.tagset),
        n_items=int(profile.reference.size),
        trials=trials,
    )


def _calibrate(
    profile: ItemProfile, base: Synthesis, wanted: float, name: str, study: str,
    distances: Floats | None,
) -> float:  # fmt: skip
    """Find the p2 with mean coefficient `wanted`, by bisection on the same seeds.

    The coefficient falls with p2 until the labels of contested items are random, and then rises
    again, because all annotators err on the same items. Only the first branch is searched.
    """

    seeds = [trial_seed(study, "calibration", trial) for trial in range(_CALIBRATION_TRIALS)]
    drawn = []
    for seed in seeds:
        rng = np.random.default_rng(seed)
        rng.uniform()  # in a trial, of its share of errors
        drawn.append(DrawnErrors.draw(profile, base, rng))

    def mean(p2: float) -> float:
        codes = np.stack([one.labels(np.full(base.n_annotators, p2)) for one in drawn])
        return float(np.mean(values_of_campaigns(codes, profile.tagset, name, distances)))

    turns = (_TURNS * error_share_by_chance(profile, base)).tolist()
    lowest, high = min((mean(p2), p2) for p2 in turns)
    if not lowest <= wanted < 1:
        raise UndefinedError(
            Reason(
                ReasonCode.UNREACHABLE,
                coefficient=name,
                value=wanted,
                lowest=lowest,
            )
        )
    low = 0.0
    for _ in range(_CALIBRATION_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if mean(middle) > wanted else (low, middle)
    return (low + high) / 2
