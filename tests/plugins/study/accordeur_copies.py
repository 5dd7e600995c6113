"""For studies: units with one bound cut off, annotators who copy each other, fewer items."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.metrics.arrays import Ints32
from accordeur.metrics.resampling.grids.corpus_shuffling import AnnotatorUnits, UnitDegradation
from accordeur.metrics.resampling.grids.perfect_campaign import PerfectCampaign
from accordeur.metrics.resampling.synthetic.changed_campaigns import StudyVariable
from accordeur.metrics.resampling.synthetic.synthetic_annotators import ItemProfile, LabelGenerator


def shorten(
    units: AnnotatorUnits, magnitude: float, campaign: PerfectCampaign, rng: np.random.Generator
) -> AnnotatorUnits:
    cut = (rng.random(units.starts.size) < magnitude) / 2
    return replace(units, ends=units.ends - cut * (units.ends - units.starts))


def copies(profile: ItemProfile, n: int, share: float, rng: np.random.Generator) -> Ints32:
    """Draw the labels of one annotator, with a share of errors; all others copy them."""
    codes = profile.reference.astype(np.int32)
    wrong = rng.random(codes.size) < share
    codes[wrong] = (codes[wrong] + 1) % len(profile.tagset)
    return np.repeat(codes[:, None], n, axis=1)


def keep_share(matrix: LabelMatrix, share: float, seed: int) -> LabelMatrix:
    chosen = np.random.default_rng(seed).permutation(matrix.n_items)
    kept = np.sort(chosen[: max(1, round(share * matrix.n_items))])
    documents = None if matrix.documents is None else matrix.documents[kept]
    return replace(matrix, codes=matrix.codes[kept], documents=documents, items=())


SHORTEN = UnitDegradation("shorten", shorten)
COPIES = LabelGenerator("copies", copies)
SHARE_OF_ITEMS = StudyVariable("share_of_items", keep_share)
