"""One reading of a campaign's sources, with counts per source and in total."""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ...data.arrow_columns import (
    as_numpy,
    codes_and_values,
    column,
    empty_table,
    first_of_equal_rows,
    one_chunk,
    rows_where,
    scalar,
)
from ...data.blocks import Rows
from ...data.errors import DataError
from ...data.intake.hiding import Hiding, rows_without_names
from ...data.intake.source_rows import reader_options, source_rows
from ...data.option_names import in_campaign_file
from ...data.readers.base import Reader, SourceOptions
from ...data.readers.common.category_features import ReadAs
from ...data.readers.notes import SourceNotes
from ...data.readers.registry import AUTO
from ...data.row_account import RowTally
from ...data.same_rows import SourceContents
from ...data.schema import SCHEMAS
from ...data.validation.accepted import OF_FILES, Accepted
from ...data.validation.merge_sources import FINISHED
from ...data.validation.preparation import prepare
from ...data.validation.raw_rows import RawRows
from ...metrics.alignment.continuum import Continuum
from ...tasks.intake.shards import ShardFacts, shard_facts
from ..campaign.file.campaign_config import Config
from ..campaign.file.declared import declared_in
from ..campaign.file.hiding import hiding_of
from ..campaign.file.sources import Source
from .counts import Counts

_FINISHED = ("document", "annotator", "layer")
_UNITS = (*_FINISHED, "start_offset", "end_offset")
_MOST_DOCUMENTS = 200  # whose units are compared in position


@dataclass(slots=True)
class SourceRead:
    """One source. `error` says why it could not be read.

    formats      format → number of files (or folders that are read as a whole)
    why          format → why it was selected, for its first file
    read_as      how its layers were read
    n_documents  documents that the source describes or annotates
    contents     sketch of the rows, to detect sources with the same rows
    """

    path: str
    formats: dict[str, int] = field(default_factory=dict)
    why: dict[str, str] = field(default_factory=dict)
    n_documents: int = 0
    counts: Counts = field(default_factory=Counts)
    read_as: ReadAs = field(default_factory=ReadAs)
    notes: SourceNotes = field(default_factory=SourceNotes)
    contents: SourceContents = field(default_factory=SourceContents)
    error: str = ""

    def add(self, number: int, raw: Mapping[str, pa.Table], accepted: Accepted) -> None:
        """Add the source's rows; `number` is its origin."""
        self.counts.add(raw, accepted, number)
        documents: set[str] = set()
        for table in ("documents", "assignments", *OF_FILES):
            rows = rows_where(raw[table], as_numpy(raw[table]["origin"]) == number)
            documents.update(pc.unique(rows["document"]).to_pylist())
            self.contents.add(table, rows)
        self.n_documents += len(documents)


@dataclass(slots=True)
class CampaignRead:
    """All sources.

    rows      account of the records of the files
    finished  (document, annotator, layer) of the finished assignments
    units     (document, annotator, layer, start, end) of accepted units of some documents
    unlike    documents whose units are counted in several offset units, with these units
    facts     what a run would know of the accepted rows
    is_private  whether rejected values are withheld
    """

    sources: list[SourceRead]
    is_private: bool = False
    total: Counts = field(default_factory=Counts)
    rows: RowTally = field(default_factory=RowTally)
    documents: list[str] = field(default_factory=list)
    finished: pa.Table = field(default_factory=lambda: _no_rows("assignments", _FINISHED))
    units: pa.Table = field(default_factory=lambda: _no_rows("units", _UNITS))
    unlike: dict[str, list[str]] = field(default_factory=dict)
    facts: list[ShardFacts] = field(default_factory=list)

    def add(self, raw: Mapping[str, pa.Table], accepted: Accepted) -> None:
        """Add rows that `prepare` accepted or rejected, with all rows of their documents."""
        self.total.add(raw, accepted)
        tables = {**accepted.tables, "rejected": accepted.rejected}
        self.facts.append(shard_facts("", accepted, tables))
        tally = accepted.tally()
        self.rows.n_read += tally.n_read
        self.rows.rejected += tally.rejected
        self.rows.excluded += tally.excluded
        for number, one in enumerate(self.sources):
            one.add(number, raw, accepted)
        rows = accepted.tables["assignments"]
        rows = rows.filter(pc.is_in(rows["state"], value_set=FINISHED)).select(_FINISHED)
        self.finished = pa.concat_tables([self.finished, rows])
        names = accepted.tables["documents"]["document"]
        first = names[: max(0, _MOST_DOCUMENTS - len(self.documents))]
        units = accepted.first_pass("units").select(_UNITS)
        units = units.filter(pc.is_in(units["document"], value_set=one_chunk(first)))
        self.units = pa.concat_tables([self.units, units])
        self.documents = sorted([*self.documents, *names.to_pylist()])
        self.unlike |= accepted.counted_unlike()

    def per_document(
        self, people: Collection[str], layer: str | None = None
    ) -> tuple[NDArray[np.int64], tuple[str, ...]]:
        """Return how many of these annotators finished each document, and which finished any.

        In one layer, or in any layer if `layer` is None; passes are not distinguished.
        """
        rows = self.finished
        if layer is not None:
            rows = rows.filter(pc.equal(rows["layer"], scalar(layer)))
        who = column(sorted(people), pa.string())
        rows = first_of_equal_rows(
            rows.filter(pc.is_in(rows["annotator"], value_set=who)), ["document", "annotator"]
        )
        names = column(self.documents, pa.string())
        at = as_numpy(pc.index_in(rows["document"], value_set=names))
        present = tuple(sorted(pc.unique(rows["annotator"]).to_pylist()))
        return np.bincount(at, minlength=len(names)), present

    def continua(self, layer: str, humans: Collection[str]) -> Iterator[Continuum]:
        """Yield the units of these annotators in some documents, without categories."""
        rows = self.units
        who = column(sorted(humans), pa.string())
        of_humans = pc.is_in(rows["annotator"], value_set=who)
        rows = rows.filter(pc.and_(of_humans, pc.equal(rows["layer"], scalar(layer))))
        documents, _ = codes_and_values(rows["document"])
        owners = as_numpy(pc.index_in(rows["annotator"], value_set=who))
        starts, ends = (
            as_numpy(rows[name]).astype(np.float64) for name in ("start_offset", "end_offset")
        )
        for document in np.unique(documents).tolist():
            at = np.flatnonzero(documents == document)
            unnamed = np.full(at.size, -1, dtype=np.int32)
            people = tuple(who.to_pylist())
            yield Continuum(starts[at], ends[at], unnamed, owners[at], people, ())


def _no_rows(table: str, columns: Sequence[str]) -> pa.Table:
    return empty_table(SCHEMAS[table]).select(columns)


@in_campaign_file()
def read_campaign(config: Config) -> CampaignRead:
    """Read every source, continuing after unreadable ones; only temporary files are written."""
    with tempfile.TemporaryDirectory() as folder:
        rows = RawRows(Path(folder), keeps_texts=config.units.trim)
        is_private = config.campaign.privacy
        hiding = hiding_of(config) if is_private else None
        read = [_read_source(one, rows, hiding, k) for k, one in enumerate(config.sources, 1)]
        found = CampaignRead(read, is_private)
        for raw in rows.shards():
            accepted = prepare(raw, declared_in(config), rows.layers)
            found.add(raw, accepted.without_values() if found.is_private else accepted)
    return found


def _read_source(source: Source, rows: RawRows, hiding: Hiding | None, number: int) -> SourceRead:
    """Read a source; `hiding` and its number from 1 are for the names that privacy refuses."""
    found = SourceRead(source.path)
    options = reader_options(source, item_texts=hiding is None)
    try:
        given = _rows(source, found, options)
        rows.add(given if hiding is None else rows_without_names(given, hiding, number))
    except DataError as error:
        found.error = str(error)
    found.notes = options.notes
    found.read_as = options.read_as().renamed(source.layer_names)
    return found


def _rows(source: Source, found: SourceRead, options: SourceOptions) -> Iterator[Rows]:
    """Yield the source's rows, and record their formats."""

    def on_file(file: Path, reader: Reader) -> None:
        found.formats[reader.NAME] = found.formats.get(reader.NAME, 0) + 1
        if reader.NAME not in found.why:
            found.why[reader.NAME] = _why_this_format(source, file, reader)

    return source_rows(source, on_file=on_file, options=options)


def _why_this_format(source: Source, file: Path, reader: Reader) -> str:
    if source.format != AUTO:
        return "named in the campaign file"
    if file.is_dir():
        return f"the folder {file.name} contains files of this format"
    fits = next((pattern for pattern in reader.PATTERNS if file.match(pattern)), "")
    name = f"{file.name} matches {fits}" if fits else f"{file.name} matches no usual name"
    if reader.probe(file):
        return f"{name} and begins like a file of this format"
    return f"{name}, and no other format has the given options"
