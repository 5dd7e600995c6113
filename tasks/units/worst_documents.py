"""Drawings of the worst documents in the report, and their disagreements to discuss."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ...data.store.store import Store
from ...metrics.alignment.continuum import UNLABELLED_NAME
from ...metrics.references.disagreement_cases import GivenAnnotation, case_key
from ...metrics.references.unit_places import overlapping_parts
from ...reports import results as page
from ..cause_examples import words_around
from ..layers import LayerSpec
from ..stored_annotations import FIRST_PASS

_OF_DOCUMENTS = ["document", "text", "length", "offset_unit"]
_OF_UNITS = ["document", "annotator", "unit", "start_offset", "end_offset", "category", "fragments"]
_WHICH = ["layer", "pass"]


def drawings_of_documents(
    store: Store, layer: LayerSpec, places: Mapping[str, str], names: Sequence[str]
) -> list[page.Alignment]:
    """Return the drawing data of these documents, in order, if the shards contain them.

    places  place of the alignments by key of the shard
    """
    shards = [_alignments_to_draw(store, layer, *shard, names) for shard in places.items()]
    found = {one.document: one for drawn in shards for one in drawn}
    return [found[name] for name in names if name in found]


def _alignments_to_draw(
    store: Store, layer: LayerSpec, shard: str, place: str, wanted: Sequence[str]
) -> list[page.Alignment]:
    chosen = pa.array(list(wanted), pa.string())

    def of_chosen(rows: pa.Table) -> pa.Table:
        return rows.filter(pc.is_in(rows["document"], value_set=chosen))

    path = f"{place}/alignments.parquet"
    if not of_chosen(store.read_table(path, columns=["document"])).num_rows:
        return []
    rows = of_chosen(store.read_table(path))
    documents = of_chosen(store.accepted_rows(shard, "documents", columns=_OF_DOCUMENTS))
    by_name = {row["document"]: row for row in documents.to_pylist()}
    units = of_chosen(store.accepted_rows(shard, "units", columns=[*_OF_UNITS, *_WHICH]))
    of_layer = pc.and_(pc.equal(units["layer"], layer.name), pc.equal(units["pass"], FIRST_PASS))
    of_document: dict[str, dict[tuple[str, str], Any]] = {}
    for unit in units.filter(of_layer).select(_OF_UNITS).to_pylist():
        key = unit["annotator"], unit["unit"]
        of_document.setdefault(unit["document"], {})[key] = unit
    drawn = []
    for row in rows.to_pylist():
        document = by_name[row["document"]]
        text = document["text"] or ""
        aligned = _aligned_units(row, of_document.get(row["document"], {}), text)
        last = max((unit.end for unit in aligned), default=0.0)
        drawn.append(
            page.Alignment(
                document=row["document"],
                length=float(document["length"]) if document["length"] >= 0 else last,
                offset_unit=document["offset_unit"],
                text=text,
                annotators=row["annotators"],
                units=aligned,
                alignments=[
                    page.UnitaryAlignment(units=members, disorder=disorder)
                    for members, disorder in zip(row["alignments"], row["disorders"], strict=True)
                ],
                disorder=math.nan if row["disorder"] is None else row["disorder"],
                optimal=row["optimal"],
                gap=row["gap"],
            )
        )
    return drawn


def _aligned_units(
    row: Mapping[str, Any], by_key: Mapping[tuple[str, str], Any], text: str
) -> list[page.AlignedUnit]:
    found = []
    for owner, name in zip(row["owners"], row["units"], strict=True):
        unit = by_key[row["annotators"][owner], name]
        fragments = [(start, end) for start, end in unit["fragments"]]
        found.append(
            page.AlignedUnit(
                annotator=unit["annotator"],
                start=unit["start_offset"],
                end=unit["end_offset"],
                category=unit["category"],
                unit=unit["unit"],
                fragments=fragments if len(fragments) > 1 else [],
                text=text[unit["start_offset"] : unit["end_offset"]] if text else "",
            )
        )
    return found


def unit_disagreements(
    documents: Sequence[page.Alignment], layer: LayerSpec, *, most: int = 200, around: int = 40
) -> list[page.Disagreement]:
    """Return the places of the unitary alignments with the highest disorder in these documents."""
    disputed = []
    for drawn in documents:
        for unitary in drawn.alignments:
            if unitary.disorder <= 0:
                continue
            aligned = [drawn.units[u] for u in unitary.units]
            parts = overlapping_parts([u.start for u in aligned], [u.end for u in aligned])
            for part in parts:
                units = [aligned[u] for u in part]
                bounds = int(min(u.start for u in units)), int(max(u.end for u in units))
                where = "{}–{}".format(*bounds)
                disputed.append((-unitary.disorder, drawn.document, where, bounds, drawn, units))
    disputed.sort(key=itemgetter(0, 1, 2))
    return [
        _disagreement(layer, drawn, units, -cost, bounds, around)
        for cost, _, _, bounds, drawn, units in disputed[:most]
    ]


def _disagreement(
    layer: LayerSpec,
    drawn: page.Alignment,
    units: Sequence[page.AlignedUnit],
    cost: float,
    bounds: tuple[int, int],
    around: int,
) -> page.Disagreement:
    said = dict.fromkeys(drawn.annotators, "")
    categories = dict.fromkeys(drawn.annotators, "")
    for unit in units:
        category = categories[unit.annotator] = unit.category or UNLABELLED_NAME
        said[unit.annotator] = f"{category} {unit.start:g}–{unit.end:g}"
    placed = [
        GivenAnnotation(one.category, one.start, one.end, tuple(one.fragments)) for one in units
    ]
    context, marked = words_around(drawn.text, *bounds, around)
    return page.Disagreement(
        document=drawn.document,
        layer=layer.name,
        where="{}–{}".format(*bounds),
        cost=cost,
        said=said,
        context=context,
        marked=marked,
        # Adjudication also has the annotations that agreement leaves out.
        case="" if layer.adaptive else case_key(layer.name, drawn.document, "", placed),
        categories=categories,
    )
