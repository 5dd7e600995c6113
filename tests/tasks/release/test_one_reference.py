"""The reference in a release: each item once, as the annotator with the role decided."""

from __future__ import annotations

from pathlib import Path

import pytest

import accordeur as acc
from accordeur.data.schema import Assignment, Document, Label, Record, Role, Unit
from accordeur.data.store.store import Store
from accordeur.reports.results.release import ReleaseMetadata
from accordeur.tasks.analysis import count
from accordeur.tasks.layers import LayerSpec
from accordeur.tasks.references.reference_settings import ReferenceSettings
from accordeur.tasks.release.pseudonyms import Pseudonyms
from accordeur.tasks.release.release_spec import ReleaseSpec
from accordeur.tasks.release.release_tables import write_tables
from accordeur.tasks.units.alignment import UnitAlignment
from tests.tasks.scores.references import KEY, MEASURE, accept, build

PEOPLE = ("anna", "ben")
REFERENCES = ("first", "second")


@pytest.mark.parametrize("kind", ["items", "units"])
def test_a_release_has_one_reference(tmp_path: Path, kind: str) -> None:
    """Both humans: six documents; `first` decides in d0 and d1, `second` in d1 and d2."""
    layer = LayerSpec("l", kind, ("x", "y"), PEOPLE, references=REFERENCES)
    decided = {"first": ("d0", "d1"), "second": ("d1", "d2")}
    records: list[Record] = [Document(f"d{d}", 9, sha256=str(d)) for d in range(6)]
    for who in (*PEOPLE, *REFERENCES):
        role = Role.REFERENCE if who in decided else Role.HUMAN
        for name in decided.get(who, [f"d{d}" for d in range(6)]):
            records.append(Assignment(name, who, role, layer="l"))
            label = "y" if who in decided else "x"
            if kind == "items":
                records.append(Label(name, "i", who, (label,), "l"))
            elif (who, name) != ("first", "d0"):  # it found nothing there
                records.append(Unit(name, who, "T1", 0, 5, label, layer="l"))
    store = Store(str(tmp_path / "store"))
    accept(store, records)
    if kind == "units":
        count(store.url, [KEY], [UnitAlignment(layer, MEASURE)])
    _, built = build(store, layer, ReferenceSettings())
    spec = ReleaseSpec(
        [KEY], [layer], {}, PEOPLE, [("l", "majority", str(built.place))], None,
        ReleaseMetadata(title="t", version="1"), Pseudonyms(b"key", "1"), is_private=False,
    )  # fmt: skip
    write_tables(store, spec, "data")
    table = "labels" if kind == "items" else "units"
    rows = store.read_table(f"data/reference_{table}.parquet").to_pylist()
    found = sorted((row["document"], row["rule"]) for row in rows)
    imported = [("d1", "imported"), ("d2", "imported")]
    if kind == "items":
        imported = [("d0", "imported"), *imported]
    assert found == [*imported, *((f"d{d}", "majority") for d in (3, 4, 5))]
    assert len({row["annotator"] for row in rows if row["rule"] == "imported"}) == 2


def test_published_units_are_read_back_with_gaps_empty_documents_and_lengths(
    tmp_path: Path,
) -> None:
    gaps = ((2, 4), (6, 9))
    store = Store(str(tmp_path / "store"))
    accept(
        store,
        [
            *(Document(name, 40, sha256=name) for name in ("d", "e")),
            *(Assignment(name, who, layer="l") for name in ("d", "e") for who in PEOPLE),
            Unit("d", "anna", "T1", 2, 9, "x", layer="l", fragments=gaps),
            Unit("d", "ben", "T1", 2, 4, "x", layer="l"),
            Unit("e", "anna", "T1", 0, 5, "y", layer="l"),  # ben marked nothing
        ],
    )
    layer = LayerSpec("l", "units", ("x", "y"), PEOPLE)
    spec = ReleaseSpec(
        [KEY], [layer], {}, PEOPLE, [], None,
        ReleaseMetadata(title="t", version="1"), Pseudonyms(b"key", "1"), is_private=False,
    )  # fmt: skip
    write_tables(store, spec, "data")
    again = acc.read(tmp_path / "store" / "data" / "units.parquet")
    units = again.units.sort_by([("document", "ascending"), ("end_offset", "ascending")])
    assert units["fragments"].to_pylist() == [[], [[2, 4], [6, 9]], []]
    assert again.assignments.num_rows == 4  # ben finished e
    lengths = {one["document"]: one["length"] for one in again.documents.to_pylist()}
    assert lengths == {"d": 40, "e": 40}
