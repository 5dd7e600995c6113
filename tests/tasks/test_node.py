"""What changes the place of a node, and when it is computed again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from accordeur.data.store.ownership import Folder
from accordeur.data.store.store import Store
from accordeur.tasks import cache_keys
from accordeur.tasks.node import Node, Outcome, complete


@dataclass(frozen=True)
class Settings:
    factor: int = 2
    weights: tuple[float, ...] = (0.5,)
    table: Any = None


@dataclass(frozen=True)
class Others:
    factor: int = 2
    weights: tuple[float, ...] = (0.5,)
    table: Any = None


def multiply(store: Store, place: str, settings: Settings, inputs: tuple[int]) -> dict[str, int]:
    store.write_json(f"{place}/value.json", settings.factor * inputs[0])
    return {"value": settings.factor * inputs[0]}


NODE = Node(Folder.COUNTED, (21,), Settings(), multiply)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(str(tmp_path / "store"))


@pytest.mark.parametrize("number", ["RESULTS", "VERSION", "SCHEMA_VERSION"])
def test_another_version_of_results_code_or_tables_gives_another_place(
    number: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = NODE.place
    monkeypatch.setattr(cache_keys, number, "another")
    assert NODE.place != before


def test_the_place_depends_on_every_input_and_every_field_of_the_settings() -> None:
    first, other = Outcome("counted/a", "1"), Outcome("counted/a", "2")
    settings = [
        Settings(factor=3), Settings(weights=(0.25,)), Settings(table={"a": 1}), Others(),
        Settings(table=np.arange(3)), Settings(table=np.arange(4)), Settings(table={"a": "1"}),
    ]  # fmt: skip
    nodes = [NODE, *(replace(NODE, settings=one) for one in settings)]
    inputs = [(22,), ("21",), (21, 1), ([21],), (first,), (other,), (first, first)]
    nodes += [replace(NODE, inputs=one) for one in inputs]
    assert len({node.place for node in nodes}) == len(nodes)


def test_facts_and_reuse_of_an_input_do_not_change_the_place() -> None:
    one = Outcome("counted/a", "1", {"n": 1}, reused=True, damaged=("counted/a/x.json",))
    nodes = [replace(NODE, inputs=(input_,)) for input_ in (one, Outcome("counted/a", "1"))]
    assert nodes[0].place == nodes[1].place


def test_a_setting_whose_content_is_unknown_is_refused() -> None:
    for value in (date(2026, 1, 1), object(), len):
        with pytest.raises(TypeError, match="cannot be part of a cache key"):
            _ = replace(NODE, settings=Settings(table=value)).place


def test_a_whole_place_is_reused_with_its_facts(store: Store) -> None:
    [first] = complete(store, [NODE])
    [again] = complete(Store(store.url), [NODE])
    assert (first.facts, first.reused) == ({"value": 42}, False)
    assert again == replace(first, reused=True, n_reused_parts=1)
    assert not complete(store, [NODE], fresh=True)[0].reused


def test_a_damaged_place_is_computed_again_and_says_so(store: Store) -> None:
    [first] = complete(store, [NODE])
    path = f"{first.place}/value.json"
    store.local_path(path).write_text("43")
    [again] = complete(Store(store.url), [NODE])
    assert again == replace(first, damaged=(path,))
    assert store.read_json(path) == 42


def test_only_missing_nodes_are_computed_together(store: Store) -> None:
    nodes = [replace(NODE, inputs=(n,)) for n in range(4)]
    complete(store, nodes[1:2])
    seen: list[Node] = []

    def together(missing: Iterable[Node]) -> list[int]:
        seen.extend(missing)
        return [node.inputs[0] for node in seen]

    outcomes = complete(store, nodes, together=together)
    assert seen == [nodes[0], *nodes[2:]]
    assert [one.facts for one in outcomes] == [0, {"value": 2}, 2, 3]
