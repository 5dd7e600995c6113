"""Conversion of keyword arguments to command options, with checks of names and choices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from ..metrics.close_names import did_you_mean
from ..metrics.errors import MetricsError
from .distances import declared_distances

Options = TypeVar("Options")


def make_options(kind: type[Options], *, order: Sequence[Any] = (), **given: Any) -> Options:
    """Return options of that class; a single name is accepted for a list of names.

    order  the categories, in the order of an array of distances

    Raises MetricsError for an unknown option or an invalid choice.
    """
    hints = get_type_hints(kind, include_extras=True)
    known = [field.name for field in fields(kind)]  # type: ignore[arg-type]  # option classes are dataclasses
    for name, value in given.items():
        if name not in known:
            hint = did_you_mean(name, known).rstrip()
            raise MetricsError(f"no option {name!r}: {hint or 'there are ' + ', '.join(known)}")
        require_choice(name, value, choices_of(hints[name]))
        if isinstance(value, str) and get_origin(_plain(hints[name])) is tuple:
            given[name] = (value,)
    if given.get("distances") is not None:
        given["distances"] = declared_distances(given["distances"], order)
    return kind(**given)


def require_choice(name: str, value: object, choices: tuple[object, ...]) -> None:
    """Raise MetricsError unless the value is one of the choices, if there are any."""
    if choices and value not in choices:
        listed = ", ".join(repr(one) for one in choices)
        hint = did_you_mean(str(value), [one for one in choices if isinstance(one, str)])
        raise MetricsError(f"{name} is {value!r}: {hint}it must be one of {listed}")


def choices_of(hint: Any) -> tuple[object, ...]:
    """Return the values of a Literal type, or of an optional one; else ()."""
    plain = _plain(hint)
    if get_origin(plain) is Literal:
        return get_args(plain)
    parts = get_args(plain)
    if type(None) in parts and any(get_origin(_plain(one)) is Literal for one in parts):
        return (*(choice for one in parts for choice in choices_of(one)), None)
    return ()


def _plain(hint: Any) -> Any:
    return get_args(hint)[0] if get_origin(hint) is Annotated else hint
