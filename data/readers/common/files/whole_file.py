"""Files that hold one document are read whole, up to a size that no document has."""

from __future__ import annotations

from pathlib import Path

from ....errors import DataError
from .text import read_bytes

MAX_DOCUMENT_BYTES = 256 * 1024 * 1024


def document_bytes(path: Path, source: str) -> bytes:
    """The file's bytes. Raises DataError when it is missing or too large for one document."""
    try:
        size = path.stat().st_size
    except OSError as error:
        raise DataError(f"{source}: cannot be read ({error.strerror})") from error
    if size > MAX_DOCUMENT_BYTES:
        raise DataError(
            f"{source}: {size} bytes; a file of one document has at most {MAX_DOCUMENT_BYTES}"
        )
    return read_bytes(path, source)
