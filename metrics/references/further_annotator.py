"""The label of a further annotator: predicted, and checked on annotators who are held out.

A reference label has no probability to be right, because errors that annotators share cannot be
seen in their labels: posteriors of models of annotators, who are taken to err independently, are
near 1 where a sixth of the labels is wrong. What the labels do show is how probable it is that one
more annotator of the same kind gives this label, the *predicted agreement*. It mixes two
predictions:

| prediction | distribution of the further label |
|---|---|
| votes | labels of the item, shrunk to those of all items (Dirichlet-multinomial) |
| model | labels that all annotators together give to the class of the item (Dawid & Skene 1979) |

Only the model knows which annotators err. Its share in the mixture is the one under which held-out
annotators are predicted best (logarithmic score; a linear opinion pool, Stone 1961); rules that
count votes use the votes alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..agreement.label_matrix import LabelMatrix
from ..arrays import Flags, Floats, Ints
from ..dirichlet_multinomial import fit_dirichlet, posterior_means
from ..distribution_scores import FLOOR, raise_to_floor
from .label_list import LabelList, thin_items
from .label_models.dawid_skene import POOLED_STRENGTH, dawid_skene

MOST_FITS = 20  # groups of held-out annotators; with fewer annotators, one by one
MOST_COMPARED = 10_000  # labels that choose the share of the model
_SHARES = np.linspace(0, 1, 21)
_ROUNDS, _TOLERANCE = 50, 1e-5


@dataclass(frozen=True, slots=True, eq=False)
class HeldOutLabels:
    """R labels of annotators who were held out, with their predictions from the other annotators.

    items      (R,): the item of each label
    predicted  float64 (R, K): distribution predicted for its item
    overall    float64 (R, K): shares of all labels of the others
    codes      int64 (R,): the label
    """

    items: Ints
    predicted: Floats
    overall: Floats
    codes: Ints

    @property
    def of_given(self) -> Floats:
        """Probability that was predicted for the label given, (R,)."""
        given: Floats = self.predicted[np.arange(self.codes.size), self.codes]
        return given


def predicted_agreement(
    matrix: LabelMatrix,
    codes: NDArray[np.integer],
    *,
    weighs_annotators: bool,
    seed: int = 0,
) -> Floats:
    """Return P(a further annotator gives label `codes` to the item), float64 (N,) in [0, 1].

    codes              (N,): the reference's label of each item, -1 for none
    weighs_annotators  whether the rule of the reference weighs annotators, not only their votes
    seed               of the groups of annotators who are held out

    nan for items without a reference label, and everywhere if no item has two labels. It is
    calibrated for annotators like these; it is no probability that the label is right.
    """
    counts = matrix.counts()
    out = np.full(len(codes), np.nan)
    if counts.sum(axis=1).max(initial=0) < 2:
        return out
    share = model_share(matrix, seed=seed) if weighs_annotators else 0.0
    found = (1 - share) * predict_by_votes(matrix)
    if share:
        found += share * predict_by_model(matrix)
    given = np.flatnonzero(np.asarray(codes) >= 0)
    out[given] = found[given, codes[given]]
    return out


def model_share(matrix: LabelMatrix, *, seed: int = 0) -> float:
    """Return the share of the model under which held-out labels are most probable, in [0, 1].

    0 if nobody can be held out, or with one category. At most `MOST_COMPARED` labels are used.
    """
    matrix = thin_items(matrix, MOST_COMPARED)
    if len(matrix.tagset) < 2 or matrix.n_annotators < 2:
        return 0.0
    votes = hold_out_annotators(matrix, predict_by_votes, seed=seed).of_given
    model = hold_out_annotators(matrix, predict_by_model, seed=seed).of_given
    scores = [np.log((1 - share) * votes + share * model).sum() for share in _SHARES]
    return float(_SHARES[int(np.argmax(scores))])


def predict_by_votes(matrix: LabelMatrix) -> Floats:
    """Distribution of a further label of each item, float64 (N, K), from its votes."""
    counts = matrix.counts()
    return posterior_means(counts, fit_dirichlet(counts))


def predict_by_model(matrix: LabelMatrix) -> Floats:
    """The same from the model; items without a label have the shares of all classes."""
    labels = LabelList.from_labels(matrix, rule="consensus")
    made = dawid_skene(labels, strength=POOLED_STRENGTH, max_rounds=_ROUNDS, tolerance=_TOLERANCE)
    posterior = np.where(np.isnan(made.posterior), made.prevalence, made.posterior)
    return labels_of_classes(labels, posterior)


def labels_of_classes(labels: LabelList, posterior: Floats) -> Floats:
    """Distribution of a further label, (N, K), for posteriors (N, K) of the items' classes."""
    answers = np.zeros((len(labels.tagset), len(labels.tagset)))
    np.add.at(answers.T, labels.codes, posterior[labels.items])
    answers += FLOOR  # for classes without items
    return np.asarray(posterior @ (answers / answers.sum(axis=1, keepdims=True)), dtype=np.float64)


def hold_out_annotators(
    matrix: LabelMatrix, predict: Callable[[LabelMatrix], Floats], *, seed: int = 0
) -> HeldOutLabels:
    """Predict the labels of annotators from the others, one by one or in `MOST_FITS` groups.

    predict  labels of the other annotators → distributions (N, K)

    Only items that others labelled count. Probabilities below `FLOOR` are raised to it.
    """
    n_fits = min(matrix.n_annotators, MOST_FITS)
    rng = np.random.default_rng(seed)
    group_of = rng.permutation(np.arange(matrix.n_annotators) % n_fits)
    parts = [_predictions_of_group(matrix, group_of == group, predict) for group in range(n_fits)]
    return HeldOutLabels(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _predictions_of_group(
    matrix: LabelMatrix, left_out: Flags, predict: Callable[[LabelMatrix], Floats]
) -> tuple[Ints, Floats, Floats, Ints]:
    """For each held-out label: its item, predicted distribution, overall distribution, and code."""
    rest = matrix.select_annotators(np.flatnonzero(~left_out).tolist())
    width = len(matrix.tagset)
    if not rest.n_annotators or not (rest.codes >= 0).any():
        none = np.empty(0, dtype=np.int64)
        return none, np.empty((0, width)), np.empty((0, width)), none
    counts = rest.counts()
    labelled = counts.sum(axis=1) > 0
    given = np.where(left_out[None, :] & labelled[:, None], matrix.codes, -1)
    rows, columns = np.nonzero(given >= 0)
    of_all = np.broadcast_to(counts.sum(axis=0) / counts.sum(), (rows.size, width))
    return (
        rows,
        raise_to_floor(predict(rest)[rows]),
        raise_to_floor(of_all),
        given[rows, columns].astype(np.int64),
    )
