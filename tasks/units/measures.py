"""Measures on units by name, for runs and for `accordeur gamma`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...metrics.alignment.continuum import Continuum
from ...metrics.alignment.dissimilarity import Dissimilarity
from ...metrics.estimate import Estimate
from ...metrics.measures import MEASURES
from ...metrics.unitizing.settings import GammaSettings


def unit_estimates(
    measure: str,
    continua: Sequence[Continuum],
    dissimilarity: Dissimilarity,
    settings: GammaSettings,
) -> list[Estimate]:
    """Compute the estimates of a measure on units.

    Raises MetricsError if the units do not allow the measure.
    """
    found = _computed(measure, continua, dissimilarity, settings)
    return [one for one in found if one.measure in MEASURES[measure].gives]


def _computed(
    measure: str,
    continua: Sequence[Continuum],
    dissimilarity: Dissimilarity,
    settings: GammaSettings,
) -> list[Estimate]:
    sampling = settings.arguments
    match measure:
        case "gamma":
            from ...metrics.unitizing.gamma import gamma

            return [gamma(continua, dissimilarity, settings).corpus]
        case "gamma_cat" | "gamma_k":
            from ...metrics.unitizing.gamma_cat import gamma_cat
            from ...metrics.unitizing.observed import align_documents

            alignments = align_documents(continua, dissimilarity)
            category = gamma_cat(continua, alignments, dissimilarity, **sampling)
            return [category.gamma_cat, *category.gamma_k.values()]
        case "alpha_u":
            from ...metrics.unitizing.krippendorff.alpha_u import alpha_u

            return [alpha_u(continua, **sampling).all]
        case "u_alpha" | "u_alpha_binary" | "cu_alpha" | "ku_alpha":
            from ...metrics.unitizing.krippendorff.u_alpha import u_alpha

            family = u_alpha(continua, **sampling)
            return [
                *(family.u_alpha, family.u_alpha_binary, family.cu_alpha),
                *family.ku_alpha.values(),
            ]
        case "holistic" | "holistic_greedy":
            from ...metrics.unitizing.holistic import compare_greedy, holistic

            exact = holistic(continua, dissimilarity, settings=settings)
            if exact.corpus.reason:
                return [replace(exact.corpus, measure=measure)]
            greedy = compare_greedy(continua, exact, dissimilarity, settings=settings)
            return [exact.corpus, greedy.agreement]
        case "soft_gamma":
            from ...metrics.unitizing.gamma import gamma

            asked = replace(settings, objective="soft")
            return [gamma(continua, dissimilarity, asked).corpus]
        case "gamma_cat_empty_pairs":
            from ...metrics.unitizing.gamma import gamma
            from ...metrics.unitizing.gamma_cat_empty_pairs import empty_pairs_beside

            result = gamma(continua, dissimilarity, settings)
            return [empty_pairs_beside(continua, result, dissimilarity, settings)]
    raise ValueError(measure)
