"""All values of the results as one table."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa

from ...metrics.estimate import Estimate
from ...reports import results as page


def layers_of(results: page.Results) -> list[page.ItemAgreement | page.UnitAgreement]:
    return [*results.items, *results.units]


def values_table(results: page.Results) -> pa.Table:
    """Return one row per value: layer, part, name, measure, value, interval …"""
    columns = (
        "layer", "part", "name", "measure", "value", "lower", "upper", "level", "observed",
        "expected", "n_items", "n_annotators", "reason", "signature",
    )  # fmt: skip
    rows = [
        dict(
            zip(
                columns,
                (
                    layer, part, name, v.measure, v.value, v.interval[0], v.interval[1], v.level,
                    v.observed, v.expected, v.n_items, v.n_annotators, str(v.reason or ""),
                    v.signature,
                ),
                strict=True,
            )
        )
        for layer, part, name, v in _all_values(results)
    ]  # fmt: skip
    texts = {"layer", "part", "name", "measure", "reason", "signature"}
    types = {name: pa.string() if name in texts else pa.float64() for name in columns}
    types |= {"n_items": pa.int64(), "n_annotators": pa.int64()}
    return pa.Table.from_pylist(rows, schema=pa.schema(list(types.items())))


def _all_values(results: page.Results) -> Iterator[tuple[str, str, str, Estimate]]:
    for part in layers_of(results):
        for value in part.values:
            yield part.layer, "corpus", "", value
        for kind in ("per_category", "per_pair", "leave_one_out", "per_document", "intra"):
            for named in getattr(part, kind):
                yield part.layer, kind, named.name, named.value
    for relations in results.relations:
        for kind in ("values", "per_category", "per_pair"):
            for named in getattr(relations, kind):
                whole = "corpus" if kind == "values" else kind
                yield relations.layer, f"relations, {whole}", named.name, named.value
        for value in relations.chains:
            yield relations.layer, "chains", "", value
    for replacement in results.replacement:
        for system in replacement.systems:
            for value in (*system.values, *system.checks):
                yield replacement.layer, "replacement of an annotator", system.system, value
    for estimates in results.estimates:
        for name, category, value in estimates.corrected_shares():
            yield estimates.layer, f"corpus, by {name}", category, value
    for validity in results.validity:
        for scores in (
            *validity.systems,
            *validity.humans,
            *validity.human_range,
            *validity.leave_one_out,
            *validity.baselines,
            *validity.beside,
        ):
            for value in scores.values:
                without = f"a reference without {scores.without}" if scores.without else ""
                against = f"against {without or validity.reference}"
                yield scores.layer, against, scores.system, value
