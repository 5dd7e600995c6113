"""Confidence intervals of sums over units, shared by both sides of the wall.

| module | what it has |
|---|---|
| `evaluate` | the engine: statistics of sums, their values and intervals |
| `interval` | an interval, whether there is one, and where it is cut |
| `binomial` | intervals of a share of independent items: Clopper–Pearson, Jeffreys, Wilson |
| `share_and_rate_intervals` | intervals of shares and rates of sums over documents or items |
"""
