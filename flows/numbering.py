"""Numbered folders in the store for the next run, audit, study or simulation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from ..data.store.checksums import CHECKSUMS
from ..data.store.store import Store


def next_run(earlier: Mapping[int, str]) -> str:
    """Return the folder after the earlier runs (number → path of results)."""
    return _next_numbered_name("reports/run", earlier)


def next_audit(store: Store) -> str:
    """Return the folder after the last finished audit."""
    done = [path for path in store.list("audits") if path.endswith(f"/{CHECKSUMS}")]
    return _next_numbered_name("audits/audit", _numbers_in_use("audits/audit", done))


def next_study(store: Store) -> str:
    return _next_numbered_name(
        "reports/study", _numbers_in_use("reports/study", store.list("reports"))
    )


def next_simulation(store: Store) -> str:
    return _next_numbered_name(
        "reports/simulation", _numbers_in_use("reports/simulation", store.list("reports"))
    )


def _numbers_in_use(place: str, paths: Iterable[str]) -> list[int]:
    numbered = re.compile(rf"{place}-(\d+)/")
    return [int(found[1]) for path in paths if (found := numbered.match(path))]


def _next_numbered_name(place: str, numbers: Iterable[int]) -> str:
    return f"{place}-{1 + max(numbers, default=0):04d}"
