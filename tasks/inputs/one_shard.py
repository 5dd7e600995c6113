"""Exports of a quick look, read as one shard in memory by the functions of a run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from ...data.arrow_columns import as_numpy, column
from ...data.blocks import Rows
from ...data.readers.base import SourceOptions
from ...data.readers.common.category_features import CategoryFeatures
from ...data.readers.sources import read_sources
from ...data.readers.tables.given import Given
from ...data.row_account import RowTally, require_no_rejected
from ...data.schema import UNNAMED_LAYER, ExclusionReason
from ...data.store.in_memory import InMemory
from ...data.validation.accepted import OF_FILES
from ...data.validation.preparation import accepted_rows
from ...data.validation.rule import ObjectReader
from ..intake.layer_contents import LayerContents, LayerTable, choose_layer, contents_of
from ..intake.shards import note_copied_work, shard_facts
from .reading_options import Reading

KEY = "exports"  # of the only shard
ADAPTIVE = "adaptive"  # table of what a queue chose as informative


@dataclass(frozen=True, slots=True)
class Exports:
    """Exports that will be read.

    options  what the rows are read with; its notes get what was assumed or excluded
    where    the exports, for messages
    """

    rows: Iterable[Rows]
    options: SourceOptions
    where: str


def open_exports(paths: Sequence[Given], reading: Reading, *, unnamed: bool = False) -> Exports:
    """Prepare to read files, folders or globs as one source.

    unnamed  whether a table may count annotators without naming them

    Reading the rows raises DataError when a path cannot be read.
    """
    options = SourceOptions(
        extra=dict(reading.options),
        roles=reading.roles,
        categories=CategoryFeatures(measured=reading.layer),
        unnamed=unnamed,
    )
    rows = read_sources(paths, reading.format, options)
    return Exports(rows, options, ", ".join(map(str, paths)))


class OneShard:
    """The rows of the exports of one quick look.

    where     the exports, for messages
    store     the accepted tables, and what a queue chose
    contents  what each layer contains
    rejected  the rejected rows, in reading order
    trims     whether units lost blanks and punctuation at their edges
    adaptive  as in `LayerSpec`
    """

    def __init__(
        self,
        exports: Exports,
        reading: Reading,
        *,
        table: LayerTable | None,
        trim: bool = False,
        objects: ObjectReader | None = None,
        unfinished: bool = False,
        queue: Path | None = None,
    ) -> None:
        """Accept or reject the rows of exports, as a run does, and keep them in memory.

        reading  the layer, whose declared categories are accepted (None: every layer of the table),
                 and whether the first rejected row raises DataError
        table    of the layer; None: labels and units
        trim     whether units lose blanks and punctuation at their edges
        objects  what reads labels as objects; None: they are categories
        unfinished  whether unfinished work counts as finished
        queue    of `accordeur next`: what it chose as informative is excluded

        Raises DataError for an annotator with two roles.
        """
        options = exports.options
        accepted = accepted_rows(
            exports.rows,
            tagset=reading.categories,
            layer=UNNAMED_LAYER.get(table or "", "") if reading.layer == "" else reading.layer,
            table=table,
            trim=trim,
            objects=objects,
        )
        if unfinished:
            accepted = accepted.with_unfinished_work()
        self.where, self.notes, self.trims = exports.where, options.notes, trim
        self.accepted, self.rejected = accepted, accepted.rejected_records()
        if reading.strict:
            require_no_rejected(self.rejected)
        tables = {**accepted.tables, "rejected": accepted.rejected}
        others, self.adaptive = {}, ""
        if queue is not None:
            from .informative_labels import informative_cells

            others[ADAPTIVE] = informative_cells(queue, tables["documents"]["document"])
            self.adaptive = ADAPTIVE
        self.store = InMemory(tables, others)
        self.facts = shard_facts(KEY, accepted, tables)
        roles = {name: str(role) for name, role in accepted.roles().items()}
        self.contents = contents_of([self.facts], roles)
        self.read_as = options.read_as()
        self.notes.n_conflicting_labels += self.facts.n_conflicting_labels
        note_copied_work(self.notes, [self.facts])
        self.notes.n_trimmed_units += self.facts.n_trimmed_units
        self.notes.n_units_without_text += self.facts.n_units_without_text

    @property
    def key(self) -> str:
        return self.facts.key

    @property
    def roles(self) -> Mapping[str, str]:
        return self.contents.roles

    def layer(self, table: LayerTable, wanted: str | None) -> LayerContents | None:
        """Return the layer of labels or of units that is meant; None if there is none.

        Raises DataError if there are several and none is named, and for a name that no layer has.
        """
        layers = self.contents.labels if table == "labels" else self.contents.units
        return choose_layer(layers, wanted, where=self.where, what=table)

    def tally_of_others(self, *layers: LayerContents) -> RowTally:
        """Return the tally of all rows, in which the rows of these layers have no fate yet.

        The layers, one at least, are all of labels or all of units.
        """
        tally, kind = self.accepted.tally(), layers[0].table
        tally.per = "item" if kind == "labels" else "document"
        for table in OF_FILES:
            rows = self.accepted.without_copies(self.accepted.tables[table])
            if table != kind:
                tally.exclude(ExclusionReason.OTHER_KIND, rows.num_rows)
                continue
            meant = column([layer.name for layer in layers], pa.string())
            n_meant = int(as_numpy(pc.is_in(rows["layer"], value_set=meant)).sum())
            tally.exclude(ExclusionReason.OTHER_LAYER, rows.num_rows - n_meant)
        return tally

    def settings(self, layer: LayerContents) -> Mapping[str, str]:
        """Return how a layer was read, for the signatures of its measures."""
        read_as = self.read_as.renamed({"": UNNAMED_LAYER.get(layer.table, "")})
        trimmed = (layer.name,) if self.trims and layer.table == "units" else ()
        return replace(read_as, trimmed=trimmed).settings(layer.name)
