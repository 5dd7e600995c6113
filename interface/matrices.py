"""Coefficients of a matrix of labels, or of two lists of labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias, TypedDict, Unpack

from ..data.option_names import in_python
from ..data.readers.tables.column_names import is_no_annotator_name
from ..metrics.agreement.label_matrix import table_matrix
from ..metrics.errors import MetricsError
from ..metrics.objects.concordance import Concordance
from ..metrics.options import Sampling
from .distances import checked_level, declared_distances
from .frames import Frame, Kind, column_names, make_frame, values_as_list
from .keyword_options import require_choice
from .value import Value, value_from_estimate

Matrix: TypeAlias = Frame
"""A table of labels: an array, a list of lists, or a data frame."""

_NOT_ANNOTATORS = ("id", "item", "items", "document", "text")


class MatrixOptions(TypedDict, total=False):
    """Options of one coefficient of a matrix, as in :func:`coefficient`."""

    annotators_by_items: Matrix
    items_by_annotators: Matrix
    level: str
    distances: Any
    order: Sequence[Any] | None
    complete: bool
    confidence: float
    replicates: int
    seed: int


@in_python()
def coefficient(
    name: str,
    matrix: Matrix | Sequence[Any] | None = None,
    other: Sequence[Any] | None = None,
    *,
    annotators_by_items: Matrix | None = None,
    items_by_annotators: Matrix | None = None,
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
    matrix, other
        The labels of two annotators, as two lists, arrays or series; or only ``matrix``: an array
        or list of lists with a row for each annotator, or a data frame with a row for each item and
        a column for each annotator.
    annotators_by_items
        A row for each annotator and a column for each item, as in the package krippendorff: an
        array, a data frame or a list of lists. None, NaN and pd.NA mean a missing label.
    items_by_annotators
        A row for each item and a column for each annotator.

    Returns
    -------
    Value
        At most 1, and 0 if annotators agree as by chance; ``nan``, with a ``reason``, if the
        coefficient is undefined, such as κ where one category was used.

    Raises
    ------
    MetricsError
        An unknown coefficient; a ``level`` other than ``nominal`` without distances;
        rows of different lengths.

    Examples
    --------
    >>> import accordeur as acc
    >>> float(acc.coefficient("scott_pi", ["x", "y", "x", "x"], ["x", "y", "x", "y"]).value)
    0.4666666666666667
    """
    from ..metrics.agreement.coefficients import mark_as_complete_items
    from ..metrics.agreement.distance_checks import resolve_distance
    from ..metrics.agreement.evaluate import evaluate_matrix
    from ..metrics.measures import coefficient_of
    from ..tasks.inputs.data_warnings import warnings_on_matrix
    from ..tasks.inputs.estimate_warnings import warnings_on_coefficients, warnings_on_estimates
    from ..tasks.inputs.name_warnings import warnings_on_misnamed_humans

    if not isinstance(name, str):
        raise MetricsError('the name of the measure comes first: coefficient("gwet_ac1", matrix)')
    if matrix is not None:
        if annotators_by_items is not None or items_by_annotators is not None:
            raise MetricsError("give the labels only once")
        if other is not None:
            annotators_by_items = _two_lists(matrix, other)
        elif _is_array(matrix):
            annotators_by_items = matrix
        else:
            items_by_annotators = _named_columns(matrix)
    if (level != "nominal" or distances is not None) and not coefficient_of(name).weighted:
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
    distance = resolve_distance(
        table.tagset,
        checked_level(level),
        declared_distances(distances, order or ()),
        (name,),
        tagset_is_declared=order is not None,
        options=("level", "order"),
    )
    sampling = Sampling(replicates=replicates, level=confidence, seed=seed)
    used = table.complete() if complete else table
    found = evaluate_matrix(used, measures=(name,), distance=distance, sampling=sampling)[:1]
    warnings = [
        *warnings_on_misnamed_humans(used.annotators),
        *warnings_on_matrix(used, found, distance=distance, distance_name=level),
        *warnings_on_coefficients(found, (name,), used, sampling),
        *warnings_on_estimates(found),
    ]
    value = (mark_as_complete_items(found) if complete else found)[0]
    return value_from_estimate(value, warnings)


def krippendorff_alpha(
    matrix: Matrix | Sequence[Any] | None = None,
    other: Sequence[Any] | None = None,
    **options: Unpack[MatrixOptions],
) -> Value:
    """Krippendorff's α of a matrix of labels or of two lists; arguments as for `coefficient`.

    Source: Krippendorff (2004), chapter 11; (2011).
    """
    return coefficient("krippendorff_alpha", matrix, other, **options)


def cohen_kappa(
    matrix: Matrix | Sequence[Any] | None = None,
    other: Sequence[Any] | None = None,
    *,
    weights: Literal["linear", "quadratic"] | None = None,
    **options: Unpack[MatrixOptions],
) -> Value:
    """Cohen's κ of two annotators, as two lists or a matrix; arguments as for `coefficient`.

    weights  weights of disagreements by the categories' ranks, as in scikit-learn; categories that
             are not numbers need their ``order``

    Sources: Cohen (1960); with weights, Cohen (1968).
    """
    if weights is None:
        return coefficient("cohen_kappa", matrix, other, **options)
    require_choice("weights", weights, ("linear", "quadratic"))
    of_ranks: MatrixOptions = {"level": f"{weights}_ranks", **options}
    return coefficient("weighted_kappa", matrix, other, **of_ranks)


def fleiss_kappa(
    matrix: Matrix | Sequence[Any] | None = None,
    other: Sequence[Any] | None = None,
    **options: Unpack[MatrixOptions],
) -> Value:
    """Fleiss' κ (multi-π) of any number of annotators; arguments as for `coefficient`.

    The cells are labels. A table of counts, with a row for each item and a column for each
    category as statsmodels takes it, would be read as labels.

    Source: Fleiss (1971).
    """
    return coefficient("fleiss_kappa", matrix, other, **options)


@in_python()
def confusion_matrix(
    first: Sequence[Any], second: Sequence[Any], *, order: Sequence[Any] | None = None
) -> Any:
    """Count the items by the labels of two annotators, as two lists, arrays or series.

    Returns
    -------
    DataFrame
        A row for each category of the first annotator, in the column ``first``, and a column for
        each category of the second. Items without one of the two labels are not counted.
    """
    from ..metrics.agreement.breakdown import confusion_between

    table = table_matrix(annotators_by_items=_two_lists(first, second), tagset=order)
    counts = confusion_between(table, 0, 1)
    columns = {name: counts[:, k].tolist() for k, name in enumerate(table.tagset)}
    return make_frame({"first": list(table.tagset), **columns}, _kind_of(first))


@in_python()
def kendall_w(ranks: Matrix, *, permutations: int = 9_999, seed: int = 0) -> Concordance:
    """Kendall's coefficient of concordance W of annotators who ranked the same candidates.

    Parameters
    ----------
    ranks
        An array or a data frame with a row for each annotator and a column for each candidate:
        places, ratings or scores, all in one direction. Tied candidates have the mean of their
        ranks.
    permutations, seed
        Of the permutation test, which permutes the ranks of each annotator.

    Returns
    -------
    Concordance
        ``w`` from 0 (no concordance) to 1 (the same ranking), corrected for ties; ``p_value``, the
        share of permutations with at least this W; ``n_annotators``, ``n_candidates``. Both numbers
        are nan if every annotator ties all candidates.

    Raises
    ------
    MetricsError
        Fewer than two annotators or candidates, or a missing value.

    References
    ----------
    Kendall & Babington Smith 1939; with ties Kendall & Gibbons 1990, chapter 6.

    Examples
    --------
    >>> import accordeur as acc
    >>> round(acc.kendall_w([[1, 2, 3, 4], [1, 2, 3, 4], [2, 1, 3, 4]]).w, 3)
    0.911
    """
    from ..metrics.objects import concordance

    return concordance.kendall_w(_rows_as_lists(ranks), n_permutations=permutations, seed=seed)


def _two_lists(first: Any, second: Any) -> list[list[Any]]:
    """Return the labels of two annotators. Raises MetricsError unless they are two equal lists."""
    one, two = values_as_list(first), values_as_list(second)
    if one is None or two is None:
        other = first if one is None else second
        raise MetricsError(f"{type(other).__name__} is not a list of labels")
    if len(one) != len(two):
        raise MetricsError(f"the lists differ in length: {len(one)} and {len(two)}")
    return [one, two]


def _kind_of(given: Any) -> Kind:
    kind = type(given).__module__.partition(".")[0]
    return "polars" if kind == "polars" else "pyarrow" if kind == "pyarrow" else "pandas"


def _named_columns(frame: Any) -> Any:
    """Return a frame with a column for each annotator. Raises MetricsError if it may not be one."""
    known = column_names(frame)
    if not all(isinstance(name, str) for name in known):
        raise MetricsError(
            "a data frame without names of columns is given as items_by_annotators= (a row for "
            "each item) or as annotators_by_items= (a row for each annotator)"
        )
    if doubtful := [name for name in known if is_no_annotator_name(name)]:
        raise MetricsError(
            f"the column {doubtful[0]!r} does not seem to have the labels of an annotator: give "
            "the annotators' columns only, as items_by_annotators=, or a table with a row for each "
            "label to agreement()"
        )
    return frame


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
