"""Aickin's α (1990): the share of items labelled alike for cause rather than by chance.

The constant-predictive-probability model: a share α of the items is easy and all annotators agree
on them; on the other items each annotator a draws from their own distribution p_a. Setting the
derivatives of the likelihood to 0 gives, with q_k = Π_a p_ak and p_e = Σ q_k,

    α = (p_o − p_e)/(1 − p_e),   p_ak = m_ak / ((1 − α) + α Π_{b≠a} p_bk / p_e)

where m_ak is the observed proportion; the iteration starts from p = m (Aickin 1990, stated for two
annotators and written here for any number). p_o is the share of items on which *all* annotators
agree, over the items that all of them labelled. With A > 2 annotators the plain iteration may
oscillate between two points, so each step goes 1/(A − 1) of the way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...arrays import Floats, divide
from .coefficient import Coefficient, Disagreements, declares_coefficients

if TYPE_CHECKING:
    from ..sums import Sums
    from .spread import Spread

MAX_STEPS = 2_000
TOLERANCE = 1e-11


@declares_coefficients(
    Coefficient(
        name="aickin_alpha",
        symbol="α",
        sources=("aickin1990",),
        complete_items=True,
        published_variance=False,
    )
)
def aickin(sums: Sums, spread: Spread) -> Disagreements:
    """Return 1 − p_o and 1 − p_e, (B,). The distances are not used: the model is nominal."""
    del spread
    n = sums.n_complete
    m = divide(sums.complete, n[:, None, None])
    observed = divide(sums.n_unanimous, n)
    p = m.copy()
    # With perfect agreement α = 1 whatever p_e is: keep the observed distributions.
    moving = np.nonzero(observed < 1)[0]
    alpha = np.zeros(n.shape)
    for _ in range(MAX_STEPS):
        if moving.size == 0:
            break
        some = p[moving]
        expected = some.prod(axis=1).sum(axis=1)
        new = divide(observed[moving] - expected, 1 - expected)
        others = _product_of_others(some)
        below = (1 - new)[:, None, None] + divide(new, expected)[:, None, None] * others
        target = np.where(below > 0, m[moving] / np.where(below > 0, below, 1), some)
        target /= target.sum(axis=2, keepdims=True)
        p[moving] = some + (target - some) / max(1, p.shape[1] - 1)
        still = np.abs(new - alpha[moving]) > TOLERANCE
        alpha[moving] = new
        moving = moving[still]
    return 1 - observed, 1 - p.prod(axis=1).sum(axis=1)


def _product_of_others(p: Floats) -> Floats:
    """Return Π_{b≠a} p_bk for p (B, A, K), without dividing by values that may be 0."""
    before = np.ones_like(p)
    after = np.ones_like(p)
    before[:, 1:] = np.cumprod(p[:, :-1], axis=1)
    after[:, :-1] = np.cumprod(p[:, :0:-1], axis=1)[:, ::-1]
    return before * after
