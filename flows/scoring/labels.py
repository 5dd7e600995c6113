"""Scores of labels: accuracy, precision, recall, F, p_o with distances, baselines, segmentation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import numpy as np

from data.label_sets import set_name
from flows.scoring.scores import Compared, Options, Scores
from flows.scoring.segments import of_labels, score_segments
from flows.scoring.sides import Work
from metrics.agreement.distances import require_order
from metrics.scoring import accuracy as labels
from metrics.scoring.baseline import majority_class, observed_agreement, reference_by_itself
from metrics.scoring.rates import (
    Average,
    Rate,
    precision_recall_f,
    rate_statistic,
    rates_by_category,
)
from metrics.scoring.ratio import ratio

_AVERAGES: tuple[Average, ...] = ("micro", "macro")
_RATES: tuple[Rate, ...] = ("precision", "recall", "f")


def score_labels(gold: Work, systems: Mapping[str, Work], options: Options, result: Scores) -> None:
    """Add the scores of every system's labels of the reference's items."""
    from tasks.validity.distances import direct_distances

    keys = [key for key in gold.labels if key[0] in gold.documents]
    categories = {gold.labels[key] for key in keys}
    categories |= {label for work in systems.values() for label in work.labels.values()}
    declared = tuple(set_name([label]) for label in options.tagset)
    tagset = replace(options, tagset=declared).tagset_of(categories)
    if not options.tagset:
        require_order(tagset, options.distance, declare="--tagset")
    code = {category: k for k, category in enumerate(tagset)}
    homes = {document: d for d, document in enumerate(gold.documents)}
    documents = np.array([homes[document] for document, _ in keys]) if len(homes) > 1 else None
    reference = np.array([code[gold.labels[key]] for key in keys], dtype=np.int64)
    distances = direct_distances(
        options.distance, tagset, np.bincount(reference, minlength=len(tagset))
    )
    counts = None
    for name, work in systems.items():
        codes = np.array(
            [code[work.labels[key]] if key in work.labels else -1 for key in keys], dtype=np.int64
        )
        counts = labels.score_labels(reference, codes, tagset=tagset, documents=documents)
        _rates(name, counts, options, result)
        result.add(
            options,
            name,
            observed_agreement(
                reference,
                codes,
                tagset=tagset,
                distances=distances,
                documents=documents,
                **options.sampling(),
            ),
        )
        confusion = counts.confusion
        correct = int(np.trace(confusion[:, :-1]))
        result.errors[name] = {
            "correct": correct,
            "wrong_category": int(confusion[:, :-1].sum()) - correct,
            "missed": int(confusion[:, -1].sum()),
            "not_in_reference": sum(key not in gold.labels for key in work.labels),
        }
    if counts is not None:
        result.add(options, "", majority_class(counts, **options.sampling()))
        result.add(
            options,
            "",
            reference_by_itself(
                counts.categories.reference,
                distances=distances,
                rows=counts.categories.rows,
                **options.sampling(),
            ),
        )
    score_segments(partial(of_labels, gold), systems, options, result)


def _rates(name: str, counts: labels.LabelCounts, options: Options, result: Scores) -> None:
    result.add(options, name, labels.accuracy(counts, **options.sampling()))
    for average in _AVERAGES:
        rates = precision_recall_f(counts.categories, average=average, **options.sampling())
        for rate in _RATES:
            estimate = getattr(rates, rate)
            if average == "macro":
                estimate = replace(estimate, measure=f"macro_{rate}")
            result.add(options, name, estimate)
    for category, rates in rates_by_category(counts.categories, **options.sampling()).items():
        for rate in _RATES:
            result.add(options, name, getattr(rates, rate), category)
    compared: dict[str, Compared] = {
        "accuracy": Compared(labels.accuracy_counts(counts), ratio),
        "f": Compared(
            counts.categories.stacked(pooled=True), rate_statistic("f", tagset=counts.tagset)
        ),
        "macro_f": Compared(
            counts.categories.stacked(),
            rate_statistic("f", tagset=counts.tagset, average="macro"),
        ),
    }
    for measure, one in compared.items():
        if (options.measures and options.wants(measure)) or measure == "accuracy":
            result.compared.setdefault(measure, {})[name] = one
