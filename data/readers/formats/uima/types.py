"""The types of a UIMA CAS and their features, from type system files or from the CAS JSON itself.

Several descriptions are merged as in UIMA: a type described twice has the features of both. A fault
(an undefined range or supertype, a feature with two ranges) is stored with its type and feature,
and matters only if the export has data of that type.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from xml.etree.ElementTree import Element

from ....errors import DataError
from ....untrusted.xml import parse_xml

ANNOTATION, ANNOTATION_BASE = "uima.tcas.Annotation", "uima.cas.AnnotationBase"
ARRAY = "uima.cas.FSArray"
_TOP, _STRING = "uima.cas.TOP", "uima.cas.String"
_TEXT_LISTS = ("uima.cas.StringArray", "uima.cas.StringList")
_NUMBERS = ("Boolean", "Byte", "Short", "Integer", "Long", "Float", "Double")
_PLAIN = frozenset({_STRING, *_TEXT_LISTS, *(f"uima.cas.{name}" for name in _NUMBERS)})
_PLAIN_LISTS = frozenset(
    f"uima.cas.{name}{kind}" for name in (*_NUMBERS, "String") for kind in ("Array", "List")
)
_REFERENCES = ("uima.cas.ArrayBase", ARRAY, "uima.cas.FSList", "uima.cas.NonEmptyFSList")


@dataclass(frozen=True, slots=True)
class Feature:
    """`shared`: lists are separate structures, to which the value refers."""

    name: str
    range: str
    shared: bool = False


@dataclass(slots=True)
class Type:
    name: str
    supertype: str
    features: dict[str, Feature] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a type, or (`feature`) with one of its features."""

    type: str
    feature: str
    problem: str

    def __str__(self) -> str:
        feature = f", feature {self.feature}" if self.feature else ""
        return f"type {self.type or '(without a name)'}{feature}: {self.problem}"


def _built_in_types() -> dict[str, Type]:
    integer = "uima.cas.Integer"
    features = {
        ANNOTATION_BASE: ("sofa", "uima.cas.Sofa"),
        "uima.tcas.DocumentAnnotation": ("language", _STRING),
        "uima.cas.Sofa": ("sofaString", _STRING),
        ARRAY: ("elements", ARRAY),
    }
    parents = {
        _TOP: "",
        ANNOTATION_BASE: _TOP,
        ANNOTATION: ANNOTATION_BASE,
        "uima.tcas.DocumentAnnotation": ANNOTATION,
        **dict.fromkeys([*_PLAIN, *_PLAIN_LISTS, *_REFERENCES, "uima.cas.Sofa"], _TOP),
    }
    types = {name: Type(name, parent) for name, parent in parents.items()}
    for name, (feature, range_) in features.items():
        types[name].features[feature] = Feature(feature, range_)
    for bound in ("begin", "end"):
        types[ANNOTATION].features[bound] = Feature(bound, integer)
    for name in ("FS", "String", "Integer", "Float"):
        head = _TOP if name == "FS" else f"uima.cas.{name}"
        list_ = f"uima.cas.{name}List"
        cells = {"head": Feature("head", head), "tail": Feature("tail", list_, shared=True)}
        types[f"uima.cas.NonEmpty{name}List"] = Type(f"uima.cas.NonEmpty{name}List", list_, cells)
        types[f"uima.cas.Empty{name}List"] = Type(f"uima.cas.Empty{name}List", list_)
    for name in _PLAIN_LISTS:
        if name.endswith("Array"):
            types[name].features["elements"] = Feature("elements", name)
    return types


class TypeSystem:
    """Types by name, also built-in ones; `faults` by type and feature ("": the type itself)."""

    def __init__(self, described: Iterable[Type | Fault]) -> None:
        self._types = _built_in_types()
        built_in = set(self._types)
        self.faults: dict[tuple[str, str], Fault] = {}
        for each in described:
            if isinstance(each, Fault):
                self._add_fault(each)
            else:
                self._add(each, is_built_in=each.name in built_in)
        self._lines = {name: self._line_of(name) for name in self._types}
        self._features: dict[str, dict[str, Feature]] = {}
        for type_ in [*self._types.values()]:
            self._check_ranges(type_)

    def __contains__(self, name: str) -> bool:
        return name in self._types

    def __len__(self) -> int:
        return len(self._types)

    def features(self, name: str) -> Mapping[str, Feature]:
        """Return a type's features, the inherited ones first."""
        found = self._features.get(name)
        if found is None:
            found = self._features[name] = {
                feature.name: feature
                for ancestor in reversed(self._lines.get(name, ()))
                for feature in self._types[ancestor].features.values()
            }
        return found

    def is_a(self, name: str, ancestor: str) -> bool:
        """Return whether a type is the other one or inherits from it."""
        return ancestor in self._lines.get(name, ())

    def is_text(self, range_: str) -> bool:
        """Return whether a range is text, one of several allowed texts, or a list of texts."""
        return range_ in _TEXT_LISTS or self.is_a(range_, _STRING)

    def is_plain(self, range_: str) -> bool:
        """Return whether values of a range are texts and numbers rather than references."""
        return range_ in _PLAIN_LISTS or range_ not in self._types or self.is_text(range_) or (
            range_ in _PLAIN
        )  # fmt: skip

    def is_plain_list(self, range_: str) -> bool:
        return range_ in _PLAIN_LISTS

    def fault_of(self, name: str) -> Fault | None:
        """Return why structures of a type cannot be read."""
        return next(
            (fault for one in self._lines.get(name, ()) if (fault := self.faults.get((one, "")))),
            None,
        )

    def _add_fault(self, fault: Fault) -> None:
        self.faults.setdefault((fault.type, fault.feature), fault)

    def _add(self, new: Type, *, is_built_in: bool) -> None:
        known = self._types.setdefault(new.name, new)
        if known is new:
            return
        if known.supertype != new.supertype and not is_built_in:
            problem = f"it is described with the supertypes {known.supertype} and {new.supertype}"
            self._add_fault(Fault(new.name, "", problem))
        for feature in new.features.values():
            own = known.features.setdefault(feature.name, feature)
            if own.range != feature.range and not is_built_in:
                problem = f"it is described with the ranges {own.range} and {feature.range}"
                self._add_fault(Fault(new.name, feature.name, problem))

    def _line_of(self, name: str) -> tuple[str, ...]:
        """Yield a type and its ancestors, as far as they are defined."""
        line = [name]
        while supertype := self._types[line[-1]].supertype:
            if supertype not in self._types:
                self._add_fault(Fault(line[-1], "", f"its supertype {supertype} is not defined"))
                break
            if supertype in line:
                self._add_fault(
                    Fault(line[-1], "", f"it inherits from itself, through {supertype}")
                )
                break
            line.append(supertype)
        return tuple(line)

    def _check_ranges(self, type_: Type) -> None:
        for feature in type_.features.values():
            if feature.range.removesuffix("[]") not in self._types:
                problem = f"its range {feature.range or '(none)'} is not defined"
                self._add_fault(Fault(type_.name, feature.name, problem))


@lru_cache(maxsize=16)
def merged_type_system(files: tuple[tuple[bytes, str], ...]) -> TypeSystem:
    """Merge the type systems of the files (content and name), parsed once for all exports.

    Raises DataError for a file that is not a type system.
    """
    return TypeSystem(each for data, source in files for each in _parse_types(data, source))


def _parse_types(data: bytes, source: str) -> Iterator[Type | Fault]:
    root = parse_xml(data, source)
    if _local_tag(root) != "typeSystemDescription":
        raise DataError(f"{source}: the root is <{_local_tag(root)}>, not <typeSystemDescription>")
    for described in root.iter():
        if _local_tag(described) != "typeDescription":
            continue
        name, supertype = _child_text(described, "name"), _child_text(described, "supertypeName")
        if not name:
            yield Fault("", "", f"{source} has a <typeDescription> without a name")
            continue
        type_ = Type(name, supertype)
        if not supertype and name != _TOP:
            yield Fault(name, "", "it has no supertype")
        for one in described.iter():
            if _local_tag(one) == "featureDescription":
                feature, range_ = _child_text(one, "name"), _child_text(one, "rangeTypeName")
                shared = _child_text(one, "multipleReferencesAllowed").lower() == "true"
                if feature in type_.features and type_.features[feature].range != range_:
                    yield Fault(name, feature, "it is described twice, with different ranges")
                type_.features.setdefault(feature, Feature(feature, range_, shared))
        yield type_


def _local_tag(element: Element) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _child_text(element: Element, tag: str) -> str:
    return next(((child.text or "").strip() for child in element if _local_tag(child) == tag), "")


def types_of_json(described: object) -> TypeSystem:
    """Parse the types of a CAS JSON under `%TYPES`. Raises ValueError when they are malformed."""
    if described is None or described is False:
        return TypeSystem(())
    if not isinstance(described, dict):
        raise ValueError("%TYPES is not an object")
    types = []
    for name, one in described.items():
        if not isinstance(one, dict):
            raise ValueError(f"%TYPES: {name} is not an object")
        features = {
            feature: Feature(feature, str(value.get("%RANGE", "")), shared=True)
            for feature, value in one.items()
            if not feature.startswith("%") and isinstance(value, dict)
        }
        types.append(Type(name, str(one.get("%SUPER_TYPE", "")), features))
    return TypeSystem(types)
