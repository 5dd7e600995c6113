"""Functions of the interface: their keywords, checked before they run, become command options."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import fields
from functools import partial, wraps
from importlib import import_module
from inspect import Parameter, signature
from typing import (
    Annotated,
    Any,
    Literal,
    ParamSpec,
    TypeAlias,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)

import numpy as np

from ..data.option_names import in_python
from ..data.renamed_words import sentence_on_meant_word, sentence_on_old_word
from ..metrics.close_names import did_you_mean
from ..metrics.errors import MetricsError
from ..metrics.options import require_count
from .frames import lacks_label
from .result import Result

Options = TypeVar("Options")
Given = ParamSpec("Given")
Found = TypeVar("Found")
Rng: TypeAlias = np.random.Generator | int
"""A generator of random numbers, or a seed."""
ROWS_OF_EACH_VALUE = "for a column, call it with the rows of each of its values in turn"
_FUNCTIONS: dict[str, Mapping[str, Parameter]] = {}  # keywords of the functions that are loaded


class KeywordError(MetricsError, TypeError):
    """A keyword that the function does not have, or a required one that is missing."""


def public(
    *, is_file: bool = False, **names: str
) -> Callable[[Callable[Given, Found]], Callable[Given, Found]]:
    """Make a function of the interface: it checks its keywords and words messages for Python.

    is_file, names  as in `in_python`

    An unknown keyword raises KeywordError, which says what is meant or what an old word is now.
    """

    def decorate(function: Callable[Given, Found]) -> Callable[Given, Found]:
        known = _FUNCTIONS[function.__name__] = signature(function).parameters

        @wraps(function)
        def checked(*given: Given.args, **keywords: Given.kwargs) -> Found:
            _require_known(function.__name__, known, len(given), keywords)
            _require_data(function.__name__, given)
            place = partial(function_with, known=known)
            columns = {one: own for one, own in keywords.items() if isinstance(own, str)}
            if given and lacks_label(given[0], columns.get("label", "label")):
                columns["label"] = ""
            with in_python(is_file=is_file, place=place, columns=columns, **names):
                return function(*given, **keywords)

        return checked

    return decorate


def function_with(keyword: str, known: Collection[str]) -> str:
    """Return the function that has a keyword which is not `known`; "" if there is none."""
    if keyword in known:
        return ""
    for name in ("labels", "units", "relations", "reading"):
        import_module(f".{name}", __package__)
    names = ("agreement", "read", "gamma", *sorted(_FUNCTIONS))
    found = (name for name in names if keyword in _FUNCTIONS[name])
    return next((f"accordeur.{name}" for name in found), "")


def _require_known(name: str, known: Any, n_given: int, keywords: dict[str, Any] | Any) -> None:
    """Raise KeywordError unless the function can be called with these arguments."""
    others = [one for one, at in known.items() if at.kind is Parameter.KEYWORD_ONLY]
    unknown, strange = list[str](), list[str]()
    for word in keywords:
        if word not in known:
            hint = sentence_on_old_word(word, known) or sentence_on_meant_word(word, known)
            near = did_you_mean(word, known).rstrip(" ;")
            if not hint and not near and (other := function_with(word, ())):
                near = f"{other} has it{'; here, ' + ROWS_OF_EACH_VALUE if word == 'by' else ''}"
            if hint or near:
                unknown.append(hint or f"there is no {word!r}: {near}")
            else:
                strange.append(repr(word))
    if strange:
        unknown.append(f"there is no {' and no '.join(strange)}: it takes {_list(others)}")
    if unknown:
        raise KeywordError(f"{name}: {'; '.join(unknown)}")
    for word in [*known][:n_given]:
        if word in keywords:
            raise KeywordError(f"{name}: {word} is given twice, without and with its name")
    positional = [one for one, at in known.items() if at.kind is not Parameter.KEYWORD_ONLY]
    if n_given > len(positional):
        raise KeywordError(
            f"{name} takes {_list(positional)} without a name; name the others, such as "
            f"{next(one for one in known if one not in positional)}="
        )
    for one, at in known.items():
        if at.default is Parameter.empty and one not in [*positional[:n_given], *keywords]:
            raise KeywordError(f"{name}: {one} is missing")


def _require_data(name: str, given: Sequence[Any]) -> None:
    """Raise MetricsError for a result of another function in place of data."""
    for one in given:
        if isinstance(one, Result):
            raise MetricsError(
                f"{name}: {type(one).__name__} is a result, not data: give the rows that it was "
                "computed from"
            )


def _list(words: Sequence[str]) -> str:
    return ", ".join(words)


def make_options(kind: type[Options], **given: Any) -> Options:
    """Return options of that class; a single name is accepted for a list of names.

    Raises MetricsError for an invalid choice.
    """
    hints = get_type_hints(kind, include_extras=True)
    for one in fields(kind):  # type: ignore[arg-type]  # option classes are dataclasses
        if one.name not in given:
            continue
        value = given[one.name]
        require_choice(one.name, value, choices_of(hints[one.name]))
        if isinstance(value, str) and get_origin(_plain(hints[one.name])) is tuple:
            given[one.name] = (value,)
    return kind(**given)


def require_choice(
    name: str, value: object, choices: tuple[object, ...], *, else_: str = ""
) -> None:
    """Raise MetricsError unless the value is one of the choices, if there are any.

    else_  what may be meant by another value
    """
    if choices and value not in choices:
        listed = ", ".join(repr(one) for one in choices)
        hint = did_you_mean(str(value), [one for one in choices if isinstance(one, str)])
        more = f"; {else_}" if else_ and not hint else ""
        raise MetricsError(f"{name} is {value!r}: {hint}it must be one of {listed}{more}")


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


def seed_of(seed: int, rng: Rng | None) -> int:
    """Return the seed of a call: a number that the generator `rng` draws, if one is given.

    Raises MetricsError for both, and for anything that is no generator and no whole number.
    """
    if rng is None:
        require_count("seed", seed)
        return int(seed)
    if seed:
        raise MetricsError("give seed or rng, not both")
    if isinstance(rng, np.random.Generator):
        return int(rng.integers(2**32))
    require_count("rng", rng)
    return int(rng)
