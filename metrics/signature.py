"""Signatures: the settings behind a number, in one line that can be printed and compared.

In the style of sacreBLEU (Post 2018): `measure|key:value|…|version:…`, with the keys in the given
order. Two numbers may be compared if their signatures differ only in `input`.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from .bootstrap import METHOD

VERSION = "0.2.0.dev1"


class Signature(str):
    """A signature line that keeps its parts: the measure and its settings, in their order.

    A setting that is None is omitted; `|` and `:` in values are replaced, so that a line from a
    file can be parsed. Without a measure the line is empty.
    """

    __slots__ = ("measure", "settings")

    measure: str
    settings: Mapping[str, str]

    def __new__(cls, measure: str = "", **settings: object) -> Signature:
        texts = {key: _setting_text(value) for key, value in settings.items() if value is not None}
        version = texts.pop("version", VERSION)
        parts = [measure, *(f"{key}:{value}" for key, value in texts.items()), f"version:{version}"]
        line = super().__new__(cls, "|".join(parts) if measure else "")
        line.measure, line.settings = measure, texts | {"version": version}
        return line

    def __reduce__(self) -> tuple[Callable[[str], Signature], tuple[str]]:
        return Signature.read, (str(self),)

    @classmethod
    def read(cls, line: str) -> Signature:
        """Parse a signature from a line."""
        measure, *settings = line.split("|")
        return cls(measure, **dict(one.partition(":")[::2] for one in settings))

    def with_settings(self, **settings: object) -> Signature:
        """Add settings before the version; settings with the same name are replaced."""
        kept = {key: value for key, value in self.settings.items() if key not in settings}
        return Signature(self.measure, **kept, **settings)

    def of_measure(self, measure: str, **settings: object) -> Signature:
        """Return the signature of a measure from the same counts; an empty one stays empty."""
        return Signature(measure, **self.settings).with_settings(**settings) if self else self

    def without(self, *settings: str) -> Signature:
        kept = {key: value for key, value in self.settings.items() if key not in settings}
        return Signature(self.measure, **kept)


NO_SIGNATURE = Signature()


def _setting_text(value: object) -> str:
    text = f"{value:g}" if isinstance(value, float) and math.isfinite(value) else str(value)
    return text.replace("|", "/").replace(":", "=")


def interval_settings(
    n_replicates: int, over: str, level: float, *, n_drawn: int = 2
) -> dict[str, object]:
    """Return the settings of a bootstrap over `over` for a signature.

    Empty without replicates, or with fewer than two units to resample (`n_drawn`): there is no
    interval then.
    """
    if not n_replicates or n_drawn < 2:
        return {}
    return {"interval": f"{METHOD}/{over}/{level:g}", "replicates": n_replicates}


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
