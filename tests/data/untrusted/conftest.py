"""Commands in this process, for what fails at once."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from accordeur.flows.cli import run


@pytest.fixture
def main_in_process(capfd: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Return a function that runs a command and returns all that it writes."""

    def called(*arguments: object, code: int = 2) -> str:
        with pytest.raises(SystemExit) as ended:
            run([str(one) for one in arguments])
        written = capfd.readouterr()
        assert (ended.value.code or 0) == code, written
        return written.out + written.err

    return called
