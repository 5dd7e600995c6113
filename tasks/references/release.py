"""Release of a reference: Parquet, CSV tables, and brat if there are units and text."""

from __future__ import annotations

import re
import tempfile
import unicodedata
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from ...data.errors import DataError
from ...data.schema import Assignment, Document, Label, Record, Role, State, Unit
from ...data.store.hashes import settings_hash
from ...data.store.store import Store
from ...data.untrusted.files import read_file
from ...data.writers.registry import writer
from ...metrics.coded_warning import CodedWarning
from ..layers import LayerSpec
from .reference_settings import (
    BuiltReference,
    ConsensusRow,
    LabelRow,
    ObjectRow,
    ReferenceSettings,
    UnitRow,
)

MOST_BRAT_DOCUMENTS = 2000  # brat needs two files per document


def release_reference(
    store: Store,
    keys: Sequence[str],
    layer: LayerSpec,
    built: BuiltReference,
    settings: ReferenceSettings,
    place: str,
) -> None:
    """Write the reference in the formats of tools below `place`, and `reference.json`."""
    store.write_json(f"{place}/reference.json", built.summary.model_dump(mode="json"))
    records = list(_reference_records(store, keys, layer, built, settings))
    formats = ["tables"]
    if not (layer.is_labels or settings.privacy or len(built.documents) > MOST_BRAT_DOCUMENTS):
        formats.append("brat")
    for name in formats:
        try:
            write_records(store, name, records, f"{place}/{name}")
        except DataError as error:
            # This format cannot represent the annotations; the tables can.
            built.summary.warnings.append(
                CodedWarning("not_released", {"format": name, "error": str(error)})
            )


def slug(name: str) -> str:
    """Convert the name of a layer or document to an ASCII file name, as data repositories require.

    Names with non-ASCII characters get a hash to keep them distinct.
    """
    letters = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    plain = re.sub(r"[^\w-]+", "_", letters) or "annotations"
    return plain if name.isascii() else f"{plain}-{settings_hash(name)[:8]}"


def write_records(store: Store, format: str, records: Sequence[Record], folder: str) -> None:
    """Write records in a format below a folder of the store."""
    with tempfile.TemporaryDirectory() as temporary:
        root = Path(temporary)
        for path in writer(format).write(records, root):
            store.write_bytes(f"{folder}/{path.relative_to(root).as_posix()}", read_file(path))


def documents_as_records(
    store: Store, keys: Sequence[str], wanted: Sequence[str]
) -> list[Document]:
    """Return the named documents, with their text if the campaign keeps it."""
    chosen = set(wanted)
    return [
        Document(
            row["document"],
            row["length"],
            row["offset_unit"],
            batch=row["batch"],
            sha256=row["sha256"],
            text=row["text"],
        )
        for key in keys
        for row in store.accepted_rows(key, "documents").to_pylist()
        if row["document"] in chosen
    ]


def _reference_records(
    store: Store,
    keys: Sequence[str],
    layer: LayerSpec,
    built: BuiltReference,
    settings: ReferenceSettings,
) -> list[Record]:
    name = settings.annotator or "reference"
    role = Role.HUMAN if settings.annotator else Role.REFERENCE
    records: list[Record] = list(documents_as_records(store, keys, built.documents))
    filled = {row.document for row in built.rows}
    for document in built.documents:
        state = State.FINISHED if document in filled else State.FINISHED_EMPTY
        records.append(Assignment(document, name, role, state=state, layer=layer.name))
    numbers: Counter[str] = Counter()
    for row in built.rows:
        numbers[row.document] += 1
        records.append(_record_of_row(row, name, layer, numbers[row.document]))
    return records


def _record_of_row(
    row: LabelRow | ObjectRow | UnitRow | ConsensusRow, name: str, layer: LayerSpec, number: int
) -> Label | Unit:
    if isinstance(row, LabelRow | ObjectRow):
        return Label(
            row.document, row.item, name, layer.labels_in_category(row.label), layer=layer.name
        )
    attributes: tuple[tuple[str, str], ...] = (
        ("support", str(row.support)),
        ("confidence", f"{row.confidence:.4g}"),
    )
    if isinstance(row, ConsensusRow):
        attributes += (
            ("start_confidence", f"{row.start_confidence:.4g}"),
            ("end_confidence", f"{row.end_confidence:.4g}"),
        )
    return Unit(
        row.document, name, f"T{number}", row.start_offset, row.end_offset, row.category,
        layer=layer.name, fragments=row.fragments, attributes=attributes,
    )  # fmt: skip
