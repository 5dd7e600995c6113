"""Labels on given items: coefficients, M(k) and plans from data frames and matrices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any, Literal, NamedTuple

from ..metrics.errors import MetricsError
from ..metrics.options import Interval, SubsetsOf, Ties
from .distances import Distance, Scale, given_distance
from .frames import (
    Column,
    Kind,
    category_order,
    document_column,
    reading_with_order,
)
from .keyword_options import Rng, make_options, public, seed_of
from .label_matrices import table_of_items
from .label_tables import Annotators, columns_of_parts, label_table
from .measure_names import LabelMeasure
from .reading import Data
from .result import Rows
from .table_axes import Rows as TableRows
from .table_axes import rows_of_questions, stacked_labels, with_levels_as_columns
from .value import Parts, Values, values_from_results


@public()
def agreement(
    data: Data,
    *,
    item: Column = "item",
    annotator: Annotators = "annotator",
    label: Column | list[str] = "label",
    document: Column | None = None,
    rows: TableRows | None = None,
    scale: Scale = "nominal",
    distance: Distance | None = None,
    categories: Sequence[Any] = (),
    measures: LabelMeasure | Sequence[LabelMeasure] = (),
    by: Parts | None = None,
    complete: bool = False,
    layer: str | None = None,
    interval: Interval = "bootstrap",
    queue: str | None = None,
    confidence_level: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
    rng: Rng | None = None,
) -> Values:
    """Agreement of annotators on given items: every usual coefficient with its interval.

    Parameters
    ----------
    data
        One row per label: a frame of pandas, polars, pyarrow or DuckDB, a dictionary of columns, or
        a list of rows; or one row per item, with a column for each annotator. Or what :func:`read`
        returns, or the path of an export. None, NaN and pd.NA mean a missing label.
    item, annotator, label, document
        Names of the columns (indices for rows). With a column for each annotator,
        ``annotator=["ann", "bob"]`` names these columns, else it chooses these annotators; with
        ``annotator=None`` each column is a category and its cells say how many annotators chose it,
        without their names, as in ``aggregate_raters`` of statsmodels. Documents are optional:
        those of a column ``document`` unless another is named. Names of items are then unique
        within a document, and intervals resample documents. With the labels of several questions
        in a row, or below a level of columns of pandas for each, ``label=["stance", "irony"]``
        gives a value for each.
    rows
        Of an array, which does not say it: what its rows are, as for :func:`coefficient`.
    scale
        Scale of the categories, which is the distance between them: ``nominal``, ``ordinal``,
        ``interval`` or ``ratio``. Coefficients without distances, such as Cohen's κ, do not use it;
        the weighted ones do.
    distance
        Another distance, in place of ``scale``. Between categories: its name, such as
        ``quadratic``, ``masi`` (of sets) or ``circular/24``; or distances of pairs in 0..1, others
        have 1: ``{("Former", "New"): 0.5}``, a square data frame, an array in the order of
        ``categories``, or the path of a table. Between objects: its name, such as ``word_error`` of
        transcriptions; an ``ObjectDistance``, which says how an object is read from a label; or a
        function of the texts of two labels. The measures are then α, σ, KS and mean distances.
    categories
        All categories; a list declares their order, too, which is that of the scale. Default: the
        order of an ordered categorical (pandas) or an Enum (polars), else the sorted categories of
        the data, which no ordinal scale takes if they are not numbers.
    measures
        Only these coefficients, such as ``gwet_ac1`` or ``krippendorff_alpha(scale=ordinal)``.
        Default: the usual ones.
    by
        Give ``measures``, or else the first coefficient, for each ``category``, each ``pair`` of
        annotators (on the items that both labelled), or without each ``annotator``, in place of the
        coefficients of all; or for each value of any other column, such as a topic, or the question
        that a label answers; or for each combination, ``by=["topic", "language"]``. Rows without a
        value are the part ``(missing)``.
    complete
        Measure only the items that every annotator labelled, as scikit-learn and R's irr do.
        Default: all labels; those alone on their item enter the expected agreement of π, AC1 and
        the κ of three or more annotators.
    layer
        The layer to measure, if the export or the column ``layer`` has several.
    interval
        ``bootstrap``, or ``analytic`` (Gwet's variance), for the same annotators and new items;
        ``annotators``: also for new annotators from the same population (wider).
    queue
        Path of a queue of ``accordeur next``, or of the folder with its rounds: labels that it
        chose as informative are excluded, as they bias agreement.
    confidence_level
        Level of the intervals.
    replicates
        Bootstrap replicates of the intervals; 0: no intervals.
    seed, rng
        Random seed, or a generator of NumPy that draws it.

    Returns
    -------
    Values
        One value per coefficient, or with ``by`` per part, with the account of rows and warnings.
        A coefficient is at most 1, and 0 if annotators agree as by chance; it is ``nan``, with a
        ``reason``, where it is undefined. ``value.bibtex()`` is the publication.

    Raises
    ------
    DataError
        No labels, or only one annotator.
    MetricsError
        A missing column, or labels that the scale does not support.
    """
    from ..metrics.agreement.distance_checks import require_distance
    from ..tasks.agreement.agree import agree
    from ..tasks.agreement.agree_by_column import agree_by_column
    from ..tasks.inputs.label_options import LabelOptions
    from ..tasks.inputs.part_kind import PartKind

    kind: Kind | None = None
    data, annotator = table_of_items(data, rows), None if rows == "counts" else annotator
    if isinstance(label, list):
        groups = columns_of_parts(by, data)
        if by is not None and not groups:
            raise MetricsError(
                f"by={by!r} is for one label, and label= has {len(label)}: take each alone, such "
                f"as label={label[0]!r}"
            )
        stacked = rows_of_questions(data, label)
        if stacked is not None:
            data = stacked
        elif annotator is None or isinstance(annotator, list):
            raise MetricsError("label= of several columns is for a row per item and annotator")
        else:
            home = document_column(data, document)
            items = item if isinstance(item, list) else [item]
            data = with_levels_as_columns(data, [*items, annotator, home, *groups])
            shared: dict[str, list[Any]] = {"annotator": [annotator], "document": [home]}
            data, kind = stacked_labels(data, label, {"item": items, **shared, "by": groups})
        label, by = "label", ["question", *groups] if groups else "question"
    wanted = (measures,) if isinstance(measures, str) else tuple(measures)
    asked = make_options(
        LabelOptions,
        measures=wanted,
        distance=given_distance(scale, distance, categories),
        complete=complete,
        interval=interval,
        queue=queue,
        confidence_level=confidence_level,
        replicates=replicates,
        seed=seed_of(seed, rng),
    )
    if asked.distance.table is None:
        require_distance(asked.measures, asked.distance.name, declare="scale or distance")
    named = (item, annotator, label, document)
    crossed = columns_of_parts(by, data)
    if crossed:
        parted: Callable[..., Any] = partial(agree_by_column, column=",".join(map(str, crossed)))
    else:
        parted = partial(agree, by=None if by is None else PartKind(str(by)))
    found = _measure_frame(parted, data, named, categories, asked, layer=layer, columns=crossed)
    found._kind = kind or found._kind
    return found


@public()
def modification_rate(
    data: Data,
    *,
    item: Column = "item",
    annotator: Annotators = "annotator",
    label: Column = "label",
    document: Column | None = None,
    categories: Sequence[Any] = (),
    ties: Ties = "random",
    draw: SubsetsOf | None = None,
    confidence_level: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
    rng: Rng | None = None,
) -> Values:
    """M(k): share of the majority reference that would change with k of the n annotators.

    ``data`` and its columns are as for :func:`agreement`. Source: Brégeon (2018), chapter 3.

    Parameters
    ----------
    ties
        How a tied majority is resolved: ``random``, ``nearest_mean`` (with ``categories``) or
        ``abstain``.
    draw
        What k counts: ``annotators``, or ``labels`` (of each item). Default: labels, if an
        annotator labelled fewer than half of the items on average.

    Returns
    -------
    Values
        One value from 0 to 1 for each k, stored in ``value.detail.k``; ``nan``, with a
        ``reason``, if there are fewer annotators than k.
    """
    from ..tasks.agreement.agree import resample
    from ..tasks.inputs.label_options import ResampleOptions

    asked = make_options(
        ResampleOptions,
        ties=ties,
        draw=draw,
        confidence_level=confidence_level,
        replicates=replicates,
        seed=seed_of(seed, rng),
    )
    return _measure_frame(resample, data, (item, annotator, label, document), categories, asked)


class ProposedDistance(NamedTuple):
    """Distances of an ordered pair of categories, from the confusions of the annotators."""

    first: str
    second: str
    probability: float
    d_alpha: float
    d_kappa_omega: float


class CategoryDistances(Rows[ProposedDistance]):
    """Distances between categories, a row for each ordered pair."""

    def table(self, form: Literal["d_alpha", "d_kappa_omega"] = "d_alpha") -> dict[Any, float]:
        """Return the distances of pairs, for the parameter ``distance`` of other functions."""
        return {(one.first, one.second): getattr(one, form) for one in self}


@public()
def category_distances(
    data: Data,
    *,
    item: Column = "item",
    annotator: Annotators = "annotator",
    label: Column = "label",
    document: Column | None = None,
    categories: Sequence[Any] = (),
) -> CategoryDistances:
    """Distances between categories that the confusions of the annotators suggest.

    ``data`` and its columns are as for :func:`agreement`. They are proposals to compare with what
    the categories mean: used as they are, they would turn frequent confusions into agreement.

    Returns
    -------
    CategoryDistances
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
    from ..reports.warnings import in_english
    from ..tasks.calibration.label_calibration import label_distances

    table, kind = label_table(data, item, annotator, label, document)
    found = label_distances(
        [table], reading_with_order(table, category_order(categories, data, label))
    )
    tables = (found.probabilities, found.d_alpha, found.d_kappa_omega)
    cells = zip(
        product(found.tagset, repeat=2), *(one.ravel().tolist() for one in tables), strict=True
    )
    rows = [ProposedDistance(*pair, *figures) for pair, *figures in cells]
    return CategoryDistances(
        rows, ProposedDistance._fields, kind, list(map(in_english, found.remarks))
    )


def _measure_frame(
    measure: Callable[..., Any],
    data: Data,
    named: tuple[Column, Annotators, Column, Column | None],
    categories: Sequence[Any],
    options: Any,
    *,
    layer: str | None = None,
    columns: Sequence[Column] = (),
) -> Values:
    """Apply a command's function to a frame; named: item, annotator, label, document."""
    table, kind = label_table(data, *named, layer=columns, counts=True)
    reading = reading_with_order(table, category_order(categories, data, named[2]))
    found = measure([table], replace(reading, layer=layer), options)
    return values_from_results(found, kind)
