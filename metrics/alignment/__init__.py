"""Exact alignment engine.

| folder | content |
|---|---|
| here | continua and dissimilarities, enumeration of candidate tuples, `engine` |
| `choice` | the exact choice among candidate tuples: dual prices, sweeps, islands |
| `hard` | the cases that remain unsolved: column generation, larger limits, a time limit, HiGHS |
"""

from pathlib import Path

from ..compiling import drop_stale_kernels

drop_stale_kernels(Path(__file__).parent)
