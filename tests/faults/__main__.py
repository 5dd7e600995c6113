"""`python -m tests.faults`: the faults one after the other, and a table of what happened."""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from tests.faults.faults import FAULTS, NOT_COMPARED
from tests.faults.runs import Home, PrefectServer, fingerprint
from tests.faults.scene import NotHere, Scene


def main(wanted: list[str]) -> int:
    """Run the faults whose function is named in `wanted`, or all; the number that failed."""
    n_failed = 0
    with tempfile.TemporaryDirectory(prefix="faults-") as folder:
        server = PrefectServer(Path(folder) / "prefect")
        server.start()
        started = time.perf_counter()
        try:
            scene = Scene(Home(Path(folder), server.url), server)
            print(f"unbroken run: {time.perf_counter() - started:.0f} s\n")
            print("| fault | what happened | time | results equal, bit for bit |")
            print("|---|---|---|---|", flush=True)
            for name, fault in FAULTS.items():
                if wanted and fault.__name__ not in wanted:
                    continue
                started = time.perf_counter()
                try:
                    what, store = fault(scene)
                    if fault in NOT_COMPARED:
                        equal = "yes, to a run without it"
                    else:
                        same = fingerprint(store) == scene.unbroken
                        equal = "yes" if same else "NO"
                        n_failed += not same
                except NotHere as reason:
                    what, equal = f"not tried: {reason}", "–"
                except AssertionError as error:
                    what, equal = f"FAILED: {error}".replace("\n", " ")[-1500:], "NO"
                    n_failed += 1
                seconds = time.perf_counter() - started
                print(f"| {name} | {what} | {seconds:.0f} s | {equal} |", flush=True)
        finally:
            server.kill()
    return n_failed


if __name__ == "__main__":
    sys.exit(bool(main(sys.argv[1:])))
