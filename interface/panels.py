"""Reliability of panels: k annotators together, and two groups of annotators, from data frames."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from ..data.option_names import option
from .distances import Distance, Scale, given_category_distance
from .frames import Column, category_order, reading_with_order
from .keyword_options import Rng, make_options, public, seed_of
from .label_tables import Annotators, label_table
from .measure_names import CoefficientName
from .reading import Data
from .value import Values, values_from_results


@public(measure="measure")
def k_rater_reliability(
    data: Data,
    *,
    item: Column = "item",
    annotator: Annotators = "annotator",
    label: Column = "label",
    document: Column | None = None,
    measure: CoefficientName = "krippendorff_alpha",
    scale: Scale = "nominal",
    distance: Distance | None = None,
    categories: Sequence[Any] = (),
    annotators: int | Sequence[int] = (),
    together: Literal["majority", "mean"] | None = None,
    confidence_level: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
    rng: Rng | None = None,
) -> Values:
    """How well k other annotators would reproduce the joint labels of k annotators.

    ``data`` and its columns, ``scale``, ``distance`` and ``categories`` are as for
    :func:`agreement`.

    Parameters
    ----------
    measure
        The coefficient between the two panels of k annotators.
    annotators
        The numbers of annotators k. Default: up to half of an item's labels; for means, up to all.
    together
        ``majority``, or ``mean`` (α of the scale ``interval``, by the exact formula). Default:
        ``mean`` for that scale.
    confidence_level, replicates, seed, rng
        As for :func:`agreement`.

    Returns
    -------
    Values
        One value for each k, stored in ``value.detail.k``.

    References
    ----------
    Wong & Paritosh (2022), k-Rater Reliability, ACL.
    """
    from ..metrics.agreement import k_rater
    from ..metrics.agreement.distance_checks import resolve_distance
    from ..metrics.options import Sampling
    from ..tasks.inputs.exported_labels import MeasuredLabels, read_exported_labels
    from ..tasks.inputs.measure_names import names_and_distance

    (own,), given = names_and_distance(
        (measure,), given_category_distance(scale, distance, categories)
    )
    table, kind = label_table(data, item, annotator, label, document)
    declared = category_order(categories, data, label)
    measured = MeasuredLabels(read_exported_labels([table], reading_with_order(table, declared)))
    resolved = resolve_distance(
        measured.matrix.tagset,
        given.name,
        given.table,
        (own,),
        tagset_is_declared=len(declared) > 0,
        options=(option("distance"), option("categories")),
    )
    found = k_rater.k_rater_reliability(
        measured.matrix,
        measure=own,
        ks=(annotators,) if isinstance(annotators, int) else tuple(annotators),
        together=together,  # type: ignore[arg-type]  # checked there
        distance=resolved,
        sampling=Sampling(replicates, confidence_level, seed_of(seed, rng)),
    )
    return values_from_results(
        measured.results(found, distance=resolved, distance_name=given.name), kind
    )


@public()
def cross_replication(
    data: Data,
    *,
    groups: Sequence[Sequence[str]],
    item: Column = "item",
    annotator: Annotators = "annotator",
    label: Column = "label",
    document: Column | None = None,
    scale: Scale = "nominal",
    distance: Distance | None = None,
    categories: Sequence[Any] = (),
    confidence_level: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
    rng: Rng | None = None,
) -> Values:
    """Cross-replication reliability κ_x of two groups of annotators who labelled the same items.

    ``data`` and its columns, ``scale``, ``distance`` and ``categories`` are as for
    :func:`agreement`.

    Parameters
    ----------
    groups
        The names of the annotators of the first group, and of the second.
    confidence_level, replicates, seed, rng
        As for :func:`agreement`.

    Returns
    -------
    Values
        ``cross_replication`` and ``normalized_cross_replication``, which is 1 if annotators of
        different groups agree as well as annotators of one group. ``detail`` has α of each group.

    References
    ----------
    Wong, Paritosh & Aroyo (2021), Cross-replication Reliability, ACL.
    """
    from ..tasks.agreement.two_groups import compare_two_groups
    from ..tasks.inputs.label_options import LabelOptions

    given = given_category_distance(scale, distance, categories)
    options = make_options(
        LabelOptions,
        distance=given,
        confidence_level=confidence_level,
        replicates=replicates,
        seed=seed_of(seed, rng),
    )
    table, kind = label_table(data, item, annotator, label, document)
    names = [list(map(str, group)) for group in groups]
    return values_from_results(
        compare_two_groups(
            [table],
            names,
            reading_with_order(table, category_order(categories, data, label)),
            options,
        ),
        kind,
    )
