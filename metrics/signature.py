"""How a value was computed, and its signature: all settings in one line, to print and compare.

In the style of sacreBLEU (Post 2018): `measure|key:value|…|version:…`. Two numbers may be compared
if their signatures differ only in `input`.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from itertools import takewhile
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .bootstrap import METHOD
from .plugins import package_of

VERSION = "0.9.0.dev1"


@dataclass(frozen=True, slots=True)
class IntervalMethod:
    """How an interval was computed.

    over  what was resampled or is new, such as `documents` or `items and annotators`; "" if the
          method does not depend on it
    """

    method: str
    over: str
    level: float

    def __str__(self) -> str:
        return "/".join(one for one in (self.method, self.over, f"{self.level:g}") if one)

    @classmethod
    def read(cls, text: str) -> IntervalMethod:
        """Inverse of `str`. Raises ValueError without a level."""
        method, _, level = text.rpartition("/")
        method, _, over = method.partition("/")
        return cls(method, over, float(level))


@dataclass(frozen=True, slots=True, kw_only=True)
class How:
    """How a value was computed: the measure, its settings and the version of Accordeur.

    A setting that is None does not apply. The signature prints the settings in the order of the
    fields, except those that were `added` to a value after it was computed: they follow.
    `others` are settings of an earlier version, as text.
    """

    measure: str = ""
    # scores
    match: str | None = None
    average: str | None = None
    undefined: str | None = None
    reference: str | None = None
    annotators: str | None = None
    weights: str | None = None
    insertion: float | None = None
    deletion: float | None = None
    shift: float | None = None
    span: int | None = None
    collar: float | None = None
    overlaps: str | None = None
    # replacement of annotators
    epsilon: float | None = None
    alignment: str | None = None
    # what is compared, and how
    k: int | str | None = None
    ties: str | None = None
    draw: str | None = None
    objective: str | None = None
    category: str | None = None
    distance: str | None = None
    distances: str | None = None
    values: str | None = None
    between: str | None = None
    dissimilarity: str | None = None
    alpha: float | None = None
    beta: float | None = None
    delta_empty: float | None = None
    categories: int | str | None = None
    unlabelled: float | None = None
    mean_length: float | None = None
    gap_self_term: str | None = None
    pairs: str | None = None
    min_overlap: float | None = None
    tolerance: int | None = None
    missing: str | None = None
    min_items: int | None = None
    # chance
    expected_per: str | None = None
    processes: str | None = None
    chosen: str | None = None
    length: str | None = None
    reconcile: str | None = None
    pivot_gap: float | None = None
    pivot_axis: str | None = None
    precision: float | None = None
    samples: int | str | None = None
    # interval
    interval: IntervalMethod | None = None
    prior: str | None = None
    draws: int | None = None
    replicates: int | None = None
    seed: int | None = None
    # data
    time_limit: float | None = None
    first: str | None = None
    second: str | None = None
    input: str | None = None
    floor: float | None = None
    # k annotators together
    of: str | None = None
    together: str | None = None
    formula: str | None = None
    splits: int | str | None = None
    # how the exports were read
    category_feature: str | None = None
    offsets: str | None = None
    informative: str | None = None
    trim: str | None = None
    query: str | None = None
    plugin: str | None = None  # package of the measure or distance, with its version
    version: str = VERSION
    added: tuple[str, ...] = ()
    others: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        is_unknown = self.plugin is None and self.version == VERSION
        plugin = package_of(self.measure, self.distance) if is_unknown else self.plugin
        object.__setattr__(self, "plugin", plugin or None)

    def add_settings(self, **settings: Any) -> How:
        """Add settings to those of a computed value; without a measure there are none."""
        return self.for_measure(self.measure, **settings)

    def for_measure(self, measure: str, **settings: Any) -> How:
        """Return how another measure was computed from the same counts."""
        changed = {
            name: one
            for name, one in settings.items()
            if one is not None or getattr(self, name) is not None
        }
        if not self.measure or (measure == self.measure and not changed):
            return self
        kept = (name for name in self.added if name not in changed)
        return replace(self, measure=measure, **changed, added=(*kept, *changed))

    @property
    def settings(self) -> dict[str, str]:
        """Return the settings as printed, by name in the order of the signature."""
        named = {one.name: getattr(self, one.name) for one in fields(self)[1:-3]}
        named = {name: one for name, one in named.items() if name not in self.added} | {
            name: named.get(name, dict(self.others).get(name)) for name in self.added
        }
        return _texts({**named, "version": self.version})

    @property
    def signature(self) -> str:
        return _line_of(self)

    @classmethod
    @lru_cache(maxsize=1024)
    def read(cls, line: str) -> How:
        """Read a signature of a results document. Raises ValueError if a level is no number."""
        measure, *parts = line.split("|")
        texts = dict(one.partition(":")[::2] for one in parts)
        kinds = {one.name: str(one.type) for one in fields(cls)[1:-3]}
        version = texts.pop("version", VERSION)
        known = (name for name in kinds if name in texts)
        own = takewhile(lambda pair: pair[0] == pair[1], zip(texts, known, strict=False))
        return cls(
            measure=measure,
            version=version,
            added=tuple(texts)[len([*own]) :],
            others=tuple(one for one in texts.items() if one[0] not in kinds),
            **{"plugin": ""}  # none, whatever this process has
            | {name: _read_as(kinds[name], text) for name, text in texts.items() if name in kinds},
        )


NO_HOW = How()


@lru_cache(maxsize=1024)  # values of many documents have the same settings
def _line_of(how: How) -> str:
    return signature_line(how.measure, **how.settings) if how.measure else ""


def signature_line(measure: str, **settings: object) -> str:
    """Return the line of a measure and its settings, with the version if it is not among them.

    `|` and `:` in values are replaced, so that a line of a results document can be read.
    """
    texts = _texts(settings)
    version = texts.pop("version", VERSION)
    parts = [measure, *(f"{name}:{text}" for name, text in texts.items()), f"version:{version}"]
    return "|".join(parts)


def add_to_signature_line(line: str, **settings: object) -> str:
    """Add settings to a line, before the version."""
    kept, _, version = line.rpartition("|version:")
    added = (f"{name}:{text}" for name, text in _texts(settings).items())
    return "|".join([kept, *added, f"version:{version}"])


def without_version(line: str) -> str:
    """Return a line without the version that computed the value."""
    return line.rpartition("|version:")[0] or line


def _texts(settings: dict[str, object]) -> dict[str, str]:
    return {name: _setting_text(one) for name, one in settings.items() if one is not None}


def _setting_text(value: object) -> str:
    text = f"{value:g}" if isinstance(value, float) and math.isfinite(value) else str(value)
    return text.replace("|", "/").replace(":", "=")


def _read_as(kind: str, text: str) -> Any:
    """Convert the text of a setting to the type of its field, such as `int | str | None`."""
    if kind.startswith("IntervalMethod"):
        return IntervalMethod.read(text)
    numbers = (int, float) if "float" in kind else (int,) if "int" in kind else ()
    for number in numbers:
        with suppress(ValueError):
            return number(text)
    return text


def interval_settings(n_replicates: int, over: str, level: float) -> dict[str, Any]:
    """Return the settings of a bootstrap over `over` for `How`; empty without replicates."""
    if not n_replicates:
        return {}
    return {"interval": IntervalMethod(METHOD, over, level), "replicates": n_replicates}


TABLE = "table-"
"""Begins the name of distances that a table declares; `distance_table_name` is the whole."""


def distance_table_name(distances: NDArray[np.generic]) -> str:
    """Return how signatures name a table of distances."""
    return f"{TABLE}{input_hash([distances])}"


def input_hash(arrays: Iterable[NDArray[np.generic] | str | bytes]) -> str:
    """First 12 hexadecimal digits of the SHA-256 of bytes, dtypes and shapes, in order."""
    digest = hashlib.sha256()
    for array in arrays:
        if isinstance(array, str):
            array = array.encode()
        if isinstance(array, bytes):
            digest.update(b"b%d:" % len(array))
            digest.update(array)
            continue
        contiguous = np.ascontiguousarray(array)
        digest.update(f"{contiguous.dtype.str}{contiguous.shape}:".encode())
        digest.update(contiguous.tobytes())
    return digest.hexdigest()[:12]
