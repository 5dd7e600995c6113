"""The annotations of a CAS as units and relations, by the conventions of INCEpTION and WebAnno.

| in the CAS | here |
|---|---|
| span of a layer | unit; layer = the type's last name (DKPro's POS_NOUN … are layer `POS`) |
| relation (`Governor`, `Dependent`) | relation; the token of a part of speech stands for it |
| chain (`first`, `next`) | a unit a link, a relation to the next |
| annotation of the whole document | label of the item called as the document |
| slots (an array of `role`, `target`) | relations from the unit to its targets |
| other features | attributes |

Tokens, sentences, lemmas and other layers that divide the text are read where they are named
(`layers`, `--layer`), the metadata of document and project never. Which feature is the category:
`data.readers.common.layers`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from data.readers.base import SourceOptions
from data.readers.common.files.text import Utf16Offsets, utf16_bounds
from data.readers.common.layers import is_segmentation, short_layer
from data.readers.common.records.steps import rejected
from data.readers.common.spans import Problem
from data.schema import Label, Record, Relation, Unit

if TYPE_CHECKING:  # it imports dkpro-cassis, which listing the formats must not
    from data.readers.uima.cas import LoadedCas

_NO_LAYER = ("Document", "DocumentMetaData", "DocumentAnnotation", "SourceDocumentInformation")
_NO_PACKAGES = (".metadata.type.", ".structure.type.", ".api.xml.", ".webanno.api.type.")
_BOUNDS = ("begin", "end", "sofa")
_TEXTS = ("uima.cas.String", "uima.cas.StringArray", "uima.cas.StringList")
_ENDS = ("Governor", "Dependent")


def cas_records(
    loaded: LoadedCas, document: str, annotator: str, source: str, options: SourceOptions
) -> Iterator[Record]:
    """Units, relations and refusals of one annotator's CAS."""
    return _Converter(loaded, document, annotator, source, options).records()


@dataclass(frozen=True, slots=True)
class _Kind:
    """What a type is here: the same for all its annotations.

    `features` are those that say something; `categories` the features that are known to be the
    category, `candidates` the text features of which one may be where none is known.
    """

    layer: str
    is_layer: bool
    is_relation: bool
    features: tuple[str, ...]
    categories: tuple[str, ...]
    candidates: tuple[str, ...]


class _Converter:
    def __init__(
        self,
        loaded: LoadedCas,
        document: str,
        annotator: str,
        source: str,
        options: SourceOptions,
    ) -> None:
        self.loaded = loaded
        self.document = document
        self.annotator = annotator
        self.source = source
        self.layers = set(options.layers)
        self.categories = options.categories
        self.categories.choose(options.extra.get("category", ""))
        self.offsets = Utf16Offsets(loaded.text)
        self.kept: set[int] = set()
        self._kinds: dict[str, _Kind] = {}

    def records(self) -> Iterator[Record]:
        self._count_values()
        for id in self.loaded.doubled:
            yield self._refused(Problem("duplicate_id", id, f"the id {id} stands twice"), id)
        for annotation in self.loaded.of_document:
            if self._kind(annotation).is_layer:
                yield from self._label(annotation)
        links: list[Any] = []
        for annotation in self.loaded.annotations:
            kind = self._kind(annotation)
            if not kind.is_layer:
                continue
            if kind.is_relation:
                links.append(annotation)
                continue
            yield self._span(annotation)
        for annotation in links:
            for end in (annotation[name] for name in _ENDS):
                target = _attached(end)
                if target is not None and target.xmiID not in self.kept and _is_token(target):
                    yield self._span(target)
            yield self._relation(annotation)
        for annotation in self.loaded.annotations:
            if annotation.xmiID in self.kept:
                yield from self._out_links(annotation)

    def _count_values(self) -> None:
        """The text features that have values, in layers whose category is not known."""
        for annotation in (*self.loaded.of_document, *self.loaded.annotations):
            kind = self._kind(annotation)
            if kind.is_layer and not kind.categories:
                for name in kind.candidates:
                    for text in _texts(annotation.get(name)):
                        self.categories.add(kind.layer, _as_written(name), text)

    def _kind(self, annotation: Any) -> _Kind:
        name = annotation.type.name
        kind = self._kinds.get(name)
        if kind is None:
            kind = self._kinds[name] = self._kind_of_type(annotation.type)
        return kind

    def _kind_of_type(self, type_: Any) -> _Kind:
        name, layer = type_.name, short_layer(type_.name)
        named = {layer, name} & self.layers or self.categories.measures(layer)
        wanted = named or (not self.layers and not is_segmentation(name))
        is_layer = bool(wanted) and layer not in _NO_LAYER
        is_layer = is_layer and not any(package in name for package in _NO_PACKAGES)
        features = [feature for feature in type_.all_features if feature.name not in _BOUNDS]
        names = tuple(feature.name for feature in features)
        return _Kind(
            layer,
            is_layer=is_layer,
            is_relation={*_ENDS} <= {*names},
            features=names,
            categories=self.categories.known(
                name, map(_as_written, names), is_chain="next" in names
            )
            if is_layer
            else (),
            candidates=tuple(f.name for f in features if _is_text(f.rangeType)),
        )

    def _refused(self, problem: Problem, where: object, table: str = "units") -> Record:
        return rejected(
            problem,
            source=self.source,
            where=f"id {where}",
            table=table,
            document=self.document,
            annotator=self.annotator,
        )

    def _span(self, annotation: Any) -> Record:
        id = annotation.xmiID
        bounds = utf16_bounds(*self.loaded.offsets.get(id, ("", "")), self.offsets)
        if isinstance(bounds, Problem):
            return self._refused(bounds, id)
        start, end = bounds
        self.kept.add(id)
        layer = self._kind(annotation).layer
        category, attributes = self._features(annotation)
        return Unit(
            document=self.document,
            annotator=self.annotator,
            unit=str(id),
            start=start,
            end=end,
            category=category,
            layer=layer,
            source_offsets=" ".join(self.loaded.offsets[id]),
            attributes=attributes,
            surface=self.loaded.text[start:end],
            source=self.source,
            where=f"id {id}",
        )

    def _label(self, annotation: Any) -> Iterator[Record]:
        layer = self._kind(annotation).layer
        category, _ = self._features(annotation)
        if category:
            yield Label(
                document=self.document,
                item=self.document,
                annotator=self.annotator,
                labels=(category,),
                layer=layer,
                source=self.source,
                where=f"id {annotation.xmiID}",
            )

    def _relation(self, annotation: Any) -> Record:
        id = annotation.xmiID
        ends = [_attached(annotation[name]) for name in _ENDS]
        lost = [end for end in ends if end is None or end.xmiID not in self.kept]
        if lost:
            value = "" if lost[0] is None else str(lost[0].xmiID)
            message = f"its unit {value or '(none)'} is not in the file or was refused"
            return self._refused(Problem("rejected_unit", value, message), id, "relations")
        layer = self._kind(annotation).layer
        category, attributes = self._features(annotation)
        return Relation(
            document=self.document,
            annotator=self.annotator,
            relation=str(id),
            from_unit=str(ends[0].xmiID),
            to_unit=str(ends[1].xmiID),
            category=category,
            layer=layer,
            attributes=attributes,
            source=self.source,
            where=f"id {id}",
        )

    def _out_links(self, annotation: Any) -> Iterator[Record]:
        """To the next link of a chain, and to the fillers of slots."""
        for name in self._kind(annotation).features:
            value = annotation.get(name)
            if value is None or isinstance(value, str | int | float):
                continue
            if name == "next" and hasattr(value, "xmiID"):
                category = annotation.get("referenceRelation") or ""
                yield self._out_link(annotation, value, "next", str(category))
            for k, slot in enumerate(_elements(value)):
                target = slot.get("target") if _has(slot, "target") else None
                if target is not None:
                    role = slot.get("role") or name
                    yield self._out_link(annotation, target, f"{name}{k + 1}", str(role))

    def _out_link(self, annotation: Any, target: Any, name: str, category: str) -> Record:
        id = f"{annotation.xmiID}.{name}"
        if target.xmiID not in self.kept:
            value = str(target.xmiID)
            message = f"the unit {value} that it leads to is no annotation or was refused"
            return self._refused(Problem("rejected_unit", value, message), id, "relations")
        return Relation(
            document=self.document,
            annotator=self.annotator,
            relation=id,
            from_unit=str(annotation.xmiID),
            to_unit=str(target.xmiID),
            category=category,
            layer=self._kind(annotation).layer,
            source=self.source,
            where=f"id {annotation.xmiID}",
        )

    def _features(self, annotation: Any) -> tuple[str, tuple[tuple[str, str], ...]]:
        """The category, and the other features that hold something as (name, value)."""
        kind = self._kind(annotation)
        values: list[tuple[str, str]] = []
        for name in kind.features:
            value = annotation.get(name)
            if value is not None:
                values += [(_as_written(name), text) for text in _texts(value)]
        for name in kind.categories or self.categories.only(kind.layer):
            found = [text for feature, text in values if feature == name]
            if found:
                rest = tuple(pair for pair in values if pair[0] != name)
                return "|".join(found), rest
        return "", tuple(values)


def _as_written(feature: str) -> str:
    """A feature's name in the export: dkpro-cassis calls `self` and `type` by other names."""
    return feature[:-1] if feature in ("self_", "type_") else feature


def _is_text(range_: Any) -> bool:
    """Whether a feature's range is text, one of several allowed texts, or a list of texts."""
    while range_ is not None:
        if range_.name in _TEXTS:
            return True
        range_ = range_.supertype
    return False


def _has(structure: Any, name: str) -> bool:
    return hasattr(structure, "type") and any(f.name == name for f in structure.type.all_features)


def _is_token(annotation: Any) -> bool:
    return str(annotation.type.name).endswith(".Token")


def _attached(end: Any) -> Any:
    """What a relation stands on: a token's part of speech, when it has one, for the token."""
    if end is None or not hasattr(end, "xmiID"):
        return None
    if _is_token(end) and _has(end, "pos") and end.get("pos") is not None:
        return end.get("pos")
    return end


def _elements(value: Any) -> list[Any]:
    elements = getattr(value, "elements", value)
    if not isinstance(elements, list):
        return []
    return [each for each in elements if hasattr(each, "xmiID")]


def _texts(value: Any) -> list[str]:
    """A primitive feature's value, or those of an array, as strings; nothing for a reference."""
    if value is None:
        return []
    if isinstance(value, bool):
        return [str(value).lower()]
    if isinstance(value, str | int | float):
        return [str(value)]
    elements = getattr(value, "elements", value)
    if isinstance(elements, list):
        return [text for each in elements if not hasattr(each, "xmiID") for text in _texts(each)]
    return []
