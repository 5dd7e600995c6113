"""Examples of a cause with the annotations of every annotator beside each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ..data.store.store import Store
from ..metrics.alignment.continuum import UNLABELLED_NAME
from ..metrics.arrays import Ints
from ..reports import results as page

if TYPE_CHECKING:  # a campaign of labels does not load what compares units
    from ..metrics.units.disagreement_of_pairs import UnitsOfAnnotators

MOST_EXAMPLES = 10
_AROUND = 40  # characters of text on both sides of a unit
_LONGEST = 160  # characters of a text that is labelled as a whole

ExamplesOf = Callable[[Ints], list[page.Example]]
TextsOf = Callable[[Sequence[str]], Mapping[str, str]]


def texts_in(store: Store, keys: Sequence[str]) -> TextsOf:
    """Return a function that reads the texts of documents by their names."""

    def texts_of(names: Sequence[str]) -> Mapping[str, str]:
        wanted, found = pa.array(names, pa.string()), dict[str, str]()
        for key in keys:
            rows = store.accepted_rows(key, "documents", columns=["document", "text"])
            rows = rows.filter(pc.is_in(rows["document"], value_set=wanted))
            found |= {row["document"]: row["text"] or "" for row in rows.to_pylist()}
        return found

    return texts_of


@dataclass(frozen=True, slots=True)
class LabelExamples:
    """Examples of N items; a text is shown if it is labelled as a whole.

    codes      (N, A): labels, −1 for none
    documents  (N,): the document of each item; None if they are not known
    place_of   returns the document and the item of a row
    """

    codes: NDArray[np.integer]
    tagset: Sequence[str]
    annotators: Sequence[str]
    documents: Ints | None
    place_of: Callable[[int], tuple[str, str]]
    texts_of: TextsOf

    def __call__(self, places: Ints) -> list[page.Example]:
        chosen, found = places[:MOST_EXAMPLES].tolist(), list[page.Example]()
        texts = self.texts_of([self.place_of(i)[0] for i in chosen])
        for i in chosen:
            document, item = self.place_of(i)
            is_whole = self.documents is None or (self.documents == self.documents[i]).sum() == 1
            text = texts.get(document, "") if is_whole else ""
            codes = zip(self.annotators, self.codes[i].tolist(), strict=True)
            said = {name: self.tagset[code] for name, code in codes if code >= 0}
            context, _ = words_around(text, 0, min(_LONGEST, len(text)), 0)
            found.append(page.Example(document=document, where=item, said=said, context=context))
        return found


@dataclass(frozen=True, slots=True)
class UnitExamples:
    """Examples of units: all units that overlap each, `names` are of the documents."""

    given: UnitsOfAnnotators
    annotators: Sequence[str]
    tagset: Sequence[str]
    names: Sequence[str]
    texts_of: TextsOf

    def __call__(self, places: Ints) -> list[page.Example]:
        different: dict[tuple[str, str], page.Example] = {}
        of_places = self.given[0].documents[places].tolist()
        texts = self.texts_of([self.names[d] for d in of_places])
        for one in self._examples(places, texts):
            different.setdefault((one.document, one.where), one)
            if len(different) == MOST_EXAMPLES:
                break
        return list(different.values())

    def _examples(self, places: Ints, texts: Mapping[str, str]) -> Iterator[page.Example]:
        units, owners, present = self.given
        for u in places.tolist():
            d = int(units.documents[u])
            overlaps = (units.starts < units.ends[u]) & (units.ends > units.starts[u])
            beside = np.flatnonzero(overlaps & (units.documents == d))
            said = dict.fromkeys(np.array(self.annotators)[present[d]].tolist(), "")
            for v in beside[np.argsort(units.starts[beside], kind="stable")].tolist():
                code, name = int(units.categories[v]), self.annotators[owners[v]]
                category = self.tagset[code] if code >= 0 else UNLABELLED_NAME
                one = f"{category} {units.starts[v]}–{units.ends[v]}"
                said[name] = f"{said[name]}; {one}" if said[name] else one
            start, end = int(units.starts[beside].min()), int(units.ends[beside].max())
            document = self.names[d]
            context, marked = words_around(texts.get(document, ""), start, end, _AROUND)
            yield page.Example(
                document=document, where=f"{start}–{end}", said=said, context=context, marked=marked
            )


def words_around(text: str, start: int, end: int, around: int) -> tuple[str, tuple[int, int]]:
    """Return `text[start:end]` with whole words around it, and its position in the result."""
    if not text:
        return "", (0, 0)
    first, last = max(0, start - around), min(len(text), end + around)
    while 0 < first < start and not text[first - 1].isspace():
        first += 1
    while end < last < len(text) and not text[last].isspace():
        last -= 1
    before, after = "… " if first > 0 else "", " …" if last < len(text) else ""
    shift = len(before) - first
    # Each line break becomes one space, so that offsets stay valid.
    shown = "".join(" " if letter.isspace() else letter for letter in text[first:last])
    return f"{before}{shown}{after}", (start + shift, end + shift)
