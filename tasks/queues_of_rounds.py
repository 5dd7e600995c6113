"""The queue of a round: who labels what next and why, and which labels count for agreement.

In the store every `queue/round-NNNN.parquet` is one round. A label that a round chose because it
was informative does not count for agreement, unless a later round draws it at random
(`metrics.resampling.next_labels`). Labels that no round chose count.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ..data.arrow_columns import are_rows_among, empty_table, rows_where
from ..data.store.hashes import settings_hash
from ..data.store.in_memory import Tables

if TYPE_CHECKING:
    from ..data.store.store import Store
    from .annotator_codes import AnnotatorCodes
    from .layers import LayerSpec

Purpose = Literal["random", "informative", "audit"]

QUEUE = pa.schema(
    [
        ("round", pa.int32()),
        ("layer", pa.string()),
        ("document", pa.string()),
        ("item", pa.string()),
        ("annotator", pa.string()),
        ("purpose", pa.string()),
        ("probability", pa.float64()),
        ("error", pa.float64()),
        ("exists", pa.bool_()),
        ("code", pa.string()),
    ]
)
DRAWN_AT_RANDOM: tuple[Purpose, ...] = ("audit", "random")
CELL = ["layer", "document", "item", "annotator"]
_FOLDER = "queue"
_CELLS = "informative.parquet"  # beside the tables of a report
_ROUND = re.compile(rf"(^|/){_FOLDER}/round-\d+\.parquet$")


@dataclass(frozen=True, slots=True)
class QueueRow:
    """A row of a queue.

    round        number of the round, from 1
    annotator    "" for an audit: whoever gives gold labels
    purpose      random, informative, or audit (a gold label)
    probability  of the draw, as `NextLabel` has it; of an audit: of this item among all items
    error        estimated error of the item before the round; nan without a model
    exists       labelled before: it joins the random share and is not labelled again
    code         of the annotator (`annotator_codes`); null in rounds of version 0.2.0
    """

    round: int
    layer: str
    document: str
    item: str
    annotator: str
    purpose: Purpose
    probability: float
    error: float
    exists: bool = False
    code: str | None = None


def queue_table(rows: Iterable[QueueRow], codes: AnnotatorCodes | None = None) -> pa.Table:
    """Return the rows as a table, with the codes of their annotators."""
    given = [
        row if codes is None or not row.annotator else replace(row, code=codes.of(row.annotator))
        for row in rows
    ]
    columns = {name: [getattr(row, name) for row in given] for name in QUEUE.names}
    return pa.table(columns, schema=QUEUE)


def n_rounds(store: Store) -> int:
    return len(round_files(store))


def read_queues(store: Store) -> pa.Table:
    """The rows of all rounds, in order."""
    tables = [as_queue(store.read_table(path)) for path in round_files(store)]
    return pa.concat_tables(tables) if tables else empty_table(QUEUE)


def as_queue(table: pa.Table) -> pa.Table:
    """Return the table with the columns of a queue; rounds of version 0.2.0 have no codes."""
    if "code" not in table.column_names:
        table = table.append_column("code", pa.nulls(table.num_rows, pa.string()))
    return table.select(QUEUE.names).cast(QUEUE)


def present_queues(store: Store, annotators: Iterable[str], names: Mapping[str, str]) -> pa.Table:
    """Return the rows of all rounds with the names that their annotators have now.

    annotators  in the tables of the campaign now
    names       of these, name in the tables → name in the exports, where these differ

    An annotator is found by the code; where there is none (a round of version 0.2.0, the bundle of
    a release), by the name in the tables or in the exports.
    """
    from .annotator_codes import existing_codes

    queues, codes = read_queues(store), existing_codes(store, names)
    of_code = {} if codes is None else codes.by_code(annotators)
    of_name = {name: shown for shown, name in names.items()}
    now = [
        of_code.get(code) or of_name.get(name, name)
        for name, code in zip(
            queues["annotator"].to_pylist(), queues["code"].to_pylist(), strict=True
        )
    ]
    place = queues.schema.get_field_index("annotator")
    return queues.set_column(place, "annotator", pa.array(now, pa.string()))


def unknown_in_rounds(
    store: Store, annotators: Collection[str], names: Mapping[str, str]
) -> list[str]:
    """Return the annotators in rounds of version 0.2.0 whose present name is not known, sorted.

    Labels that these rounds chose as informative count as others if the annotators have labels.
    The parameters are those of `present_queues`.
    """
    queues = present_queues(store, annotators, names)
    old = queues.filter(pc.and_(pc.is_null(queues["code"]), pc.not_equal(queues["annotator"], "")))
    return sorted({*old["annotator"].to_pylist()} - {*annotators})


def write_queue(store: Store, table: pa.Table) -> str:
    """Keep a round; its path in the store."""
    path = f"{_FOLDER}/round-{n_rounds(store) + 1:04d}.parquet"
    store.write_table(path, table)
    return path


def round_files(store: Store, below: str = "") -> list[str]:
    """The files (below a folder) of all rounds, in order."""
    return [path for path in store.list(f"{below}{_FOLDER}") if _ROUND.search(path)]


def uncounted_labels_hash(store: Store) -> str:
    """Of the labels that do not count for agreement; "" without any."""
    cells = adaptive_cells(read_queues(store))
    return settings_hash(cells.to_pylist()) if cells.num_rows else ""


def items_drawn_at_random(queues: pa.Table) -> list[tuple[str, str, str]]:
    """Return layer, document and item of what rounds drew at random, sorted."""
    of_purpose = pc.is_in(queues["purpose"], value_set=pa.array(DRAWN_AT_RANDOM))
    rows = queues.filter(of_purpose).select(["layer", "document", "item"])
    return sorted(set(zip(*rows.to_pydict().values(), strict=True)))


def adaptive_cells(queues: pa.Table) -> pa.Table:
    """Columns layer, document, item, annotator: chosen as informative and never at random."""
    if not queues.num_rows:  # comparisons import pandas, which a run without changes does not need
        return queues.select(CELL)
    informative = queues.filter(pc.equal(queues["purpose"], "informative"))
    random = queues.filter(pc.equal(queues["purpose"], "random")).select(CELL)
    left = informative.select(CELL).join(random, keys=CELL, join_type="left anti")
    return left.group_by(CELL).aggregate([]).sort_by([(name, "ascending") for name in CELL])


def layers_with_adaptive_cells(
    store: Store, layers: Sequence[LayerSpec], names: Mapping[str, str]
) -> list[LayerSpec]:
    """The layers, each with the place of its labels that do not count for agreement.

    names  name in the tables → name in the exports, where these differ
    """
    annotators = {name for layer in layers for name in layer.humans_and_systems}
    cells = adaptive_cells(present_queues(store, annotators, names))
    found = []
    for layer in layers:
        own = cells.filter(pc.equal(cells["layer"], layer.name))
        if not own.num_rows:
            found.append(layer)
            continue
        path = f"{_FOLDER}/adaptive-{settings_hash(own.to_pylist())}.parquet"
        if not store.exists(path):
            store.write_table(path, own)
        found.append(replace(layer, adaptive=path))
    return found


def cells_not_for_agreement(store: Tables, layer: LayerSpec) -> frozenset[tuple[str, str]]:
    """(document, annotator) of a layer of units that do not count for agreement."""
    if not layer.adaptive:
        return frozenset()
    cells = store.read_table(layer.adaptive).select(["document", "annotator"])
    return frozenset((row["document"], row["annotator"]) for row in cells.to_pylist())


def keep_cells_beside(store: Store, folder: str, layers: Iterable[LayerSpec]) -> None:
    """Copy the cells of a run's layers to the tables beside its report, if there are any.

    Later rounds may draw them at random, and then they count in later runs.
    """
    found = [store.read_table(layer.adaptive) for layer in layers if layer.adaptive]
    if found:
        store.write_table(f"{folder}/{_CELLS}", pa.concat_tables(found))


def cells_beside(store: Store, folder: str, layer: str) -> pa.Table:
    """Read the cells of a layer that `keep_cells_beside` kept, none if it kept nothing."""
    path = f"{folder}/{_CELLS}"
    if not store.exists(path):
        return QUEUE.empty_table().select(CELL)
    cells = store.read_table(path)
    return cells.filter(pc.equal(cells["layer"], layer))


def without_cells(rows: pa.Table, cells: pa.Table) -> pa.Table:
    """The rows (document, item, annotator, …) without the labels of `cells`.

    Rows without a column `item` are units, which a round requests by document and annotator.
    """
    keys = [name for name in CELL[1:] if name in rows.column_names]
    return rows_where(rows, ~are_rows_among(rows, cells, keys))


def are_in_cells(rows: pa.Table, store: Tables, layer: LayerSpec) -> NDArray[np.bool_]:
    """Return which rows of a layer do not count for agreement, as `without_cells` does."""
    if not layer.adaptive:
        return np.zeros(rows.num_rows, dtype=np.bool_)
    keys = [name for name in CELL[1:] if name in rows.column_names]
    return are_rows_among(rows, store.read_table(layer.adaptive), keys)
