"""Scores of labels: those of a run, and of segmentations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...data.label_sets import set_name
from ...metrics.agreement.distances import require_order
from .scores import Options, Scores
from .segments import of_labels, score_segments
from .sides import Work


def score_labels(gold: Work, systems: Mapping[str, Work], options: Options, result: Scores) -> None:
    """Add the scores of every system's labels of the reference's items."""
    from ...tasks.validity.label_evaluation import MAIN, LabelSides, evaluate_labels

    works = {"": gold, **systems}
    items = sorted(
        {key for work in works.values() for key in work.labels if key[0] in gold.documents}
    )
    declared = tuple(set_name([label]) for label in options.tagset)
    tagset = replace(options, tagset=declared).tagset_of(
        {label for work in works.values() for label in work.labels.values()}
    )
    if not options.tagset:
        require_order(tagset, options.distance, declare="--tagset")
    code = {category: k for k, category in enumerate(tagset)}
    names = sorted(gold.documents)
    index = {document: d for d, document in enumerate(names)}

    def codes(work: Work) -> NDArray[np.int64]:
        return np.array(
            [code[work.labels[item]] if item in work.labels else -1 for item in items], np.int64
        )

    sides = LabelSides(
        codes(gold),
        {name: codes(work) for name, work in systems.items()},
        np.array([index[document] for document, _ in items], np.int64),
        names,
        tagset,
        options.distance,
    )
    presence = {name: work.presence() for name, work in systems.items()}
    found = evaluate_labels(sides, presence, options.settings(), options.wanted(MAIN))
    result.take(options, found)
    score_segments(of_labels, gold, systems, options, result)
