"""The texts of items: of a column of their table, or of a document that is labelled as a whole."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..data.arrow_columns import scalar
from ..data.schema import LONGEST_ITEM_TEXT
from ..data.store.store import Store
from ..metrics.agreement.label_matrix import LabelMatrix
from ..metrics.item_name import place_of_item
from .cause_examples import texts_in, words_around

ItemTexts = Callable[[Sequence[int]], list[str]]
_Place = tuple[str, str]  # document, item


def texts_of_items(store: Store, keys: Sequence[str], layer: str, matrix: LabelMatrix) -> ItemTexts:
    """Return a function that reads what is shown of the texts of rows of a matrix, "" for none."""

    def shown(rows: Sequence[int]) -> list[str]:
        places = [place_of_item(matrix.items[i]) for i in rows]
        texts = _of_tables(store, keys, layer, places)
        homes = matrix.documents
        alone = np.ones(0, np.int64) if homes is None else np.bincount(homes)[homes]
        whole = {
            place: place[0]
            for i, place in zip(rows, places, strict=True)
            if place not in texts and alone[i : i + 1].tolist() == [1]
        }
        of_documents = texts_in(store, keys)(list(whole.values())) if whole else {}
        texts |= {place: of_documents.get(document, "") for place, document in whole.items()}
        return [_beginning(texts.get(place, "")) for place in places]

    return shown


def _of_tables(
    store: Store, keys: Sequence[str], layer: str, places: Sequence[_Place]
) -> dict[_Place, str]:
    """Return the texts of items that have the same text in all rows of their labels."""
    documents = pa.array({document for document, _ in places}, pa.string())
    wanted, found = {*places}, dict[_Place, set[str]]()
    for key in keys:
        rows = store.accepted_rows(key, "labels")
        if "text" not in rows.column_names:  # of an earlier version
            continue
        kept = pc.and_(pc.is_valid(rows["text"]), pc.equal(rows["layer"], scalar(layer)))
        rows = rows.select(["document", "item", "text"]).filter(
            pc.and_(kept, pc.is_in(rows["document"], value_set=documents))
        )
        for document, item, text in zip(*rows.to_pydict().values(), strict=True):
            if (document, item) in wanted and text.strip():
                found.setdefault((document, item), set()).add(text)
    return {place: texts.pop() for place, texts in found.items() if len(texts) == 1}


def _beginning(text: str) -> str:
    return words_around(text, 0, min(LONGEST_ITEM_TEXT, len(text)), 0)[0]
