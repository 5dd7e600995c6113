"""Blocks say what their records say: read back, renamed, without text, spilled."""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from accordeur.data.blocks import Block, as_records
from accordeur.data.intake.private_rows import private_rows
from accordeur.data.intake.source_rows import with_batches, with_campaign_layers
from accordeur.data.intake.spill import read_slots, spill
from accordeur.data.schema import RECORD_TYPES, SCHEMAS, Assignment, Document, Label, Relation, Unit
from accordeur.data.store.store import Store

UNITS = [
    Unit("d1", "anna", "T1", 3, 9, "A", fragments=((3, 5), (7, 9)), attributes=(("note", "n"),)),
    Unit("d2", "boris", "T1", 0, 4, "B", layer="x", surface="text", source="s", location="line 2"),
]
ROWS = [
    Document("d1", -1),
    Assignment("d1", "anna"),
    *UNITS,
    Label("d1", "i", "anna", ("a", "b"), layer="x"),
    Relation("d1", "anna", "R1", "T1", "T2", "C"),
]


def as_blocks(records):
    """Each table's records as one block."""
    for kind in RECORD_TYPES:
        found = [record for record in records if type(record) is kind]
        schema = SCHEMAS[kind.TABLE]
        names = [name if name != "pass" else "pass_" for name in schema.names]
        columns = [[getattr(record, name) for record in found] for name in names]
        if found:
            arrays = [pa.array(c, f.type) for c, f in zip(columns, schema, strict=True)]
            yield Block(kind.TABLE, pa.table(arrays, schema=schema))


def in_order(records):
    return sorted(records, key=lambda record: RECORD_TYPES.index(type(record)))


def test_the_records_of_blocks():
    assert list(as_records(as_blocks(ROWS))) == in_order(ROWS)


def test_columns_left_out_have_the_record_s_default():
    names = dict.fromkeys(("document", "annotator", "unit"), "n")
    bounds = {"start_offset": pa.array([1, 2]), "end_offset": pa.array([3, 4])}
    made = Block("units", n_rows=2, columns={**names, **bounds})
    assert list(made.records()) == [Unit("n", "n", "n", 1, 3), Unit("n", "n", "n", 2, 4)]


@pytest.mark.parametrize(
    "change",
    [
        lambda rows: with_campaign_layers(rows, {"": "labels", "x": "y"}),
        lambda rows: with_batches(rows, "(.)$"),
        lambda rows: private_rows(rows, {"anna": "P1"}),
    ],
)
def test_changes_on_the_way_to_the_store(change):
    singly = list(change(replace(record) for record in in_order(ROWS)))
    assert list(as_records(change(as_blocks(ROWS)))) == singly
    assert singly != in_order(ROWS)


def test_privacy_hides_what_was_noted_on_units_and_relations():
    noted = (("note", "as Ada said"),)
    unit = replace(UNITS[0], attributes=noted)
    link = Relation("d1", "anna", "R1", "T1", "T2", attributes=noted)
    in_blocks = list(as_records(private_rows(as_blocks([unit, link]), {})))
    singly = list(private_rows(iter([replace(unit), replace(link)]), {}))
    assert [row.attributes for row in (*in_blocks, *singly)] == [()] * 4


def test_assignments_of_all_layers_stay_so():
    rows = with_campaign_layers(as_blocks([Assignment("d", "anna")]), {"": "labels"})
    assert next(as_records(rows)).layer == ""


def test_spilled_alike_and_in_their_order(tmp_path):
    store = Store(str(tmp_path))
    mixed = [UNITS[0], *as_blocks([UNITS[1]]), replace(UNITS[0], unit="T2")]
    for name, rows in (("singly", [*as_records(iter(mixed))]), ("mixed", mixed)):
        files = spill(rows, store, name)
        assert files.rows["units"] == 3
        assert files.layers["units"] == {"", "x"}
    singly, both = (
        read_slots(store, [f"{name}/units-00000.parquet"], "units", 0, 1 << 32)
        for name in ("singly", "mixed")
    )
    assert singly.equals(both)
    assert both.filter(pc.equal(both["document"], "d1"))["row"].to_pylist() == [0, 2]
