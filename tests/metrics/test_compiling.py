"""A call before the first kernel that has to be compiled, and no other."""

from __future__ import annotations

import subprocess
import sys

from accordeur.metrics.compiling import call_before_compiling, njit


def test_it_is_called_once_before_the_first_compilation() -> None:
    calls: list[str] = []
    call_before_compiling(lambda: calls.append("now"))

    @njit(cache=False)
    def doubled(number: int) -> int:
        return 2 * number

    assert calls == []
    assert doubled(3) == 6
    assert doubled(4) == 8
    assert doubled(4.5) == 9.0  # compiled again, for other types
    assert calls == ["now"]


def test_the_command_line_does_not_import_numba_for_it() -> None:
    script = "import sys, accordeur.flows.cli; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
