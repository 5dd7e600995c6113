"""Parse UIMA CAS JSON 0.4: `%TYPES`, `%FEATURE_STRUCTURES`, `%VIEWS`."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from ....errors import DataError
from ....untrusted import documents as untrusted
from .cas import RawCas, Structure, View
from .types import TypeSystem, types_of_json

_KEYS = frozenset({"%FEATURE_STRUCTURES", "%TYPES", "%VIEWS"})
_SOFA = "uima.cas.Sofa"
_NUMBER_MARKS = ("^", "#")  # "^": special floats; "#": reserved


def parse_json(data: bytes, source: str, *, lenient: bool = False) -> RawCas:
    """Return the structures and views of a CAS JSON.

    Raises DataError when it is damaged, or (unless lenient) has data of a type or feature that it
    does not describe.
    """
    try:
        document = untrusted.parse_json(data, source)
        if not isinstance(document, dict) or not document.keys() & _KEYS:
            raise ValueError(f"it has none of {', '.join(sorted(_KEYS))}")
        types = _type_system(json.dumps(document.get("%TYPES")))
        raw = RawCas(types, source, lenient)
        sofas: dict[str, tuple[str, str | None]] = {}
        for id, structure in _structures(document.get("%FEATURE_STRUCTURES", [])):
            name = str(structure.get("%TYPE", ""))
            if name == _SOFA:
                text = structure.get("sofaString")
                own = text if isinstance(text, str) else None
                sofas[id] = (str(structure.get("sofaID", "")), own)
            elif name.endswith("[]") or raw.may_read(name, id):
                raw.add(_structure(raw, id, name, structure))
        for name, view in _object(document.get("%VIEWS", {}), "%VIEWS").items():
            described = _object(view, f"%VIEWS: {name}")
            _, text = sofas.get(_id_as_text(described.get("%SOFA")), ("", None))
            members = described.get("%MEMBERS", [])
            if not isinstance(members, list):
                raise ValueError(f"%VIEWS: {name}: %MEMBERS is not a list")
            raw.views.append(View(name, text, tuple(map(_id_as_text, members))))
    except DataError:
        raise
    except (ValueError, RecursionError) as error:
        raise DataError(f"{source}: not the JSON of a UIMA CAS ({str(error)[:300]})") from error
    return raw


@lru_cache(maxsize=8)
def _type_system(types: str) -> TypeSystem:
    """Return the type system, parsed once for all files of a project that share it."""
    return types_of_json(untrusted.parse_json(types, "%TYPES"))


def _object(value: object, location: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"{location} is not an object")
    return value


def _structures(described: object) -> list[tuple[str, dict[str, Any]]]:
    if isinstance(described, dict):
        return [
            (str(id), _object(one, f"%FEATURE_STRUCTURES: {id}")) for id, one in described.items()
        ]
    if not isinstance(described, list):
        raise ValueError("%FEATURE_STRUCTURES is neither a list nor an object")
    found = []
    for k, each in enumerate(described):
        one = _object(each, f"%FEATURE_STRUCTURES, entry {k + 1}")
        if not _id_as_text(one.get("%ID")):
            raise ValueError(f"%FEATURE_STRUCTURES, entry {k + 1} has no %ID")
        found.append((_id_as_text(one["%ID"]), one))
    return found


def _id_as_text(value: object) -> str:
    return str(value) if isinstance(value, int | str) and not isinstance(value, bool) else ""


def _structure(raw: RawCas, id: str, type_name: str, described: dict[str, Any]) -> Structure:
    features = raw.types.features(type_name)
    found = Structure(id, type_name)
    if "end" in features and ("begin" in described or "end" in described):
        # a feature that is 0 may be omitted
        found.bounds = (_text(described.get("begin", 0)), _text(described.get("end", 0)))
    for key, value in described.items():
        if key == "%ELEMENTS" and isinstance(value, list):
            is_references = type_name.endswith(("FSArray", "[]"))
            values = found.refs if is_references else found.plain
            values["elements"] = tuple(map(_id_as_text if is_references else _text, value))
        if key.startswith("%"):
            continue
        is_reference = key.startswith("@")
        name = key[1:] if is_reference or key.startswith(_NUMBER_MARKS) else key
        feature = features.get(name)
        if feature is None or feature.range.removesuffix("[]") not in raw.types:
            raw.unknown_feature(type_name, name, id)
        if is_reference:
            found.refs[name] = (_id_as_text(value),)
        elif isinstance(value, list):
            found.plain[name] = tuple(map(_text, value))
        elif value is not None:
            found.plain[name] = (_text(value),)
    return found


def _text(value: object) -> str:
    """Return a text or number as written in the file; "" for anything else."""
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, str | int | float) else ""
