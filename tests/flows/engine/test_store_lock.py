"""A run of a deployment waits for the store, any other is refused."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest
from prefect.logging import disable_run_logger

from accordeur.data.errors import DataError, StoreBusyError
from accordeur.data.store.store import Store
from accordeur.flows.engine import store_lock
from accordeur.flows.engine.store_lock import lock_in_turn


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the states that a run showed while it waited."""
    found: list[str] = []
    monkeypatch.setattr(store_lock, "_show", lambda state: found.append(state.name))
    monkeypatch.setattr(store_lock, "_PAUSE_SECONDS", (0.01, 0.02))
    return found


def test_a_run_of_the_command_line_is_refused_at_once(tmp_path: Path, shown: list[str]) -> None:
    url = str(tmp_path)
    with (
        Store(url).lock(),
        pytest.raises(StoreBusyError, match="another run is writing to the store"),
        lock_in_turn(Store(url)),
    ):
        pass
    assert shown == []


def test_a_run_of_a_deployment_waits_for_the_store(
    tmp_path: Path, shown: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PREFECT__RUNTIME__DEPLOYMENT__ID", "a deployment")
    url = str(tmp_path)
    with ExitStack() as other, disable_run_logger():
        other.enter_context(Store(url).lock())
        monkeypatch.setattr(
            store_lock, "_show", lambda state: (shown.append(state.name), other.close())
        )
        with lock_in_turn(Store(url)):
            assert shown == ["AwaitingStore", "Running"]


def test_waiting_has_an_end_and_another_campaigns_store_is_not_waited_for(
    tmp_path: Path, shown: list[str], monkeypatch: pytest.MonkeyPatch
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
    monkeypatch.setattr(store_lock, "PATIENCE_HOURS", 0.0)
    with (
        store.lock(tmp_path / "a.toml"),
        pytest.raises(StoreBusyError),
        lock_in_turn(store, tmp_path / "a.toml"),
    ):
        pass
