"""TOML files checked against a model: each mistake is one line with key, value, what is allowed."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from flows.errors import UserError


class ConfigError(UserError):
    """The campaign file cannot be used: the message names key, value and what is allowed."""


class Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


AnySection = TypeVar("AnySection", bound=Section)


def parsed(path: Path, model: type[AnySection]) -> AnySection:
    """A TOML file as that model. Raises ConfigError with one line per mistake."""
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ConfigError(f"{path}: no such file") from None
    except IsADirectoryError:
        raise ConfigError(f"{path}: is a folder; give the TOML file in it") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: is not UTF-8 (byte {error.start})") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: is not TOML: {error}") from None
    try:
        return model.model_validate(raw)
    except ValidationError as error:
        raise ConfigError("\n".join(_sentences(path, error, model))) from None


def _sentences(path: Path, error: ValidationError, model: type[Section]) -> list[str]:
    """One line per mistake: file, key, what is wrong, what was found."""
    lines = []
    for mistake in error.errors(include_url=False):
        key = ".".join(
            f"[{part}]" if isinstance(part, int) else str(part) for part in mistake["loc"]
        ).replace(".[", "[")
        message = mistake["msg"].removeprefix("Value error, ")
        if mistake["type"] == "extra_forbidden":
            message = f"unknown key; allowed here: {', '.join(_allowed(mistake['loc'], model))}"
            lines.append(f"{path}: {key}: {message}")
            continue
        found = mistake.get("input")
        shown = "" if isinstance(found, (dict, list, tuple)) else f" (found {found!r})"
        lines.append(f"{path}: {key or 'whole file'}: {message}{shown}")
    return lines


def _allowed(location: tuple[int | str, ...], model: Any) -> list[str]:
    """The keys allowed where an unknown one was found."""
    for part in location[:-1]:
        if isinstance(part, int) or not hasattr(model, "model_fields"):
            continue
        field = model.model_fields.get(part)
        if field is None:
            continue
        inner = [a for a in _arguments(field.annotation) if hasattr(a, "model_fields")]
        model = inner[0] if inner else model
    return list(model.model_fields)


def _arguments(annotation: Any) -> list[Any]:
    arguments = getattr(annotation, "__args__", ())
    return [annotation, *(inner for one in arguments for inner in _arguments(one))]
