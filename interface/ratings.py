"""Reliability of numeric ratings from data frames: ICC and generalizability studies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from ..metrics.agreement.intraclass import intraclass_correlations
from ..metrics.estimate import Estimate
from ..metrics.options import Sampling
from ..metrics.reason import Reason, ReasonCode
from ..tasks.agreement.intraclass import ratings_of
from ..tasks.inputs.exported_labels import MeasuredLabels, read_exported_labels
from .frames import Column, Labels, reading_with_order
from .keyword_options import Rng, public, seed_of
from .label_matrices import names_of_lists, table_of_items, two_lists
from .label_tables import Annotators, label_table
from .reading import Data
from .value import Value, Values, value_from_estimate, values_from_results


@public()
def icc(
    data: Data,
    *,
    item: Column = "item",
    annotator: Annotators = "annotator",
    label: Column = "label",
    document: Column | None = None,
    rows: Literal["items", "annotators"] | None = None,
    same_raters: bool | None = None,
    average: bool | None = None,
    confidence_level: float = 0.95,
    seed: int = 0,
    rng: Rng | None = None,
) -> Values:
    """Intraclass correlations of numeric ratings, complete or not, with their intervals.

    ``data``, its columns and ``rows`` are as for :func:`agreement`. The parameters ``same_raters``
    and ``average`` select among the six forms.

    Parameters
    ----------
    same_raters
        Whether all items have the same annotators. True: ICC(2,·), absolute agreement with
        annotators as a random sample, and ICC(3,·), consistency of these annotators; False:
        ICC(1,·). Default: all three, but only ICC(1,·) if every item has the same number of ratings
        from a subset of the annotators.
    average
        Whether the mean of all ratings of an item will be used (``k``), or a single one (``1``).
        Default: both.
    confidence_level
        Level of the intervals.
    seed
        Random seed of the interval of ICC(2,·) if ratings are missing.

    Returns
    -------
    Values
        ``icc_1_1``, ``icc_2_1``, ``icc_3_1``, ``icc_1_k``, ``icc_2_k``, ``icc_3_k``; ``detail`` has
        the names of Shrout & Fleiss and McGraw & Wong, and F, its degrees of freedom and its
        p-value. If ratings are missing, the values come from a mixed model fitted by REML, k is the
        harmonic mean number of ratings per item, and ``detail`` has the variance components.

    Raises
    ------
    MetricsError
        Labels that are not numbers.

    References
    ----------
    Shrout & Fleiss (1979), Psychological Bulletin 86(2); McGraw & Wong (1996), Psychological
    Methods 1(1).
    """
    data = table_of_items(data, rows)
    table, kind = label_table(data, item, annotator, label, document)
    measured = MeasuredLabels(read_exported_labels([table], reading_with_order(table)))
    found = intraclass_correlations(
        ratings_of(measured.matrix),
        same_raters=same_raters,
        level=confidence_level,
        seed=seed_of(seed, rng),
    )
    crossed = any(one.reason != Reason(ReasonCode.OTHER_RATERS) for one in found if _model(one) > 1)
    models = {None: (1, 2, 3) if crossed else (1,), False: (1,), True: (2, 3)}[same_raters]
    units = {None: ("1", "k"), False: ("1",), True: ("k",)}[average]
    asked = [one for one in found if _model(one) in models and one.measure[-1] in units]
    return values_from_results(measured.results(asked), kind)


@public()
def g_study(
    data: Data,
    *,
    item: Column = "item",
    annotator: Annotators = "annotator",
    label: Column = "label",
    document: Column | None = None,
    annotators: int | Sequence[int] = tuple(range(1, 11)),
    confidence_level: float = 0.95,
    seed: int = 0,
    rng: Rng | None = None,
) -> Values:
    """Generalizability study of numeric ratings, with forecast reliability for k annotators.

    ``data`` and its columns are as for :func:`agreement`; ratings may be missing. The annotators
    are treated as a random sample; their interaction with items is part of the residual.

    Parameters
    ----------
    annotators
        The numbers of annotators k of the forecast.
    confidence_level
        Level of the intervals.
    seed
        Random seed of the intervals of Φ.

    Returns
    -------
    Values
        ``generalizability`` (Eρ², for relative decisions) for each k, then for each k
        ``dependability`` (Φ, for absolute decisions). ``detail`` has ``k`` and the components
        ``variance_items``, ``variance_annotators`` and ``variance_residual``.

    Raises
    ------
    MetricsError
        Labels that are not numbers; fewer than two items or annotators; a k below 1.

    References
    ----------
    Brennan (2001), Generalizability Theory, chapter 2.
    """
    from ..metrics.agreement.generalizability import decision_study

    table, kind = label_table(data, item, annotator, label, document)
    measured = MeasuredLabels(read_exported_labels([table], reading_with_order(table)))
    ks = (annotators,) if isinstance(annotators, int) else annotators
    found = decision_study(
        ratings_of(measured.matrix), annotators=ks, level=confidence_level, seed=seed_of(seed, rng)
    )
    return values_from_results(measured.results(found), kind)


@public()
def limits_of_agreement(
    data: Data,
    other: Labels | None = None,
    *,
    item: Column = "item",
    annotator: Annotators = "annotator",
    label: Column = "label",
    document: Column | None = None,
    confidence_level: float = 0.95,
) -> Values:
    """Mean difference of each pair of annotators, with the limits of agreement.

    ``data`` and its columns are as for :func:`agreement`; or ``data`` and ``other`` are the ratings
    of two annotators, as two lists or series.

    Parameters
    ----------
    confidence_level
        Level of the intervals.

    Returns
    -------
    Values
        ``mean_difference`` of each pair (first minus second). ``detail`` has ``first``, ``second``,
        ``sd``, the limits ``lower`` and ``upper`` (mean ± 1.96 ``sd``) and their intervals,
        ``lower_low``, ``lower_high``, ``upper_low`` and ``upper_high``. In ``to_frame()`` the
        limits are ``lower_limit`` and ``upper_limit``; ``lower`` and ``upper`` are the interval of
        the mean difference.

    Raises
    ------
    MetricsError
        Labels that are not numbers.

    References
    ----------
    Bland & Altman (1999), Statistical Methods in Medical Research 8(2).
    """
    from ..metrics.agreement import limits_of_agreement as limits

    if other is not None:
        names, lists = names_of_lists(data, other), two_lists(data, other)
        data, annotator = dict(zip(names, lists, strict=True)), [*names]
    table, kind = label_table(data, item, annotator, label, document)
    measured = MeasuredLabels(read_exported_labels([table], reading_with_order(table)))
    matrix = measured.matrix
    found = limits.limits_of_agreement(
        ratings_of(matrix), matrix.annotators, level=confidence_level
    )
    return values_from_results(measured.results(found), kind)


@public()
def repeatability(
    data: Data,
    *,
    pass_: Column = "pass",  # noqa: S107 - a column
    item: Column = "item",
    annotator: Annotators = "annotator",
    label: Column = "label",
    document: Column | None = None,
    confidence_level: float = 0.95,
) -> Value:
    """Within-annotator standard deviation of ratings from several annotation passes.

    ``data`` and its columns are as for :func:`agreement`.

    Parameters
    ----------
    pass_
        Column with the number of the annotation pass.
    confidence_level
        Level of the interval.

    Returns
    -------
    Value
        ``detail["repeatability"]`` is the coefficient: two ratings of an item by the same annotator
        differ by less than this in 95 % of cases.

    Raises
    ------
    MetricsError
        Labels that are not numbers.

    References
    ----------
    Bland & Altman (1999), Statistical Methods in Medical Research 8(2).
    """
    from ..metrics.agreement.limits_of_agreement import repeatability as of_passes

    table, _ = label_table(data, item, annotator, label, document, pass_)
    labels = read_exported_labels([table], reading_with_order(table))
    passes = [ratings_of(one) for one in labels.passes().values()]
    return value_from_estimate(
        of_passes(passes, level=confidence_level), labels.warnings(distance=None)
    )


@public()
def scales(
    data: Data,
    *,
    item: Column = "item",
    annotator: Annotators = "annotator",
    label: Column = "label",
    document: Column | None = None,
    confidence_level: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
    rng: Rng | None = None,
) -> Values:
    """Krippendorff's α of numeric labels with nominal, ordinal and interval distance.

    The right scale depends on the meaning of the labels; this shows its effect on α.
    Parameters are as for :func:`agreement`.

    Returns
    -------
    Values
        ``krippendorff_alpha`` with the distances ``nominal``, ``ordinal`` and ``interval``.

    Raises
    ------
    MetricsError
        Labels that are not numbers.
    """
    from ..tasks.agreement.rating_study import alpha_by_scale

    table, kind = label_table(data, item, annotator, label, document)
    measured = MeasuredLabels(read_exported_labels([table], reading_with_order(table)))
    ratings_of(measured.matrix)
    found = alpha_by_scale(
        measured.matrix, Sampling(replicates, confidence_level, seed_of(seed, rng))
    )
    return values_from_results(measured.results(found), kind)


def _model(form: Estimate) -> int:
    return int(form.measure.split("_")[1])
