"""Drift of a system: its corrections by batch and period, and whether they differ."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ...metrics.arrays import Flags, Ints
from ...metrics.prevalence.judge_drift import judge_drift_p_value
from ...metrics.prevalence.prevalence_options import PrevalenceOptions
from ...reports import results as page
from .corpus_estimates import system_estimates
from .corpus_labels import CorpusLabels

MOST_PARTS = 24  # the last ones


@dataclass(frozen=True)
class CorpusParts:
    """Batches or periods of a corpus.

    kind   batch | time
    names  in order
    part   int (N,): part of each item, -1 if unknown
    """

    kind: str
    names: tuple[str, ...]
    part: Ints


def judge_drift(
    labels: CorpusLabels, system: str, parts: CorpusParts, options: PrevalenceOptions
) -> page.JudgeDrift | None:
    """Correct each part by its own audit, and test whether the system errs alike in all.

    None if fewer than two parts have audited items.
    """
    is_audited = (labels.human >= 0) & (parts.part >= 0)
    part = parts.part[is_audited]
    if len(np.unique(part)) < 2:
        return None
    p_value = judge_drift_p_value(
        labels.systems[system][is_audited],
        labels.human[is_audited],
        part,
        documents=labels.documents[is_audited]
        if options.drawn_by == "document" and labels.documents is not None
        else None,
    )
    own = replace(options, measures=("share",), textbook=False, wanted_width=None)
    alone = replace(labels, systems={system: labels.systems[system]})
    first = max(0, len(parts.names) - MOST_PARTS)
    return page.JudgeDrift(
        kind=parts.kind,
        p_value=p_value,
        parts=[
            _part(alone, name, parts.part == first + k, own)
            for k, name in enumerate(parts.names[first:])
        ],
    )


def _part(
    labels: CorpusLabels, name: str, chosen: Flags, options: PrevalenceOptions
) -> page.PartShares:
    some = labels.select_items(chosen)
    n_audited = int((some.human >= 0).sum())
    if not n_audited:
        return page.PartShares(name=name, n_items=some.n_items, n_audited=0)
    [found] = system_estimates(some, options)
    return page.PartShares(
        name=name,
        n_items=some.n_items,
        n_audited=n_audited,
        shares={one.category: page.Corrected.from_measured(one) for one in found.shares},
    )
