"""Causes that the data cannot tell apart: a batch that is one annotator's, a category only one met.

A part of the campaign, or a category, is confounded with the annotators who take part in almost
every comparison there: a batch that two annotators share with nobody else, a category that occurs
only in what one of them annotated. An annotator is confounded with a part if also almost all of
their comparisons are in it, and with a category if it has most of their disagreement.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .cause import Cause
from .disagreement import Disagreement, DisagreementKind, Part
from .mechanisms import EXPLAINED

_ALMOST_ALL = 0.95  # of the comparisons
_LEAST_OF_OTHERS = 0.25  # uses of a category beside an annotator, as a share of the annotator's
_FEWEST_ANNOTATORS = 3  # of two, both take part in every comparison


def with_confounded(found: Disagreement, cause: Cause) -> Cause:
    """Return a cause that names the part or category, and the annotators confounded with it."""
    if len(found.annotators) < _FEWEST_ANNOTATORS:
        return cause
    if cause.part is not None:
        names = _annotators_of_part(found, cause.part)
        if cause.annotator not in ("", *names):
            return cause
        return replace(cause, annotator="", confounded=names) if names else cause
    if not cause.annotator:
        every = [_annotators_of_category(found, name) for name in cause.kind.categories if name]
        return replace(cause, confounded=max(every, key=len, default=()))
    for part, _ in found.parts:
        names = _annotators_of_part(found, part)
        if cause.annotator in names and _is_within(found, cause.annotator, part):
            return replace(cause, annotator="", part=part, confounded=names)
    for name in filter(None, cause.kind.categories or found.categories):
        names = _annotators_of_category(found, name)
        if cause.annotator in names and _has_most(found, cause, name):
            kind = DisagreementKind(cause.kind.cause, cause.kind.categories or (name,))
            return replace(cause, annotator="", kind=kind, confounded=names)
    return cause


def _annotators_of_part(found: Disagreement, part: Part) -> tuple[str, ...]:
    """Return who takes part in almost every comparison of a part."""
    if part.is_of_strata:
        s, chosen = part.strata_in(found.strata)
        uses = found.strata[s].uses.sum(axis=(0, 2))
        own, whole = uses[:, chosen].sum(axis=1), uses[:, chosen].sum()
    else:
        pairs = found.chances[found.document_groups_in(part)].sum(axis=0)
        own, whole = pairs.sum(axis=0) + pairs.sum(axis=1), pairs.sum()
    almost = (own >= _ALMOST_ALL * whole) & (whole > 0)
    return tuple(found.annotators[a] for a in np.flatnonzero(almost))


def _is_within(found: Disagreement, annotator: str, part: Part) -> bool:
    """Return whether almost all comparisons of an annotator are in a part."""
    a, groups = found.annotators.index(annotator), found.document_groups_in(part)
    own = found.chances[:, a].sum(axis=1) + found.chances[:, :, a].sum(axis=1)
    return bool(own[groups].sum() >= _ALMOST_ALL * own.sum())


def _annotators_of_category(found: Disagreement, category: str) -> tuple[str, ...]:
    """Return who takes part in almost every comparison with a category that others use there."""
    if found.choices is None:
        return ()
    uses = found.choices.uses[..., found.categories.index(category)].sum(axis=0)
    own, beside = uses.sum(axis=1), uses.sum(axis=0)
    almost = (own + beside >= _ALMOST_ALL * uses.sum()) & (beside >= _LEAST_OF_OTHERS * own)
    return tuple(found.annotators[a] for a in np.flatnonzero(almost & (own > 0)))


def _has_most(found: Disagreement, cause: Cause, category: str) -> bool:
    """Return whether a category has most of an annotator's disagreement of the cause's kind."""
    every = found.amounts[found.cells(cause.kind, cause.annotator)].sum()
    has = [category in one.categories and cause.kind.includes(one) for one in found.kinds]
    own = found.cells(cause.kind, cause.annotator) & np.array(has)
    return bool(found.amounts[own].sum() >= EXPLAINED * every)
