"""Labels on given items: coefficients, M(k) and plans from data frames and matrices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypedDict, Unpack

from ..data.option_names import in_python
from ..data.readers.tables.given import GivenTable
from ..metrics.agreement.label_matrix import table_matrix
from ..metrics.errors import MetricsError
from ..metrics.options import Sampling
from .distances import distances_of
from .frames import (
    Column,
    Frame,
    Kind,
    column_names,
    columns_of,
    document_column,
    frame_of,
    given_table,
    names,
    order_of,
    reading_of,
    sets_or_labels,
    with_roles_and_passes,
)
from .keyword_options import options_of
from .value import Value, Values, value_of, values_of

_NOT_ANNOTATORS = ("id", "item", "items", "document", "text")


class MatrixOptions(TypedDict, total=False):
    """Options of one coefficient of a matrix, as in :func:`coefficient`."""

    annotators_by_items: Any
    items_by_annotators: Any
    level: str
    distances: Any
    order: Sequence[Any] | None
    complete: bool
    confidence: float
    replicates: int
    seed: int


@in_python()
def agreement(
    data: Frame,
    *,
    item: Column = "item",
    annotator: Column = "annotator",
    label: Column = "label",
    document: Column | None = None,
    level: str = "nominal",
    distances: Any = None,
    order: Sequence[Any] = (),
    measures: Sequence[str] = (),
    complete: bool = False,
    interval: str = "bootstrap",
    queue: str | None = None,
    confidence: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
) -> Values:
    """Agreement of annotators on given items: every usual coefficient with its interval.

    Parameters
    ----------
    data
        One row per label: a frame of pandas, polars, pyarrow or DuckDB, a dictionary of columns, or
        a list of rows. None, NaN and pd.NA mean a missing label.
    item, annotator, label, document
        Names of the columns (indices for rows). Documents are optional: those of a column
        ``document`` unless another is named. Names of items are then unique within a document, and
        intervals resample documents.
    level
        Level of measurement, which is the distance between categories: ``nominal``, ``ordinal``,
        ``interval``, ``ratio``, … (``--distance`` of the command line). Coefficients without
        distances, such as Cohen's κ, do not use it; the weighted ones do.
    distances
        Distances of pairs of categories in 0..1, in place of ``level``; other pairs have 1:
        ``{("Former", "New"): 0.5}``, a square data frame, an array in the order ``order``, or the
        path of a table (``--distances``).
    order
        The categories in the order of the scale (``--tagset``). Default: the order of an ordered
        categorical (pandas) or an Enum (polars), else the sorted categories of the data.
    measures
        Only these coefficients. Default: the usual ones.
    complete
        Measure only the items that every annotator labelled, as scikit-learn and R's irr do.
        Default: all labels; those alone on their item enter the expected agreement of κ, π and AC1.
    interval
        ``bootstrap``, or ``analytic`` (Gwet's variance), for the same annotators and new items;
        ``annotators``: also for new annotators from the same population (wider).
    queue
        Path of a queue of ``accordeur next``, or of the folder with its rounds: labels that it
        chose as informative are excluded, as they bias agreement.
    confidence
        Level of the intervals (``--level``).
    replicates
        Bootstrap replicates of the intervals; 0: no intervals.
    seed
        Random seed.

    Returns
    -------
    Values
        One value per coefficient, with the account of rows and warnings.

    Raises
    ------
    DataError
        No labels, or only one annotator.
    MetricsError
        A missing column, or labels that the level does not support.
    """
    from ..metrics.agreement.distances import require_distance
    from ..tasks.inputs.command_options import LabelOptions
    from ..tasks.items.agree import agree

    wanted = (measures,) if isinstance(measures, str) else tuple(measures)
    if distances is None:
        require_distance(wanted, distance_of(level), declare="level")
    asked = options_of(
        LabelOptions,
        order=order,
        measures=wanted,
        distance=distance_of(level),
        distances=distances,
        complete=complete,
        interval=interval,
        queue=queue,
        level=confidence,
        replicates=replicates,
        seed=seed,
    )
    return _measure_frame(agree, data, (item, annotator, label, document), order, asked)


@in_python()
def modification_rate(
    data: Frame,
    *,
    item: Column = "item",
    annotator: Column = "annotator",
    label: Column = "label",
    document: Column | None = None,
    order: Sequence[Any] = (),
    ties: str = "random",
    confidence: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
) -> Values:
    """M(k): share of the majority reference that would change with k of the n annotators.

    ``data`` and its columns are as for :func:`agreement`. Source: Brégeon (2018), chapter 3.

    Parameters
    ----------
    ties
        How a tied majority is resolved: ``random``, ``nearest_mean`` (with ``order``) or
        ``abstain``.

    Returns
    -------
    Values
        One value for each k, stored in ``value.detail["k"]``.
    """
    from ..tasks.inputs.command_options import ResampleOptions
    from ..tasks.items.agree import resample

    asked = options_of(
        ResampleOptions, ties=ties, level=confidence, replicates=replicates, seed=seed
    )
    return _measure_frame(resample, data, (item, annotator, label, document), order, asked)


@in_python()
def coefficient(
    name: str,
    matrix: Any = None,
    *,
    annotators_by_items: Any = None,
    items_by_annotators: Any = None,
    level: str = "nominal",
    distances: Any = None,
    order: Sequence[Any] | None = None,
    complete: bool = False,
    confidence: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
) -> Value:
    """One coefficient of a matrix of labels, with its interval over items.

    ``level``, ``distances``, ``order``, ``complete`` and the other options are as for
    :func:`agreement`.

    Parameters
    ----------
    name
        Name of the measure, such as ``gwet_ac1``.
    matrix
        The same as ``annotators_by_items``, for arrays and lists. A data frame needs one of the two
        keywords, as its rows are usually the items.
    annotators_by_items
        A row for each annotator and a column for each item, as in the package krippendorff: an
        array, a data frame or a list of lists. None, NaN and pd.NA mean a missing label.
    items_by_annotators
        A row for each item and a column for each annotator.

    Returns
    -------
    Value
        Its ``value`` is ``nan``, with a ``reason``, if the coefficient is undefined.

    Raises
    ------
    MetricsError
        An unknown coefficient; a ``level`` other than ``nominal`` without distances;
        rows of different lengths.
    """
    from ..metrics.agreement.distance_table import distance_between
    from ..metrics.agreement.evaluate import evaluate_matrix
    from ..metrics.agreement.registry import of_complete_items
    from ..metrics.measures import specification

    if matrix is not None:
        if annotators_by_items is not None or not _is_array(matrix):
            raise MetricsError(
                "a data frame is given as items_by_annotators= (a row for each item) or as "
                "annotators_by_items= (a row for each annotator)"
            )
        annotators_by_items = matrix
    if (level != "nominal" or distances is not None) and not specification(name).weighted:
        raise MetricsError(
            f"{name} has no distances between categories, so "
            f"{'distances' if distances is not None else f'level={level!r}'} would change nothing: "
            "take a weighted coefficient, such as weighted_kappa or krippendorff_alpha"
        )
    table = table_matrix(
        annotators_by_items=_rows_as_lists(annotators_by_items),
        items_by_annotators=_rows_as_lists(items_by_annotators),
        tagset=order,
    )
    distance = distance_between(
        table.tagset,
        distance_of(level),
        distances_of(distances, order or ()),
        (name,),
        declared=order is not None,
        options=("level", "order"),
    )
    sampling = Sampling(replicates=replicates, level=confidence, seed=seed)
    used = table.complete() if complete else table
    found = evaluate_matrix(used, measures=(name,), distance=distance, sampling=sampling)[:1]
    return value_of((of_complete_items(found) if complete else found)[0])


def krippendorff_alpha(matrix: Any = None, **options: Unpack[MatrixOptions]) -> Value:
    """Krippendorff's α of a matrix of labels; arguments as for `coefficient`.

    Source: Krippendorff (2004), chapter 11; (2011).
    """
    return coefficient("krippendorff_alpha", matrix, **options)


def cohen_kappa(matrix: Any = None, **options: Unpack[MatrixOptions]) -> Value:
    """Cohen's κ of two annotators; arguments as for `coefficient`. Source: Cohen (1960)."""
    return coefficient("cohen_kappa", matrix, **options)


def fleiss_kappa(matrix: Any = None, **options: Unpack[MatrixOptions]) -> Value:
    """Fleiss' κ (multi-π) of any number of annotators; arguments as for `coefficient`.

    Source: Fleiss (1971).
    """
    return coefficient("fleiss_kappa", matrix, **options)


@in_python()
def category_distances(
    data: Frame,
    *,
    item: Column = "item",
    annotator: Column = "annotator",
    label: Column = "label",
    document: Column | None = None,
    order: Sequence[Any] = (),
) -> Any:
    """Distances between categories that the confusions of the annotators suggest.

    ``data`` and its columns are as for :func:`agreement`. They are proposals to compare with what
    the categories mean: used as they are, they would turn frequent confusions into agreement.

    Returns
    -------
    DataFrame
        One row for each ordered pair of categories: ``first``, ``second``, ``probability`` (that an
        annotator gives the second if another gives the first; ``nan`` if nobody used the first),
        and the distances ``d_alpha`` (mean form) and ``d_kappa_omega`` (product form), in [0, 1].

    Raises
    ------
    DataError
        No labels, or only one annotator.
    MetricsError
        A missing column, or labels of one category.

    References
    ----------
    Fort, François & Ghribi (2010), Évaluer des annotations manuelles dispersées, TALN, section 4.2.
    """
    from ..tasks.calibration.label_calibration import label_distances

    table, kind = label_table(data, item, annotator, label, document)
    found = label_distances([table], reading_of(table, order_of(order, data, label)))
    tagset, size = found.tagset, len(found.tagset)
    return frame_of(
        {
            "first": [first for first in tagset for _ in tagset],
            "second": [*tagset] * size,
            "probability": found.probabilities.ravel().tolist(),
            "d_alpha": found.d_alpha.ravel().tolist(),
            "d_kappa_omega": found.d_kappa_omega.ravel().tolist(),
        },
        kind,
    )


@in_python(measure="measure", tagset="order")
def plan(
    pilot: Frame,
    *,
    width: float,
    item: Column = "item",
    annotator: Column = "annotator",
    label: Column = "label",
    document: Column | None = None,
    order: Sequence[Any] = (),
    **options: Any,
) -> Any:
    """Number of documents and annotators needed for an interval of a given width, from a pilot.

    ``pilot`` and its columns are as ``data`` of :func:`agreement`.

    Parameters
    ----------
    width
        Width of the interval, from end to end.
    options
        Options of ``accordeur plan``: ``measure``, ``distances``, ``annotators``, ``budget``, …

    Returns
    -------
    DataFrame
        For each number of annotators, the documents (or items) needed for the width, and the width
        for a campaign of the pilot's size, each with its interval.
    """
    from ..tasks.inputs.command_options import PlanOptions
    from ..tasks.planning.annotation_plan import PlanRow
    from ..tasks.planning.annotation_plan import plan as planned

    table, kind = label_table(pilot, item, annotator, label, document)
    found = planned(
        table,
        reading_of(table, order_of(order, pilot, label)),
        options_of(PlanOptions, order=order, width=width, **options),
    )
    return frame_of(
        {name: [getattr(row, name) for row in found.rows] for name in PlanRow._fields}, kind
    )


def _measure_frame(
    measure: Callable[..., Any],
    data: Frame,
    named: tuple[Column, Column, Column, Column | None],
    order: Sequence[Any],
    options: Any,
) -> Values:
    """Apply a command's function to a frame; named: item, annotator, label, document."""
    table, kind = label_table(data, *named)
    reading = reading_of(table, order_of(order, data, named[2]))
    return values_of(measure([table], reading, options), kind)


def label_table(
    data: Frame,
    item: Column,
    annotator: Column,
    label: Column,
    document: Column | None,
    pass_: Column | None = None,
) -> tuple[GivenTable, Kind]:
    """Return the rows that have a label, and the kind of frame. Raises MetricsError."""
    home = document_column(data, document)
    wanted = {"item": item, "annotator": annotator, "label": label, "document": home}
    wanted |= {"pass": pass_} if pass_ else {}
    columns, kind = columns_of(data, with_roles_and_passes(data, wanted))
    columns["label"] = sets_or_labels(columns["label"])
    for name in columns.keys() & wanted.keys() - {"label"}:
        columns[name] = names(columns[name], name)
    is_given = columns["label"].is_valid()
    if not is_given.true_count:
        raise MetricsError(f"no row has a label: the column {label!r} is empty")
    return given_table(columns).of_rows(is_given), kind


def _is_array(matrix: Any) -> bool:
    return isinstance(matrix, list | tuple) or hasattr(matrix, "tolist")


def _rows_as_lists(matrix: Any) -> Any:
    """Return the rows of an array or a frame. Raises MetricsError unless it has rows of labels."""
    if matrix is None:
        return None
    if not _is_array(matrix):
        import narwhals as nw

        frame = nw.from_native(matrix)
        names = [one for one in column_names(matrix) if str(one).casefold() in _NOT_ANNOTATORS]
        if names:
            raise MetricsError(
                f"the column {names[0]!r} would be read as labels: drop it, or make it the index"
            )
        return (frame.collect() if isinstance(frame, nw.LazyFrame) else frame).rows()
    if getattr(matrix, "ndim", 0) == 2 and matrix.dtype.kind in "iuf":
        return matrix  # an array of numbers
    rows = matrix if isinstance(matrix, list | tuple) else matrix.tolist()
    if any(isinstance(row, str) or not hasattr(row, "__iter__") for row in rows):
        raise MetricsError(
            "give a table of labels, with a row for each annotator: [[1, 2, 1], [1, 2, 2]]"
        )
    return rows


def distance_of(level: str) -> str:
    """Check a level of measurement. Raises MetricsError if it is unknown."""
    from ..metrics.agreement.distances import DISTANCES, OFFERED, check_offered, others_than

    if isinstance(level, str) and "/" in level:
        return check_offered(level, OFFERED)
    if not isinstance(level, str) or level not in DISTANCES:
        raise MetricsError(f"no level {level!r}; {others_than(level, OFFERED)}")
    return level
