"""What Prefect's interface is shown: in order, by a thread that no stage waits for."""

from __future__ import annotations

from threading import Event
from typing import Any

import pytest
from httpx import ConnectError

from accordeur.flows.progress import artifacts
from accordeur.flows.progress.artifacts import Shown


@pytest.fixture
def posted(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """What would be posted, instead of posting it."""
    found: list[tuple[Any, ...]] = []

    def create(*, progress: float, key: str) -> str:
        found.append(("begin", key, progress))
        return "its id"

    def update(*, artifact_id: str, progress: float, description: str) -> None:
        found.append((artifact_id, progress, description))

    def table(*, key: str, table: list[dict[str, Any]], description: str) -> None:
        found.append((key, table, description))

    monkeypatch.setattr(artifacts, "create_progress_artifact", create)
    monkeypatch.setattr(artifacts, "update_progress_artifact", update)
    monkeypatch.setattr(artifacts, "create_table_artifact", table)
    return found


def test_artifacts_are_posted_in_their_order(posted: list[tuple[Any, ...]]) -> None:
    shown = Shown()
    shown.begin("progress")
    shown.progress(100.0, "done", is_last=True)
    shown.table("values", [{"gamma": 1.0}], "Values")
    shown.wait()
    assert posted == [
        ("begin", "progress", 0.0),
        ("its id", 100.0, "done"),
        ("values", [{"gamma": 1.0}], "Values"),
    ]


def test_a_slow_server_is_told_the_end_and_not_all_between(
    posted: list[tuple[Any, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = Event()

    def create(*, progress: float, key: str) -> str:
        answers.wait(10)
        return key

    monkeypatch.setattr(artifacts, "create_progress_artifact", create)
    shown = Shown()
    shown.begin("slow")
    for k in range(5):
        shown.progress(20.0 * k, f"stage {k}")  # returns although the server has not answered
    shown.progress(100.0, "done", is_last=True)
    answers.set()
    shown.wait()
    assert posted == [("slow", 100.0, "done")]


def test_a_server_that_is_away_ends_nothing(
    posted: list[tuple[Any, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*, progress: float, key: str) -> str:
        raise ConnectError("refused")

    monkeypatch.setattr(artifacts, "create_progress_artifact", away)
    shown = Shown()
    shown.begin("progress")
    shown.progress(100.0, "done", is_last=True)
    shown.wait()
    assert posted == []
