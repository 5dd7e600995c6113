"""Options of formats: one frozen class per format, each field declared once with default and help.

    @dataclass(frozen=True)
    class LinesOptions(FormatOptions):
        types: Annotated[Names, Option("the types to read, separated by commas")] = ("SPEAKER",)

Users give text (`--option types=SPEAKER`, or `options = { types = "SPEAKER" }` in a campaign file).
The type of a field says which text is allowed: `Literal` or an enum lists the values, `Names` are
separated by commas, `str` is any text. Help and messages state the default and the allowed values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from inspect import get_annotations
from itertools import chain
from typing import Any, Literal, Self, TypeAlias, get_args, get_origin, get_type_hints

from ..errors import OptionError

Names: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Option:
    """Description of one field of a class of options.

    help    what the option decides, without its allowed values and default
    values  what an allowed value means, where its name does not say it
    unset   what happens without the option, where no default value says it
    parse   converts the text, if the type of the field does not say how; may raise OptionError
    """

    help: str
    values: Mapping[str, str] = field(default_factory=dict)
    unset: str = ""
    parse: Callable[[str], Any] | None = None


@dataclass(frozen=True, slots=True)
class OptionOfEach:
    """Description of a field that maps each of several options to its text, if it is given.

    help  name of the option → what it decides
    """

    help: Mapping[str, str]


@dataclass(frozen=True)
class FormatOptions:
    """Options of a format, none here; a format with options declares them in a subclass."""

    @classmethod
    def of(cls, given: Mapping[str, str]) -> Self:
        """Parse the options of this class; others are ignored.

        Raises OptionError for a value that is not allowed.
        """
        if not given:
            return cls()
        values: dict[str, Any] = {}
        for name, one in _declared(cls).items():  # type: ignore[arg-type]  # classes have a hash
            if isinstance(one.option, OptionOfEach):
                values[name] = {key: given[key] for key in one.option.help if key in given}
            elif name in given:
                values[name] = one.parsed(given[name])
        return cls(**values)

    @classmethod
    def descriptions(cls) -> dict[str, str]:
        """Return the help of each option by name, with its allowed values and default."""
        declared = _declared(cls).values()  # type: ignore[arg-type]
        return {name: text for one in declared for name, text in one.help()}


Declared: TypeAlias = type[FormatOptions] | Mapping[str, str]
"""A class of options or, in formats of packages, also name → help: every text is allowed."""


def option_descriptions(declared: Declared) -> dict[str, str]:
    """Return the help of each option by name."""
    return declared.descriptions() if isinstance(declared, type) else dict(declared)


@dataclass(frozen=True, slots=True)
class _Declaration:
    name: str
    option: Option | OptionOfEach
    kind: Any
    default: Any

    @property
    def allowed(self) -> tuple[str, ...]:
        """The only allowed values; () if any text is."""
        if isinstance(self.kind, type) and issubclass(self.kind, StrEnum):
            return tuple(self.kind)
        return get_args(self.kind) if get_origin(self.kind) is Literal else ()

    def parsed(self, text: str) -> Any:
        if isinstance(self.option, Option) and self.option.parse is not None:
            return self.option.parse(text)
        if allowed := self.allowed:
            if text not in allowed:
                message = f"option {self.name} = {text!r}: the allowed values are "
                raise OptionError(message + _joined(allowed, "and"))
            return allowed[allowed.index(text)]
        if self.kind == Names:
            return tuple(filter(None, map(str.strip, text.split(","))))
        return text

    def help(self) -> list[tuple[str, str]]:
        if isinstance(self.option, OptionOfEach):
            return [*self.option.help.items()]
        if allowed := self.allowed:
            values = _joined(map(self._allowed_value, allowed), "or")
            text = f"{self.option.help}: {values}"
        else:
            text = self.option.help
        default = self.option.unset
        if not default and not allowed and self.default:
            names = self.default if isinstance(self.default, tuple) else [str(self.default)]
            default = f"`{','.join(names)}`"
        if default:
            text += f"; default: {default}" if allowed else f" (default: {default})"
        return [(self.name, text)]

    def _allowed_value(self, value: str) -> str:
        notes = ["default"] if value == self.default else []
        meanings = self.option.values if isinstance(self.option, Option) else {}
        notes += [meanings[value]] if value in meanings else []
        return f"`{value}` ({': '.join(notes)})" if notes else f"`{value}`"


@cache
def _declared(cls: type[FormatOptions]) -> dict[str, _Declaration]:
    """Return the declared options, those of the class itself before those of its bases."""
    hints = get_type_hints(cls, include_extras=True)
    found: dict[str, _Declaration] = {}
    for name in chain.from_iterable(map(get_annotations, cls.__mro__)):
        kind, option, *_ = (*get_args(hints[name]), None, None)
        if not isinstance(option, Option | OptionOfEach):
            raise TypeError(f"{cls.__name__}.{name}: declare it as Annotated[TYPE, Option(HELP)]")
        without_none = [one for one in get_args(kind) if one is not type(None)]
        if type(None) in get_args(kind) and len(without_none) == 1:
            [kind] = without_none
        found[name] = _Declaration(name, option, kind, getattr(cls, name, None))
    return found


def _joined(values: Iterable[str], word: str) -> str:
    *others, last = values
    return f"{', '.join(others)} {word} {last}" if others else last
