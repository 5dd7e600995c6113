"""Work shared by threads comes back in order, and whole."""

import multiprocessing
import os
import subprocess
import sys
import threading

import pytest

from accordeur.metrics.threads import available_threads, map_in_threads


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_results_come_in_the_order_of_the_parts(threads: int) -> None:
    assert map_in_threads(lambda part: part * part, range(100), threads=threads) == [
        part * part for part in range(100)
    ]
    assert map_in_threads(str, [], threads=threads) == []


def test_threads_work_at_the_same_time() -> None:
    both = threading.Barrier(2, timeout=30)
    at_work = map_in_threads(lambda _: (both.wait(), threading.get_ident())[1], range(2), threads=2)
    assert threading.get_ident() in at_work
    assert len(set(at_work)) == 2


@pytest.mark.parametrize("bad", [0, 1])
def test_what_goes_wrong_in_a_thread_is_told(bad: int) -> None:
    both = threading.Barrier(2, timeout=30)

    def work(part: int) -> int:
        both.wait()
        return 1 // (part - bad)

    with pytest.raises(ZeroDivisionError):
        map_in_threads(work, range(2), threads=2)


def test_work_may_spread_its_own_work() -> None:
    n_inside = 2 * (os.cpu_count() or 1)  # more than there are threads to wait for
    found = map_in_threads(
        lambda part: map_in_threads(lambda inner: part * inner, range(n_inside), threads=n_inside),
        range(n_inside),
        threads=n_inside,
    )
    assert found == [[a * b for b in range(n_inside)] for a in range(n_inside)]


_MEET_IN_A_FORK = """
import multiprocessing, threading
from accordeur.metrics.threads import map_in_threads

def meet():
    both = threading.Barrier(2, timeout=20)
    map_in_threads(lambda _: both.wait(), range(2), threads=2)

meet()
fork = multiprocessing.get_context("fork").Process(target=meet)
fork.start()
fork.join(40)
raise SystemExit(fork.exitcode)
"""


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="needs fork")
def test_a_fork_has_threads_of_its_own() -> None:
    # in a process of its own: other tests leave threads, and what they hold stays held in a fork
    done = subprocess.run([sys.executable, "-c", _MEET_IN_A_FORK], check=False, timeout=60)
    assert done.returncode == 0


@pytest.mark.parametrize(("said", "threads"), [("1", 1), ("64", 3), ("0", 1), ("", 3), ("2,1", 3)])
def test_a_process_that_is_told_to_use_one_core_does(
    said: str, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0, 1, 5}, raising=False)
    monkeypatch.setenv("OMP_NUM_THREADS", said)
    assert available_threads() == threads
