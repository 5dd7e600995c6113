"""How far a stage is: shares, seconds left, and what is said of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from prefect.logging import disable_run_logger

from accordeur.flows.campaign.file.campaign_config import Config
from accordeur.flows.campaign.run import Run, RunRequest
from accordeur.flows.progress.stage_progress import StageProgress, duration_in_words
from accordeur.flows.progress.watcher import SilentWatcher, watched_by


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_time_left_is_that_of_the_tasks_left_at_the_pace_so_far() -> None:
    clock = Clock()
    pace = StageProgress("align", 40, clock)
    assert pace.seconds_left() is None
    assert str(pace) == "align: 0 of 40 tasks"
    clock.now, pace.n_done = 120.0, 10
    assert pace.seconds_left() == 360.0
    assert pace.share == 0.25
    assert str(pace) == "align: 10 of 40 tasks, about 6 min left"


def test_a_stage_may_grow() -> None:
    pace = StageProgress("chance", 0)
    assert pace.share == 0.0
    pace.expect(4)
    pace.n_done = 4
    pace.expect(2)
    assert (pace.n_tasks, pace.share) == (6, 4 / 6)
    pace.expect(1)
    assert pace.n_tasks == 6


@pytest.mark.parametrize(("seconds", "words"), [(3.4, "3 s"), (600, "10 min"), (12600, "3.5 h")])
def test_durations_are_said_as_people_say_them(seconds: float, words: str) -> None:
    assert duration_in_words(seconds) == words


class Counter(SilentWatcher):
    """Count the tasks that each stage has, and those that are done."""

    def __init__(self) -> None:
        self.stages: dict[str, list[int]] = {}

    def stage(self, name: str, n_tasks: int) -> None:
        self.stages[name] = [0, n_tasks]

    def advance(self, what: str = "") -> None:
        del what
        self.stages[next(reversed(self.stages))][0] += 1


def test_a_stage_that_works_in_the_run_itself_is_done_at_its_end() -> None:
    config = Config.model_validate({"campaign": {"name": "x"}, "sources": [{"path": "x"}]})
    run, counter = Run(config, RunRequest(Path("campaign.toml"), "reports/run-0001")), Counter()
    with watched_by(counter), disable_run_logger():
        with run.stage("release data", 1):
            assert counter.stages == {"release data": [0, 1]}
        assert counter.stages == {"release data": [1, 1]}
