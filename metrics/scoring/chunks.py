"""Units from tags of tokens: IOB1, IOB2 and IOBES/BILOU, strict or lenient.

Source: Ramshaw & Marcus 1995; Tjong Kim Sang & Veenstra 1999; the rules of CoNLL-2000's conlleval
for the lenient reading.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import numpy as np

from ..errors import MetricsError
from .units import Units

_BEGINS, _INSIDE, _ENDS, _WHOLE = "B", "IM", "EL", "SUW"


def units_of_tags(
    sentences: Iterable[Sequence[str]],
    *,
    tagset: Sequence[str],
    reading: Literal["lenient", "strict"] = "lenient",
) -> Units:
    """Units in token indices, one document a sentence.

    sentences  tags such as `B-NP`, `I-NP`, `E-NP`, `S-NP`, `O`
    reading    lenient: a chunk begins also where an I or E follows O or another category
               (conlleval); strict: such tags belong to no chunk (IOB2 and IOBES as defined)
    Raises MetricsError for a tag that is not `O` or prefix-category, or a category outside the
    tagset.
    """
    if reading not in ("lenient", "strict"):
        raise MetricsError(f"reading is {reading!r}; it must be 'lenient' or 'strict'")
    code_of = {category: k for k, category in enumerate(tagset)}
    rows: list[tuple[int, int, int, int]] = []
    for sentence, tags in enumerate(sentences):
        rows.extend(
            (sentence, start, end, code_of[category])
            for start, end, category in _chunks(tags, code_of, reading == "lenient")
        )
    table = np.array(rows, dtype=np.int64).reshape(-1, 4)
    return Units(table[:, 0], table[:, 1], table[:, 2], table[:, 3])


def _chunks(
    tags: Sequence[str], known: dict[str, int], lenient: bool
) -> Iterable[tuple[int, int, str]]:
    start, open_category = 0, ""
    for position, tag in enumerate(tags):
        prefix, category = _split(tag, known)
        continues = open_category == category != "" and prefix in _INSIDE + _ENDS
        if open_category and not continues:
            yield start, position, open_category
            open_category = ""
        if category and not continues and (lenient or prefix in _BEGINS + _WHOLE):
            start, open_category = position, category
        if open_category and prefix in _ENDS + _WHOLE:
            yield start, position + 1, open_category
            open_category = ""
    if open_category:
        yield start, len(tags), open_category


def _split(tag: str, known: dict[str, int]) -> tuple[str, str]:
    if tag in ("O", ""):
        return "O", ""
    prefix, _, category = tag.partition("-")
    if prefix not in tuple(_BEGINS + _INSIDE + _ENDS + _WHOLE) or category not in known:
        raise MetricsError(
            f"tag {tag!r} is not O or a prefix B, I, E, S, L, U, M or W, '-' and a category of the "
            f"tagset ({', '.join(known)})"
        )
    return prefix, category
