"""How far a stage is: shares, seconds left, and what is said of them."""

from __future__ import annotations

import pytest

from accordeur.flows.progress.stage_progress import StageProgress, duration_in_words


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
