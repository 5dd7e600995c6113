"""Only for tests, on PYTHONPATH: five seconds after its start a process's clock goes back a day."""

from __future__ import annotations

import time

_true, _started = time.time, time.monotonic()


def _goes_back() -> float:
    return _true() - (86_400 if time.monotonic() - _started > 5 else 0)


time.time = _goes_back
