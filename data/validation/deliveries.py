"""Work that was delivered more than once: which copy counts.

The rows of an annotator on a document (for labels: on an item) may be in several files. Equal
copies are counted once. Of copies that differ, the last one counts, by the order of deliveries that
the campaign file declares, or by the times in the export. Without either they conflict and none
counts: names and times of files say nothing about which annotation was meant.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import NamedTuple, TypeAlias

import numpy as np
import pyarrow as pa

from ..arrow_columns import (
    are_rows_among,
    column,
    count_equal_rows,
    first_of_equal_rows,
    group_codes,
    number_column,
    rows_where,
)
from ..blocks import Block
from ..schema import FINISHED_STATES, SCHEMAS, ExclusionReason

CONFLICTS = "conflicts"
"""Column of units and labels: whether copies of the row's work differ and none of them counts."""

DELIVERIES = pa.schema(
    [
        ("document", pa.string()),
        ("annotator", pa.string()),
        ("layer", pa.string()),
        ("n_files", pa.int64()),
        ("copies", pa.string()),  # a `Copies`
    ]
)
"""Work of which a part was in several files, one row per document, annotator and layer."""

_WORK = ["document", "annotator", "pass"]
_FILE = ["origin", "source"]
_OF_WORK = ("units", "labels")


class Copies(StrEnum):
    """How the copies of work relate; of work with several parts, the last that holds for one."""

    EQUAL = "equal"
    REPLACED = "replaced"  # the last one counts
    CONFLICT = "conflict"  # none counts


class Work(NamedTuple):
    document: str
    annotator: str
    pass_: int


class File(NamedTuple):
    origin: int
    source: str


Part: TypeAlias = tuple[Work, str, str]  # work, layer and item; "" for units


def choose_deliveries(
    raw: Mapping[str, pa.Table],
    layers: Sequence[Collection[str]],
    order: Sequence[int | None] = (),
) -> ChosenDeliveries:
    """Choose which copy of each work counts.

    layers  by source: the layers that it holds
    order   by source: the number of its delivery, None where none is declared
    """
    choice = ChosenDeliveries(raw, order)
    if (copied := _work_in_several_files(raw)).num_rows:
        choice.choose(raw, copied, layers)
    return choice


def _work_in_several_files(raw: Mapping[str, pa.Table]) -> pa.Table:
    """Return document, annotator and pass of the work that may be there more than once.

    The rows of one of its layers are in several files, or a file without rows says that it is
    finished. Files of different layers are no copies.
    """
    of_layer = [*_WORK, "layer"]
    given = pa.concat_tables(raw[name].select([*of_layer, *_FILE]) for name in _OF_WORK)
    assigned = raw["assignments"].select([*_WORK, *_FILE])
    if (
        first_of_equal_rows(
            pa.concat_tables([given.select(_FILE), assigned.select(_FILE)]), _FILE
        ).num_rows
        < 2
    ):
        return given.select(_WORK).slice(0, 0)
    files = first_of_equal_rows(given, [*of_layer, *_FILE])
    group = group_codes(files, of_layer)
    different, n_files = np.unique(group, return_counts=True)
    several = files.filter(number_column(np.isin(group, different[n_files > 1])))
    empty = assigned.filter(number_column(~are_rows_among(assigned, given, [*_WORK, *_FILE])))
    return first_of_equal_rows(
        pa.concat_tables([several.select(_WORK), empty.select(_WORK)]), _WORK
    )


def _excluded(rows: pa.Table, table: str) -> pa.Table:
    """Describe rows that are left out, one record per file, document and annotator."""
    names = ["source", "document", "annotator"]
    counts = [*count_equal_rows(rows, names)]
    columns = {
        name: column([key[k] for key, _ in counts], pa.string()) for k, name in enumerate(names)
    }
    columns |= {
        "n_rows": column([n for _, n in counts], pa.int64()),
        "location": "",
        "reason": str(ExclusionReason.DELIVERED_AGAIN),
        "table_name": table,
    }
    return Block("excluded", n_rows=len(counts), columns=columns).rows


@dataclass(slots=True)
class _Copy:
    """The rows of a part of a work in one file: their places by table, and their content."""

    places: list[tuple[str, int]] = field(default_factory=list)
    content: set[object] = field(default_factory=set)


class ChosenDeliveries:
    """Which copies of the work in several files count.

    left_out   table → which of its rows are left out, because another copy counts
    conflicts  units and labels → which of their rows are of copies of which none counts
    """

    def __init__(self, raw: Mapping[str, pa.Table], order: Sequence[int | None]) -> None:
        self._order = order
        self._times: dict[tuple[Work, File], float] = {}
        self._files: dict[tuple[Work, str], set[File]] = defaultdict(set)  # by work and layer
        self._lost: dict[Work, set[File]] = defaultdict(set)
        self._kept: dict[Work, set[File]] = defaultdict(set)
        self._copies: dict[tuple[Work, str], Copies] = {}
        self.left_out = {name: np.zeros(rows.num_rows, np.bool_) for name, rows in raw.items()}
        self.conflicts = {name: np.zeros(raw[name].num_rows, np.bool_) for name in _OF_WORK}

    def choose(
        self, raw: Mapping[str, pa.Table], copied: pa.Table, layers: Sequence[Collection[str]]
    ) -> None:
        """Choose for the work `copied`; the other parameters as in `choose_deliveries`."""
        assignments = [*_rows_of_work(raw["assignments"], copied, ["state", "time"])]
        for _, work, file, (_, time) in assignments:
            if (instant := _instant(str(time))) is not None:
                self._times[work, file] = max(instant, self._times.get((work, file), instant))
        parts = _parts_of_work(raw, copied)
        with_rows = {(work, file) for (work, _, _), copies in parts.items() for file in copies}
        left_empty: dict[Work, set[File]] = defaultdict(set)
        for _, work, file, (state, _) in assignments:
            if state in FINISHED_STATES and (work, file) not in with_rows:
                left_empty[work].add(file)
        for (work, layer, item), copies in parts.items():
            if not item:
                origins = {file.origin for file in copies}
                for file in left_empty[work]:
                    if file.origin not in origins and layer in layers[file.origin]:
                        copies[file] = _Copy()
            self._files[work, layer].update(copies)
            self._choose_part(work, layer, copies)
        self._follow_lost_files(raw, copied)

    def _choose_part(self, work: Work, layer: str, copies: Mapping[File, _Copy]) -> None:
        """Choose between the copies of one part of a work in a layer."""
        last, how = self._last(work, copies)
        if len(copies) > 1:
            before = self._copies.get((work, layer), how)
            self._copies[work, layer] = max(before, how, key=[*Copies].index)
        for file, copy in copies.items():
            if last is None:
                for table, place in copy.places:
                    self.conflicts[table][place] = True
            elif file != last:
                self._lost[work].add(file)
                for table, place in copy.places:
                    self.left_out[table][place] = True
        self._kept[work].update(copies if last is None else [last])

    def _last(self, work: Work, copies: Mapping[File, _Copy]) -> tuple[File | None, Copies]:
        """Return the file whose copy counts, None in a conflict, and how the copies relate."""
        files = [*copies]
        if len({frozenset(copy.content) for copy in copies.values()}) == 1:
            return files[0], Copies.EQUAL
        orders = [self._order[file.origin] for file in files] if self._order else []
        times = [self._times.get((work, file)) for file in files]
        for values in (orders, times):
            known = [value for value in values if value is not None]
            if len(known) < len(files):
                continue
            last = [file for file, value in zip(files, known, strict=True) if value == max(known)]
            if len({frozenset(copies[file].content) for file in last}) == 1:
                return last[0], Copies.REPLACED
        return None, Copies.CONFLICT

    def _follow_lost_files(self, raw: Mapping[str, pa.Table], copied: pa.Table) -> None:
        """Leave out relations and assignments of the files whose units do not count."""
        for place, work, file, _ in _rows_of_work(raw["relations"], copied, []):
            self.left_out["relations"][place] = file in self._lost[work]
        for place, work, file, _ in _rows_of_work(raw["assignments"], copied, []):
            is_lost = file in self._lost[work] and file not in self._kept[work]
            self.left_out["assignments"][place] = is_lost

    def excluded(self, raw: Mapping[str, pa.Table]) -> pa.Table:
        """Return the table `excluded` with the rows that are left out, too."""
        found = [
            _excluded(rows_where(raw[name], self.left_out[name]), name)
            for name in ("units", "labels", "relations")
            if self.left_out[name].any()
        ]
        return pa.concat_tables([raw["excluded"].select(SCHEMAS["excluded"].names), *found])

    def deliveries(self) -> pa.Table:
        """Return the work that was delivered more than once, over all passes."""
        found: dict[tuple[str, str, str], tuple[set[File], Copies]] = {}
        for (work, layer), how in self._copies.items():
            name = (work.document, work.annotator, layer)
            files, before = found.get(name, (set(), how))
            both = max(before, how, key=[*Copies].index)
            found[name] = (files | self._files[work, layer], both)
        rows = [(*name, len(files), str(how)) for name, (files, how) in found.items()]
        return pa.table(
            {
                field.name: column([row[k] for row in rows], field.type)
                for k, field in enumerate(DELIVERIES)
            },
            schema=DELIVERIES,
        )


def _instant(time: str) -> float | None:
    """Return an ISO 8601 time in Unix seconds (UTC by default); None if it is none."""
    try:
        found = datetime.fromisoformat(time)
    except ValueError:
        return None
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()


def _rows_of_work(
    rows: pa.Table, copied: pa.Table, columns: Sequence[str]
) -> Iterator[tuple[int, Work, File, tuple[object, ...]]]:
    """Yield place, work, file and these columns of the rows of the work."""
    places = np.flatnonzero(are_rows_among(rows, copied, _WORK))
    own = rows.take(number_column(places))
    values = zip(*(own[name].to_pylist() for name in [*_WORK, *_FILE, *columns]), strict=True)
    for place, (document, annotator, pass_, origin, source, *others) in zip(
        places.tolist(), values, strict=True
    ):
        yield place, Work(document, annotator, pass_), File(origin, source), tuple(others)


def _parts_of_work(raw: Mapping[str, pa.Table], copied: pa.Table) -> dict[Part, dict[File, _Copy]]:
    """Return the copies of each part of the work: an item with its label, or the units of a layer.

    The content of units has the relations of their file, whose ends are given by what they are.
    """
    parts: dict[Part, dict[File, _Copy]] = defaultdict(dict)
    ends: dict[tuple[Work, File, str], object] = {}
    columns = ["unit", "layer", "start_offset", "end_offset", "category", "fragments"]
    for place, work, file, (unit, layer, *what) in _rows_of_work(raw["units"], copied, columns):
        copy = parts[work, str(layer), ""].setdefault(file, _Copy())
        copy.places.append(("units", place))
        content = (*what[:3], str(what[3] or ""))
        copy.content.add(content)
        ends[work, file, str(unit)] = content
    columns = ["category", "from_unit", "to_unit"]
    linked: dict[tuple[Work, File], set[object]] = defaultdict(set)
    for _, work, file, (category, *units) in _rows_of_work(raw["relations"], copied, columns):
        linked[work, file].add((category, *(ends.get((work, file, str(one))) for one in units)))
    for (work, _, _), copies in parts.items():
        for file, copy in copies.items():
            copy.content |= linked[work, file]
    columns = ["layer", "item", "labels"]
    for place, work, file, (layer, item, labels) in _rows_of_work(raw["labels"], copied, columns):
        copy = parts[work, str(layer), str(item)].setdefault(file, _Copy())
        copy.places.append(("labels", place))
        copy.content.add(tuple(labels))  # type: ignore[arg-type]  # a list of strings
    return parts
