"""A file of one document has a size that a document can have."""

from __future__ import annotations

from pathlib import Path

import pytest

from accordeur.data.errors import DataError
from accordeur.data.readers.base import Reader, SourceOptions
from accordeur.data.readers.formats import elan, gate, glozz, textgrid

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
    monkeypatch.setenv("ACCORDEUR_MAX_FILE_BYTES", "100")
    with pytest.raises(DataError, match="the limit is 100 bytes of a file"):
        list(reader.read(FORMATS / file, SourceOptions()))
    with pytest.raises(DataError, match="no such file"):
        list(reader.read(FORMATS / f"lost-{Path(file).name}", SourceOptions()))
