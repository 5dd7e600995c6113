"""Messages and number formats of the page in one language.

Every sentence of the report is in `reports/messages/<code>.toml`, once per language; sentences that
commands also print are in `account.<code>.toml`, `warnings.<code>.toml`, `replacement.<code>.toml`
and `ratings.<code>.toml`. The catalogues of all languages have the same keys (checked by a test). A
message names its figures in braces, with the format of raw figures (`Language.filled`). Number
formats, plural forms and lists are in `language.<code>.toml` (a test compares them with the Unicode
CLDR); to load the CLDR itself takes a twentieth of the time of a command.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Literal, TypeAlias

from ..data.option_names import names_campaign_keys, option

Code: TypeAlias = Literal["en", "fr"]
LANGUAGES: tuple[Code, ...] = ("en", "fr")
# Catalogues, by the part of their file names before the language.
REPORT = (
    *("", "actions", "account", "warnings", "replacement", "ratings", "mistakes", "estimates"),
    "annotators",
)
TERMINAL = ("account", "warnings")
STUDY = (*REPORT, "study")
CALIBRATION = (*STUDY, "calibration")
PORTFOLIO = (*REPORT, "portfolio")
AUDIT = (*REPORT, "audit")
PASSPORT = (*REPORT, "passport")  # the documents beside a release

MINUS = "\u2212"


class MissingMessageError(KeyError):
    """A key that is not in the message catalogue: a programming error."""


class Language:
    """Messages by key from some catalogues, and number formats of the language."""

    def __init__(self, code: Code, catalogues: tuple[str, ...] = REPORT) -> None:
        self.code = code
        self._messages = load_messages(code, ("language", *catalogues))
        self._decimal_mark = self("language.decimal_mark")
        self._thousands_mark = self("language.thousands_mark")

    def __call__(self, key: str, **figures: object) -> str:
        """Return the message `key` with its figures filled in.

        Raises MissingMessageError when the catalogue has no such key.
        """
        try:
            message = self._messages[key]
        except KeyError:
            raise MissingMessageError(f"{key} is not in messages/{self.code}.toml") from None
        return message.format(**figures) if figures else message

    def with_messages(self, own: Mapping[str, str]) -> Language:
        """Return the language with additional messages, which replace none."""
        other = copy(self)
        other._messages = {**own, **self._messages}
        return other

    def table(self, name: str) -> dict[str, str]:
        """Return the messages of a table of the catalogue, by the rest of their keys."""
        start = f"{name}."
        found = self._messages.items()
        return {key.removeprefix(start): text for key, text in found if key.startswith(start)}

    def knows(self, key: str) -> bool:
        return key in self._messages

    def filled(self, key: str, figures: Mapping[str, float | int | str]) -> str:
        """Return the message `key` with raw figures in the format that the message specifies.

        `{n}` is a whole number or a text, `{x:2}` a number of two digits, `{x:1%}` a percentage,
        `{x:+2}` a number with its sign, `{x:p}` a p-value (“p = 0.012”, “p < 0.001”),
        `{n:document}` a counted word, `{layer:label}` a name and a colon (nothing without a name),
        and `{option:seed 9}` an option with its value, as the front end words it, in backticks;
        `<document>` in the value stands for `{document}` of a pattern of paths.
        """
        shown = {name: _Figure(self, figure) for name, figure in figures.items()}
        return self(key, option=_Option(self), **shown)

    def figure(self, figure: float | int | str, shape: str | Callable[[float], str] = "") -> str:
        """Format a raw figure as on the page; `shape` is a format as in messages, or a function."""
        if callable(shape):
            return figure if isinstance(figure, str) else shape(figure)
        return format(_Figure(self, figure), shape)

    def names_of(self, key: str) -> set[str]:
        """Return the names of the figures in the message `key`."""
        return _figures_in(self._messages[key])

    def counted(self, key: str, n: int) -> str:
        """Return "1 document", "12 documents", from `count.<key>.one` and `count.<key>.other`."""
        is_singular = str(abs(n)) in self("language.singular").split()
        return self(f"count.{key}.{'one' if is_singular else 'other'}", n=self.integer(n))

    def integer(self, n: float) -> str:
        sign = MINUS if n < 0 else ""
        return sign + f"{abs(round(n)):,}".replace(",", self._thousands_mark)

    def number(self, value: float, digits: int = 3) -> str:
        """Round `value`; return the word for undefined if it is nan.

        Up to six digits are shown if rounding alone would give 0 or 1.
        """
        if math.isnan(value):
            return self("value.undefined")
        if math.isinf(value):
            return "∞" if value > 0 else MINUS + "∞"
        enough = next(
            (d for d in range(digits, 7) if round(abs(value), d) not in (0.0, 1.0)), digits
        )
        # Two floats that differ by an error of the last bit are written alike.
        rounded = f"{round(abs(value), 12):,.{enough}f}"
        sign = MINUS if value < 0 and float(rounded.replace(",", "")) != 0 else ""
        whole, _, decimals = rounded.partition(".")
        whole = whole.replace(",", self._thousands_mark)
        return sign + whole + (self._decimal_mark + decimals if decimals else "")

    def plain(self, value: float, digits: int) -> str:
        """Format `value` with exactly `digits` decimals, for the ticks of an axis."""
        sign = MINUS if value < 0 else ""
        return sign + f"{abs(value):.{digits}f}".replace(".", self._decimal_mark)

    def signed(self, value: float, digits: int = 3) -> str:
        return ("+" if value > 0 else "") + self.number(value, digits)

    def percent(self, share: float, digits: int = 1) -> str:
        """Format a share in [0, 1] as a percentage."""
        if math.isnan(share):
            return self("value.undefined")
        return self("value.percent", share=self.number(share * 100, digits))

    def percents(self, shares: Sequence[float]) -> list[str]:
        """Format the shares of a whole as whole percentages that add up to that of their sum."""
        whole = [math.floor(100 * share) for share in shares]
        most_cut = sorted(range(len(whole)), key=lambda k: whole[k] - 100 * shares[k])
        for k in most_cut[: round(100 * sum(shares)) - sum(whole)]:
            whole[k] += 1
        return [self.percent(n / 100, 0) for n in whole]

    def interval(
        self, bounds: tuple[float, float], shape: str | Callable[[float], str] = ""
    ) -> str:
        """Format the bounds in brackets, each as a figure; "" if undefined."""
        if not all(map(math.isfinite, bounds)):
            return ""
        written = [self.figure(float(bound), shape) for bound in bounds]
        return f"[{', '.join(written) if self.code == 'en' else self.semicolon_list(written)}]"

    def p_value(self, p: float, least: float = 0.0) -> str:
        """Format a p-value with three decimals; "< 0.001" below the smallest of them.

        least  smallest p-value that a test by simulation can give: "< 0.004" if it is reached
        """
        if p <= least or p < 0.001:
            return "< " + self.plain(max(math.ceil(1000 * least) / 1000, 0.001), 3)
        return self.plain(p, 3)

    def moment(self, text: str) -> str:
        """Format a time in ISO 8601 for readers; any other text is unchanged."""
        found = re.fullmatch(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)[\d:.]*(Z|\+00:00)?", text)
        if found is None:
            return text
        day, hour, zone = found.groups()
        return f"{day} {hour}" + (" UTC" if zone else "")

    def listed(self, words: list[str]) -> str:
        """Return "a, b and c"."""
        return self._joined(words, "and")

    def semicolon_list(self, texts: Iterable[str]) -> str:
        """Return "a; b; c"."""
        return self("value.separator").join(texts)

    def listed_or(self, words: list[str]) -> str:
        """Return "a, b or c"."""
        return self._joined(words, "or")

    def _joined(self, words: list[str], last: str) -> str:
        """Return the words with commas, and the word "and" or "or" before the last of them."""
        return self(f"language.{last}").join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def _figures_in(message: str) -> set[str]:
    found = set()
    for _, name, specification, _ in Formatter().parse(message):
        found |= {name} if name and name != "option" else set()
        found |= _figures_in(specification or "")
    return found


class _Option:
    """The mentions of options in a message; name and value are the format specification."""

    def __init__(self, say: Language) -> None:
        self.say = say
        self.is_placed = not names_campaign_keys()  # whether the campaign file is mentioned

    def __format__(self, specification: str) -> str:
        words = specification.replace("<", "{").replace(">", "}").split(" ", 1)
        named = f"`{option(*words)}`"
        if self.is_placed:
            return named
        self.is_placed = True
        return self.say("value.campaign_key", named=named)


class _Figure:
    """A figure that a message's format specification writes in the page's language."""

    def __init__(self, say: Language, figure: float | int | str) -> None:
        self.say = say
        self.figure = figure

    def __format__(self, specification: str) -> str:
        figure, say = self.figure, self.say
        if isinstance(figure, str):
            is_label = specification == "label" and figure
            return say("value.labelled", label=figure, said="") if is_label else figure
        if specification == "p":
            return f"p {say.p_value(figure)}" if figure < 0.001 else f"p = {say.p_value(figure)}"
        if specification.endswith("%"):
            return say.percent(figure, int(specification[:-1] or 1))
        if specification.replace("_", "").isalpha():
            return say.counted(specification, int(figure))
        if specification.startswith("+"):
            return say.signed(figure, int(specification[1:] or 3))
        if isinstance(figure, int) and not specification:
            return say.integer(figure)
        return say.number(figure, int(specification or 3))


@cache
def load_messages(code: Code, catalogues: tuple[str, ...] = REPORT) -> Mapping[str, str]:
    """Load catalogues of one language as one, with tables flattened to dotted keys."""
    return {key: text for name in catalogues for key, text in _catalogue(code, name).items()}


@cache
def _catalogue(code: Code, name: str) -> Mapping[str, str]:
    path = Path(__file__).parent / "messages" / f"{name}.{code}.toml".lstrip(".")
    return dict(_flatten(tomllib.loads(path.read_text(encoding="utf-8")), ""))


def _flatten(table: Mapping[str, object], prefix: str) -> list[tuple[str, str]]:
    messages: list[tuple[str, str]] = []
    for key, entry in table.items():
        if isinstance(entry, dict):
            messages += _flatten(entry, f"{prefix}{key}.")
        else:
            messages.append((f"{prefix}{key}", str(entry)))
    return messages
