"""TOML files validated against a model: one line per mistake with key, value, allowed values."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, ClassVar, TypeVar, get_type_hints

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from ..data.errors import DataError
from ..data.renamed_words import new_words
from ..data.untrusted.documents import parse_toml
from ..data.untrusted.files import read_file
from .errors import UserError


class ConfigError(UserError):
    """The campaign file cannot be used: the message names key, value and what is allowed."""


class Section(BaseModel):
    """A section of a file; keys of earlier versions are read as what they are called now."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid", frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _with_present_keys(cls, given: object) -> object:
        return _with_present_keys(given, cls)


AnySection = TypeVar("AnySection", bound=Section)
_WORDS = {  # words of pydantic → words of TOML
    "a integer": "a whole number",
    "a tuple": 'a list, such as ["a", "b"]',
    "a string": "text in quotes",
    "a boolean": "true or false",
    "a dictionary": "a section or a table { … }",
}
_BARE = re.compile("[A-Za-z0-9_-]+")
_CLOSE = 0.7  # least similarity of a key to the one that was meant


def read_toml(path: Path, model: type[AnySection]) -> AnySection:
    """Read a TOML file as that model. Raises ConfigError with one line per mistake."""
    try:
        data = read_file(path)
    except DataError as error:
        raise ConfigError(str(error)) from None
    try:
        raw = parse_toml(data, str(path))
    except DataError as error:
        if path.suffix.lower() != ".toml":
            raise ConfigError(
                f"{path}: is not a TOML file, and this command takes one, such as a campaign file; "
                "for an export use `accordeur look`, `accordeur agree`, `gamma` or `score`"
            ) from None
        raise ConfigError(str(error)) from None
    try:
        return model.model_validate(raw)
    except ValidationError as error:
        raise ConfigError(*_error_sentences(path, error, model)) from None


def _with_present_keys(given: object, section: Any) -> object:
    """Return the keys and values of a section, with old words replaced, also in its dataclasses."""
    if not isinstance(given, Mapping):
        return given
    known = _keys_of_section(section)
    named = {(new_words(str(key), known) or [key])[0]: one for key, one in given.items()}
    hints = get_type_hints(section)
    for key in named.keys() & {*known}:
        for kind in filter(is_dataclass, _type_arguments(hints[key])):
            named[key] = _with_present_keys(named[key], kind)
    return named if len(named) == len(given) else given


def _error_sentences(path: Path, error: ValidationError, model: type[Section]) -> list[str]:
    """Return one line per mistake: file, key, problem and value."""
    lines = []
    mistakes = error.errors(include_url=False)
    for mistake in mistakes:
        key = ".".join(
            f"[{part}]" if isinstance(part, int) else str(part) for part in mistake["loc"]
        ).replace(".[", "[")
        message = _plain(mistake)
        if mistake["type"] in ("extra_forbidden", "unexpected_keyword_argument"):
            allowed = _allowed_keys(mistake["loc"], model)
            name = str(mistake["loc"][-1])
            meant = get_close_matches(name, allowed, n=1, cutoff=_CLOSE)
            message = "unknown key; "
            if len(mistake["loc"]) > 1 and name in model.model_fields:
                message += (
                    f"{name} stands at the top of the file, before the first section; "
                    if model.model_fields[name].annotation in (int, float, str, bool)
                    else f"{name} is a section of its own; "
                )
            elif meant:
                message += f"did you mean {meant[0]}? "
            lines.append(f"{path}: {key}: {message}allowed here: {', '.join(allowed)}")
            continue
        if mistake["type"] == "missing":
            if _is_misspelt(mistake["loc"], mistakes):
                continue
            lines.append(f"{path}: {key}: is missing")
            continue
        if mistake["type"] == "too_short" and _is_inside(mistake["loc"], mistakes):
            continue  # pydantic counts only valid entries
        found = mistake.get("input")
        shown = "" if isinstance(found, (dict, list, tuple)) else f" (found {found!r})"
        lines.append(f"{path}: {key or 'whole file'}: {message}{shown}")
    return lines


def _plain(mistake: Mapping[str, Any]) -> str:
    """Return pydantic's message in the words of the other messages."""
    if mistake["type"] == "tuple_type" and isinstance(mistake["input"], dict):
        return f"there may be several: write [[{mistake['loc'][-1]}]] with two brackets"
    message = mistake["msg"].removeprefix("Value error, ")
    if message.startswith("Input should be "):
        message = "must be " + message.removeprefix("Input should be ").replace("a valid ", "a ", 1)
        if mistake["type"].endswith(("_parsing", "_from_float")):
            message = message.partition(",")[0]  # the rest explains the parser
        for theirs, ours in _WORDS.items():
            message = message.replace(theirs, ours)
    return str(message)


def _is_misspelt(location: tuple[int | str, ...], mistakes: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a missing key stands beside an unknown one that is nearly its name."""
    unknown = [
        str(one["loc"][-1])
        for one in mistakes
        if one["type"] == "extra_forbidden" and one["loc"][:-1] == location[:-1]
    ]
    return bool(get_close_matches(str(location[-1]), unknown, n=1, cutoff=_CLOSE))


def _is_inside(location: tuple[int | str, ...], mistakes: Sequence[Mapping[str, Any]]) -> bool:
    """Whether another mistake is nested below this location."""
    depth = len(location)
    return any(len(m["loc"]) > depth and m["loc"][:depth] == location for m in mistakes)


def _allowed_keys(location: tuple[int | str, ...], model: Any) -> list[str]:
    """Return the keys allowed at the location of an unknown one."""
    for part in location[:-1]:
        if part in _keys_of_section(model):
            inner = [
                a for a in _type_arguments(get_type_hints(model)[str(part)]) if _keys_of_section(a)
            ]
            model = inner[0] if inner else model
    return _keys_of_section(model)


def _keys_of_section(section: Any) -> list[str]:
    if is_dataclass(section):
        return [field.name for field in fields(section)]
    return list(getattr(section, "model_fields", ()))


def _type_arguments(annotation: Any) -> list[Any]:
    arguments = getattr(annotation, "__args__", ())
    return [annotation, *(inner for one in arguments for inner in _type_arguments(one))]


def toml_text(values: Mapping[str, Any], place: str = "") -> str:
    """Return plain values as TOML: a header for each table, inline what is in lists."""
    headed = {key: one for key, one in values.items() if isinstance(one, Mapping)}
    lists = {key: one for key, one in values.items() if _is_list_of_tables(one)}
    plain = {key: one for key, one in values.items() if key not in headed and key not in lists}
    lines = [f"{_key(key)} = {_inline(one)}\n" for key, one in plain.items()]
    header = [f"\n[{place}]\n"] if place and (lines or not values) else []
    below = [toml_text(one, f"{place}.{_key(key)}".lstrip(".")) for key, one in headed.items()]
    for key, tables in lists.items():
        for table in tables:
            below.append(f"\n[[{f'{place}.{_key(key)}'.lstrip('.')}]]\n")
            below += [f"{_key(name)} = {_inline(one)}\n" for name, one in table.items()]
    return "".join([*header, *lines, *below])


def _is_list_of_tables(value: object) -> bool:
    return isinstance(value, list) and {*map(type, value)} == {dict}


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _inline(name)


def _inline(value: object) -> str:
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{_key(key)} = {_inline(one)}' for key, one in value.items())} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(_inline, value))}]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
