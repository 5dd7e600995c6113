"""Cards of annotators, from data frames."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..data.readers.tables.given import Given
from ..data.schema import Role
from ..metrics.annotator_card import AnnotatorCard
from ..metrics.options import Position
from .frames import Column, Kind, category_order, reading_with_order
from .keyword_options import Rng, make_options, public, seed_of
from .label_tables import Annotators, label_table
from .reading import Data, are_units
from .result import InSentences
from .unit_tables import unit_table


class AnnotatorCards(InSentences):
    """Each annotator beside the others, first whose agreement would gain the most labels.

    ``to_frame`` has a row for each, with intervals.
    """

    def __init__(self, result: Any, kind: Kind = "pandas") -> None:
        self._found, self._kind = result.found, kind
        self._take_account(result)

    @property
    def cards(self) -> dict[str, AnnotatorCard]:
        """Name of the annotator → card.

        A card has ``agreement``, ``others``, ``difference``, ``p_value``, ``differs``,
        ``categories``, ``accuracy``, ``places`` and ``pace``. The interval of a difference is of
        one annotator by themselves; the p-value, on which ``differs`` depends, is corrected for
        their number, and annotators who are not below are compared without those who are: beside
        one far below, equal others are all above, with intervals without 0 and a p-value near 1.
        """
        return {one.annotator: one for one in self._found.cards}

    @property
    def sentences(self) -> list[str]:
        """Who differs from the others beyond chance."""
        from ..reports.annotators import MESSAGES, standing_sentence
        from ..reports.language import Language

        return [standing_sentence(Language("en", MESSAGES), self._found)]

    def _columns(self) -> dict[str, list[Any]]:
        from ..reports.annotators import card_values

        return card_values(self._found)

    def write(self, folder: str | Path, *, annotators: Sequence[str] | None = None) -> list[Path]:
        """Write annotators.csv, and a page for each of the annotators (default: all)."""
        from ..tasks.annotators.card_files import write_cards

        pages = [*self.cards] if annotators is None else annotators
        return write_cards(Path(folder), self._found, pages_of=pages)


@public()
def annotators(
    data: Data,
    *,
    item: Column = "item",
    annotator: Annotators = "annotator",
    label: Column = "label",
    document: Column | None = None,
    start: Column = "start",
    end: Column = "end",
    category: Column | None = "category",
    reference: Sequence[str] = (),
    categories: Sequence[Any] = (),
    position: Position | None = None,
    alpha: float = 1.0,
    beta: float = 1.0,
    delta_empty: float | None = None,
    unlabelled_distance: float = 1.0,
    confidence_level: float = 0.95,
    seed: int = 0,
    rng: Rng | None = None,
) -> AnnotatorCards:
    """Compare each annotator with the others, without their own vote.

    Parameters
    ----------
    data
        One row per label, as for :func:`agreement`, or with a column ``start`` one row per unit,
        as for :func:`gamma`.
    reference
        Names in the column of the annotators whose labels are the reference: accuracy is against
        them, and they are part of no agreement.
    categories
        All categories, in order, as for :func:`agreement`.
    position, alpha, beta, delta_empty, unlabelled_distance
        For units, the dissimilarity of the alignment, as for :func:`gamma`.
    confidence_level, seed, rng
        As for :func:`agreement`; the seed is of the test whether annotators differ.

    Returns
    -------
    AnnotatorCards
        The cards, with ``to_frame()`` and ``write(folder)``.

    Raises
    ------
    DataError
        Labels of one annotator only.

    Examples
    --------
    >>> import accordeur as acc
    >>> rows = [(i, a, "yes" if (i + (a == "C")) % 3 else "no") for i in range(40) for a in "ABCD"]
    >>> found = acc.annotators(rows, item=0, annotator=1, label=2)
    >>> [name for name, card in found.cards.items() if card.differs]
    ['C']
    """
    from ..tasks.annotators.cards_of_exports import cards_of_exports
    from ..tasks.inputs.unit_options import CardOptions

    table: Given
    of_units = are_units(data, start, category)
    if of_units:
        table, kind = unit_table(data, document or "document", annotator, start, end, category)
    else:
        table, kind = label_table(data, item, annotator, label, document)
    reading = reading_with_order(
        table, category_order(categories, data, category if of_units else label)
    )
    roles = {**reading.roles, **dict.fromkeys(map(str, reference), Role.REFERENCE)}
    options = make_options(
        CardOptions,
        position=position,
        alpha=alpha,
        beta=beta,
        delta_empty=delta_empty,
        unlabelled_distance=unlabelled_distance,
        confidence_level=confidence_level,
        seed=seed_of(seed, rng),
    )
    return AnnotatorCards(cards_of_exports([table], replace(reading, roles=roles), options), kind)
