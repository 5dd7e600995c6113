"""Signatures: the settings behind a number, in one line that can be printed and compared.

In the manner of sacreBLEU (Post 2018): `measure|key:value|…|version:…`, keys in the order given.
Two numbers may be compared when their signatures differ only in `input`.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .expanded_percentile import METHOD

if TYPE_CHECKING:
    from .estimate import Estimate

VERSION = "0.1.0"


def signature(measure: str, **settings: object) -> str:
    """One line: the measure, its settings in the given order, the version of Accordeur.

    A setting that is None is left out; `|` and `:` in values are replaced, so that the line can
    be split again.
    """
    parts = [measure]
    for key, value in settings.items():
        if value is None:
            continue
        text = f"{value:g}" if isinstance(value, float) and math.isfinite(value) else str(value)
        parts.append(f"{key}:{text.replace('|', '/').replace(':', '=')}")
    parts.append(f"version:{VERSION}")
    return "|".join(parts)


def with_settings(line: str, **settings: object) -> str:
    """The signature with further settings before its version; those it has already are replaced."""
    measure, *kept, version = line.split("|")
    kept = [part for part in kept if part.split(":", 1)[0] not in settings]
    return "|".join([measure, *kept, *signature("", **settings).split("|")[1:-1], version])


def read_with(estimates: Iterable[Estimate], settings: Mapping[str, str]) -> list[Estimate]:
    """The estimates with the settings in their signatures that say how their data were read."""
    if not settings:
        return list(estimates)
    return [
        replace(one, signature=with_settings(one.signature, **settings)) if one.signature else one
        for one in estimates
    ]


def of_measure(line: str, measure: str, **settings: object) -> str:
    """The signature under the name of a measure made from the same counts; "" stays ""."""
    if not line:
        return ""
    return with_settings("|".join([measure, *line.split("|")[1:]]), **settings)


def interval_settings(
    n_replicates: int, over: str, level: float, *, n_drawn: int = 2
) -> dict[str, object]:
    """What a signature says of a bootstrap over `over`.

    Nothing without replicates, or with fewer than two units to draw (`n_drawn`): no interval then.
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
