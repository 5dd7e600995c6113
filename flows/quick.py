"""The quick looks: one table in, numbers out, in about a second; neither Prefect nor Dask."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from data.errors import DataError
from data.readers.base import SourceOptions
from data.readers.label_tables import read_label_table, read_unit_tables
from data.readers.table_layout import Layout
from flows.wording import counted
from metrics.errors import MetricsError
from metrics.estimate import Estimate

ITEM_MEASURES = (
    "percent_agreement",
    "bennett_s",
    "fleiss_kappa",
    "conger_kappa",
    "krippendorff_alpha",
    "gwet_ac1",
)
PAIR_MEASURES = ("scott_pi", "cohen_kappa")


def agree(
    path: Path,
    *,
    named: Mapping[str, str] | None = None,
    wide: bool = False,
    tagset: Sequence[str] = (),
    distance: str = "nominal",
    measures: Sequence[str] = (),
    analytic: bool = False,
    replicates: int = 1000,
    seed: int = 0,
) -> list[Estimate]:
    """Coefficients on the labels of a table, each with its interval.

    The interval is a bootstrap, or, `analytic`, from Gwet's variance. `tagset`: the categories in
    the scale's order; without it those found. `named`, `wide`: see
    `read_matrix`.

    Without `measures`: all the usual ones, and those of two annotators when there are two.
    Raises DataError for what is no table, MetricsError for labels that the distance cannot take.
    """
    from metrics.agreement.distances import require_order
    from metrics.agreement.inference import bootstrap, with_interval
    from metrics.agreement.registry import compute_all

    matrix = read_matrix(path, tagset=tagset, named=named, wide=wide)
    if not tagset:
        require_order(matrix.tagset, distance, measures, declare="--tagset")
    measures = measures or default_measures(matrix.n_annotators)
    estimates = compute_all(matrix, measures=measures, distance=distance)  # type: ignore[arg-type]  # the command checks it
    if analytic:
        from metrics.agreement.linearized import linearized

        intervals = linearized(matrix, measures=measures, distance=distance)  # type: ignore[arg-type]  # the command checks it
        return [with_interval(one, intervals[one.measure]) for one in estimates]
    if not replicates:
        return estimates
    intervals = bootstrap(
        matrix,
        measures=measures,
        n_replicates=replicates,
        seed=seed,
        distance=distance,  # type: ignore[arg-type]  # the command checks it
    )
    return [
        with_interval(one, intervals[one.measure]) if one.measure in intervals else one
        for one in estimates
    ]


def default_measures(n_annotators: int) -> tuple[str, ...]:
    """The usual coefficients, and those of two annotators when there are two."""
    pair = PAIR_MEASURES if n_annotators == 2 else ()
    return (*ITEM_MEASURES[:2], *pair, *ITEM_MEASURES[2:])


def read_matrix(
    path: Path,
    *,
    tagset: Sequence[str] = (),
    named: Mapping[str, str] | None = None,
    wide: bool = False,
) -> Any:
    """The labels of a table. Raises DataError for what is no table or has one annotator.

    `named`: the table's own names of its columns, as in `data.readers.label_tables`; `wide`: each
    column that is not named so, nor is the item's or the document's, is an annotator's.
    """
    from metrics.agreement.label_matrix import label_matrix

    table = read_label_table(path, named=named, layout=Layout.WIDE if wide else None)
    documents = table.documents if table.documents and len(set(table.documents)) > 1 else None
    if len(set(table.annotators)) < 2:
        who = next(iter(set(table.annotators)), "nobody")
        raise DataError(f"{path}: one annotator only ({who}); agreement needs two or more")
    return label_matrix(
        table.items, table.annotators, table.labels, tagset=tagset or None, documents=documents
    )


def resample(
    path: Path,
    *,
    named: Mapping[str, str] | None = None,
    wide: bool = False,
    tagset: Sequence[str] = (),
    ties: str = "random",
    seed: int = 0,
) -> list[Estimate]:
    """Modification rate M(k) of the majority reference for every k (Brégeon 2018).

    `tagset`: the categories in the scale's order, which `nearest_mean` needs where they are no
    numbers.
    """
    from metrics.resampling.subsets import modification_rate

    matrix = read_matrix(path, tagset=tagset, named=named, wide=wide)
    ordered = bool(tagset) or all(is_number(category) for category in matrix.tagset)
    if ties == "nearest_mean" and not ordered:
        raise MetricsError(
            "the ties nearest_mean take the mean of the labels, and the categories "
            f"({', '.join(matrix.tagset)}) are not all numbers: give them in the scale's order "
            "with --tagset, or take other ties"
        )
    rate = modification_rate(matrix, ties=ties, ordered=ordered, seed=seed)  # type: ignore[arg-type]  # the command checks it
    return list(rate.estimates())


def is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def gamma(
    paths: Sequence[Path],
    *,
    format: str = "auto",
    options: Mapping[str, str] | None = None,
    layer: str | None = None,
    alpha: float = 1.0,
    beta: float = 1.0,
    precision: float = 0.01,
    processes: Sequence[str] = (),
    replicates: int = 1000,
    seed: int = 0,
) -> list[Estimate]:
    """γ and γ-cat of the units of one or several exports; `options` are their format's."""
    from metrics.alignment.dissimilarity import Dissimilarity
    from metrics.unitizing.gamma import gamma as gamma_of
    from metrics.unitizing.gamma_cat import gamma_cat

    if alpha == beta == 0:
        raise MetricsError("with --alpha 0 and --beta 0 nothing is compared: give one a weight")
    continua = read_continua(paths, format, layer, options)
    dissimilarity = Dissimilarity(alpha=alpha, beta=beta)
    result = gamma_of(
        continua,
        dissimilarity,
        processes=tuple(processes) or None,  # type: ignore[arg-type]  # the measure checks it
        precision=precision,
        seed=seed,
        n_bootstrap=replicates,
    )
    category = gamma_cat(
        continua, result.alignments, dissimilarity, n_bootstrap=replicates, seed=seed
    )
    return [result.corpus, category.gamma_cat]


def read_continua(
    paths: Sequence[Path],
    format: str,
    layer: str | None,
    options: Mapping[str, str] | None = None,
) -> list[Any]:
    """One continuum a document that somebody finished, humans only."""
    import numpy as np

    from metrics.alignment.continuum import Continuum

    tables, refused = read_unit_tables(
        paths, format=format, options=SourceOptions(extra=options or {})
    )
    if refused:
        first = refused[0]
        # what a reader says of a whole file names the file already
        where = (
            "" if first.source in first.message else f"{first.source} {first.where}".strip() + ": "
        )
        raise DataError(
            f"{where}{first.message} "
            f"({counted(len(refused), 'row')} refused; "
            "`accordeur run` goes on without such rows and lists them)"
        )
    layers = sorted({name for table in tables for name in table.layers})
    if layer is None and len(layers) > 1:
        raise DataError(
            f"the exports hold several layers ({', '.join(map(repr, layers))}): choose one with "
            "--layer"
        )
    wanted = layer if layer is not None else (layers[0] if layers else "")
    if wanted not in layers:
        raise DataError(f"no layer {wanted!r}; the exports hold {', '.join(layers) or 'no unit'}")
    tagset = tuple(
        sorted(
            {
                category
                for table in tables
                for category, of_layer in zip(table.categories, table.layers, strict=True)
                if of_layer == wanted and category
            }
        )
    )
    code = {category: k for k, category in enumerate(tagset)}
    continua = []
    for table in tables:
        people = [name for name in table.people if table.roles[name] == "human"]
        chosen = [
            u
            for u, of_layer in enumerate(table.layers)
            if of_layer == wanted and table.annotators[u] in people
        ]
        if not people:
            continue
        continua.append(
            Continuum(
                np.array([table.starts[u] for u in chosen], dtype=np.float64),
                np.array([table.ends[u] for u in chosen], dtype=np.float64),
                np.array([code.get(table.categories[u], -1) for u in chosen], dtype=np.int32),
                np.array([people.index(table.annotators[u]) for u in chosen], dtype=np.int32),
                tuple(people),
                tagset,
                length=float(table.length) if table.length >= 0 else math.nan,
            )
        )
    if not any(continuum.n_annotators >= 2 for continuum in continua):
        raise MetricsError(
            "no document has two human annotators: give one export a person, or one export with "
            "all of them"
        )
    return continua


def as_json(estimates: Sequence[Estimate]) -> dict[str, Any]:
    """`{"results": […]}` with null where a number is undefined."""
    return {"results": [_plain(one) for one in estimates]}


def _plain(estimate: Estimate) -> dict[str, Any]:
    row = asdict(estimate)
    detail = row.pop("detail")
    on_items = not estimate.measure.startswith("gamma")  # a disorder is no share of agreement
    row["p_o"] = estimate.observed if on_items else math.nan
    row["p_e"] = estimate.expected if on_items else math.nan
    if estimate.measure == "modification_rate":
        row = {"k": detail["k"], "modification_rate": row["value"], **row}
    row["detail"] = detail
    return {key: _null(value) for key, value in row.items()}


def _null(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, (tuple, list)):
        return [_null(one) for one in value]
    if isinstance(value, dict):
        return {key: _null(one) for key, one in value.items()}
    return value
