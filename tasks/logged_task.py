"""Tasks that log a sentence about their result where Prefect shows the log of a task."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from prefect import task
from prefect.logging import get_run_logger

from ..data.sentences import visible
from .wording import counted

_P = ParamSpec("_P")
_R = TypeVar("_R")


def logged_task(name: str, function: Callable[_P, _R], sentence: Callable[[_R], str]) -> Any:
    """Return the task of a function, which itself needs no Prefect.

    sentence  what the task did, from its result, without names of annotators
    """

    def run(*positional: _P.args, **keyword: _P.kwargs) -> _R:
        result = function(*positional, **keyword)
        get_run_logger().info("%s", visible(sentence(result)))
        return result

    return task(name=name)(run)


def reuse_text(n: int, n_reused: int, noun: str = "part") -> str:
    """Describe how many results were computed and reused: `3 parts, 2 of them reused`.

    >>> reuse_text(3, 2), reuse_text(1, 1), reuse_text(2, 0)
    ('3 parts, 2 of them reused', '1 part reused', '2 parts')
    """
    text = counted(n, noun)
    if n == n_reused:
        return f"{text} reused" if n else text
    return f"{text}, {n_reused} of them reused" if n_reused else text
