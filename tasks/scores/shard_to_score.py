"""The reference and the systems of several exports as one shard, which a run's functions read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import pyarrow as pa
import pyarrow.compute as pc

from ...data.arrow_columns import as_numpy, column, repeated_column, rows_where, scalar
from ...data.blocks import names_of_sets
from ...data.schema import Role
from ...data.store.in_memory import InMemory
from ...data.validation.fates import are_by_annotators, are_of_first_pass
from ..inputs.assessment_options import ScoreOptions
from ..intake.layer_contents import OF_SCORES, LayerContents
from ..intake.shards import rows_of_layers
from ..layers import LayerSpec
from .evaluation import Presence
from .scored_works import Work
from .sides_of_shard import presence_in_shard, presence_of_systems

KEY = "scored"
_TABLES = ("assignments", "labels", "units", "relations")


@dataclass(frozen=True, slots=True)
class Side:
    """The work of an annotator under the name and with the role that it has in the scores."""

    name: str
    role: Role
    work: Work


@dataclass(frozen=True, slots=True)
class ShardToScore:
    """The rows of all sides in the documents of the reference, as those of one layer."""

    store: InMemory
    layer: LayerSpec
    contents: LayerContents

    def presence(self) -> dict[str, Presence]:
        """Return in which documents each system takes part."""
        return presence_of_systems([presence_in_shard(self.store, KEY, self.layer, ())], self.layer)


def shard_to_score(sides: Sequence[Side], documents: Work, options: ScoreOptions) -> ShardToScore:
    """Put the sides together.

    sides      references, humans or systems, each on documents of the reference (`Work.on`)
    documents  work whose export describes the documents, and whose layer names the layer
    options    the tagset, which all rows have if it is declared, and the distance: what it cannot
               compare with the labels of the reference is no category
    """
    layer = documents.export.layer
    tables = {
        table: pa.concat_tables([_rows_of_side(side, table, layer.name) for side in sides])
        for table in _TABLES
    }
    tables["documents"] = _rows_of_documents(documents)
    if layer.table == "labels":
        rows, categories = tables["labels"], names_of_sets(tables["labels"]["labels"])
    else:
        rows, categories = tables["units"], tables["units"]["category"]
    contents = LayerContents(
        layer.name,
        layer.table,
        rows_of_layers(rows, categories).get(layer.name, {}),
        frozenset(side.name for side in sides),
        roles={side.name: side.role for side in sides},
    )
    spec = LayerSpec.of(contents, declared=options.categories, roles=OF_SCORES)
    if spec.is_labels and not options.categories:
        own, distance = contents.tagset((Role.REFERENCE,)), options.distance
        spec = spec.with_comparable_categories(own, distance.name, distance.table)
    return ShardToScore(InMemory(tables), _with_sides(spec, sides), contents)


def _with_sides(spec: LayerSpec, sides: Sequence[Side]) -> LayerSpec:
    """Return the layer with all sides in their order, those without a label, too."""
    named = {role: tuple(one.name for one in sides if one.role == role) for role in OF_SCORES}
    return replace(
        spec,
        humans=named[Role.HUMAN],
        systems=named[Role.SYSTEM],
        references=named[Role.REFERENCE],
    )


def _rows_of_side(side: Side, table: str, layer: str) -> pa.Table:
    """Return the rows of one side in the first pass, under the names of the scores."""
    work, shard = side.work, side.work.export.shard
    rows = shard.store.accepted_rows(shard.key, table)
    keep = are_of_first_pass(rows) & are_by_annotators(rows, [work.name])
    if table != "relations":
        keep &= as_numpy(pc.equal(rows["layer"], scalar(work.export.layer.name)))
    rows = _with_documents(rows_where(rows, keep), work.named)
    given = {"annotator": side.name}
    if table != "relations":
        given["layer"] = layer
    if table == "assignments":
        given["role"] = str(side.role)
    for name, value in given.items():
        at = rows.column_names.index(name)
        rows = rows.set_column(
            at, rows.schema.field(name), repeated_column(value, pa.string(), rows.num_rows)
        )
    return rows


def _with_documents(rows: pa.Table, named: Mapping[str, str]) -> pa.Table:
    """Return the rows of these documents, by their names in the reference."""
    place = pc.index_in(rows["document"], value_set=column([*named.values()], pa.string()))
    kept = as_numpy(pc.is_valid(place))
    rows, place = rows_where(rows, kept), place.filter(pc.is_valid(place))
    names = column([*named], pa.string()).take(place)
    at = rows.column_names.index("document")
    return rows.set_column(at, rows.schema.field("document"), names)


def _rows_of_documents(work: Work) -> pa.Table:
    shard = work.export.shard
    rows = shard.store.accepted_rows(shard.key, "documents")
    chosen = column([*work.documents], pa.string())
    return rows_where(rows, as_numpy(pc.is_in(rows["document"], value_set=chosen)))
