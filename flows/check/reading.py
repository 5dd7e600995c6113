"""One reading of a campaign's sources, with counts per source and in total."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ...data.blocks import Rows
from ...data.errors import DataError
from ...data.intake.source_rows import reader_options, source_rows
from ...data.readers.base import Reader, SourceOptions
from ...data.readers.common.layers import ReadAs
from ...data.readers.notes import SourceNotes
from ...data.readers.registry import AUTO
from ...data.same_rows import SourceContents
from ...data.streaming_check.known_documents import Documents
from ...data.streaming_check.participation import Presence
from ...data.streaming_check.sift import Sifter
from ...data.streaming_check.source_counts import Counts, add_counts
from ...data.validation.preparation import UNNAMED_LAYER
from ..campaign.file.config import Config
from ..campaign.file.declared import declared_in
from ..campaign.file.sources import Source
from .first_units import FirstUnits


@dataclass(slots=True)
class SourceRead:
    """One source. `error` says why it could not be read, or not completely.

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


@dataclass(slots=True)
class CampaignRead:
    sources: list[SourceRead]
    total: Counts
    presence: Presence
    documents: Documents
    units: FirstUnits


def read_campaign(config: Config) -> CampaignRead:
    """Read every source, continuing after unreadable ones. Nothing is written."""
    sifter = Sifter(declared_in(config))
    presence = Presence(sifter.documents)
    units = FirstUnits(sifter.documents)
    sources = []
    for number, source in enumerate(config.sources):
        sources.append(_read_source(source, number, sifter, presence, units))
    for number, sifted in sifter.end():
        sources[number].counts.add(sifted)
    total = add_counts([one.counts for one in sources])
    return CampaignRead(sources, total, presence, sifter.documents, units)


def _read_source(
    source: Source, number: int, sifter: Sifter, presence: Presence, units: FirstUnits
) -> SourceRead:
    found = SourceRead(source.path)
    options = reader_options(source)
    try:
        for sifted in sifter.source(_rows(source, found, options), number):
            found.counts.add(sifted)
            presence.add(sifted)
            units.add(sifted)
            found.contents.add(sifted.table, sifted.rows)
    except DataError as error:
        found.error = str(error)
    found.notes = options.notes
    found.read_as = options.read_as().renamed(source.layer_names)
    held = {name for table in UNNAMED_LAYER for name in found.counts.read[table]}
    presence.end_source(sorted(held))
    found.n_documents = sifter.documents.n_of(number)
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
