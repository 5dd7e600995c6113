"""Which model of annotators the labels support: held-out log-loss of five models.

The labels are cut into folds. From the labels of the other folds a model estimates each item's
category and each annotator's rates; with both it predicts the labels of the fold. The loss is
−log P(label), so a model that knows how annotators differ gains, and one that takes noise for
differences loses. No gold is needed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ...agreement.label_matrix import LabelMatrix
from ...arrays import Flags, Floats, Ints, divide
from ...results import LabelModel
from ..label_list import LabelList
from .dawid_skene import (
    POOLED_STRENGTH,
    annotator_confusion_rates,
    consensus_of_labels,
    dawid_skene,
    is_crowd_of_few_labels,
)
from .glad import glad
from .mace import mace
from .model_reference import ModelReference, labels_to_fit

_UNEXPECTED = 0.01  # share of uniform labels that every model is given: no label has probability 0
_SUPPORT = 2.0  # standard errors within which a model is as well supported as the best


def compare_label_models(
    labels: LabelMatrix | LabelList, *, folds: int = 5, seed: int = 0
) -> tuple[LabelModel, ...]:
    """Fits of majority (all annotators err alike), Dawid–Skene, its partially pooled form
    (`consensus`), GLAD and MACE, the best first.

    folds  parts into which the labels are drawn with `seed`
    Raises MetricsError without labels or with fewer than two categories, RoleError when an
    annotator is not human.
    """
    given = labels_to_fit(labels, "the comparison of models", folds=folds)
    one_coin = is_crowd_of_few_labels(given)
    predictions = _PREDICTIONS | {"consensus": _predict_by_rates(POOLED_STRENGTH, one_coin)}
    fold = np.random.default_rng(seed).permutation(len(given)) % folds
    losses = {rule: np.zeros(len(given)) for rule in _PREDICTIONS}
    uniform = _UNEXPECTED / len(given.tagset)
    for number in range(folds):
        out = fold == number
        if not out.any() or out.all():
            continue
        train = _labels_where(given, ~out)
        for rule, predict in predictions.items():
            p = predict(train, given.items[out], given.annotators[out], given.codes[out])
            losses[rule][out] = -np.log((1 - _UNEXPECTED) * p + uniform)
    best = min(losses, key=lambda rule: float(losses[rule].mean()))
    fits = [_summarise_losses(rule, loss, losses[best], given) for rule, loss in losses.items()]
    return tuple(sorted(fits, key=lambda one: one.log_loss))


def best_held_out_model(labels: LabelMatrix | LabelList) -> ModelReference | None:
    """Fit the model with the least held-out log-loss; None where that is the majority.

    Its reference has the name of the comparison as its rule. Errors as `compare_label_models`.
    """
    rule = compare_label_models(labels)[0].rule
    if rule not in _FITS:
        return None
    made = _FITS[rule](labels)
    return replace(made, reference=replace(made.reference, rule=rule))


def _summarise_losses(rule: str, loss: Floats, best: Floats, given: LabelList) -> LabelModel:
    n = np.bincount(given.annotators, minlength=len(given.annotator_names))
    total = np.bincount(given.annotators, loss, len(given.annotator_names))
    mean = divide(total, n)
    excess = loss - best
    by_item = np.bincount(given.items, excess - excess.mean(), given.n_items)
    error = float(np.sqrt((by_item**2).sum()) / len(given))
    more, names = float(excess.mean()), given.annotator_names
    by_annotator = dict(zip(names, mean.tolist(), strict=True))
    return LabelModel(rule, float(loss.mean()), more, error, more <= _SUPPORT * error, by_annotator)


def _labels_where(given: LabelList, chosen: Flags) -> LabelList:
    return LabelList(
        given.items[chosen],
        given.annotators[chosen],
        given.codes[chosen],
        given.n_items,
        given.annotator_names,
        given.tagset,
    )


_Predict = Callable[[LabelList, Ints, Ints, Ints], Floats]


def _posterior_or_prevalence(posterior: Floats, prevalence: Floats) -> Floats:
    """Posteriors, and the prevalence of items without a label in the other folds."""
    return np.where(np.isnan(posterior), prevalence, posterior)


def _majority_posterior(train: LabelList, items: Ints, _: Ints, codes: Ints) -> Floats:
    shares = train.vote_shares()
    labelled = train.has_label()
    shares[~labelled] = shares[labelled].mean(axis=0)
    rates = annotator_confusion_rates(train, shares, 0.0)
    n = np.bincount(train.annotators, minlength=rates.shape[0])
    common = np.average(rates, axis=0, weights=n)
    predicted: Floats = (shares[items] * common[:, codes].T).sum(axis=1)
    return predicted


def _predict_by_rates(strength: float, one_coin: bool = False) -> _Predict:
    def predict(train: LabelList, items: Ints, annotators: Ints, codes: Ints) -> Floats:
        made = dawid_skene(train, strength=strength, one_coin=one_coin)
        classes = _posterior_or_prevalence(made.posterior, made.prevalence)[items]
        rates = made.parameters["rates"][annotators, :, codes]
        predicted: Floats = (classes * rates).sum(axis=1)
        return predicted

    return predict


def _glad_posterior(train: LabelList, items: Ints, annotators: Ints, codes: Ints) -> Floats:
    made = glad(train)
    right = _posterior_or_prevalence(made.posterior, made.prevalence)[items, codes]
    ease = made.parameters["ability"][annotators] * made.parameters["ease"][items]
    known = np.exp(-np.logaddexp(0, -ease))
    wrong = (1 - known) / (len(train.tagset) - 1)
    predicted: Floats = right * known + (1 - right) * wrong
    return predicted


def _mace_posterior(train: LabelList, items: Ints, annotators: Ints, codes: Ints) -> Floats:
    made = mace(train)
    right = _posterior_or_prevalence(made.posterior, made.prevalence)[items, codes]
    competence = made.parameters["competence"][annotators]
    spam = made.parameters["spam"][annotators, codes]
    predicted: Floats = competence * right + (1 - competence) * spam
    return predicted


_PREDICTIONS: dict[str, _Predict] = {
    "majority": _majority_posterior,
    "dawid_skene": _predict_by_rates(0.0),
    "consensus": _predict_by_rates(POOLED_STRENGTH),
    "glad": _glad_posterior,
    "mace": _mace_posterior,
}
_FITS: dict[str, Callable[[LabelMatrix | LabelList], ModelReference]] = {
    "dawid_skene": dawid_skene,
    "consensus": consensus_of_labels,
    "glad": glad,
    "mace": mace,
}
