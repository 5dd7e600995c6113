"""Changes from the ledger of one run to that of another: documents, and the work on them.

Work is what one annotator annotated in one layer of a document. It arrived if it is finished now
and was not before; it vanished if it was finished and the exports no longer hold it; it is
corrected if it is finished in both and its rows as exported differ. It conflicts if they differ
because a copy came of which nothing says that it counts. If they do not differ, and other rows are
accepted, it is accepted differently: the rules of the campaign file have changed, or the second
copy is no longer there. The annotator corrected nothing then.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from .arrow_columns import group_codes
from .ledger import documents_of_ledger, is_finished
from .schema import Role
from .validation.deliveries import Copies

MOST_NAMED = 20

Work = tuple[str, str, str]  # (document, annotator, layer)
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class WorkOfAnnotator:
    """Counts of the documents that an annotator finished in a layer, by what became of the work."""

    annotator: str
    layer: str
    role: str
    n_arrived: int = 0
    n_vanished: int = 0
    n_corrected: int = 0
    n_conflicting: int = 0
    n_accepted_otherwise: int = 0
    n_unchanged: int = 0


@dataclass(frozen=True, slots=True)
class Changes:
    """Counts and names of each kind of change of documents and of work.

    renamed    pairs (before, now)
    changed    documents of both runs whose text differs, or work on them, or what is accepted of
               it; not those to which only a system was added
    arrived, vanished, corrected, conflicting, accepted_otherwise  (document, annotator, layer)
    work       one entry per annotator and layer, by name
    annotators_added, annotators_removed  humans who have work in one run only
    """

    n_added: int = 0
    n_removed: int = 0
    n_renamed: int = 0
    n_changed: int = 0
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()
    changed: tuple[str, ...] = ()
    n_arrived: int = 0
    n_vanished: int = 0
    n_corrected: int = 0
    n_conflicting: int = 0
    n_accepted_otherwise: int = 0
    arrived: tuple[Work, ...] = ()
    vanished: tuple[Work, ...] = ()
    corrected: tuple[Work, ...] = ()
    conflicting: tuple[Work, ...] = ()
    accepted_otherwise: tuple[Work, ...] = ()
    work: tuple[WorkOfAnnotator, ...] = ()
    annotators_added: tuple[str, ...] = ()
    annotators_removed: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(
            self.n_added or self.n_removed or self.n_renamed or self.n_changed
            or self.n_arrived or self.n_vanished or self.n_corrected or self.n_conflicting
            or self.n_accepted_otherwise
        )  # fmt: skip


def compare_ledgers(
    before: pa.Table,
    now: pa.Table,
    *,
    names: Mapping[str, str] = {},
    most: int | None = MOST_NAMED,
) -> Changes:
    """Compare two ledgers; keep at most `most` names of each kind, of work in each layer.

    names  code → name that an annotator has now, for those whose work all vanished

    Annotators are the same by their codes, or by their names if no code is in both ledgers (codes
    of two stores never agree). A document is renamed when exactly one removed and exactly one added
    document have the same text, or, without texts, the same annotations.
    """
    documents = _compare_documents(documents_of_ledger(before), documents_of_ledger(now))
    work = _match_work(before, now, documents.renamed, names)
    counts = work.touched & ~(work.arrived & (work.roles == str(Role.SYSTEM)))
    changed = {*documents.other_text, *work.documents[counts].tolist()} & {*documents.kept}
    humans = work.roles == str(Role.HUMAN)
    was, is_ = ({*work.annotators[humans & one].tolist()} for one in (work.was, work.is_))
    return Changes(
        n_added=len(documents.added),
        n_removed=len(documents.removed),
        n_renamed=len(documents.renamed),
        n_changed=len(changed),
        added=tuple(sorted(documents.added)[:most]),
        removed=tuple(sorted(documents.removed)[:most]),
        renamed=tuple(sorted(documents.renamed)[:most]),
        changed=tuple(sorted(changed)[:most]),
        n_arrived=int(work.arrived.sum()),
        n_vanished=int(work.vanished.sum()),
        n_corrected=int(work.corrected.sum()),
        n_conflicting=int(work.conflicting.sum()),
        n_accepted_otherwise=int(work.accepted_otherwise.sum()),
        arrived=work.named(work.arrived, most),
        vanished=work.named(work.vanished, most),
        corrected=work.named(work.corrected, most),
        conflicting=work.named(work.conflicting, most),
        accepted_otherwise=work.named(work.accepted_otherwise, most),
        work=work.by_annotator(),
        annotators_added=tuple(sorted(is_ - was)),
        annotators_removed=tuple(sorted(was - is_)),
    )


def with_history(before: pa.Table, now: pa.Table) -> pa.Table:
    """Return the later ledger with the runs in which its work arrived and was last corrected.

    Work in copies that differ keeps the hash of what was exported before: compared with it, the
    copy that is left is the same or corrected.
    """
    renamed = _compare_documents(documents_of_ledger(before), documents_of_ledger(now)).renamed
    work = _match_work(before, now, renamed, {})
    stayed = work.was & work.is_
    earlier, later = work.before[stayed], work.now[stayed]
    for name in ("arrived", "corrected"):
        values = now[name].to_numpy().copy()
        values[later] = before[name].to_numpy()[earlier]
        if name == "corrected":
            changed = work.now[work.corrected]
            values[changed] = now["run"].to_numpy()[changed]
        now = _with_column(now, name, values)
    undecided = stayed & work.conflicts
    exported = now["exported"].to_numpy().copy()
    exported[work.now[undecided]] = before["exported"].to_numpy()[work.before[undecided]]
    return _with_column(now, "exported", exported)


def _with_column(
    rows: pa.Table, name: str, values: NDArray[np.int32] | NDArray[np.uint64]
) -> pa.Table:
    place = rows.column_names.index(name)
    return rows.set_column(place, rows.schema.field(name), pa.array(values))


@dataclass(frozen=True, slots=True)
class _Documents:
    """Documents of one ledger or both; `kept` and `other_text` have the present names."""

    added: list[str]
    removed: list[str]
    renamed: list[tuple[str, str]]
    kept: list[str]
    other_text: list[str]


def _compare_documents(before: pa.Table, now: pa.Table) -> _Documents:
    was, is_ = ({row["document"]: row for row in rows.to_pylist()} for rows in (before, now))
    gone = {name: row for name, row in was.items() if name not in is_}
    new = {name: row for name, row in is_.items() if name not in was}
    renamed: list[tuple[str, str]] = []
    for content in (_text_of, _annotations_of):
        known = {name for pair in renamed for name in pair}
        old, young = (_unique_content(rows, content, known) for rows in (gone, new))
        renamed += [(old[key], young[key]) for key in old.keys() & young.keys()]
    before_of = {name: name for name in is_ if name in was} | {now: old for old, now in renamed}
    return _Documents(
        added=[name for name in new if name not in before_of],
        removed=[*gone.keys() - {old for old, _ in renamed}],
        renamed=renamed,
        kept=[name for name in is_ if name in was],
        other_text=[
            name
            for name, old in before_of.items()
            if len({was[old]["sha256"], is_[name]["sha256"]} - {""}) == 2
        ],
    )


def _text_of(row: Mapping[str, object]) -> object:
    return row["sha256"] or None


def _annotations_of(row: Mapping[str, object]) -> object:
    return None if row["sha256"] else row["content"] or None


def _unique_content(
    rows: Mapping[str, Mapping[str, object]],
    content: Callable[[Mapping[str, object]], object],
    known: Collection[str],
) -> dict[object, str]:
    """Return content → document for documents whose content occurs only once."""
    found: dict[object, list[str]] = {}
    for name, row in rows.items():
        key = content(row)
        if key is not None and name not in known:
            found.setdefault(key, []).append(name)
    return {key: names[0] for key, names in found.items() if len(names) == 1}


@dataclass(frozen=True, slots=True)
class _MatchedWork:
    """The work of two ledgers, each once, in the order of document, annotator and layer.

    before, now  its row in either ledger, -1 without one
    was, is_     whether it is finished work in either
    documents, annotators, layers, roles  as they are now, or as they were
    same         whether the rows as exported are equal; those accepted if the others are not known
    same_accepted  whether the accepted rows are equal
    conflicts, conflicted  whether it is in copies that differ, now or before, and none counts
    """

    before: NDArray[np.int64]
    now: NDArray[np.int64]
    was: Mask
    is_: Mask
    documents: NDArray[np.object_]
    annotators: NDArray[np.object_]
    layers: NDArray[np.object_]
    roles: NDArray[np.object_]
    same: Mask
    same_accepted: Mask
    conflicts: Mask
    conflicted: Mask

    @property
    def arrived(self) -> Mask:
        return self.is_ & ~self.was

    @property
    def vanished(self) -> Mask:
        return self.was & ~self.is_

    @property
    def corrected(self) -> Mask:
        return self.was & self.is_ & ~self.same & ~self.conflicts

    @property
    def conflicting(self) -> Mask:
        return self.was & self.is_ & self.conflicts & ~self.conflicted

    @property
    def accepted_otherwise(self) -> Mask:
        return self.was & self.is_ & self.same & ~self.same_accepted & ~self.conflicts

    @property
    def touched(self) -> Mask:
        of_both = self.corrected | self.conflicting | self.accepted_otherwise
        return self.arrived | self.vanished | of_both

    def named(self, wanted: Mask, most: int | None) -> tuple[Work, ...]:
        """Return document, annotator and layer of the work, sorted; `most` of a layer."""
        names = (self.documents[wanted], self.annotators[wanted], self.layers[wanted])
        of_layer: dict[str, list[Work]] = {}
        for work in sorted(zip(*names, strict=True)):
            of_layer.setdefault(work[2], []).append(work)
        return tuple(sorted(chain.from_iterable(works[:most] for works in of_layer.values())))

    def by_annotator(self) -> tuple[WorkOfAnnotator, ...]:
        """Count the work of each annotator in each layer with some in either ledger, by name."""
        some = self.was | self.is_
        whose = [*zip(self.annotators[some].tolist(), self.layers[some].tolist(), strict=True)]
        first = {who: place for place, who in reversed([*enumerate(whose)])}
        place_of = {who: place for place, who in enumerate(sorted(first))}
        places = np.array([place_of[who] for who in whose], np.int64)
        kinds = ("arrived", "vanished", "corrected", "conflicting", "accepted_otherwise")
        counts = {
            f"n_{kind}": np.bincount(places[getattr(self, kind)[some]], minlength=len(first))
            for kind in kinds
        }
        counts["n_unchanged"] = np.bincount(places, minlength=len(first)) - sum(counts.values())
        roles = self.roles[some]
        return tuple(
            WorkOfAnnotator(
                annotator=who[0],
                layer=who[1],
                role=roles[first[who]],
                **{name: int(n[place]) for name, n in counts.items()},
            )
            for who, place in place_of.items()
        )


def _match_work(
    before: pa.Table,
    now: pa.Table,
    renamed: Sequence[tuple[str, str]],
    names: Mapping[str, str],
) -> _MatchedWork:
    """Match the work of two ledgers; `names` as in `compare_ledgers`."""
    common = {*before["code"].to_pylist()} & {*now["code"].to_pylist()} - {""}
    who = "code" if common else "annotator"
    of_old = dict(renamed)
    documents = pa.array([of_old.get(one, one) for one in before["document"].to_pylist()])
    keys = pa.concat_tables(
        pa.table({"document": names_now, "who": rows[who], "layer": rows["layer"]})
        for names_now, rows in ((documents.cast(pa.string()), before), (now["document"], now))
    )
    group = np.unique(group_codes(keys, keys.column_names), return_inverse=True)[1]
    n = group.max(initial=-1) + 1
    places = [np.full(n, -1, np.int64) for _ in range(2)]
    places[0][group[: before.num_rows]] = np.arange(before.num_rows)
    places[1][group[before.num_rows :]] = np.arange(now.num_rows)
    first, second = places
    is_now = second >= 0

    def of_either(column: str, *, then: NDArray[np.object_] | None = None) -> NDArray[np.object_]:
        found = np.empty(n, object)
        was = np.array(before[column].to_pylist(), object) if then is None else then
        found[~is_now] = was[first[~is_now]]
        found[is_now] = np.array(now[column].to_pylist(), object)[second[is_now]]
        return found

    def at(rows: Mask, places: NDArray[np.int64]) -> Mask:
        return np.append(rows, False)[places]  # False where there is no row

    shown = zip(before["code"].to_pylist(), before["annotator"].to_pylist(), strict=True)
    names_before = np.array([names.get(code, name) for code, name in shown], object)

    def contents(column: str) -> Iterator[NDArray[np.uint64]]:
        for rows, of in zip((before, now), places, strict=True):
            yield np.append(rows[column].to_numpy(), np.uint64(0))[of]

    old, new = contents("exported")
    same_accepted = np.equal(*contents("content"))
    are_known = (old != 0) & (new != 0) & bool(common)  # the secrets of two stores differ
    return _MatchedWork(
        before=first,
        now=second,
        was=at(is_finished(before), first),
        is_=at(is_finished(now), second),
        documents=of_either("document", then=np.array(documents.to_pylist(), object)),
        annotators=of_either("annotator", then=names_before),
        layers=of_either("layer"),
        roles=of_either("role"),
        same=np.where(are_known, old == new, same_accepted),
        same_accepted=same_accepted,
        conflicts=at(pc.equal(now["copies"], str(Copies.CONFLICT)).to_numpy(), second),
        conflicted=at(pc.equal(before["copies"], str(Copies.CONFLICT)).to_numpy(), first),
    )
