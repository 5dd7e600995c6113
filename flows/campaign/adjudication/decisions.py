"""CSV files of adjudication: disagreements by cost, with columns for the decisions.

One row per case, one column `said: NAME` per annotator. To decide a case, fill in `decision` (a
category, `(nothing)` if nothing should be annotated, `(no category)` for a unit without one),
`who`, `when` (ISO 8601), `why` and, for units, `start` and `end` if the proposed bounds (the
medians) are wrong; of a discontinuous unit, those of its fragments: `16;31` and `20;39`.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from ....data.errors import DataError
from ....data.spreadsheet import csv_text, plain_cell
from ....data.store.sealed_json import read_sealed, write_sealed
from ....data.untrusted.files import open_regular
from ....data.writers.base import write_files
from ....metrics.alignment.continuum import UNLABELLED_NAME
from ....metrics.references.adjudication import Decision
from ....metrics.references.disagreement_cases import Case, GivenAnnotation, is_case_key
from ....tasks.references.decided_cases import ITEM_OF_0_2
from ...progress.watcher import watcher

if TYPE_CHECKING:
    from ....data.store.store import Store

CaseKey: TypeAlias = tuple[str, str]  # (layer, case)
Decisions: TypeAlias = list[tuple[str, Decision]]  # (layer, decision)

NOTHING = "(nothing)"
LAST_RUN = "adjudication/last-run.json"  # describes the last run
_RECORDED = "adjudication/decisions-"
_COPIED = "adjudication/copies/decisions-"
_RECORD = re.compile(rf"(?:{_RECORDED}|{_COPIED})(?P<number>\d+)\.json")
_GIVEN = ("case", "layer", "document", "where", "cost", "context")
_TO_FILL = ("decision", "start", "end", "who", "when", "why")
_SAID = "said: "
_PROBABLE = "probable error"


def write_cases(
    cases: Sequence[Case],
    decisions: Decisions,
    path: Path,
    reasons: Mapping[CaseKey, str] | None = None,
) -> None:
    """Write the cases in their order, with the latest decision on each.

    reasons  the probable errors of cases, as an additional column
    """
    reasons = reasons or {}
    annotators = sorted({name for case in cases for name in case.said})
    latest = {
        (layer, decision.case): decision
        for layer, decision in sorted(decisions, key=lambda one: one[1].when)
    }
    further = [_PROBABLE] if reasons else []
    rows = [[*_GIVEN, *further, *(f"{_SAID}{name}" for name in annotators), *_TO_FILL]]
    rows += [
        [
            case.case,
            case.layer,
            case.document,
            case.where,
            f"{case.cost:.4f}",
            case.context,
            *([reasons.get((case.layer, case.case), "")] if reasons else []),
            *(_annotation_text(case.said.get(name)) for name in annotators),
            *_decision_cells(latest.get((case.layer, case.case))),
        ]
        for case in cases
    ]
    write_files({path: csv_text(rows)})


def _annotation_text(said: GivenAnnotation | None) -> str:
    if said is None:
        return ""
    if np.isnan(said.start):
        return said.category or NOTHING
    return f"{said.category or UNLABELLED_NAME} {said.bounds_text}"


def _decision_cells(decision: Decision | None) -> list[str]:
    if decision is None:
        return [""] * len(_TO_FILL)
    category = decision.category or UNLABELLED_NAME
    pairs = [(decision.start, decision.end), *decision.fragments]
    bounds = [
        ";".join("" if np.isnan(v) else f"{v:g}" for v in values)
        for values in zip(*(pairs[1:] or pairs), strict=True)
    ]
    return [
        category if decision.keep else NOTHING,
        *bounds,
        decision.who,
        decision.when,
        decision.why,
    ]


def read_decisions(path: str | Path) -> Decisions:
    """Read the decisions of a completed file; rows without any are skipped.

    Raises DataError, with the line, for a missing column, an incomplete row, an unclosed quotation
    mark, or a `when`, `start` or `end` that cannot be read.
    """
    place = Path(path)
    try:
        with open_regular(place) as file:
            text = io.TextIOWrapper(file, encoding="utf-8-sig").read()
    except FileNotFoundError:
        raise DataError(f"{place}: no such file") from None
    except IsADirectoryError:
        raise DataError(
            f"{place}: is a folder; give the CSV file, or the format of the export (--from)"
        ) from None
    except UnicodeDecodeError:
        raise DataError(
            f'{place}: is not CSV in UTF-8; in a spreadsheet save it as "CSV UTF-8"'
        ) from None
    except OSError as error:
        raise DataError(f"{place}: cannot be read ({error.strerror})") from None
    first = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=first.count)  # spreadsheets in some locales use ";"
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        return _read_decisions(rows, place)
    except csv.Error as error:
        raise DataError(
            f"{place.name} line {rows.line_num + 1}: not a row of a table ({error}); look for a "
            "quotation mark that is not closed"
        ) from error


def _read_decisions(rows: csv.DictReader[str], place: Path) -> Decisions:
    missing = [name for name in (*_GIVEN[:4], *_TO_FILL) if name not in (rows.fieldnames or ())]
    if missing:
        raise DataError(
            f"{place}: the column {missing[0]} is missing; fill in the file that "
            "`accordeur adjudicate CAMPAIGN OUT` writes"
        )
    found: Decisions = []
    for row in rows:
        where = f"{place.name} line {rows.line_num}"
        if any(row.get(None) or ()):  # type: ignore[call-overload]  # csv's key for extra cells
            raise DataError(f"{where}: more cells than the header has columns")
        cells = {name: plain_cell((row.get(name) or "").strip()) for name in (*_GIVEN, *_TO_FILL)}
        if any(cells[name] for name in _TO_FILL):
            found.append((cells["layer"], _decision(cells, where)))
    return found


def decision_files(store: Store, below: str = "") -> list[str]:
    """Return the files (below a folder) with the decisions of each import, in order."""
    paths = store.list(f"{below}adjudication")
    return [
        path
        for path in paths
        if _RECORD.fullmatch(name := path.removeprefix(below)) and not name.startswith(_COPIED)
    ]


def write_decisions(store: Store, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write the decisions of one import, with a copy, as they cannot be recomputed."""
    number = 1 + len(decision_files(store))
    record = f"{_RECORDED}{number:04d}.json"
    for path in (record, f"{_COPIED}{number:04d}.json"):
        write_sealed(store, path, {"decisions": list(rows)}, name=record)


def restore_damaged_records(store: Store) -> None:
    """Restore damaged records of decisions from their copies, and copies from their records.

    Raises DataError if both are damaged.
    """
    for first, second in _records_with_copies(store):
        read = {path: read_sealed(store, path, name=first) for path in (first, second)}
        whole = next((one for one in read.values() if one is not None), None)
        if whole is None:
            raise DataError(
                f"{first} in the store {store.url} is damaged, and so is its copy: delete both and "
                "read the decisions again (accordeur adjudicate CAMPAIGN --decisions FILE)"
            )
        for path in (path for path, one in read.items() if one is None):
            write_sealed(store, path, whole.content, name=first)
            watcher().note(f"damaged in the store, restored from its copy: {path}")


def _records_with_copies(store: Store) -> list[tuple[str, str]]:
    """Return every record with its copy; either file may be missing."""
    found = (_RECORD.fullmatch(path) for path in store.list("adjudication"))
    numbers = sorted({one["number"] for one in found if one})
    return [(f"{_RECORDED}{n}.json", f"{_COPIED}{n}.json") for n in numbers]


def read_record(store: Store, path: str) -> list[dict[str, Any]]:
    """Return the decisions of one record. Raises DataError if it is damaged."""
    sealed = read_sealed(store, path)
    if sealed is None:
        raise DataError(
            f"{path} in the store {store.url} is damaged: `accordeur run` restores it from its copy"
        )
    return list(sealed.content["decisions"])


def require_known_layers(decisions: Decisions, layers: Collection[str]) -> None:
    """Raise DataError for a decision on an unknown layer."""
    for name, decision in decisions:
        if name not in layers:
            raise DataError(
                f"a decision by {decision.who!r} names the unknown layer {name!r}; the layers "
                f"found are {', '.join(sorted(layers)) or 'none'}"
            )


def _decision(cells: Mapping[str, str], where: str) -> Decision:
    if not cells["decision"]:
        raise DataError(
            f"{where}: no decision; give a category, {NOTHING!r} or {UNLABELLED_NAME!r}, or "
            "leave all decision cells of the row empty"
        )
    for name in ("who", "when"):
        if not cells[name]:
            raise DataError(
                f"{where}: the decision has no `{name}`: fill in who decided and when, because a "
                "reference is released with its history"
            )
    try:
        datetime.fromisoformat(cells["when"])
    except ValueError:
        raise DataError(
            f"{where}: `when` is {cells['when']!r}; give an ISO 8601 date or time, such as "
            "2026-11-20"
        ) from None
    named = cells["decision"]
    starts, ends = (_bounds(cells, name, where) for name in ("start", "end"))
    if len(starts) != len(ends):
        raise DataError(
            f"{where}: `start` has {len(starts)} fragments and `end` {len(ends)}; give both, with "
            "semicolons between them"
        )
    return Decision(
        case=_case(cells, where),
        document=cells["document"],
        item=cells["where"],
        category="" if named in (NOTHING, UNLABELLED_NAME) else named,
        who=cells["who"],
        when=cells["when"],
        why=cells["why"],
        start=starts[0],
        end=ends[-1],
        keep=named != NOTHING,
        fragments=tuple((int(a), int(b)) for a, b in zip(starts, ends, strict=True))
        if len(starts) > 1
        else (),
    )


def _case(cells: Mapping[str, str], where: str) -> str:
    """Return the key of the case, or the name that a file of version 0.2.0 gives it."""
    if is_case_key(cells["case"]):
        return cells["case"]
    prefix = f"{cells['layer']}|"
    if not cells["case"].startswith(prefix):
        raise DataError(
            f"{where}: case {cells['case']!r} does not belong to layer {cells['layer']!r}"
        )
    name = cells["case"].removeprefix(prefix)
    if name == f"{cells['document']}|{cells['where']}":
        return f"{cells['document']}{ITEM_OF_0_2}{cells['where']}"
    return name


def _bounds(cells: Mapping[str, str], name: str, where: str) -> list[float]:
    """Return the bound in a cell, of a discontinuous unit one per fragment; [nan] if empty."""
    if not cells[name]:
        return [float("nan")]
    try:
        return [float(int(bound)) for bound in cells[name].split(";")]
    except ValueError:
        raise DataError(f"{where}: `{name}` is {cells[name]!r}; give a whole number") from None
