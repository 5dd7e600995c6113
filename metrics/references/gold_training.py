"""Whether known items or documents (gold) train a model of annotators.

Gold that trains a model can make it worse: a few items weigh little beside all others, and a model
that errs fits them at the cost of the rest. The model is therefore trained by gold only if gold
that is held out shows that this helps; else known items are kept as they are, and nothing more.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ..coded_warning import CodedWarning

FEWEST = 10  # known items or documents; fewer cannot show whether they help
_FOLDS = 5
_ERRORS = 2.0  # standard errors of the mean gain, as in the comparison of models


def gold_improves_predictions(
    without: NDArray[np.float64], trained: Callable[[NDArray[np.intp]], NDArray[np.float64]]
) -> bool:
    """Whether gold predicts other gold better, by two standard errors of the mean gain.

    without  float64 (G,): log-loss of each known item or document in a fit without gold
    trained  for some of them (indices), their log-losses in a fit trained by all the others
    """
    n = without.size
    if n < FEWEST:
        return False
    gains = np.empty(n)
    for first in range(_FOLDS):
        fold = np.arange(first, n, _FOLDS)
        gains[fold] = without[fold] - trained(fold)
    return bool(gains.mean() > _ERRORS * gains.std(ddof=1) / np.sqrt(n))


def gold_not_training_warning(is_known: NDArray[np.bool_]) -> CodedWarning:
    """The warning that known items or documents do not train the estimates."""
    return CodedWarning("gold_not_training", {"n": int(is_known.sum())})
