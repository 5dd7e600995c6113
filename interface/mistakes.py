"""Probable annotation errors, from data frames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..data.readers.tables.given import Given, GivenTable
from ..metrics.options import Position
from ..reports.columns import OwnColumn, Table
from .column_texts import labels_as_text_column, names_as_text_column
from .distances import Distance, Scale, given_category_distance
from .frames import (
    Column,
    Frame,
    Kind,
    category_order,
    document_column,
    given_table,
    own_columns,
    reading_with_order,
    requested_columns,
)
from .keyword_options import make_options, public
from .label_tables import Annotators, label_table
from .reading import Data, are_units
from .result import Listing
from .unit_tables import unit_table


class Mistakes(Listing):
    """The probable errors, the most probable first; systematic differences come last.

    ``to_frame`` has a row for each, with its explanation in words.

    Each has ``document``, ``where``, ``annotators``, ``label``, ``probability`` (of a model that is
    overconfident unless audited items calibrate it), ``grade`` (very_likely, likely or possible),
    ``systematic``, ``reason`` and the figures behind the reason.

    Attributes
    ----------
    expected
        Expected number of errors among all annotations.
    error_rates
        The estimated error rate of each annotator.
    """

    def __init__(self, result: Any, kind: Kind, named: Mapping[str, OwnColumn]) -> None:
        self._named = named
        self._queue, self._kind = result.found, kind
        self.expected: float = result.found.expected
        self.error_rates: dict[str, float] = result.found.error_rates
        self._take_account(result)

    def __len__(self) -> int:
        return len(self._queue.mistakes)

    def __getitem__(self, key: Any) -> Any:
        return self._queue.mistakes[key]

    def _columns(self) -> dict[str, list[Any]]:
        from ..reports.mistakes import mistake_columns

        columns = mistake_columns(self._queue.mistakes)
        if not any(columns["document"]):
            del columns["document"]
        return columns

    def variation(self, kind: Kind | None = None) -> Any:
        """One row per place at which two different annotations are probably correct."""
        places = self._queue.varying
        columns = {
            "document": [one.document for one in places],
            "item": [one.where for one in places],
            "probability": [one.probability for one in places],
            "annotations": [
                ", ".join(f"{name}: {label}" for name, label in one.said.items()) for one in places
            ],
        }
        return self._frame(columns, kind)

    @property
    def sentences(self) -> list[str]:
        """The probable mistakes of annotation, as sentences."""
        from ..reports.language import Language
        from ..reports.mistakes import MESSAGES, summary_sentences

        return summary_sentences(Language("en", MESSAGES), self._queue)

    def _blocks(self) -> Iterable[str | Table]:
        return [" ".join(self.sentences), *self._first_rows()]


@public()
def mistakes(
    data: Data,
    *,
    item: Column = "item",
    annotator: Annotators = "annotator",
    label: Column = "label",
    document: Column | None = None,
    start: Column = "start",
    end: Column = "end",
    category: Column | None = "category",
    scale: Scale = "nominal",
    distance: Distance | None = None,
    categories: Sequence[Any] = (),
    at_least: float = 0.5,
    with_systems: bool = False,
    judgments: Frame | None = None,
    audited: Frame | None = None,
    position: Position | None = None,
    alpha: float = 1.0,
    beta: float = 1.0,
    delta_empty: float | None = None,
    unlabelled_distance: float = 1.0,
) -> Mistakes:
    """Find annotations that are probably errors, as distinct from legitimate disagreement.

    Parameters
    ----------
    data
        One row per label, as for :func:`agreement`, or with a column ``start`` one row per unit,
        as for :func:`gamma`. An item may have several labels of one annotator, in a list. At least
        three annotators are needed.
    scale, distance, categories
        Distance between categories, as for :func:`agreement`: similar categories are more often
        both correct.
    at_least
        Minimum error probability of a listed annotation.
    with_systems
        Whether the labels of systems inform the probabilities, too.
    judgments
        Annotators' verdicts on the labels of others: a frame with the columns ``item``,
        ``annotator``, ``label``, ``judge`` and ``verdict`` (true or false), and ``document`` where
        ``data`` has documents.
    audited
        The correct labels of some items, one row each: a frame with the columns ``item`` and
        ``label``, and ``document`` where ``data`` has documents. They calibrate the probabilities.
    position, alpha, beta, delta_empty, unlabelled_distance
        For units, the dissimilarity of the alignment, as for :func:`gamma`.

    Returns
    -------
    Mistakes
        The list, with ``to_frame()`` and ``variation()``.

    Raises
    ------
    MetricsError
        Fewer than three annotators, or audited items without an error.
    """
    from ..tasks.inputs.assessment_options import MistakeSearchOptions
    from ..tasks.mistakes.mistake_tables import AUDITED, JUDGMENTS, read_given_verdicts_and_audits
    from ..tasks.mistakes.mistakes_of_exports import mistakes_in_exports

    table: Given
    of_units = are_units(data, start, category)
    if of_units:
        table, kind = unit_table(data, document or "document", annotator, start, end, category)
    else:
        table, kind = label_table(data, item, annotator, label, document)
    has_documents = document_column(data, document) is not None
    tables = {
        name: None if frame is None else _own_table(frame, needed, name, has_documents)
        for name, frame, needed in (
            ("judgments", judgments, JUDGMENTS),
            ("audited", audited, AUDITED),
        )
    }
    found = mistakes_in_exports(
        [table],
        reading_with_order(
            table, category_order(categories, data, category if of_units else label)
        ),
        make_options(
            MistakeSearchOptions,
            at_least=at_least,
            with_systems=with_systems,
            distance=given_category_distance(scale, distance, categories),
            position=position,
            alpha=alpha,
            beta=beta,
            delta_empty=delta_empty,
            unlabelled_distance=unlabelled_distance,
        ),
        read_given_verdicts_and_audits(**tables),
    )
    named = {"label": category if of_units else label, "item": item, "document": document}
    return Mistakes(found, kind, own_columns(data, **named))


def _own_table(frame: Frame, needed: Sequence[str], name: str, has_documents: bool) -> GivenTable:
    wanted = [*needed, *(["document"] if has_documents else [])]
    columns, _ = requested_columns(frame, {column: column for column in wanted})
    for column, cells in columns.items():
        columns[column] = (
            labels_as_text_column(cells).fill_null("")
            if column in ("label", "verdict")
            else names_as_text_column(cells, column)
        )
    return given_table(columns, name)
