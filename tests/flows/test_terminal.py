"""The bars in the terminal."""

from __future__ import annotations

import pytest

from flows.progress.watcher import Terminal


def test_rounds_that_were_not_planned_lengthen_the_bar(capsys: pytest.CaptureFixture[str]) -> None:
    with Terminal() as terminal:
        terminal.stage("chance units", 1)
        for _ in range(3):
            terminal.advance()
    said = capsys.readouterr().err
    assert "3/3" in said
    assert "3/1" not in said
