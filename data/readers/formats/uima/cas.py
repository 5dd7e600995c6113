"""A UIMA CAS in memory, from XMI or JSON: structures, features, and the view with the text.

Values stay as in the file: offsets are converted when units are made, so that an invalid offset is
rejected with its original value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ....errors import DataError
from ....option_names import format_options
from ...common.span_rules import Problem, parse_integer
from .types import ANNOTATION, ANNOTATION_BASE, ARRAY, TypeSystem

_VIEW = "_InitialView"
_LIST_CELL = "uima.cas.NonEmpty"


@dataclass(slots=True)
class Structure:
    """A feature structure: texts and numbers in `plain`, ids of other structures in `refs`.

    `bounds` are `begin` and `end` as written, None for a structure without offsets.
    """

    id: str
    type: str
    plain: dict[str, tuple[str, ...]] = field(default_factory=dict)
    refs: dict[str, tuple[str, ...]] = field(default_factory=dict)
    bounds: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class View:
    """One text of the CAS (None if there is none) and the ids of the structures indexed on it."""

    name: str
    text: str | None
    members: Sequence[str] = ()


@dataclass(slots=True)
class RawCas:
    """The contents of a file, before a view is chosen.

    doubled  ids that occur twice
    skipped  type → number of its structures that could not be read, in lenient mode
    """

    types: TypeSystem
    source: str
    lenient: bool = False
    structures: dict[str, Structure] = field(default_factory=dict)
    views: list[View] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)

    def add(self, structure: Structure) -> None:
        if structure.id in self.structures:
            self.doubled.append(structure.id)
        else:
            self.structures[structure.id] = structure

    def may_read(self, type_name: str, id: str) -> bool:
        """Return whether structures of the type can be read; in lenient mode count the others.

        Otherwise raises DataError naming the type.
        """
        if type_name in self.types and (fault := self.types.fault_of(type_name)) is None:
            return True
        if self.lenient:
            self.skipped[type_name] += 1
            return False
        problem = (
            str(fault) if type_name in self.types else f"type {type_name} is not in the type system"
        )
        raise DataError(f"{self.source}, id {id}: {problem}; {_advice()}")

    def unknown_feature(self, type_name: str, feature: str, id: str) -> None:
        """Raise DataError for a feature that is not described or invalid, unless lenient."""
        if self.lenient:
            return
        line = [name for name, at in self.types.faults if at == feature]
        owner = next((name for name in line if self.types.is_a(type_name, name)), "")
        fault = self.types.faults.get((owner, feature))
        problem = fault or f"type {type_name}, feature {feature}: not in the type system"
        raise DataError(f"{self.source}, id {id}: {problem}; {_advice()}")


@dataclass(slots=True)
class LoadedCas:
    """`annotations` of the view (with offsets) and `of_document` (without offsets).

    skipped   type → number of structures that were skipped, in lenient mode
    n_elsewhere  number of annotations in other views
    problems  problems of the file as a whole: (where, what)
    """

    raw: RawCas
    text: str
    title: str
    annotations: list[Structure]
    of_document: list[Structure]
    n_elsewhere: int = 0
    problems: list[tuple[str, Problem]] = field(default_factory=list)

    @property
    def types(self) -> TypeSystem:
        return self.raw.types

    @property
    def skipped(self) -> Mapping[str, int]:
        return self.raw.skipped

    def texts(self, structure: Structure, feature: str) -> tuple[str, ...]:
        """Return a feature's texts and numbers, or those of its list; empty without the feature."""
        if feature in structure.plain:
            return structure.plain[feature]
        return tuple(
            text
            for one in self._chain(structure.refs.get(feature, ()))
            for text in (*one.plain.get("elements", ()), *one.plain.get("head", ()))
        )

    def target(self, structure: Structure, feature: str) -> Structure | None:
        """Return the structure that a feature refers to, if it is in the file."""
        ids = structure.refs.get(feature, ())
        return self.raw.structures.get(ids[0]) if len(ids) == 1 else None

    def elements(self, structure: Structure, feature: str) -> list[Structure]:
        """Return the structures of the array or list in a feature."""
        described = self.types.features(structure.type).get(feature)
        if described is None:
            return []
        ids = structure.refs.get(feature, ())
        own = [one for id in ids if (one := self.raw.structures.get(id)) is not None]
        if any(_is_list(one) for one in own):
            inner = [
                id
                for one in self._chain(ids)
                for id in (*one.refs.get("elements", ()), *one.refs.get("head", ()))
            ]
            return [one for id in inner if (one := self.raw.structures.get(id)) is not None]
        is_array = described.range in (ARRAY, "uima.cas.FSList") or described.range.endswith("[]")
        return own if is_array else []

    def _chain(self, ids: Iterable[str]) -> list[Structure]:
        """Yield the ids in arrays, and in the cells of linked lists in order."""
        found: dict[str, Structure] = {}
        waiting = list(ids)
        while waiting:
            id = waiting.pop(0)
            one = self.raw.structures.get(id)
            if one is None or id in found or not _is_list(one):
                continue
            found[id] = one
            waiting += one.refs.get("tail", ())
        return list(found.values())


def _is_list(structure: Structure) -> bool:
    name = structure.type
    return name.endswith(("Array", "[]")) or name.startswith(_LIST_CELL)


def load_cas(raw: RawCas, view_name: str = "") -> LoadedCas:
    """Return the CAS with the named view, else the initial view, else the only one with a text.

    Raises DataError when several views have a text, or none.
    """
    view = _chosen_view(raw, view_name)
    types = raw.types
    members = [one for id in view.members if (one := raw.structures.get(id)) is not None]
    annotations = [one for one in members if types.is_a(one.type, ANNOTATION)]
    annotations.sort(key=_order)
    of_document = [
        one
        for one in members
        if types.is_a(one.type, ANNOTATION_BASE)
        and not types.is_a(one.type, ANNOTATION)
        and "first" not in types.features(one.type)  # the head of a chain
    ]
    titles = (
        text
        for one in members
        if one.type.endswith(".DocumentMetaData")
        for text in one.plain.get("documentTitle", ())
    )
    n_elsewhere = sum(
        types.is_a(raw.structures[id].type, ANNOTATION)
        for other in raw.views
        for id in other.members
        if other is not view and id in raw.structures
    )
    lost = [id for id in view.members if id not in raw.structures]
    problems = [
        (f"id {id}", Problem("duplicate_id", id, f"the id {id} occurs twice")) for id in raw.doubled
    ]
    if lost and not raw.skipped:
        message = f"the view lists {len(lost)} structures that are not in the file"
        problems.append((f"id {lost[0]}", Problem("missing_structure", lost[0], message)))
    return LoadedCas(
        raw, view.text or "", next(titles, ""), annotations, of_document, n_elsewhere, problems
    )


def _order(annotation: Structure) -> tuple[int, int]:
    begin, end = annotation.bounds or ("", "")
    return parse_integer(begin) or 0, parse_integer(end) or 0


def _chosen_view(raw: RawCas, name: str) -> View:
    with_text = [view for view in raw.views if view.text is not None]
    texts_of = ", ".join(view.name for view in with_text) or "none"
    if name:
        found = next((view for view in with_text if view.name == name), None)
        if found is None:
            raise DataError(
                f"{raw.source}: option view = {name!r}: no view of that name has a text; the "
                f"views with a text are {texts_of}"
            )
        return found
    initial = [view for view in with_text if view.name == _VIEW]
    if len(initial or with_text) == 1:
        return (initial or with_text)[0]
    if not with_text:
        raise DataError(f"{raw.source}: the CAS has no text in any view")
    raise DataError(
        f"{raw.source}: several views have a text ({texts_of}); choose one with "
        f"{format_options(view='NAME')}"
    )


def _advice() -> str:
    lenient = format_options(lenient="yes")
    return f"add the type system that describes it, or skip such types with {lenient}"
