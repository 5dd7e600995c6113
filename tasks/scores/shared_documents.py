"""Which documents of a system are those of its reference; for `accordeur score` and runs."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

from ...data.errors import DataError
from ...data.reference_documents import mismatch_message
from ...data.store.in_memory import Tables
from ..layers import LayerSpec
from ..stored_annotations import FIRST_PASS, finished_passes

Renamed = Mapping[tuple[str, str], str]
"""(annotator, document) → the name of this document in the reference, where they differ."""
NOTHING_RENAMED: Renamed = MappingProxyType({})


def documents_in_reference(
    system: str, documents: Collection[str], reference: Collection[str]
) -> dict[str, str]:
    """Map the documents of the system to those of the reference, without the others.

    Two single documents are the same, even if their names differ: a table without a column of
    documents is a document that is named after its file.

    Raises DataError if none is shared.

    >>> documents_in_reference("tagger", ["tagger"], ["gold"])
    {'tagger': 'gold'}
    >>> documents_in_reference("tagger", ["d1", "d3"], ["d1", "d2"])
    {'d1': 'd1'}
    """
    if len(reference) == len(documents) == 1:
        return dict(zip(documents, reference, strict=True))
    shared = {name: name for name in documents if name in reference}
    if not shared:
        raise DataError(f"{system!r}: {mismatch_message(reference, documents)}")
    return shared


def renamed_documents(
    store: Tables, keys: Sequence[str], layer: LayerSpec, references: Sequence[str]
) -> dict[tuple[str, str], str]:
    """Return the documents of systems that have another name in the reference.

    The only document of all humans is also the only one of the reference, whatever its name.

    references  annotators whose documents are those of the reference

    Raises DataError for a system that has no document of the reference.
    """
    finished: dict[str, list[str]] = {}
    for key in keys:
        for document, annotator, pass_ in finished_passes(store, key, layer.name):
            if pass_ == FIRST_PASS:
                finished.setdefault(annotator, []).append(document)
    documents = {name for one in references for name in finished.get(one, ())}
    of_humans = {name for one in layer.humans for name in finished.get(one, ())}
    humans = layer.humans if len(of_humans) == len(documents) == 1 else ()
    return {
        (name, before): after
        for name in (*layer.systems, *humans)
        if documents and name in finished
        for before, after in documents_in_reference(name, finished[name], documents).items()
        if before != after
    }
