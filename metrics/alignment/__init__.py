"""Exact alignment engine.

| folder | content |
|---|---|
| here | continua and dissimilarities, enumeration of candidate tuples, `engine` |
| `exact_choice` | the exact choice among candidate tuples: dual prices, sweeps, islands |
| `fallback` | the cases that remain unsolved: column generation, larger limits, HiGHS |
"""

from pathlib import Path

from ..compiling import drop_stale_kernels

drop_stale_kernels(Path(__file__).parent)
