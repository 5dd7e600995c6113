"""A file of one document has a size that a document can have."""

from __future__ import annotations

from pathlib import Path

import pytest

from accordeur.data.errors import DataError
from accordeur.data.readers import elan, gate, glozz, textgrid
from accordeur.data.readers.base import Reader, SourceOptions
from accordeur.data.readers.common.files import text

FORMATS = Path(__file__).resolve().parents[4] / "corpora" / "formats"


@pytest.mark.parametrize(
    ("reader", "file"),
    [
        (elan.READER, "unaligned.eaf"),
        (gate.READER, "gate.xml"),
        (glozz.READER, "glozz/anna/story.aa"),
        (textgrid.READER, "short_utf16.TextGrid"),
    ],
)
def test_a_file_too_large_for_one_document(reader: Reader, file: str, monkeypatch) -> None:
    monkeypatch.setattr(text, "MAX_DOCUMENT_BYTES", 100)
    with pytest.raises(DataError, match="one document may have at most 100"):
        list(reader.read(FORMATS / file, SourceOptions()))
    with pytest.raises(DataError, match="cannot be read"):
        list(reader.read(FORMATS / f"lost-{Path(file).name}", SourceOptions()))
