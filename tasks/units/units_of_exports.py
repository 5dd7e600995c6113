"""The units of exports, read and counted as the units of a run's shard."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from ...data.arrow_columns import column
from ...data.errors import DataError
from ...data.readers.annotator_folders import path_option
from ...data.readers.path_pattern import NAME_PATTERNS
from ...data.readers.tables.given import Given
from ...data.row_account import ExportAccount, rejection_summary, require_no_rejected
from ...data.schema import Role
from ...metrics.coded_warning import CodedWarning
from ...metrics.errors import MetricsError
from ...reports.warnings import in_english
from ..inputs.data_warnings import warnings_on_units
from ..inputs.name_warnings import warnings_on_annotator_folders
from ..inputs.one_shard import OneShard, open_exports
from ..inputs.reading_options import Reading
from ..inputs.reading_warnings import warnings_on_reading
from ..layer_rows import LayerRows
from ..layers import LayerSpec
from ..queues_of_rounds import cells_not_for_agreement
from ..stored_annotations import AnnotatedDocument, stored_continua

if TYPE_CHECKING:
    from ...metrics.alignment.continuum import Continuum

DEFAULT_READING = Reading()
_MOST_NAMED = 12  # maximum number of names in a sentence
_MOST_EXAMPLES = 3


@dataclass(frozen=True, slots=True)
class ExportUnits:
    """The units that humans located in the exports, document by document.

    shard      all accepted and rejected rows
    layer      as a run has it
    documents  that a human finished, sorted by name
    """

    shard: OneShard
    layer: LayerSpec
    documents: Sequence[AnnotatedDocument]

    @property
    def continua(self) -> list[Continuum]:
        return self.continua_of(None)

    def continua_of(self, names: Collection[str] | None) -> list[Continuum]:
        """Return the continua of these documents; None: of all."""
        return [one.continuum for one in self.documents if names is None or one.document in names]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(one.document for one in self.documents)

    @property
    def settings(self) -> Mapping[str, str]:
        """How the layer was read, for the signatures of its measures."""
        return self.shard.settings(self.shard.contents.units[self.layer.name])

    def warnings(self) -> list[CodedWarning]:
        """Return what was assumed in reading, and what is strange about the units."""
        return [
            *warnings_on_reading(self.shard.notes, self.layer.humans),
            *warnings_on_units(self.documents, in_table=self.shard.notes.n_unit_tables > 0),
        ]

    def account(self, among: Collection[str] | None = None) -> ExportAccount:
        """Return the fates of all rows.

        among  the documents that are compared; the units of others are excluded. None: all
        """
        shard = self.shard
        tally = shard.tally_of_others(shard.contents.units[self.layer.name])
        rows = LayerRows(shard.store, shard.key, self.layer)
        common = None
        if among is not None:
            common = pa.table([column([*among], pa.string())], names=["document"])
        rows.count(tally, shard.roles, common=common)
        return ExportAccount(tally, shard.rejected, self.settings)


def read_units(
    paths: Sequence[Given],
    reading: Reading = DEFAULT_READING,
    *,
    queue: Path | None = None,
    trim: bool = False,
) -> ExportUnits:
    """Read the units of one layer of files, folders or globs.

    queue  of `accordeur next`: documents that it chose as informative for an annotator are excluded
    trim   whether units lose blanks and punctuation at their edges

    Raises DataError when a path cannot be read or no unit is left, MetricsError when no document
    has two human annotators.
    """
    exports = open_exports(paths, reading)
    shard = OneShard(exports, reading, table="units", trim=trim, queue=queue)
    contents = shard.layer("units", reading.layer)
    if contents is None:
        if shard.contents.labels:
            raise DataError(f"{shard.where}: holds labels, not units; try `accordeur agree`")
        require_no_rejected(shard.rejected)
        raise DataError(f"{shard.where}: has no unit")
    layer = LayerSpec.of(contents, declared=reading.categories)
    layer = replace(layer, adaptive=shard.adaptive)
    chosen = cells_not_for_agreement(shard.store, layer)
    documents = stored_continua(
        shard.store, shard.key, layer, layer.humans, Role.HUMAN, without=chosen
    )
    if not any(one.continuum.n_annotators > 1 for one in documents):
        lost = rejection_summary(shard.rejected)
        raise MetricsError(_too_few(shard, layer, documents) + (f" ({lost})" if lost else ""))
    return ExportUnits(shard, layer, documents)


def _advice_on_names(documents: Sequence[str]) -> str:
    """Advise on documents such as `d1_anna` and `d1_ben`; "" where no names are like these."""
    for pattern in NAME_PATTERNS:
        of_document: dict[str, list[str]] = {}
        for name in documents:
            found = pattern.names_in_text(name)
            if found is not None and found[1].isalpha() and len(found[1]) > 1:
                of_document.setdefault(found[0], []).append(name)
        alike = next((names for names in of_document.values() if len(names) > 1), None)
        if alike is not None:
            return (
                f"if {' and '.join(map(repr, alike[:2]))} are one document by two annotators, set "
                f"{path_option(pattern.text.removeprefix('**/'))}"
            )
    return ""


def _too_few(shard: OneShard, layer: LayerSpec, documents: Sequence[AnnotatedDocument]) -> str:
    """List the annotators found, for the error that no document has two annotators."""
    of_roles = (
        (Role.SYSTEM, layer.systems),
        (Role.REFERENCE, layer.references),
        (Role.AUDIT, layer.audits),
    )
    others = [(role, name) for role, names in of_roles for name in names]
    shown = sorted(
        [
            *map(repr, layer.humans),
            *(f"{name!r} ({role})" for role, name in others),
        ]
    )
    who = ", ".join(shown[:_MOST_NAMED]) + (" …" if len(shown) > _MOST_NAMED else "")
    names = sorted(shard.accepted.tables["documents"]["document"].to_pylist())
    advice = "".join(map(in_english, warnings_on_annotator_folders(names)))
    if not advice and len(layer.humans) > 1:
        whose = {who: one.document for one in documents for who in one.continuum.annotators}
        some = ", ".join(f"{whose[name]!r} by {name}" for name in sorted(whose)[:_MOST_EXAMPLES])
        advice = f"each document was annotated by one annotator ({some} …)"
    advice = advice or _advice_on_names(names)
    advice = advice or "give one export per annotator, or one export with all annotators"
    scored = (
        "; systems are scored (`accordeur score`), or judged as a replacement of an annotator "
        "(`accordeur replace`)"
        if layer.systems or layer.references
        else ""
    )
    n = len(layer.humans) + len(others)
    found = f"annotator{'s' if n > 1 else ''} found: {who}" if n else "found: none"
    return f"no document has two human annotators ({found}): {advice}{scored}"
