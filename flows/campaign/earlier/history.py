"""Results of earlier runs of a campaign."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa

from ....data.errors import DataError
from ....data.ledger import FILE as LEDGER
from ....data.ledger import read_ledger
from ....data.store.manifest import read_if_intact
from ....data.store.store import Store
from ....data.untrusted.documents import parse_json
from ....reports.results import SCHEMA_VERSION
from ....reports.results.circumstances import FILE as CIRCUMSTANCES
from ....tasks.annotator_codes import existing_codes


def earlier_runs(store: Store) -> dict[int, str]:
    """Map the number of each run to the path of its results."""
    found = {}
    for path in store.list("reports"):
        folder, _, name = path.rpartition("/")
        number = folder.rpartition("run-")[2]
        if name == "results.json" and number.isdigit():
            found[int(number)] = path
    return found


def ledger_of_run(store: Store, results: str) -> pa.Table | None:
    """Return the ledger of a run; None if it is damaged, missing or of an earlier version."""
    return read_ledger(read_if_intact(store, results.rpartition("/")[0], LEDGER))


def require_same_names(store: Store, names: Mapping[str, str]) -> None:
    """Raise DataError if the last run shows annotators by other names than the campaign file gives.

    names  name that is shown → name in the exports, where they differ, by the campaign file
    """
    earlier, codes = earlier_runs(store), existing_codes(store, names)
    ledger = ledger_of_run(store, earlier[max(earlier)]) if earlier else None
    if ledger is None or codes is None:
        return
    shown = set(zip(ledger["annotator"].to_pylist(), ledger["code"].to_pylist(), strict=True))
    hidden = set(names.values()) - set(names)
    if any(name in hidden or (code and codes.of(name) != code) for name, code in shown):
        raise DataError(
            "the pseudonyms in [annotators] have changed since the last run, which still shows "
            "the names of that time: run the campaign first (accordeur run)"
        )


def read_intact_results(store: Store, path: str) -> dict[str, Any] | None:
    """Return the results of an earlier run; None unless they match its manifest."""
    content = _intact_content(store, path)
    return None if content is None else parse_json(content, "results.json")


def _intact_content(store: Store, path: str) -> bytes | None:
    folder, _, name = path.rpartition("/")
    return read_if_intact(store, folder, name)


def last_results(store: Store, earlier: Mapping[int, str]) -> dict[str, Any]:
    """Return the results of the last run. Raises DataError as `read_results_at` does."""
    return read_results_at(store, earlier[max(earlier)])


def read_results_at(store: Store, path: str, *, is_listed: bool = True) -> dict[str, Any]:
    """Return the results at this path; `is_listed`: whether they must match a manifest.

    Raises DataError if they are missing, damaged, or written by a version with other fields.
    """
    results = read_intact_results(store, path) if is_listed else store.read_json(path)
    if results is None:
        raise DataError(
            f"{path} in the store {store.url} is missing or damaged: run the campaign again "
            "(accordeur run)"
        )
    version = results.get("schema_version", "none")
    if version != SCHEMA_VERSION:
        raise DataError(
            f"{path} in the store {store.url} was written by another version of Accordeur (it has "
            f"schema version {version}, this one reads {SCHEMA_VERSION}): run "
            "the campaign again (accordeur run)"
        )
    return results


def main_value_history(
    store: Store, earlier: Mapping[int, str], *, most: int = 30
) -> tuple[list[dict[str, Any]], list[str]]:
    """Return main values of the last runs, for the control chart, and the damaged results.

    The last run noted those of the runs before it, whose results need not be parsed again.
    """
    points: list[dict[str, Any]] = []
    damaged: list[str] = []
    noted: list[dict[str, Any]] = []
    if earlier:
        noted = _circumstances(store, earlier[max(earlier)]).get("history", [])
    for number in sorted(earlier)[-most:]:
        content = _intact_content(store, earlier[number])
        if content is None:
            damaged.append(earlier[number])
            continue
        if of_run := [one for one in noted if one["run"] == f"run {number}"]:
            points += of_run
            continue
        results = parse_json(content, "results.json")
        started = started_of_run(store, earlier[number])
        points += [
            {
                "run": f"run {number}",
                "started": started,
                "guideline": results["campaign"]["guideline"],
                "measure": measure,
                "layer": layer,
                "value": value["value"],
                "interval": value["interval"],
                "level": value["level"],
            }
            for layer, measure, value in _main_values(results)
        ]
    return points, damaged


def started_of_run(store: Store, path: str) -> str:
    """Return when the run with these results began (ISO 8601); "" if it is unknown."""
    return str(_circumstances(store, path).get("started", ""))


def _circumstances(store: Store, path: str) -> Mapping[str, Any]:
    """Return when and how the run with these results was run; empty if it is unknown."""
    content = read_if_intact(store, path.rpartition("/")[0], CIRCUMSTANCES)
    found: Mapping[str, Any] = {} if content is None else parse_json(content, CIRCUMSTANCES)
    return found


def _main_values(results: Mapping[str, Any]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Yield layer, measure and value of a run's main values, for the chart.

    For relations, these are α of their category and the first α of their chains, under the names
    that gates use.
    """
    for part in (*results["items"], *results["units"]):
        for value in part["values"][:1]:
            yield part["layer"], value["measure"], value
    for part in results["relations"]:
        for named in part["values"]:
            if named["name"] == "category":
                yield part["layer"], "relation_category", named["value"]
        for value in part["chains"][:1]:
            yield part["layer"], "chain_alpha", value
