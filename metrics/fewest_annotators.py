"""How many annotators are enough, read off M(k)."""

from __future__ import annotations

from collections.abc import Iterable

TARGET = 0.05


def fewest_annotators(
    rates: Iterable[tuple[int, float]], *, n_reference: int, target: float = TARGET
) -> int | None:
    """Return the smallest k from which M(k) stays below `target`; None if it is above n / 2.

    rates        (k, M(k))
    n_reference  n, the number of annotators of the whole reference

    The k annotators are some of the n, so that M(k) falls to 0 as k approaches n, however much the
    annotators differ: a rate below the target near n says nothing about them.
    """
    found = None
    for k, rate in sorted(rates, reverse=True):
        if not rate < target:
            break
        found = k
    return found if found is not None and 2 * found <= n_reference else None
