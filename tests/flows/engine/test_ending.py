"""What may end beside a flow's last reports is done before the run's server stops."""

from __future__ import annotations

import pytest

from accordeur.flows.engine import ending
from accordeur.flows.engine.ending import all_done, before_the_end


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the server of the session, which waits for what its tests left to it."""
    monkeypatch.setattr(ending, "_around", [])


def test_without_anybody_who_waits_it_is_waited_for_at_once() -> None:
    waited: list[int] = []
    before_the_end(lambda: waited.append(1))
    assert waited == [1]


def test_all_is_waited_for_at_the_end_whatever_happened() -> None:
    waited: list[str] = []

    def fails() -> None:
        waited.append("second")
        raise ValueError("in waiting")

    def run() -> None:
        before_the_end(lambda: waited.append("first"))
        before_the_end(fails)
        assert waited == []
        raise KeyError("the run's own")

    with pytest.raises(ValueError, match="in waiting") as raised, all_done():
        run()
    assert waited == ["second", "first"]
    assert isinstance(raised.value.__context__, KeyError)
    before_the_end(lambda: waited.append("afterwards"))
    assert waited[-1] == "afterwards"
