"""Coefficients of a matrix of labels, of two lists of labels, or of the columns of a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any, Literal, get_args

from ..metrics.errors import MetricsError
from ..metrics.measure_text import MeasureText
from ..metrics.objects.concordance import Concordance as MeasuredConcordance
from ..metrics.options import Sampling
from .distances import Distance, Scale, given_category_distance
from .frames import Column, Labels, reading_with_order
from .keyword_options import Rng, public, require_choice, seed_of
from .label_matrices import Matrix, given_matrix, rows_as_lists
from .measure_names import CoefficientName
from .result import Result
from .table_axes import Rows, columns_of_dictionaries, frame_of_items, is_array, require_known_rows
from .value import Parts, Value, value_from_estimate

if TYPE_CHECKING:
    from .label_tables import Annotators
    from .reading import Export


@public()
def coefficient(
    name: CoefficientName,
    matrix: Matrix | Export,
    other: Labels | None = None,
    *,
    item: Column | None = None,
    annotator: Annotators | None = None,
    label: Column | list[str] | None = None,
    document: Column | None = None,
    rows: Rows | None = None,
    by: Parts | None = None,
    scale: Scale = "nominal",
    distance: Distance | None = None,
    categories: Sequence[Any] | None = None,
    complete: bool = False,
    confidence_level: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
    rng: Rng | None = None,
) -> Value | Any:
    """One coefficient of a matrix of labels, with its interval over items.

    Each coefficient is also called by its name, such as ``accordeur.krippendorff_alpha(matrix)`` or
    ``accordeur.fleiss_kappa(counts, rows="counts")``. ``scale``, ``distance``, ``categories``,
    ``complete`` and the other options are as for :func:`agreement`.

    Parameters
    ----------
    name
        Name of the measure, such as ``gwet_ac1`` or ``krippendorff_alpha(scale=ordinal)``.
    matrix, other
        The labels of two annotators, as two lists, arrays or series; or only ``matrix``: an array
        or list of lists, with ``rows``, or a table as for :func:`agreement`, whose value this is.
        None, NaN and pd.NA mean a missing label. A cross table of pandas with a row for each item
        and a column for each label, such as ``pd.crosstab(frame["item"], frame["label"])``, counts
        annotators.
    rows
        What the rows of ``matrix`` are: ``items``, ``annotators``, or ``counts`` for items whose
        cells say how many annotators chose the category of the column, as statsmodels takes them.
        Of an array, which does not say it, and of a data frame without names of columns. The rows
        of other data frames are items, unless an axis has a name such as ``annotator``.
    by
        Of a table: a value for each part, as for :func:`agreement`.

    Returns
    -------
    Value
        At most 1, and 0 if annotators agree as by chance; ``nan``, with a ``reason``, if the
        coefficient is undefined, such as κ where one category was used.
    Values
        With ``by``, and with several labels.

    Raises
    ------
    MetricsError
        An unknown coefficient; a ``scale`` or ``distance`` that it does not use; rows of different
        lengths.

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
    read = MeasureText.read(name)
    if read.distance:
        if scale != "nominal" or distance is not None:
            raise MetricsError(f"{name} states its distance: remove scale and distance")
        distance = read.distance
    own = read.name
    if (scale != "nominal" or distance is not None) and not coefficient_of(own).weighted:
        raise MetricsError(
            f"{own} has no distances between categories, so "
            f"{'distance' if distance is not None else f'scale={scale!r}'} would change nothing: "
            "take a weighted coefficient, such as weighted_kappa or krippendorff_alpha"
        )
    columns = {"item": item, "annotator": annotator, "label": label, "document": document}
    named: dict[str, Any] = {key: one for key, one in columns.items() if one is not None}
    if (named or by is not None) and (other is not None or rows is not None):
        raise MetricsError("item, annotator, label, document and by are of the columns of a table")
    require_choice("rows", rows, (*get_args(Rows), None))
    matrix = columns_of_dictionaries(matrix)
    is_table = named or by is not None
    if not is_table and other is None and not is_array(matrix):
        matrix, rows = frame_of_items(matrix, rows)
        is_table = rows is None
    if is_table:
        from .labels import agreement

        values = agreement(
            matrix, **{**named, "measures": own, "by": by}, scale=scale, distance=distance,
            categories=categories or (), complete=complete, confidence_level=confidence_level,
            replicates=replicates, seed=seed, rng=rng,
        )  # fmt: skip
        if by is not None or isinstance(label, list):
            return values
        return value_from_estimate(values[own], notes=values.warnings)
    kind: Any = getattr(matrix, "dtype", None)
    if categories is None and getattr(kind, "ordered", False):  # a categorical of pandas
        categories = [*kind.categories]
    table = given_matrix(matrix, other, rows, categories)
    if rows == "counts" and not coefficient_of(own).anonymous:
        raise MetricsError(f"{own} depends on who gave a label, which counts do not say")
    given = given_category_distance(scale, distance, categories or (), compared=table.tagset)
    resolved = resolve_distance(
        table.tagset,
        given.name,
        given.table,
        (own,),
        tagset_is_declared=categories is not None,
        options=("scale or distance", "categories"),
    )
    sampling = Sampling(
        replicates=replicates, confidence_level=confidence_level, seed=seed_of(seed, rng)
    )
    used = table.complete() if complete else table
    found = evaluate_matrix(used, measures=(own,), distance=resolved, sampling=sampling)[:1]
    warnings = [
        *warnings_on_misnamed_humans(used.annotators),
        *warnings_on_matrix(used, distance=resolved, distance_name=given.name),
        *warnings_on_coefficients(found, (own,), used, sampling),
        *warnings_on_estimates(found),
    ]
    value = (mark_as_complete_items(found) if complete else found)[0]
    return value_from_estimate(value, warnings)


@public()
def cohen_kappa(
    matrix: Matrix,
    other: Labels | None = None,
    *,
    weights: Literal["linear", "quadratic"] | None = None,
    item: Column | None = None,
    annotator: Annotators | None = None,
    label: Column | list[str] | None = None,
    document: Column | None = None,
    rows: Rows | None = None,
    by: Parts | None = None,
    scale: Scale = "nominal",
    distance: Distance | None = None,
    categories: Sequence[Any] | None = None,
    complete: bool = False,
    confidence_level: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
    rng: Rng | None = None,
) -> Value | Any:
    """Cohen's κ of two annotators, as two lists or a matrix; arguments as for `coefficient`.

    weights  weights of disagreements by the categories' ranks, as in scikit-learn; categories that
             are not numbers need ``categories`` in their order

    Sources: Cohen (1960); with weights, Cohen (1968).
    """
    require_choice("weights", weights, ("linear", "quadratic", None))
    if weights is not None and distance is None:
        distance = f"{weights}_ranks"
    return coefficient(
        "cohen_kappa" if weights is None else "weighted_kappa",
        matrix,
        other,
        item=item,
        annotator=annotator,
        label=label,
        document=document,
        rows=rows,
        by=by,
        scale=scale,
        distance=distance,
        categories=categories,
        complete=complete,
        confidence_level=confidence_level,
        replicates=replicates,
        seed=seed,
        rng=rng,
    )


@dataclass(frozen=True, eq=False, repr=False)
class Concordance(Result, MeasuredConcordance):
    """Kendall's W with the p-value of its permutation test."""

    def _columns(self) -> dict[str, list[Any]]:
        names = [one.name for one in fields(self)]
        return {name: [getattr(self, name)] for name in names}


@public()
def kendall_w(
    ranks: Matrix,
    *,
    rows: Literal["items", "annotators"] | None = None,
    permutations: int = 9_999,
    seed: int = 0,
    rng: Rng | None = None,
) -> Concordance:
    """Kendall's coefficient of concordance W of annotators who ranked the same candidates.

    Parameters
    ----------
    ranks
        Places, ratings or scores of the candidates, which are the items, all in one direction: a
        table as for :func:`agreement`, or an array. Tied candidates have the mean of their ranks.
    rows
        What the rows are, as for :func:`coefficient`; an array needs it.
    permutations, seed, rng
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
    >>> ranks = [[1, 2, 3, 4], [1, 2, 3, 4], [2, 1, 3, 4]]
    >>> round(acc.kendall_w(ranks, rows="annotators").w, 3)
    0.911
    """
    from ..metrics.objects import concordance
    from ..tasks.agreement.intraclass import ratings_of
    from ..tasks.inputs.exported_labels import MeasuredLabels, read_exported_labels
    from .label_tables import label_table

    require_choice("rows", rows, ("items", "annotators", None))
    ranks = columns_of_dictionaries(ranks)
    given: Rows | None = rows
    if not is_array(ranks):
        ranks, given = frame_of_items(ranks, rows)
    of_annotators: Any
    if given is None and not is_array(ranks):
        table, _ = label_table(ranks, "item", "annotator", "label", None)
        measured = MeasuredLabels(read_exported_labels([table], reading_with_order(table)))
        of_annotators = ratings_of(measured.matrix).T
    else:
        cells = rows_as_lists(ranks)
        if given is None:
            require_known_rows(ranks, 'give rows="items" or rows="annotators"')
        of_annotators = [*zip(*cells, strict=True)] if given == "items" else cells
    found = concordance.kendall_w(
        of_annotators, n_permutations=permutations, seed=seed_of(seed, rng)
    )
    return Concordance(**asdict(found))
