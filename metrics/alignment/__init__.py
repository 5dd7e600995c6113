"""The exact alignment engine.

| folder | what is in it |
|---|---|
| here | continua and dissimilarities, the tuples that can stand in a best alignment, `engine` |
| `choice` | the exact choice among those tuples: dual prices, sweeps, islands |
| `hard` | what that leaves unsolved: column generation, more effort, a clock, HiGHS |
"""

from pathlib import Path

from ..compiling import drop_stale_kernels

drop_stale_kernels(Path(__file__).parent)
