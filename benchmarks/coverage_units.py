"""Coverage of 95 % CIs of measures on units, and their widths beside a percentile bootstrap.

    python benchmarks/coverage_units.py            # half an hour on two cores
    python benchmarks/coverage_units.py --only corpora --trials 50   # a look

Shares: pairwise F and found, where, what; half of the cells was not looked at while the rule was
chosen (`--half chose` or `kept`). Corpora: twelve named cells of γ, γ-cat, the uα family and α_U.
The values are those of the functions that commands call. A cell fails if the upper 99 % limit of
its coverage is below .90. An undefined interval is no miss; its share is stated. Writes
benchmarks/results/coverage-units.md, unless only a part is run.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import chain
from pathlib import Path
from zlib import crc32

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from accordeur.metrics.estimate import NO_INTERVAL
from benchmarks.coverage_scores import (
    COMPARED,
    HEAD,
    LEAST,
    LEAST_REPORTED,
    WIDER,
    Coverage,
    coverage_of,
    coverages,
    lowest,
    summary,
)
from benchmarks.coverage_unit_cells import (
    CORPUS_CELLS,
    REPORTED_CORPORA,
    CorpusCell,
    ShareCell,
    reported_cells,
    share_cells,
)

RESULTS = Path(__file__).parent / "results" / "coverage-units.md"


def simulated(
    cell: ShareCell | CorpusCell, trials: int, campaigns: int, former: int
) -> list[Coverage]:
    """Simulate one cell, a named one with the bootstrap over documents in each of `campaigns`."""
    if isinstance(cell, CorpusCell):
        return _coverages_of_corpus(cell, campaigns)
    return coverages(cell, trials, former)


def _coverages_of_corpus(cell: CorpusCell, campaigns: int) -> list[Coverage]:
    rng = np.random.default_rng(crc32(cell.name.encode()))
    trials = [cell.estimates_and_former(cell.labels(rng), trial) for trial in range(campaigns)]
    found = []
    for name in cell.truth:
        values = [estimates[name] for estimates, _ in trials]
        before = [former.get(name, NO_INTERVAL) for _, former in trials]
        found.append(
            coverage_of(
                cell,
                name,
                np.array([one.interval for one in values]),
                np.array([one.reason is None for one in values]),
                np.array(before) if name in cell.resampled else None,
            )
        )
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trials", type=int, default=2000, help="of a cell of shares")
    parser.add_argument("--campaigns", type=int, default=300, help="of a named cell")
    parser.add_argument("--former", type=int, default=200, help="trials with the bootstrap too")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--half", choices=("both", "chose", "kept"), default="both")
    parser.add_argument("--only", choices=("all", "shares", "corpora", "reported"), default="all")
    options = parser.parse_args()
    wanted: dict[str, list[ShareCell | CorpusCell]] = {}
    if options.only in ("all", "shares"):
        wanted |= {
            half: list(cells)
            for half, cells in share_cells().items()
            if options.half == "both" or half.startswith(options.half)
        }
    if options.only in ("all", "corpora"):
        wanted["named"] = list(CORPUS_CELLS)
    if options.only in ("all", "reported"):
        wanted["reported"] = [*reported_cells(), *REPORTED_CORPORA]
    simulate = partial(
        simulated, trials=options.trials, campaigns=options.campaigns, former=options.former
    )
    with ProcessPoolExecutor(options.processes) as pool:
        done = {part: pool.map(simulate, cells) for part, cells in wanted.items()}
        rows = {part: list(chain.from_iterable(found)) for part, found in done.items()}
    named, reported = rows.pop("named", []), rows.pop("reported", [])
    lines = [
        "# Measures on units: coverage of 95 % CIs", "",
        f"{options.trials:,} trials a cell of shares, {options.campaigns} of a named cell "
        "(`benchmarks/coverage_units.py`); a cell fails if the upper 99 % limit of its coverage is "
        f"below {LEAST:g}. Undefined: share of the trials with a value but no interval. Bootstrap: "
        "the former rule, expanded percentiles over the same documents, in the first "
        f"{options.former} trials (all of a named cell). Widths are compared in "
        f"cells of {min(WIDER)} documents and more whose bootstrap covers {COMPARED:g} or more; "
        "too wide: above "
        + ", ".join(f"{most:g} from {n} documents on" for n, most in WIDER.items()) + ".",
        "", HEAD,
    ]  # fmt: skip
    for half, of_half in rows.items():
        lines += summary(of_half, half)
    lines += ["", "Lowest of both halves:", ""]
    lines += lowest([one for of_half in rows.values() for one in of_half], 15)
    if named:
        lines += ["", "Named cells:", "", HEAD, *summary(named, "named"), ""]
        lines += lowest(named, len(named))
    if reported:
        lines += ["", f"Reported, to be {LEAST_REPORTED:g} or more:", ""]
        lines += lowest(reported, len(reported))
    text = "\n".join(lines) + "\n"
    print(text)
    if options.half == "both" and options.only == "all":
        RESULTS.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
