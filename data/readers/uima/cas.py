"""A UIMA CAS (XMI or JSON) in memory: dkpro-cassis for its structures, its offsets as written.

dkpro-cassis keeps an offset that it cannot convert (outside the text, inside a surrogate pair) as
it stands, with a warning, and does not convert those of structures that are in no view. So the
offsets are taken from the file itself and converted here; one that fits nowhere is refused.
"""

from __future__ import annotations

import io
import json
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from xml.parsers import expat

import cassis

from data.errors import DataError
from data.readers.common.files.safe_xml import guard_xml

_XMI_ID = "xmi:id"
_VIEW = "_InitialView"
_KEYS = frozenset({"%FEATURE_STRUCTURES", "%TYPES", "%VIEWS"})
_NOT_A_CAS = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError)


@dataclass(frozen=True, slots=True)
class LoadedCas:
    """`offsets` are the UTF-16 bounds as written, by id; `doubled` ids that stand twice.

    `annotations` are the spans and relations, `of_document` those of the document as a whole.
    """

    text: str
    title: str
    annotations: list[Any]
    of_document: list[Any]
    offsets: Mapping[int, tuple[str, str]]
    doubled: tuple[str, ...]


def load_xmi(data: bytes, typesystem: bytes, source: str) -> LoadedCas:
    """The CAS of an XMI and its type system. Raises DataError when damaged or with a doctype."""
    offsets, doubled = _xmi_offsets(data, source)
    guard_xml(typesystem, f"{source} (type system)")
    with _cassis_errors(f"{source} (type system)"):
        types = _typesystem(typesystem)
    with _cassis_errors(source):
        cas = cassis.load_cas_from_xmi(io.BytesIO(data), typesystem=types)
    return _loaded(cas, offsets, doubled, source)


def load_json(data: bytes, source: str) -> LoadedCas:
    """The CAS of UIMA's JSON, which has its type system in it. Raises DataError when damaged."""
    try:
        document = json.loads(data)
        if not isinstance(document, dict) or not document.keys() & _KEYS:
            raise ValueError(f"without {', '.join(sorted(_KEYS))}")
        offsets, doubled = _json_offsets(document)
    except _NOT_A_CAS as error:
        raise DataError(f"{source}: not the JSON of a UIMA CAS ({_short(error)})") from error
    with _cassis_errors(source):
        types = _json_typesystem(json.dumps(document.get("%TYPES")))
        cas = cassis.load_cas_from_json(io.BytesIO(data), typesystem=types, merge_typesystem=False)
    return _loaded(cas, offsets, doubled, source)


@contextmanager
def _cassis_errors(source: str) -> Iterator[None]:
    """What dkpro-cassis meets in a damaged file is any exception: one sentence for all of them."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about offsets, which are taken from the file
            yield
    except Exception as error:
        raise DataError(f"{source}: not a readable UIMA CAS ({_short(error)})") from error


def _short(error: Exception) -> str:
    named = "" if isinstance(error, ValueError) else f"{type(error).__name__}: "
    return f"{named}{error}"[:300]


@lru_cache(maxsize=8)
def _typesystem(data: bytes) -> Any:
    """Parsed once for all the files of a project, which share it."""
    return cassis.load_typesystem(io.BytesIO(data))


@lru_cache(maxsize=8)
def _json_typesystem(types: str) -> Any:
    """`_typesystem` of the `%TYPES` that each JSON has in it: half the time of reading one."""
    only_types = f'{{"%TYPES": {types}, "%FEATURE_STRUCTURES": [], "%VIEWS": {{}}}}'
    return cassis.load_cas_from_json(only_types).typesystem


def _loaded(
    cas: Any, offsets: Mapping[int, tuple[str, str]], doubled: list[str], source: str
) -> LoadedCas:
    with _cassis_errors(source):
        view = cas.get_view(_VIEW)
        text = view.sofa_string
        annotations = list(view.select_all_annotations())
        of_document = [each for each in view.select_all_fs() if _is_of_document(cas, each)]
        titles = [
            annotation.get("documentTitle")
            for annotation in annotations
            if annotation.type.name.endswith(".DocumentMetaData")
        ]
    if not isinstance(text, str):
        raise DataError(f"{source}: the CAS has no text in its initial view")
    title = next((each for each in titles if isinstance(each, str)), "")
    return LoadedCas(text, title, annotations, of_document, offsets, tuple(doubled))


def _is_of_document(cas: Any, structure: Any) -> bool:
    """An annotation without a place: INCEpTION's document-level layers; not the head of a chain."""
    name = structure.type.name
    return (
        cas.typesystem.subsumes("uima.cas.AnnotationBase", name)
        and not cas.typesystem.subsumes("uima.tcas.Annotation", name)
        and all(feature.name != "first" for feature in structure.type.all_features)
    )


def _xmi_offsets(data: bytes, source: str) -> tuple[dict[int, tuple[str, str]], list[str]]:
    guard_xml(data, source)
    offsets: dict[int, tuple[str, str]] = {}
    seen: set[str] = set()
    doubled: list[str] = []

    def element(_: str, attributes: dict[str, str]) -> None:
        id = attributes.get(_XMI_ID)
        if id is None:
            return
        if id in seen:
            doubled.append(id)
        seen.add(id)
        if "begin" in attributes and "end" in attributes and id.isdecimal():
            offsets[int(id)] = (attributes["begin"], attributes["end"])

    parser = expat.ParserCreate()
    parser.StartElementHandler = element
    try:
        parser.Parse(data, True)
    except (expat.ExpatError, ValueError) as error:
        raise DataError(f"{source}: not well-formed XML ({error})") from error
    return offsets, doubled


def _json_offsets(document: Any) -> tuple[dict[int, tuple[str, str]], list[str]]:
    structures = document.get("%FEATURE_STRUCTURES", [])
    pairs = (
        [(int(id), structure) for id, structure in structures.items()]
        if isinstance(structures, dict)
        else [(int(structure["%ID"]), structure) for structure in structures]
    )
    offsets: dict[int, tuple[str, str]] = {}
    seen: set[int] = set()
    doubled: list[str] = []
    for id, structure in pairs:
        if id in seen:
            doubled.append(str(id))
        seen.add(id)
        if "end" in structure:
            # a feature that is 0 may be left out
            offsets[id] = (str(structure.get("begin", 0)), str(structure["end"]))
    return offsets, doubled
