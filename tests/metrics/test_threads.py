"""Work shared by threads comes back in order, and whole."""

import threading

import pytest

from metrics.threads import available_threads, spread


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_results_come_in_the_order_of_the_parts(threads: int) -> None:
    assert spread(lambda part: part * part, range(100), threads=threads) == [
        part * part for part in range(100)
    ]
    assert spread(str, [], threads=threads) == []


def test_threads_work_at_the_same_time() -> None:
    both = threading.Barrier(2, timeout=30)
    at_work = spread(lambda _: (both.wait(), threading.get_ident())[1], range(2), threads=2)
    assert threading.get_ident() in at_work
    assert len(set(at_work)) == 2


@pytest.mark.parametrize("bad", [0, 1])
def test_what_goes_wrong_in_a_thread_is_told(bad: int) -> None:
    both = threading.Barrier(2, timeout=30)

    def work(part: int) -> int:
        both.wait()
        return 1 // (part - bad)

    with pytest.raises(ZeroDivisionError):
        spread(work, range(2), threads=2)


@pytest.mark.parametrize(("said", "threads"), [("1", 1), ("64", 3), ("0", 1), ("", 3), ("2,1", 3)])
def test_a_process_that_is_told_to_use_one_core_does(
    said: str, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0, 1, 5}, raising=False)
    monkeypatch.setenv("OMP_NUM_THREADS", said)
    assert available_threads() == threads
