"""Pages of single documents, linked from the report: the worst by default, others on request."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Literal

from ...data.errors import DataError
from ...data.store.hashes import settings_hash
from ...data.store.ownership import Folder
from ...data.store.store import Store
from ...reports import results as page
from ...reports.render import hash_of_page_files, render_document, render_drawing
from ...reports.views.units import Drawing
from ..layers import LayerSpec
from ..node import Node, Outcome, complete
from ..references.release import slug
from ..units.alignment import DissimilaritySpec, alignment_place
from ..units.worst_documents import drawings_of_documents

Code = Literal["en", "fr"]
_DRAWN = "drawn.html"


def page_address(layer: str, document: str) -> str:
    """Return the address relative to the report; a hash separates names with the same slug."""
    name = slug(document)[:60]
    return f"documents/{slug(layer)}-{name}-{settings_hash(layer, document)[:8]}.html"


def write_document_pages(
    store: Store,
    results: page.Results,
    folder: str,
    *,
    most: int,
    drawn: int,
    language: Code,
    fresh: bool = False,
) -> tuple[page.Results, list[Outcome]]:
    """Write a page for each layer's first `most` alignments; return the results with links.

    The results keep only the first `drawn` alignments, which the report draws.

    fresh  whether to draw also what an earlier run drew; the outcomes say which it is
    """
    layers = []
    outcomes: list[Outcome] = []

    def draw(drawing: Drawing) -> str:
        if not store.is_local:  # three requests take longer than drawing
            return render_drawing(drawing)
        outcomes.extend(complete(store, [_drawing_node(drawing)], fresh=fresh))
        return store.read_bytes(f"{outcomes[-1].place}/{_DRAWN}").decode()

    for layer in results.units:
        linked = {
            one.document: page_address(layer.layer, one.document) for one in layer.alignments[:most]
        }
        for document, address in linked.items():
            html = render_document(results, layer.layer, document, language=language, draw=draw)
            store.write_bytes(f"{folder}/{address}", html.encode())
        layers.append(
            layer.model_copy(
                update={
                    "alignments": [
                        one.model_copy(update={"link": linked.get(one.document, "")})
                        for one in layer.alignments[:drawn]
                    ],
                    "per_document": [
                        one.model_copy(update={"link": linked.get(one.name, "")})
                        for one in layer.per_document
                    ],
                }
            )
        )
    return results.model_copy(update={"units": layers}), outcomes


def _drawing_node(drawing: Drawing) -> Node:
    """Return the node of what is drawn of a document, in a place named by all that is drawn."""
    inputs = [hash_of_page_files()]
    return Node(Folder.DRAWN, inputs, drawing.model_dump_json(), partial(_draw, drawing))


def _draw(drawing: Drawing, store: Store, place: str, *_: Any) -> None:
    store.write_bytes(f"{place}/{_DRAWN}", render_drawing(drawing).encode())


def alignments_of(
    store: Store,
    keys: Sequence[str],
    layers: Sequence[LayerSpec],
    dissimilarities: dict[str, DissimilaritySpec],
    document: str,
) -> dict[str, page.Alignment]:
    """Return the document's alignment in each layer, as stored by the last run.

    Raises DataError for a document that is in no layer of units.
    """
    found = {}
    for layer in layers:
        if layer.is_labels:
            continue
        spec = dissimilarities[layer.name]
        places = {key: alignment_place(key, layer, spec) for key in keys}
        drawn = drawings_of_documents(store, layer, places, [document])
        if drawn:
            found[layer.name] = drawn[0]
    if not found:
        raise DataError(
            f"no layer of units of the last run has a document {document!r}: document names "
            "are in values.parquet beside the report"
        )
    return found
