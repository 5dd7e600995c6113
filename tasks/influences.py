"""Influences of documents on main values, stored beside the report to compare later runs."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..metrics.influence import Influences
from ..reports.results import LayerInfluences

FILE = "influences.parquet"
MOST_DOCUMENTS = 20_000  # per layer; above this number, runs are not compared
SCHEMA = pa.schema(
    [
        ("layer", pa.string()),
        ("measure", pa.string()),
        ("document", pa.string()),  # item if the layer has a single document; "" for `noise`
        ("value", pa.float64()),  # value of the layer
        ("influence", pa.float64()),  # of the document; for "", the standard error of chance
    ]
)

Key = tuple[str, str]  # layer and measure


def influences_of_layer(layer: str, measure: str, found: Influences) -> list[LayerInfluences]:
    """Return the influences in columns, for the results of a layer; [] if undefined."""
    if not np.isfinite(found.value):
        return []
    documents = [*map(str, found.documents.tolist()), ""]
    return [
        LayerInfluences(
            layer=layer,
            measure=measure,
            value=found.value,
            document=documents,
            influence=[*found.by_document.tolist(), found.noise],
        )
    ]


def influences_table(found: Iterable[LayerInfluences]) -> pa.Table:
    """Concatenate the influences of all layers."""
    tables = [SCHEMA.empty_table()]
    for one in found:
        n = len(one.document)
        of_layer = [[one.layer] * n, [one.measure] * n]
        columns = [*of_layer, one.document, [one.value] * n, one.influence]
        tables.append(pa.table(columns, schema=SCHEMA))
    return pa.concat_tables(tables)


def read_influences(table: pa.Table) -> dict[Key, Influences]:
    """Read what `influences_table` wrote, by layer and measure."""
    found = {}
    keys = table.select(["layer", "measure"]).group_by(["layer", "measure"]).aggregate([])
    for key in keys.to_pylist():
        of_layer = pc.equal(table["layer"], key["layer"])
        rows = table.filter(pc.and_(of_layer, pc.equal(table["measure"], key["measure"])))
        documents = np.array(rows["document"].to_pylist(), dtype=object).astype(str)
        influence = rows["influence"].to_numpy()
        is_document = documents != ""
        found[key["layer"], key["measure"]] = Influences(
            rows["value"][0].as_py(),
            documents[is_document],
            influence[is_document],
            float(influence[~is_document].sum()),
        )
    return found
