"""Percent agreement, S, π and κ: one observed agreement, four models of chance.

    value = (p_o − p_e) / (1 − p_e), computed as 1 − D_o/D_e with D = 1 − p

* S: categories are drawn uniformly from the tagset (Bennett, Alpert & Goldstein 1954; Brennan &
  Prediger 1981; Randolph 2005 for many annotators). An unused category changes it.
* π: from the distribution of all annotators together (Scott 1955; Fleiss 1971 for many).
* κ: from the distribution of each annotator (Cohen 1960; Davies & Fleiss 1982 and Conger 1980 for
  many, averaged over pairs of annotators; Hubert 1977, from the pairs' own tables).

With distances instead of identity: Cohen 1968 and the weighted versions of Gwet 2014. With missing
labels the proportions are Gwet's (2014, chapter 2): those of π are the mean over items of n_ik/n_i,
those of κ each annotator's own over the items they labelled.

Functions take Sums of B batch elements and the distances between categories (`spread`), and
return arrays (B,): D_o, D_e. Divisions by 0 give nan, which the caller explains.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..sums import Sums
from .spread import Spread

Floats = NDArray[np.float64]
Disagreements = tuple[Floats, Floats]


def divide(top: Floats, bottom: Floats) -> Floats:
    """top / bottom, nan where bottom is 0."""
    top, bottom = np.broadcast_arrays(top, bottom)
    out = np.full(top.shape, np.nan)
    np.divide(top, bottom, out=out, where=bottom != 0)
    return out


def observed_disagreement(sums: Sums, spread: Spread) -> Floats:
    """D_o: mean over items of the mean distance over their ordered pairs of labels."""
    return divide((sums.observed * spread.at(sums.cells)).sum(axis=1), sums.n_paired)


def percent(sums: Sums, spread: Spread) -> Disagreements:
    """No chance model: D_e is 1, so that the value is p_o."""
    observed = observed_disagreement(sums, spread)
    return observed, np.ones_like(observed)


def bennett(sums: Sums, spread: Spread) -> Disagreements:
    """D_e = Σ δ_ck / K² over the declared tagset."""
    observed = observed_disagreement(sums, spread)
    expected = np.asarray(spread.total()) / max(1, sums.n_categories) ** 2
    return observed, np.broadcast_to(expected, observed.shape).astype(np.float64)


def fleiss(sums: Sums, spread: Spread) -> Disagreements:
    """D_e = Σ p_c p_k δ_ck, p_k the mean over labelled items of the share of category k."""
    p = divide(sums.shares, sums.n_labelled[:, None])
    return observed_disagreement(sums, spread), spread.between(p, p)


def conger(sums: Sums, spread: Spread) -> Disagreements:
    """D_e = mean over pairs a ≠ b, among annotators with a label, of Σ p_ac p_bk δ_ck."""
    n_labels = sums.marginals.sum(axis=2)
    active = n_labels > 0
    p = np.where(active[..., None], sums.marginals, 0) / np.maximum(n_labels, 1)[..., None]
    together = p.sum(axis=1)
    everyone = spread.between(together, together)
    selves = spread.between(p, p).sum(axis=1)
    n = active.sum(axis=1)
    n_pairs = (n * (n - 1)).astype(np.float64)
    return observed_disagreement(sums, spread), divide(everyone - selves, n_pairs)


def hubert(sums: Sums, spread: Spread) -> Disagreements:
    """Both means over the pairs of annotators that share an item, from each pair's own table."""
    if sums.confusions is None:
        raise ValueError("Hubert's κ reads the confusion matrices of the pairs")
    tables = sums.confusions
    n = tables.sum(axis=(3, 4))
    shares = tables / np.maximum(n, 1)[..., None, None]
    distance = spread.dense()
    weights = distance if distance.ndim == 2 else distance[:, None, None]
    observed = (shares * weights).sum(axis=(3, 4))
    rows, columns = shares.sum(axis=4), shares.sum(axis=3)
    expected = (rows[..., :, None] * columns[..., None, :] * weights).sum(axis=(3, 4))
    used = (n > 0).sum(axis=(1, 2)).astype(float)
    return divide(observed.sum(axis=(1, 2)), used), divide(expected.sum(axis=(1, 2)), used)
