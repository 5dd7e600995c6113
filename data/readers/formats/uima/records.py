"""Convert the annotations of a CAS to units and relations, as in INCEpTION and WebAnno.

| in the CAS | here |
|---|---|
| span of a layer | unit; layer = the type's last name (DKPro's POS_NOUN … are layer `POS`) |
| relation (`Governor`, `Dependent`) | relation; a token end is replaced by its part of speech |
| chain (`first`, `next`) | one unit per link, a relation to the next |
| annotation of the whole document | label of the item named after the document |
| slots (an array of `role`, `target`) | relations from the unit to its targets |
| other features | attributes |

Tokens, sentences, lemmas and other layers that segment the text are read only if they are named
(`layers`, `--layer`); metadata of document and project are never read. For the category feature see
`data.readers.common.category_features`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from ....label_sets import set_name
from ....schema import ExclusionReason, Record, Relation
from ...base import SourceOptions
from ...common.category_features import CategoryOption, is_segmentation, short_layer_name
from ...common.files.text import Utf16Offsets, parse_utf16_bounds
from ...common.records.document_work import DocumentWork, OffsetsOption, document_work
from ...common.records.unit_maker import UnitMaker
from ...common.span_rules import Problem
from ...options import Option
from .cas import LoadedCas, Structure

_NO_LAYER = ("Document", "DocumentMetaData", "DocumentAnnotation", "SourceDocumentInformation")
_NO_PACKAGES = (".metadata.type.", ".structure.type.", ".api.xml.", ".webanno.api.type.")
_BOUNDS = ("begin", "end", "sofa")
_ENDS = ("Governor", "Dependent")
_TOKEN = ".Token"  # noqa: S105


@dataclass(frozen=True)
class CasOptions(CategoryOption, OffsetsOption):
    lenient: Annotated[
        Literal["no", "yes"],
        Option(
            "annotations of types not in the type system",
            values={"no": "the file is refused", "yes": "they are skipped and counted"},
        ),
    ] = "no"
    view: Annotated[
        str, Option("the view that is read, where several have a text", unset="the initial one")
    ] = ""

    @property
    def is_lenient(self) -> bool:
        return self.lenient == "yes"


def cas_work(
    cas: LoadedCas, document: str, annotator: str, source: str, options: SourceOptions
) -> DocumentWork:
    """Return the annotator's work on the document: units, relations, rejected and excluded rows."""
    maker = UnitMaker(document, annotator, source, options, text=cas.text)
    records = _Converter(cas, maker).records()
    return document_work(cas.text, records, lambda: cas_tokens(cas), document, source, options)


def cas_tokens(loaded: LoadedCas) -> list[tuple[int, int]]:
    """Return the bounds of the tokens, in code points and in order."""
    offsets = Utf16Offsets(loaded.text)
    found = {
        bounds
        for one in loaded.annotations
        if one.type.endswith(_TOKEN) and one.bounds is not None
        if not isinstance(bounds := parse_utf16_bounds(*one.bounds, offsets), Problem)
    }
    return sorted(found)


@dataclass(frozen=True, slots=True)
class _Kind:
    """How a type is read, the same for all its annotations.

    `features` are the features to keep; `categories` are the features known to be the category;
    `candidates` are the text features that may be the category if it is not known.
    """

    layer: str
    is_layer: bool
    is_relation: bool
    features: tuple[str, ...]
    categories: tuple[str, ...]
    candidates: tuple[str, ...]


class _Converter:
    def __init__(self, loaded: LoadedCas, maker: UnitMaker) -> None:
        self.loaded = loaded
        self.maker = maker
        self.layers = set(maker.options.layers)
        self.categories = maker.options.categories
        self.categories.choose(maker.options.of_format(CategoryOption).category)
        self.offsets = Utf16Offsets(loaded.text)
        self.n_empty: Counter[str] = Counter()  # layer → number of annotations of zero length
        self._kinds: dict[str, _Kind] = {}

    def records(self) -> Iterator[Record]:
        self._count_values()
        for location, problem in self.loaded.problems:
            yield self.maker.rejected(problem, location)
        for annotation in self.loaded.of_document:
            if self._kind(annotation).is_layer:
                yield from self._label(annotation)
        links: list[Structure] = []
        for annotation in self.loaded.annotations:
            kind = self._kind(annotation)
            if not kind.is_layer:
                continue
            if kind.is_relation:
                links.append(annotation)
                continue
            yield from self._span(annotation)
        for annotation in links:
            for end in _ENDS:
                target = self._attached(annotation, end)
                if target is not None and target.id not in self.maker.units and _is_token(target):
                    yield from self._span(target)
            yield self._relation(annotation)
        for annotation in self.loaded.annotations:
            if annotation.id in self.maker.units:
                yield from self._out_links(annotation)
        yield from self._excluded()

    def _excluded(self) -> Iterator[Record]:
        """Yield what is valid and not read, one record per layer or type."""
        empty, broken = self.n_empty.items(), self.loaded.skipped.items()
        found = [("other views", ExclusionReason.OTHER_VIEW, self.loaded.n_elsewhere)]
        found += [(f"layer {name}", ExclusionReason.ZERO_LENGTH, n) for name, n in empty]
        found += [(f"type {name}", ExclusionReason.BROKEN_TYPE, n) for name, n in broken]
        for location, reason, n in found:
            if n:
                yield self.maker.excluded(reason, location, n)

    def _count_values(self) -> None:
        """Count the values of text features in layers whose category is not known."""
        for annotation in (*self.loaded.of_document, *self.loaded.annotations):
            kind = self._kind(annotation)
            if kind.is_layer and not kind.categories:
                for name in kind.candidates:
                    for text in self.loaded.texts(annotation, name):
                        self.categories.add(kind.layer, name, text)

    def _kind(self, annotation: Structure) -> _Kind:
        kind = self._kinds.get(annotation.type)
        if kind is None:
            kind = self._kinds[annotation.type] = self._kind_of_type(annotation.type)
        return kind

    def _kind_of_type(self, name: str) -> _Kind:
        types, layer = self.loaded.types, short_layer_name(name)
        named = {layer, name} & self.layers or self.categories.measures(layer)
        wanted = named or (not self.layers and not is_segmentation(name))
        is_layer = bool(wanted) and layer not in _NO_LAYER
        is_layer = is_layer and not any(package in name for package in _NO_PACKAGES)
        features = [one for one in types.features(name).values() if one.name not in _BOUNDS]
        names = tuple(feature.name for feature in features)
        known = self.categories.known(name, names, is_chain="next" in names) if is_layer else ()
        return _Kind(
            layer,
            is_layer=is_layer,
            is_relation={*_ENDS} <= {*names},
            features=names,
            categories=known,
            candidates=tuple(one.name for one in features if types.is_text(one.range)),
        )

    def _span(self, annotation: Structure) -> Iterator[Record]:
        written = annotation.bounds or ("", "")
        bounds = parse_utf16_bounds(*written, self.offsets)
        if isinstance(bounds, Problem):
            if bounds.rule == "zero_length":
                self.n_empty[self._kind(annotation).layer] += 1
            else:
                yield self.maker.rejected(bounds, f"id {annotation.id}")
            return
        start, end = bounds
        category, attributes = self._features(annotation)
        yield self.maker.unit(
            annotation.id,
            start,
            end,
            category,
            layer=self._kind(annotation).layer,
            source_offsets=" ".join(written),
            attributes=attributes,
            surface=self.loaded.text[start:end],
            location=f"id {annotation.id}",
        )

    def _label(self, annotation: Structure) -> Iterator[Record]:
        category, _ = self._features(annotation)
        if category:
            layer = self._kind(annotation).layer
            yield self.maker.label([category], layer=layer, location=f"id {annotation.id}")

    def _relation(self, annotation: Structure) -> Record:
        ends = [self._attached(annotation, name) for name in _ENDS]
        names = [
            one.id if one is not None else " ".join(annotation.refs.get(name, ()))
            for one, name in zip(ends, _ENDS, strict=True)
        ]
        lost = [name for name in names if name not in self.maker.units]
        if lost:
            message = f"its unit {lost[0] or '(none)'} is not in the file or not a unit"
            problem = Problem("rejected_unit", lost[0], message)
            return self.maker.rejected(problem, f"id {annotation.id}", "relations")
        category, attributes = self._features(annotation)
        return self._link(annotation, annotation.id, names, category, attributes)

    def _attached(self, annotation: Structure, feature: str) -> Structure | None:
        """Return the end of a relation; for a token with a part of speech, the part of speech."""
        end = self.loaded.target(annotation, feature)
        if end is not None and _is_token(end):
            return self.loaded.target(end, "pos") or end
        return end

    def _out_links(self, annotation: Structure) -> Iterator[Record]:
        """Yield links to the next link of a chain, and to the fillers of slots."""
        for name in self._kind(annotation).features:
            if name not in annotation.refs:
                continue
            if name == "next" and (following := self.loaded.target(annotation, name)) is not None:
                category = "".join(self.loaded.texts(annotation, "referenceRelation")[:1])
                yield self._out_link(annotation, following, "next", category)
            for k, slot in enumerate(self.loaded.elements(annotation, name)):
                target = self.loaded.target(slot, "target")
                if target is not None:
                    role = "".join(self.loaded.texts(slot, "role")[:1]) or name
                    yield self._out_link(annotation, target, f"{name}{k + 1}", role)

    def _out_link(
        self, annotation: Structure, target: Structure, name: str, category: str
    ) -> Record:
        id = f"{annotation.id}.{name}"
        if target.id not in self.maker.units:
            message = f"its target {target.id} is not a unit or was rejected"
            problem = Problem("rejected_unit", target.id, message)
            return self.maker.rejected(problem, f"id {id}", "relations")
        return self._link(annotation, id, [annotation.id, target.id], category, ())

    def _link(
        self,
        annotation: Structure,
        id: str,
        ends: list[str],
        category: str,
        attributes: tuple[tuple[str, str], ...],
    ) -> Relation:
        layer, location = self._kind(annotation).layer, f"id {annotation.id}"
        return self.maker.relation(
            id, ends, category, layer=layer, attributes=attributes, location=location
        )

    def _features(self, annotation: Structure) -> tuple[str, tuple[tuple[str, str], ...]]:
        """Return the category, and the other features with values as (name, value)."""
        kind = self._kind(annotation)
        names = dict.fromkeys((*kind.features, *annotation.plain))
        values = [
            (name, text)
            for name in names
            if name not in _BOUNDS
            for text in self.loaded.texts(annotation, name)
        ]
        for name in kind.categories or self.categories.only(kind.layer):
            found = [text for feature, text in values if feature == name]
            if found:
                rest = tuple(pair for pair in values if pair[0] != name)
                return (set_name(found) if len(found) > 1 else found[0]), rest
        return "", tuple(values)


def _is_token(annotation: Structure) -> bool:
    return annotation.type.endswith(_TOKEN)
