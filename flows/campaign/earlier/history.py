"""Earlier runs of a campaign, as their results tell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from data.store.store import Store


def earlier_runs(store: Store) -> dict[int, str]:
    """Number of the run → path of its results."""
    found = {}
    for path in store.list("reports"):
        folder, _, name = path.rpartition("/")
        number = folder.rpartition("run-")[2]
        if name == "results.json" and number.isdigit():
            found[int(number)] = path
    return found


def history(store: Store, earlier: Mapping[int, str], *, most: int = 30) -> list[dict[str, Any]]:
    """Main values of the last runs, for the control chart."""
    points: list[dict[str, Any]] = []
    for number in sorted(earlier)[-most:]:
        points += [
            {
                "run": f"run {number}",
                "measure": measure,
                "layer": layer,
                "value": value["value"],
                "interval": value["interval"],
                "level": value["level"],
            }
            for layer, measure, value in _main_values(store.read_json(earlier[number]))
        ]
    return points


def _main_values(results: Mapping[str, Any]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Layer, measure and value of what is charted of a run: the main value of each layer.

    Of relations it is the α of their category and the first of their chains, under the names that
    gates have for them.
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
