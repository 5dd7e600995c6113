"""Sources into the store: batches of documents."""

from __future__ import annotations

from pathlib import Path

from accordeur.data.store.store import Store
from accordeur.tasks.intake.ingest import SourceSpec, ingest


def documents_of(folder: Path, **options: str) -> dict[str, str]:
    """Document → batch, as a table of labels is ingested."""
    labels = folder / "labels.csv"
    labels.write_text(
        "document,item,annotator,label\nmay-1,i,anna,x\nmay-1,j,anna,y\njune-1,i,ben,x\n7,i,ben,x\n",
        encoding="utf-8",
    )
    source = SourceSpec(
        path=str(labels), format="table", annotator=None, role=None, layers=(), options={},
        layer_names={}, **{"batch": "", **options},
    )  # fmt: skip
    done = ingest(str(folder / "store"), source)
    store = Store(str(folder / "store"))
    rows = [
        row for path in done.raw.files["documents"] for row in store.read_table(path).to_pylist()
    ]
    return {row["document"]: row["batch"] for row in rows}


def test_a_batch_is_that_of_every_document_of_the_source(tmp_path: Path) -> None:
    assert documents_of(tmp_path, batch="pilot") == dict.fromkeys(("may-1", "june-1", "7"), "pilot")


def test_batches_are_read_off_the_names_of_documents(tmp_path: Path) -> None:
    found = documents_of(tmp_path, batch_pattern="^([a-z]+)-")
    assert found == {"may-1": "may", "june-1": "june", "7": ""}
