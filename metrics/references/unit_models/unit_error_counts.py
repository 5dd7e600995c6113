"""Errors of each annotator relative to the consensus: counts by kind of error and category."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...alignment.continuum import Continuum
from ...arrays import Floats, Ints
from ...results import AnnotatorReliability

_KINDS = 5  # exact, boundary, confused, spurious, missed


def count_errors_of_annotators(
    documents: Sequence[Continuum],
    results: Sequence[Floats],
    annotators: Sequence[str],
    reliability: Floats,
    tagset: Sequence[str],
) -> tuple[AnnotatorReliability, ...]:
    """Count the errors of each annotator in all categories, then in each category that occurs.

    results  for each document float64 (M, 3): start, end and category of the consensus units
    """
    counts = np.zeros((len(annotators), len(tagset) + 1, _KINDS), dtype=np.int64)
    number_of = {name: a for a, name in enumerate(annotators)}
    for continuum, found in zip(documents, results, strict=True):
        for a, name in enumerate(continuum.annotators):
            if name in number_of:
                _add_document(counts[number_of[name]], continuum, a, found)
    n_units = counts[:, :, :-1].sum(axis=(0, 2)) + counts[:, :, -1].sum(axis=0)
    names = [*tagset, ""]
    rows = []
    for a, name in enumerate(annotators):
        own = counts[a].sum(axis=0).tolist()
        weight = counts[a, :, :4].sum(axis=1)
        mean = np.average(reliability[a], weights=weight) if weight.any() else reliability[a].mean()
        rows.append(AnnotatorReliability(name, "", float(mean), sum(own[:4]), *own))
        if (n_units > 0).sum() > 1:
            for k in np.nonzero(n_units)[0].tolist():
                if names[k]:
                    of_category = counts[a, k].tolist()
                    f = float(reliability[a, k])
                    rows.append(
                        AnnotatorReliability(name, names[k], f, sum(of_category[:4]), *of_category)
                    )
    return tuple(rows)


def _add_document(counts: Ints, continuum: Continuum, annotator: int, found: Floats) -> None:
    """Add a document of one annotator to the counts (K + 1, 5); the last row is for no category."""
    mine = continuum.owners == annotator
    starts, ends = continuum.starts[mine], continuum.ends[mine]
    codes = continuum.categories[mine]
    overlap = (starts[:, None] < found[:, 1]) & (ends[:, None] > found[:, 0])
    alike = codes[:, None] == found[:, 2]
    equal = (starts[:, None] == found[:, 0]) & (ends[:, None] == found[:, 1])
    exact = (alike & equal).any(axis=1)
    near = (alike & overlap).any(axis=1) & ~exact
    other = overlap.any(axis=1) & ~near & ~exact
    for kind, chosen in enumerate((exact, near, other, ~overlap.any(axis=1))):
        np.add.at(counts[:, kind], codes[chosen], 1)
    np.add.at(counts[:, 4], found[~overlap.any(axis=0), 2].astype(np.int64), 1)
