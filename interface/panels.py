"""Reliability of panels: k annotators together, and two groups of annotators, from data frames."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..data.option_names import in_python, option
from .distances import checked_level, declared_distances
from .frames import Column, category_order, reading_with_order
from .keyword_options import make_options
from .label_tables import Annotators, label_table
from .reading import Data
from .value import Values, values_from_results


@in_python(measure="measure")
def k_rater_reliability(
    data: Data,
    *,
    item: Column = "item",
    annotator: Annotators = "annotator",
    label: Column = "label",
    document: Column | None = None,
    measure: str = "krippendorff_alpha",
    level: str = "nominal",
    distances: Any = None,
    order: Sequence[Any] = (),
    annotators: int | Sequence[int] = (),
    together: str | None = None,
    confidence: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
) -> Values:
    """How well k other annotators would reproduce the joint labels of k annotators.

    ``data`` and its columns, ``level``, ``distances`` and ``order`` are as for :func:`agreement`.

    Parameters
    ----------
    measure
        The coefficient between the two panels of k annotators.
    annotators
        The numbers of annotators k. Default: up to half of an item's labels; for means, up to all.
    together
        ``majority``, or ``mean`` (α with the level ``interval``, by the exact formula). Default:
        ``mean`` for that level.
    confidence, replicates, seed
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
    from ..tasks.inputs.exported_labels import read_exported_labels

    named, distances_given = checked_level(level), declared_distances(distances, order)
    table, kind = label_table(data, item, annotator, label, document)
    scale = category_order(order, data, label)
    measured = read_exported_labels([table], reading_with_order(table, scale)).measured()
    distance = resolve_distance(
        measured.matrix.tagset,
        named,
        distances_given,
        (measure,),
        tagset_is_declared=len(scale) > 0,
        options=(option("distance"), option("tagset")),
    )
    found = k_rater.k_rater_reliability(
        measured.matrix,
        measure=measure,
        ks=(annotators,) if isinstance(annotators, int) else tuple(annotators),
        together=together,  # type: ignore[arg-type]  # checked there
        distance=distance,
        sampling=Sampling(replicates, confidence, seed),
    )
    return values_from_results(
        measured.results(found, distance=distance, distance_name=named), kind
    )


@in_python()
def cross_replication(
    data: Data,
    *,
    groups: Sequence[Sequence[str]],
    item: Column = "item",
    annotator: Annotators = "annotator",
    label: Column = "label",
    document: Column | None = None,
    level: str = "nominal",
    distances: Any = None,
    order: Sequence[Any] = (),
    confidence: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
) -> Values:
    """Cross-replication reliability κ_x of two groups of annotators who labelled the same items.

    ``data`` and its columns, ``level``, ``distances`` and ``order`` are as for :func:`agreement`.

    Parameters
    ----------
    groups
        The names of the annotators of the first group, and of the second.
    confidence, replicates, seed
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

    options = make_options(
        LabelOptions,
        order=order,
        distance=checked_level(level),
        distances=distances,
        level=confidence,
        replicates=replicates,
        seed=seed,
    )
    table, kind = label_table(data, item, annotator, label, document)
    names = [list(map(str, group)) for group in groups]
    return values_from_results(
        compare_two_groups(
            [table], names, reading_with_order(table, category_order(order, data, label)), options
        ),
        kind,
    )
