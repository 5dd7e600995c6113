"""Division of spans into atoms, for the warning beside γ."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ...metrics.agreement.label_matrix import LabelMatrix
from ...metrics.alignment.continuum import UNLABELLED_NAME, Continuum

MOST_ATOMS = 200_000
OUTSIDE = "(no unit)"


def atom_matrix(continua: Sequence[Continuum], annotators: Sequence[str]) -> LabelMatrix:
    """Return one item per character, or per longer piece to keep the number below `MOST_ATOMS`.

    The label of an annotator of the document is the category of their unit over the atom, the last
    to start if several overlap; other annotators have no label. "No category" and "no unit" are
    categories of their own.
    """
    tagset = (*(continua[0].tagset if continua else ()), UNLABELLED_NAME, OUTSIDE)
    lengths = [_length(one) for one in continua]
    width = max(1.0, math.ceil(sum(lengths) / MOST_ATOMS))
    column = {name: a for a, name in enumerate(annotators)}
    parts, documents = [], []
    for d, (continuum, length) in enumerate(zip(continua, lengths, strict=True)):
        codes = np.full((math.ceil(length / width), len(annotators)), -1, dtype=np.int32)
        for name in continuum.annotators:
            codes[:, column[name]] = len(tagset) - 1
        order = np.argsort(continuum.starts, kind="stable")
        firsts = (continuum.starts[order] // width).astype(np.int64).tolist()
        ends = np.ceil(continuum.ends[order] / width).astype(np.int64).tolist()
        given = continuum.categories[order]
        labels = np.where(given >= 0, given, len(tagset) - 2).tolist()
        columns = np.array([column[name] for name in continuum.annotators], dtype=np.int64)
        owners = columns[continuum.owners[order]].tolist()
        for first, end, label, owner in zip(firsts, ends, labels, owners, strict=True):
            codes[first:end, owner] = label
        parts.append(codes)
        documents.append(np.full(codes.shape[0], d, dtype=np.int64))
    empty = np.empty((0, len(annotators)), dtype=np.int32)
    return LabelMatrix(
        codes=np.concatenate([empty, *parts]),
        tagset=tagset,
        annotators=tuple(annotators),
        documents=np.concatenate([np.empty(0, dtype=np.int64), *documents]),
    )


def _length(continuum: Continuum) -> float:
    last = float(continuum.ends.max(initial=0.0))
    return last if math.isnan(continuum.length) else max(last, continuum.length)
