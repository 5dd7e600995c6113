"""Distances between objects of one kind."""

from __future__ import annotations

from ..object_distance import ObjectDistance
from .boxes import BOX_IOU, LABELLED_BOX_IOU
from .rankings import KENDALL_TAU
from .texts import (
    CHARACTER_ERROR,
    CHARACTER_ERROR_NORMALISED,
    WORD_ERROR,
    WORD_ERROR_NORMALISED,
)
from .trees import LAS, TREE_EDIT, TREE_EDIT_SQUARED, UAS

BUILT_IN: tuple[ObjectDistance, ...] = (
    TREE_EDIT,
    TREE_EDIT_SQUARED,
    UAS,
    LAS,
    WORD_ERROR,
    CHARACTER_ERROR,
    WORD_ERROR_NORMALISED,
    CHARACTER_ERROR_NORMALISED,
    KENDALL_TAU,
    BOX_IOU,
    LABELLED_BOX_IOU,
)
