"""Decisions made in an annotation tool: a curated export compared with the disagreements.

In each document that the curator finished, every disagreement is decided: a curated unit that
overlaps it gives category and bounds (the unit with the largest overlap; each unit decides one
case), and without an overlapping unit the decision is that there is nothing to annotate. A label of
the item decides a disagreement on labels; without a label the case stays open.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from ....data.errors import DataError
from ....data.readers.base import SourceOptions
from ....data.readers.formats.label_studio.reader import READER as LABEL_STUDIO
from ....data.readers.formats.uima.xmi_reader import READER as UIMA_XMI
from ....data.readers.registry import AUTO, detect_reader
from ....data.readers.sources import read_source
from ....data.schema import FINISHED_STATES, Assignment, Label, Record, Rejected, Role, Unit
from ....data.store.store import Store
from ....data.untrusted.files import is_special
from ....data.writers.inception_xmi import WRITER as INCEPTION_XMI
from ....metrics.alignment.continuum import Fragments
from ....metrics.references.adjudication import Decision
from ....metrics.references.disagreement_cases import Case, cases_by_alignment_row
from ....tasks.layers import LayerSpec
from ....tasks.references.disagreement_cases import aligned_documents
from ....tasks.units.alignment import DissimilaritySpec
from .adjudicate import LastRun, all_cases
from .decisions import Decisions

_READERS = {INCEPTION_XMI.NAME: (UIMA_XMI.NAME, {"category": "value"})}  # its category feature
_Span = tuple[float, float]
_Placed = tuple[str, str, float, float, str, Fragments]  # layer, document, start, end, category


@dataclass(frozen=True, slots=True)
class Curation:
    """Decisions; `n_elsewhere` curated units match neither a disagreement nor an agreed unit."""

    decisions: Decisions
    n_elsewhere: int


def tool_decisions(
    store: Store,
    path: Path,
    format: str,
    run: LastRun,
    *,
    options: Mapping[str, str] = {},
    who: str | None = None,
    when: str | None = None,
) -> Curation:
    """Return the decisions of the curated export at `path` on the last run's disagreements.

    format   of a reader, or `inception_xmi` for what the writer of this name wrote
    options  of the format

    The curator is `who`, else the export's reference (ground truth, curation), else its only
    annotator. `when` (ISO 8601) is by default the modification time of the file, or of the newest
    file in the folder, so that importing the same export twice adds no decision. Raises DataError
    if there is no curator, if a row was rejected, or for a layer that is not in the campaign.
    """
    named, own = _READERS.get(format, (format, {}))
    extra = {**own, **_ground_truth_option(path, named), **options}
    records = list(read_source(path, named, SourceOptions(extra=extra)))
    if not any(isinstance(r, Assignment) for r in records):
        raise DataError(
            f"{path}: has no annotations in the format {format}: give its format (--from)"
        )
    curator = _choose_curator(records, who)
    when = when or _newest_file_time(path)
    layers = {layer.name: layer for layer in run.layers}
    finished = {
        r.document
        for r in records
        if isinstance(r, Assignment) and r.annotator == curator and r.state in FINISHED_STATES
    }
    cases = [case for case in all_cases(store, run) if case.document in finished]
    units = _units_of_curator(records, curator, layers)
    labels = {
        (_layer_of_decision(r, layers, labels=True), r.document, r.item): r
        for r in records
        if isinstance(r, Label) and r.annotator == curator
    }
    agreed = _unanimous_units(store, run, {unit[1] for unit in units})
    units = [unit for unit in units if unit not in agreed]
    on_units = [case for case in cases if not layers[case.layer].is_labels]
    matched = _match_cases(on_units, units)
    name = who or curator
    found: Decisions = []
    for number, case in enumerate(on_units):
        unit = matched.get(number)
        if unit is None:
            found.append((case.layer, Decision(case.case, "", name, when, keep=False)))
        else:
            _, _, start, end, category, fragments = unit
            decision = Decision(
                case.case, category, name, when, "", start, end, fragments=fragments
            )
            found.append((case.layer, decision))
    for case in cases:
        if not layers[case.layer].is_labels:
            continue
        label = labels.get((case.layer, case.document, case.where))
        if label is not None and (layers[case.layer].sets or len(label.labels) == 1):
            category = layers[case.layer].category_of_labels(label.labels)
            found.append((case.layer, Decision(case.case, category, name, when)))
    return Curation(found, len(units) - len(matched))


def _ground_truth_option(path: Path, format: str) -> dict[str, str]:
    """Return the option that reads annotations marked as ground truth as the reference."""
    chosen = detect_reader(path) if format == AUTO and path.is_file() else None
    named = chosen.NAME if chosen is not None else format
    return {"ground_truth": "reference"} if named == LABEL_STUDIO.NAME else {}


def _choose_curator(records: Sequence[Record], who: str | None) -> str:
    hands = {r.annotator: r.role for r in records if isinstance(r, Assignment)}
    rejected = [r for r in records if isinstance(r, Rejected)]
    if rejected:
        first = rejected[0]
        raise DataError(
            f"{first.source} {first.location}: {first.message}; decisions are not taken from an "
            f"export with rejected rows ({len(rejected)})"
        )
    references = [name for name, role in hands.items() if role == Role.REFERENCE]
    for chosen in ([who] if who in hands else [], references, list(hands)):
        if len(chosen) == 1:
            return str(chosen[0])
    known = ", ".join(sorted(hands))
    if who is not None:
        raise DataError(f"the export has no annotator {who!r} (--who); its annotators are {known}")
    raise DataError(
        f"the export does not say who curated it (its annotators are {known}): give the "
        "curator's name with --who"
    )


def _newest_file_time(path: Path) -> str:
    files = [path, *path.rglob("*")] if path.is_dir() else [path]
    newest = max(file.stat().st_mtime for file in files if not is_special(file))
    return datetime.fromtimestamp(newest, UTC).isoformat(timespec="seconds")


def _units_of_curator(
    records: Sequence[Record], curator: str, layers: Mapping[str, LayerSpec]
) -> list[_Placed]:
    return [
        (
            _layer_of_decision(r, layers, labels=False),
            r.document,
            float(r.start_offset),
            float(r.end_offset),
            r.category,
            _fragments(r),
        )
        for r in records
        if isinstance(r, Unit) and r.annotator == curator
    ]


def _fragments(unit: Unit) -> Fragments:
    """Return the fragments of a unit, which some writers keep in an attribute; () without gaps.

    Raises DataError if they are not within the bounds of the unit, which the curator has moved.
    """
    given = unit.fragments
    stated = dict(unit.attributes).get("fragments", "")
    if not given and stated:
        pieces = [piece.split() for piece in stated.split(";")]
        with suppress(ValueError):
            given = tuple((int(start), int(end)) for start, end in pieces)
        if not given or (given[0][0], given[-1][1]) != (unit.start_offset, unit.end_offset):
            raise DataError(
                f"document {unit.document!r}, {unit.start_offset}–{unit.end_offset}: the "
                f"`fragments` {stated!r} are not those of a unit with these bounds: correct them "
                "or empty the field"
            )
    return given if len(given) > 1 else ()


def _layer_of_decision(
    record: Unit | Label, layers: Mapping[str, LayerSpec], *, labels: bool
) -> str:
    """Return the campaign's layer of this name, else the only one with such a category."""
    known = layers.get(record.layer)
    if known is not None and known.is_labels == labels:
        return record.layer
    said = {record.category} if isinstance(record, Unit) else {*record.labels}
    fitting = [
        name
        for name, layer in layers.items()
        if layer.is_labels == labels and said - {""} <= {*(layer.labels() or layer.tagset)}
    ]
    if len(fitting) == 1:
        return fitting[0]
    raise DataError(
        f"document {record.document!r}: {' '.join(sorted(said))!r} of layer {record.layer!r} "
        f"could belong to {len(fitting)} of the campaign's layers ({', '.join(sorted(layers))})"
    )


def _unanimous_units(store: Store, run: LastRun, documents: set[str]) -> set[_Placed]:
    """Return the units that all annotators agree on, in these documents."""
    found: set[_Placed] = set()
    for layer in run.layers:
        if layer.is_labels or len(layer.humans) < 2:
            continue
        spec = run.dissimilarities.get(layer.name, DissimilaritySpec())
        for _, document, continuum, alignment in aligned_documents(store, run.keys, layer, spec):
            if alignment is None or document not in documents:
                continue
            open_ = cases_by_alignment_row(continuum, alignment, document, layer.name)
            for row, units in enumerate(alignment.units):
                if row not in open_:
                    unit = units[units >= 0][0]
                    code = int(continuum.categories[unit])
                    category = continuum.tagset[code] if code >= 0 else ""
                    bounds = float(continuum.starts[unit]), float(continuum.ends[unit])
                    fragments = continuum.fragments_of(unit)
                    found.add((layer.name, document, *bounds, category, fragments))
    return found


def _match_cases(cases: Sequence[Case], units: Sequence[_Placed]) -> dict[int, _Placed]:
    """Match cases to the curated units that decide them, largest overlap first."""
    pairs = []
    for number, case in enumerate(cases):
        spans = [(said.start, said.end) for said in case.said.values() if said.start == said.start]
        for k, (layer, document, start, end, category, _) in enumerate(units):
            if (layer, document) == (case.layer, case.document):
                share = max(_overlap_share((start, end), span) for span in spans)
                said = any(category == one.category for one in case.said.values())
                if share > 0:
                    pairs.append((-share, not said, number, k))
    matched: dict[int, _Placed] = {}
    used: set[int] = set()
    for _, _, number, k in sorted(pairs):
        if number not in matched and k not in used:
            matched[number] = units[k]
            used.add(k)
    return matched


def _overlap_share(one: _Span, other: _Span) -> float:
    """Return the ratio of intersection to union of two spans, 0 to 1."""
    common = min(one[1], other[1]) - max(one[0], other[0])
    return max(0.0, common / (max(one[1], other[1]) - min(one[0], other[0])))
