"""Parse UIMA XMI: elements of depth 1 are structures, their children are elements of lists."""

from __future__ import annotations

from xml.parsers import expat

from ....errors import DataError
from ....untrusted.xml import guard_xml
from .cas import RawCas, Structure, View
from .types import TypeSystem

_XMI = "http://www.omg.org/XMI"
_ID = f"{_XMI} id"
_SOFA, _VIEW = "uima.cas.Sofa", "uima.cas.View"
_NOT_READ = ("uima.cas.NULL", _SOFA, _VIEW)


def parse_xmi(data: bytes, types: TypeSystem, source: str, *, lenient: bool = False) -> RawCas:
    """Return the structures and views of an XMI.

    Raises DataError when it is damaged, has a document type, or (unless lenient) has data of a type
    or feature that the type system does not describe.
    """
    guard_xml(data, source)
    reading = _Reading(RawCas(types, source, lenient))
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.StartElementHandler = reading.start
    parser.EndElementHandler = reading.end
    parser.CharacterDataHandler = reading.text
    try:
        parser.Parse(data, True)
    except (expat.ExpatError, ValueError, LookupError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(f"{source}: not well-formed XML ({error})") from error
    return reading.whole()


class _Reading:
    """State of the parser: at depth 2 a structure is open, at depth 3 an element of a list."""

    def __init__(self, raw: RawCas) -> None:
        self.raw = raw
        self._depth = 0
        self._open: tuple[str, dict[str, str]] | None = None
        self._children: dict[str, list[str]] = {}
        self._text: list[str] = []
        self._sofas: dict[str, tuple[str, str | None]] = {}  # id → name, text
        self._members: dict[str, list[str]] = {}  # id of a sofa → its members

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth == 1 and tag != f"{_XMI} XMI":
            raise DataError(f"{self.raw.source}: the root is <{tag.split()[-1]}>, not <xmi:XMI>")
        if self._depth == 2:
            self._open, self._children = (_type_name(tag), attributes), {}
        self._text = []

    def text(self, text: str) -> None:
        if self._depth == 3:
            self._text.append(text)

    def end(self, tag: str) -> None:
        if self._depth == 3:
            self._children.setdefault(tag.rpartition(" ")[2], []).append("".join(self._text))
        elif self._depth == 2 and self._open is not None:
            self._close_element(*self._open)
        self._depth -= 1

    def whole(self) -> RawCas:
        views = [
            View(name, text, tuple(self._members.get(id, ())))
            for id, (name, text) in self._sofas.items()
        ]
        self.raw.views += views
        return self.raw

    def _close_element(self, type_name: str, attributes: dict[str, str]) -> None:
        id = attributes.pop(_ID, "")
        if type_name == _SOFA:
            self._sofas[id] = (attributes.get("sofaID", ""), attributes.get("sofaString"))
        elif type_name == _VIEW:
            members = attributes.get("members", "").split()
            self._members.setdefault(attributes.get("sofa", ""), []).extend(members)
        if type_name in _NOT_READ:
            return
        if not id:
            raise DataError(f"{self.raw.source}: a structure of type {type_name} has no xmi:id")
        if self.raw.may_read(type_name, id):
            self.raw.add(self._structure(id, type_name, attributes))

    def _structure(self, id: str, type_name: str, attributes: dict[str, str]) -> Structure:
        types = self.raw.types
        features = types.features(type_name)
        found = Structure(id, type_name)
        if "begin" in features and ("begin" in attributes or "end" in attributes):
            found.bounds = (attributes.get("begin", ""), attributes.get("end", ""))
        for name, value in attributes.items():
            feature = features.get(name)
            if " " in name:  # of another namespace: xmi:version
                continue
            if feature is None or feature.range.removesuffix("[]") not in types:
                self.raw.unknown_feature(type_name, name, id)
                found.plain[name] = (value,)
            elif types.is_plain_list(feature.range):
                if feature.shared:
                    found.refs[name] = tuple(value.split())
                else:
                    found.plain[name] = tuple(value.split())
            elif types.is_plain(feature.range):
                found.plain[name] = (value,)
            else:
                found.refs[name] = tuple(value.split())
        for name, values in self._children.items():
            if name not in features:
                self.raw.unknown_feature(type_name, name, id)
            found.plain[name] = tuple(values)
        return found


def _type_name(tag: str) -> str:
    """Convert `http:///webanno/custom.ecore Event` to webanno.custom.Event."""
    uri, _, name = tag.rpartition(" ")
    package = uri.removeprefix("http:///").removesuffix(".ecore").replace("/", ".")
    return f"{package}.{name}".removeprefix("uima.noNamespace.").removeprefix("noNamespace.")
