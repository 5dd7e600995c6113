"""Planning a campaign of units: future precision of γ, estimated from a pilot.

As in `metrics.resampling.planning` for labels: V(a), the variance of γ per document with a
annotators, is estimated from the residuals of γ as a ratio (T_d - R·C_d with R = ΣT/ΣC; Cochran
1977, section 2.11), for each a on documents reduced to a of their annotators, averaged over draws.
C_d includes the document's influence on chance (`expected_disorder_by_document`), as later
intervals do; with too many documents for this, chance is held fixed, and widths are a tenth too
large. The interval of the pilot itself corrects these formulas (`scale_to_gamma`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..alignment.continuum import Continuum
from ..alignment.dissimilarity import Dissimilarity
from ..arrays import Flags, Floats
from ..bootstrap import trial_seed
from ..chance.corpus import corpus_of_continua, in_one_order
from ..errors import MetricsError
from ..intervals.new_annotators import jackknife_variance
from ..measures import measure_of
from ..quantiles import t_quantile
from ..units.annotator_sample import gamma_for_new_annotators
from ..units.expected_disorder_by_document import SAMPLES_A_DOCUMENT, chance_influences
from ..units.expected_documents import Expectation, expected_per_document
from ..units.gamma import GAMMA_2015, compute_expectation, gamma
from ..units.gamma_settings import GammaSettings, set_mean_length
from ..units.observed import Observed, count_disorder
from .label_pilot import require_variance
from .planning import PilotVariance
from .planning_error import GROUPS, leave_out_each_group

PLANNING = GammaSettings(precision=0.02, replicates=0)
_MOST_SAMPLES = 2_000  # samples for the documents' influences, per draw of annotators


@dataclass(frozen=True, slots=True, eq=False)
class UnitPilot:
    """Counts of a pilot, or of some of its documents, from which plans are made.

    sums      for each number of annotators a float64 (R, D, 2) over R draws: Σ disorder, and Σ
              weight · expected with the document's influence on chance; nan for documents with
              fewer annotators
    alone     float64 (A, D, 2): the same without each annotator; empty unless there are at least
              three and all annotated every document
    n_units   float64 (D,): mean number of units per annotator
    """

    sums: dict[int, Floats]
    alone: Floats
    n_units: Floats

    @property
    def n_documents(self) -> int:
        return self.n_units.shape[0]

    def variance(self, kept: Flags | None = None) -> PilotVariance:
        """Return V(a) and γ of the documents in `kept`. Raises MetricsError if nothing varies."""
        kept = np.ones(self.n_documents, dtype=np.bool_) if kept is None else kept
        sizes, variances, values = [], [], []
        for a, sums in self.sums.items():
            found = [_gamma_and_variance(draw) for draw in sums[:, kept]]
            known = [(gamma, v) for gamma, v in found if math.isfinite(v)]
            if known:
                sizes.append(a)
                values.append(float(np.mean([gamma for gamma, _ in known])))
                variances.append(float(np.mean([v for _, v in known])))
        require_variance(variances)
        n = self.alone.shape[0]
        without = np.array([_gamma_and_variance(sums[kept])[0] for sums in self.alone])
        of_annotators = n * jackknife_variance(without) if n > 2 else math.nan
        annotators, variance = np.array(sizes, dtype=np.int64), np.array(variances)
        return PilotVariance(
            measure="gamma",
            value=values[-1],
            annotators=annotators,
            variance=variance,
            of_annotators=of_annotators,
            n_documents=int(kept.sum()),
            items_per_document=float(self.n_units[kept].mean()),
            within=measure_of("gamma").range,
            fewest=measure_of("gamma").fewest,
        )


def unit_pilot(
    continua: Sequence[Continuum],
    dissimilarity: Dissimilarity = GAMMA_2015,
    *,
    settings: GammaSettings = PLANNING,
    draws: int = 10,
) -> UnitPilot:
    """Count a pilot. Raises MetricsError with fewer than two documents of two annotators."""
    pilot = [c for c in in_one_order(continua) if c.n_annotators >= 2]
    if len(pilot) < 2:
        raise MetricsError(
            f"a pilot of units needs two documents of two annotators; found {len(pilot)}"
        )
    dissimilarity = set_mean_length(dissimilarity, corpus_of_continua(pilot, measure="γ"))
    sizes = [c.n_annotators for c in pilot]
    sums: dict[int, Floats] = {}
    for a in range(2, max(sizes) + 1):
        those = [d for d, n in enumerate(sizes) if n >= a]
        if len(those) < 2:
            break
        several = any(sizes[d] > a for d in those)
        rows = np.full((draws if several else 1, len(pilot), 2), np.nan)
        for r in range(rows.shape[0]):
            rng = np.random.default_rng(trial_seed(f"planning {settings.seed}", f"a={a}", r))
            rows[r, those] = _sums(
                [_random_annotators(pilot[d], a, rng) for d in those], dissimilarity, settings
            )
        sums[a] = rows
    people = pilot[0].annotators
    alone = np.empty((0, len(pilot), 2))
    if len(people) > 2 and all(set(c.annotators) == set(people) for c in pilot):
        without = [
            [c.select_annotators([b for b in people if b != who]) for c in pilot] for who in people
        ]
        expected = compute_expectation(
            corpus_of_continua(without[0], measure="γ"), dissimilarity, settings
        )
        alone = np.stack(
            [_against_chance(count_disorder(parts, dissimilarity), expected) for parts in without]
        )
    n_units = np.array([c.n_units / c.n_annotators for c in pilot])
    return UnitPilot(sums, alone, n_units)


def scale_to_gamma(
    pilot: PilotVariance,
    continua: Sequence[Continuum],
    dissimilarity: Dissimilarity,
    settings: GammaSettings,
    *,
    new_annotators: bool = False,
) -> PilotVariance:
    """Return the pilot with how the interval of its γ differs from the formulas of the plan.

    new_annotators  whether intervals for new annotators are planned

    The pilot then has γ's value, and the plan of a campaign like the pilot the width of γ's
    interval. The formulas of a pilot without an interval are kept as they are.
    """
    result = gamma(continua, dissimilarity, settings)
    value, n = result.corpus, pilot.n_documents
    pilot = replace(pilot, value=value.value)
    width = value.interval[1] - value.interval[0]
    if not math.isfinite(width):
        return pilot
    half = t_quantile(n - 1, (1 + settings.confidence_level) / 2) * math.sqrt(
        pilot.variance[-1] / n
    )
    ratio = width / (2 * half)
    of_annotators = pilot.of_annotators
    if new_annotators:
        widened = gamma_for_new_annotators(
            value, continua, result.expected, dissimilarity, settings
        )
        error = widened.detail.standard_error_annotators
        of_annotators = math.nan if error is None else pilot.n_annotators * error**2
    return replace(
        pilot,
        of_annotators=of_annotators,
        stretch=np.array([ratio]),
        error_ratio=np.array([ratio**2]),
    )


def unit_pilots_without_each_group(
    pilot: UnitPilot, *, study: str = "planning", groups: int = GROUPS
) -> tuple[PilotVariance | None, ...]:
    """Return the pilot without each of `groups` random groups of documents in turn."""
    return leave_out_each_group(np.arange(pilot.n_documents), pilot.variance, study, groups)


def _random_annotators(continuum: Continuum, a: int, rng: np.random.Generator) -> Continuum:
    if continuum.n_annotators == a:
        return continuum
    chosen = rng.permutation(continuum.n_annotators)[:a]
    return continuum.select_annotators([continuum.annotators[k] for k in chosen])


def _sums(
    parts: Sequence[Continuum], dissimilarity: Dissimilarity, settings: GammaSettings
) -> Floats:
    counts, corpus = count_disorder(parts, dissimilarity), corpus_of_continua(parts, measure="γ")
    wanted = min(SAMPLES_A_DOCUMENT * len(parts), _MOST_SAMPLES)
    settings = replace(settings, min_samples=max(settings.min_samples, wanted))
    expected = compute_expectation(corpus, dissimilarity, settings)
    influences = chance_influences(corpus, counts, expected, study=settings.seed)
    return _against_chance(counts, expected, influences)


def _against_chance(
    counts: Observed, expected: Expectation, influences: Floats | None = None
) -> Floats:
    rows = expected_per_document(counts, expected, influences)
    return np.column_stack([counts.totals, rows.chances])


def _gamma_and_variance(sums: Floats) -> tuple[float, float]:
    """γ and its variance per document, from (D, 2); nan below two documents or without chance."""
    known = sums[np.isfinite(sums[:, 0])]
    chance = float(known[:, 1].sum())
    if known.shape[0] < 2 or not chance > 0:
        return math.nan, math.nan
    ratio = float(known[:, 0].sum()) / chance
    residuals = known[:, 0] - ratio * known[:, 1]
    n = known.shape[0]
    return 1.0 - ratio, n * n / (n - 1) * float((residuals**2).sum()) / chance**2
