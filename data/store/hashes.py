"""SHA-256 of files, tables and settings, which name stored files and detect changes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa


@dataclass(frozen=True, slots=True)
class Digest:
    """Size in bytes and SHA-256 of one file's content."""

    n_bytes: int
    sha256: str

    @classmethod
    def of(cls, content: bytes | pa.Buffer) -> Digest:
        view = memoryview(content)
        return cls(view.nbytes, hashlib.sha256(view).hexdigest())


def content_hash(tables: Sequence[pa.Table]) -> str:
    """Return the SHA-256 of the tables' schemas and values, independent of their chunks."""
    digest = hashlib.sha256()
    for table in tables:
        whole = table.replace_schema_metadata(None).combine_chunks()
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, whole.schema) as writer:
            for batch in whole.to_batches():
                writer.write_batch(batch)
        digest.update(sink.getvalue())
    return digest.hexdigest()


def settings_hash(*settings: object) -> str:
    """Return the first 16 hexadecimal digits of the SHA-256 of settings that JSON can represent."""
    text = json.dumps(settings, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
