"""Distances between transcriptions and other free texts: errors in words or characters.

The distance is the least cost of edits that turn one text into the other (Levenshtein 1966), over
the largest cost that texts of these lengths can have. With edits of equal cost this divisor is the
length of the longer text, so that the distance is symmetric and between 0 and 1. The word error
rate against a reference, which divides by the length of the reference, is neither. Because the
divisor differs from pair to pair, the triangle inequality does not hold.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import partial
from typing import Literal

import numpy as np

from ...arrays import Floats, divide
from ..object_distance import ObjectDistance, ObjectKind

Text = str | list[str]  # of characters or of words
Part = Literal["word", "character"]
UnicodeForm = Literal["NFC", "NFD", "NFKC", "NFKD"]
_SOURCE = (
    "Levenshtein 1966; as word error rate Morris, Maier & Green 2004, with the longer text "
    "in place of the reference"
)


def text_error(
    name: str,
    part: Part,
    *,
    ignore_case: bool = False,
    ignore_punctuation: bool = False,
    unicode_form: UnicodeForm = "NFC",
    substitution: int = 1,
) -> ObjectDistance:
    """Make a distance between texts that counts edits of words or of characters (code points).

    name                as commands and settings write the distance
    part                what is inserted, deleted or substituted: words between blanks, or
                        characters, where a run of blanks counts as one
    ignore_case         compare without case (Unicode's case folding)
    ignore_punctuation  compare without punctuation and symbols inside and around words
    unicode_form        normal form that texts are brought to; NFKC also unites look-alikes such as
                        full-width letters and ligatures
    substitution        its cost, where an insertion or a deletion costs 1: with 2 or more, two
                        texts differ by what is not in their longest common subsequence

    Two empty texts have distance 0. Raises ValueError for a substitution below 1.
    """
    if substitution < 1:
        raise ValueError(f"substitution must be at least 1, not {substitution}")
    read = partial(
        _words_or_characters,
        part=part,
        ignore_case=ignore_case,
        ignore_punctuation=ignore_punctuation,
        unicode_form=unicode_form,
    )
    return ObjectDistance(
        name=name,
        read=read,
        distances=partial(_error_shares, substitution=substitution),
        compares_items=True,
        metric=False,
        is_text=True,
        largest=1.0,
        source=_SOURCE,
        kind=ObjectKind.text,
    )


def _words_or_characters(
    text: str,
    *,
    part: Part,
    ignore_case: bool,
    ignore_punctuation: bool,
    unicode_form: UnicodeForm,
) -> Text:
    """Return the text's words, or its characters as one string."""
    if ignore_case:
        text = text.casefold()
    text = unicodedata.normalize(unicode_form, text)
    if ignore_punctuation:
        text = "".join(one for one in text if unicodedata.category(one)[0] not in "PS")
    words = text.split()
    return words if part == "word" else " ".join(words)


def _error_shares(first: Sequence[Text], second: Sequence[Text], *, substitution: int) -> Floats:
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cpdist

    weights = (1, 1, substitution)
    costs = cpdist(first, second, scorer=Levenshtein.distance, scorer_kwargs={"weights": weights})
    lengths = np.array([[*map(len, first)], [*map(len, second)]], dtype=np.int64)
    shorter, longer = lengths.min(axis=0), lengths.max(axis=0)
    largest = longer - shorter + shorter * min(substitution, 2)
    return np.nan_to_num(divide(costs.astype(np.float64), largest))


WORD_ERROR = text_error("word_error", "word")
CHARACTER_ERROR = text_error("character_error", "character")
WORD_ERROR_NORMALISED = text_error(
    "word_error_normalised", "word", ignore_case=True, ignore_punctuation=True, unicode_form="NFKC"
)
CHARACTER_ERROR_NORMALISED = text_error(
    "character_error_normalised",
    "character",
    ignore_case=True,
    ignore_punctuation=True,
    unicode_form="NFKC",
)
