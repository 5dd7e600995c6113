"""Names of options in messages: `--distance ordinal`, `distance="ordinal"` in Python, or TOML keys.

Messages contain `option("distance", "ordinal")`, and the front end that runs words it; options of
a format are `format_options(layout="wide")`. Flags that messages of readers contain are worded by
`in_python`.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Protocol

_KEYWORDS = {
    "group": "groups", "judge": "judges", "measure": "measures", "process": "processes",
    "system": "systems",
}  # fmt: skip
_OF_TABLES = {
    *("item", "annotator", "label", "document", "start", "end", "category"),
    *("count", "wide"),
}
_OF_FORMAT = "option"  # `--option KEY=VALUE` gives an option of the format
_PAIRS = {_OF_FORMAT: "options", "reference_option": "options", "role": "roles"}
_FLAGS = {"complete"}  # options without a value
_IN_FRAMES = {  # what a user of data frames does in place of an option of tables
    "item": 'item="{0}"', "annotator": "annotator={1}", "label": 'label="{0}"',
    "document": 'document="{0}"', "ignore": "data.drop(columns={1})",
    "header=no": "pandas.read_csv(FILE, header=None)",
    "header=yes": 'annotator=["NAME", "NAME"]',
    "layout=counts": "annotator=None",
    "layout=wide": 'annotator=["NAME", "NAME"]',
    "layer": 'data.rename(columns={{"{0}": "layer"}})',
    "length": 'length="{0}"',
    "missing": 'data[~data["{label}"].isin({2})]',
    "repeats": 'data.drop_duplicates(["{item}", "{annotator}"], keep="{0}")',
    "repeats=pass": 'repeatability(data, pass_="COLUMN")',
    "separator": 'data.assign(**{{"{label}": data["{label}"].str.split("{0}", regex=False)}})',
}  # fmt: skip
_IN_WIDE_FRAMES = {  # without a column of labels
    "missing": "data.mask(data.isin({2}))",
    "separator": 'data.assign(**{{name: data[name].str.split("{0}", regex=False) '
    'for name in ["NAME", "NAME"]}})',
}
_FLAG = re.compile(
    r"--([a-z][a-z-]*)"
    r"(?: ('[\w.]+=[^'`]*'|[\w.]+=[^\s`,;)]*"  # a value, not the next word
    r"|[A-Z][A-Z_]+\b|[\w./-]+(?=`| --)))?"
)


class Wording(Protocol):
    """How a front end names options."""

    def option(self, name: str, value: str) -> str:
        """Word an option (`per_item`) with its value, "" without one."""

    def of_format(self, given: Mapping[str, str]) -> str:
        """Word options of the format with their values."""

    def of_table(self, given: Mapping[str, str]) -> str:
        """Word the options that name columns of a table, and `wide`, with their values."""


class _Flags:
    def option(self, name: str, value: str) -> str:
        key, equals, own = value.strip("'").partition("=")
        if name == _OF_FORMAT and equals:
            return self.of_format({key: own})
        flag = f"--{name.replace('_', '-')}"
        if equals and " " in key and value == value.strip("'"):
            value = shlex.quote(value)
        return f"{flag} {value}" if value else flag

    def of_format(self, given: Mapping[str, str]) -> str:
        return " ".join(
            f"--{_OF_FORMAT} {shlex.quote(f'{key}={value}')}" for key, value in given.items()
        )

    def of_table(self, given: Mapping[str, str]) -> str:
        return " ".join(
            self.option(key, shlex.quote(value) if value else "")
            if key in _OF_TABLES
            else self.of_format({key: value})
            for key, value in given.items()
        )


@dataclass(frozen=True, slots=True)
class _Keywords:
    names: Mapping[str, str]
    is_file: bool
    place: Callable[[str], str]
    columns: Mapping[str, str]

    def option(self, name: str, value: str) -> str:
        worded = self._option(name, value)
        function = self.place(worded.partition("=")[0])
        return f"{function}(…, {worded})" if function else worded

    def _option(self, name: str, value: str) -> str:
        own = value.strip("\"'")
        if name == "wide":
            return self.of_format({"layout": name})
        if name in _FLAGS:
            return f"{name}=True"
        if self.is_file and name in _OF_TABLES:
            return self.of_format({name: own or "COLUMN"})
        if name == _OF_FORMAT and own:
            key, _, own = own.partition("=")
            return self.of_format({key: own})
        if name in ("item", "annotator") and "," in own:
            return f"{name}={_listed(own)}"
        if name in _PAIRS and own:
            key, _, own = own.partition("=")
            return f'{_PAIRS[name]}={{"{key}": "{own}"}}'
        return f"{self.names.get(name, _PAIRS.get(name, name))}=" + (f'"{own}"' if own else "")

    def of_format(self, given: Mapping[str, str]) -> str:
        words = _IN_FRAMES if self.columns.get("label") else {**_IN_FRAMES, **_IN_WIDE_FRAMES}
        known = {key: words.get(f"{key}={own}", words.get(key)) for key, own in given.items()}
        if not self.is_file and all(known.values()):
            worded = (
                str(known[key]).format(own, _listed(own), _cells(own), **self.columns)
                for key, own in given.items()
            )
            return ", ".join(worded if all(given.values()) else ['annotator=["NAME", "NAME"]'])
        return "options={" + ", ".join(f'"{key}": "{own}"' for key, own in given.items()) + "}"

    def of_table(self, given: Mapping[str, str]) -> str:
        if self.is_file or "wide" in given:
            return self.of_format(_with_layout(given))
        return ", ".join(
            self.option(key, own) if key in _OF_TABLES else self.of_format({key: own})
            for key, own in given.items()
        )


def _listed(names: str) -> str:
    return "[" + ", ".join(f'"{name}"' for name in names.split(",")) + "]"


def _cells(category: str) -> str:
    """Return the cells of a frame that are read as this category: text, or also a number."""
    is_number = category.removeprefix("-").replace(".", "", 1).isdigit()
    return f'[{category}, "{category}"]' if is_number else f'["{category}"]'


class _CampaignKeys:
    """Keys of the campaign file: of the campaign, of a source, of a layer."""

    def option(self, name: str, value: str) -> str:
        own = value.strip("\"'")
        if name in _OF_TABLES:
            return self.of_format({name: own or "COLUMN"})
        if name == _OF_FORMAT and own:
            key, _, own = own.partition("=")
            return self.of_format({key: own})
        if name == "role":
            who, _, own = own.partition("=")
            return f'{who} = {{ role = "{own}" }}'
        if name in _FLAGS:
            return f"{name} = true"
        if name == "categories" and own:
            return "categories = [" + ", ".join(f'"{one}"' for one in own.split(",")) + "]"
        return f'{name} = "{own}"' if own else name

    def of_format(self, given: Mapping[str, str]) -> str:
        return "options = { " + ", ".join(f'{key} = "{own}"' for key, own in given.items()) + " }"

    def of_table(self, given: Mapping[str, str]) -> str:
        return self.of_format(_with_layout(given))


def _with_layout(given: Mapping[str, str]) -> dict[str, str]:
    """Return the options of the format: `wide` is a layout there."""
    layout = {"layout": "wide"} if "wide" in given else {}
    return layout | {key: own or "COLUMN" for key, own in given.items() if key != "wide"}


_WORDING: ContextVar[Wording] = ContextVar("wording", default=_Flags())  # noqa: B039 - no state


def option(name: str, value: str = "") -> str:
    """Name an option in a message, with the value that it should have if one is given.

    name  as on the command line

    >>> option("distance", "ordinal")
    '--distance ordinal'
    """
    return _WORDING.get().option(name, value)


def format_options(**given: str) -> str:
    """Name options of the format of an export in a message, with their values.

    >>> format_options(header="no", layout="wide")
    '--option header=no --option layout=wide'
    """
    return _WORDING.get().of_format(given)


def table_options(**given: str) -> str:
    """Name the options that name columns of a table in a message, with their values.

    given  column by name of the option; `wide` without a value

    >>> table_options(wide="", item="tweet id")
    "--wide --item 'tweet id'"
    """
    return _WORDING.get().of_table(given)


def look_hint() -> str:
    """Say which command proposes how a file is read, where messages are of commands."""
    is_command = isinstance(_WORDING.get(), _Flags)
    return "; `accordeur look` with the files proposes a command" if is_command else ""


def names_campaign_keys() -> bool:
    """Return whether messages name keys of the campaign file."""
    return isinstance(_WORDING.get(), _CampaignKeys)


@contextmanager
def in_campaign_file() -> Iterator[None]:
    """Word options as keys of the campaign file.

    >>> with in_campaign_file():
    ...     option("option", "item=word")
    'options = { item = "word" }'
    """
    before = _WORDING.set(_CampaignKeys())
    try:
        yield
    finally:
        _WORDING.reset(before)


@contextmanager
def in_python(
    *,
    is_file: bool = False,
    place: Callable[[str], str] | None = None,
    columns: Mapping[str, str] | None = None,
    **names: str,
) -> Iterator[None]:
    """Word options as keyword arguments; a decorator of the functions of the Python interface.

    is_file  whether the function reads files, whose columns are named by options of the format
    place    of a keyword that the function lacks, the name of one that has it, else ""
    columns  names of the columns item, annotator and label, where they have others; label is ""
             in a frame with a column for each annotator
    names    the keywords of the function that differ from those of most functions

    >>> with in_python():
    ...     option("distance", "ordinal")
    'distance="ordinal"'
    """
    words = {**_KEYWORDS, **names}
    named = {one: one for one in ("item", "annotator", "label")} | dict(columns or {})
    before = _WORDING.set(_Keywords(words, is_file, place or (lambda _: ""), named))
    try:
        yield
    except ValueError as error:  # of the data and of the measures
        error.args = tuple(_worded(one) if isinstance(one, str) else one for one in error.args)
        raise
    finally:
        _WORDING.reset(before)


def _worded(message: str) -> str:
    """Word the flags in a message as the front end does."""
    return _FLAG.sub(lambda found: option(found[1].replace("-", "_"), found[2] or ""), message)
