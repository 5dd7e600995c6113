"""Run a function in a child process whose memory and time are bounded.

What a small file or a query takes cannot always be counted beforehand. A process of its own, which
the operating system stops, can only fail alone: `Bounds` are enforced even in foreign libraries.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import IO, Any

from ..errors import DataError

_REFUSED, _NO_MEMORY = 3, 4  # exit codes of the child
_KEPT = ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "SYSTEMROOT", "TMPDIR", "VIRTUAL_ENV")
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
_RESERVED = 2 << 30  # bytes of addresses that libraries reserve and do not use
_ENVIRONMENT = {
    **_ONE_THREAD,
    "ARROW_DEFAULT_MEMORY_POOL": "system",  # Arrow's own reserves more addresses than it uses
}


@dataclass(frozen=True, slots=True)
class Bounds:
    """What the function may take.

    memory       bytes, beside what the interpreter and its modules take
    cpu_seconds  seconds of computation (None: any)
    seconds      seconds until the process is killed (None: any)
    """

    memory: int
    cpu_seconds: int | None = None
    seconds: float | None = None


class StoppedError(DataError):
    """The process ended without a result. `why` is one of "memory", "time" and "signal 6"."""

    def __init__(self, why: str) -> None:
        super().__init__(f"the process was stopped ({why})")
        self.why = why


@contextmanager
def bounded_process(
    function: Callable[[Any, IO[bytes]], None], request: object, bounds: Bounds
) -> Iterator[IO[bytes]]:
    """Run `function(request, out)` of a module in a child process; give what it writes to `out`.

    The child sees none of the environment but what Python needs. It is killed where the block ends
    before it does. Raises the DataError that the function raises, and StoppedError; both take the
    place of an error in the block that a stream which broke off causes.
    """
    with tempfile.TemporaryFile() as complaints:
        process = _started(function, complaints)
        expired = threading.Event()
        clock = threading.Timer(bounds.seconds or 0, _expire, (process, expired))
        clock.daemon = True
        if bounds.seconds is not None:
            clock.start()
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            with suppress(BrokenPipeError):
                pickle.dump((request, bounds), process.stdin)
                process.stdin.close()
            try:
                yield process.stdout
            except (OSError, ValueError) as error:  # Arrow's errors are ValueErrors
                process.stdout.close()
                _require_success(process, complaints, expired)
                raise error
            process.stdout.close()
            _require_success(process, complaints, expired)
        finally:
            clock.cancel()
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    with suppress(OSError):
                        stream.close()


def run_child() -> None:
    """Run the function that the arguments name, in the child."""
    module, name = sys.argv[1:]
    function = getattr(import_module(module), name)
    request, bounds = pickle.load(sys.stdin.buffer)  # noqa: S301  # from the parent process
    out, complaints = os.fdopen(os.dup(1), "wb"), os.fdopen(os.dup(2), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)  # keep what libraries print apart
    os.dup2(nowhere, 2)
    _set_limits(bounds)
    code = 0
    try:
        function(request, out)
        out.flush()
    except DataError as error:
        complaints.write(str(error).encode("utf-8", "backslashreplace"))
        complaints.flush()
        code = _REFUSED
    except MemoryError:
        code = _NO_MEMORY
    except BrokenPipeError:
        pass  # the parent wants no more
    os._exit(code)


def _started(
    function: Callable[[Any, IO[bytes]], None], complaints: IO[bytes]
) -> subprocess.Popen[bytes]:
    paths = os.pathsep.join(path for path in sys.path if path)
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    kept |= {name: text for name, text in os.environ.items() if name.startswith("ACCORDEUR_MAX_")}
    run = run_child.__name__
    program = f"from {__name__} import {run}; {run}()"
    return subprocess.Popen(  # noqa: S603  # our own interpreter and module
        [sys.executable, "-P", "-c", program, function.__module__, function.__name__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=complaints,
        env={**kept, **_ENVIRONMENT, "PYTHONPATH": paths},
    )


def _expire(process: subprocess.Popen[bytes], expired: threading.Event) -> None:
    expired.set()
    process.kill()


def _require_success(
    process: subprocess.Popen[bytes], complaints: IO[bytes], expired: threading.Event
) -> None:
    code = process.wait()
    if code == 0:
        return
    complaints.seek(0)
    text = complaints.read().decode("utf-8", "replace")
    if code == _REFUSED:
        raise DataError(text)
    if code == _NO_MEMORY:
        raise StoppedError("memory")
    if expired.is_set() or -code in _signals_of_time():
        raise StoppedError("time")
    if code < 0:
        raise StoppedError(f"signal {-code}")
    raise DataError(f"the process that reads it ended with code {code}: {text[-400:]}")


def _signals_of_time() -> tuple[int, ...]:
    import signal

    return (int(signal.SIGXCPU),) if hasattr(signal, "SIGXCPU") else ()


def _set_limits(bounds: Bounds) -> None:
    try:
        import resource
    except ImportError:  # Windows has no such limits
        return
    limits = {resource.RLIMIT_CORE: (0, 0)}
    with suppress(OSError):  # only Linux enforces limits of memory, and says what is in use
        pages = [int(n) for n in Path("/proc/self/statm").read_text(encoding="ascii").split()]
        used, data = (n * resource.getpagesize() for n in (pages[0], pages[5]))
        addresses = used + bounds.memory + _RESERVED
        limits[resource.RLIMIT_AS] = (addresses, addresses)
        limits[resource.RLIMIT_DATA] = (data + bounds.memory, data + bounds.memory)
    if (seconds := bounds.cpu_seconds) is not None:
        limits[resource.RLIMIT_CPU] = (seconds, seconds + 1)  # SIGXCPU, then SIGKILL
    for kind, soft_and_hard in limits.items():
        with suppress(OSError, ValueError):  # a system without this limit, or a lower one
            resource.setrlimit(kind, soft_and_hard)
