"""A run of a deployment that finds the store in use is scheduled again, any other is refused."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from prefect.exceptions import Pause
from prefect.logging import disable_run_logger

from accordeur.data.errors import DataError, StoreBusyError
from accordeur.data.store.store import Store
from accordeur.flows.engine import store_lock
from accordeur.flows.engine.store_lock import lock_in_turn


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str, str]]:
    """The run, type and name of the states that a run of a deployment sets."""
    found: list[tuple[str, str, str]] = []

    class Client:
        def __enter__(self) -> Client:
            return self

        def __exit__(self, *error: object) -> None:
            pass

        def read_flow_run(self, run: str) -> SimpleNamespace:
            begun = datetime.now(UTC) - timedelta(minutes=1)
            return SimpleNamespace(id=run, start_time=begun, run_count=2)

        def set_flow_run_state(self, run: str, state: Any, *, force: bool) -> None:
            found.append((run, state.type.value, state.name))

    monkeypatch.setattr(store_lock, "get_client", lambda **keyword: Client())
    monkeypatch.setattr(
        store_lock, "flow_run", SimpleNamespace(id="measure", root_flow_run_id="next")
    )
    return found


def test_a_run_of_the_command_line_is_refused_at_once(
    tmp_path: Path, server: list[tuple[str, str, str]]
) -> None:
    url = str(tmp_path)
    with (
        Store(url).lock(),
        pytest.raises(StoreBusyError, match="another run is writing to the store"),
        lock_in_turn(Store(url)),
    ):
        pass
    assert server == []


def test_a_run_of_a_deployment_gives_its_worker_back(
    tmp_path: Path, server: list[tuple[str, str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PREFECT__RUNTIME__DEPLOYMENT__ID", "a deployment")
    url = str(tmp_path)
    with (
        disable_run_logger(),
        Store(url).lock(),
        pytest.raises(Pause) as gone,
        lock_in_turn(Store(url)),
    ):
        pass
    assert server == [
        ("measure", "CANCELLED", "AwaitingStore"), ("next", "SCHEDULED", "AwaitingStore")
    ]  # fmt: skip
    again = gone.value.state.state_details.scheduled_time - datetime.now(UTC)
    assert timedelta(seconds=0) < again <= timedelta(seconds=36)
    with lock_in_turn(Store(url)):  # the store is free
        pass


def test_waiting_has_an_end_and_another_campaigns_store_is_not_waited_for(
    tmp_path: Path, server: list[tuple[str, str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PREFECT__RUNTIME__DEPLOYMENT__ID", "a deployment")
    for name in "ab":
        (tmp_path / f"{name}.toml").write_text("", encoding="utf-8")
    store = Store(str(tmp_path / "store"))
    with store.lock(tmp_path / "a.toml"):
        pass
    with (
        pytest.raises(DataError, match=r"runs of a\.toml"),
        lock_in_turn(store, tmp_path / "b.toml"),
    ):
        pass
    monkeypatch.setattr(store_lock, "PATIENCE_HOURS", 0.01)
    with (
        store.lock(tmp_path / "a.toml"),
        pytest.raises(StoreBusyError),
        lock_in_turn(store, tmp_path / "a.toml"),
    ):
        pass
    assert server == []
