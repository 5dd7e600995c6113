"""Confidence intervals of sums over units, shared by both sides of the wall.

| module | what it has |
|---|---|
| `binomial` | intervals of a share of independent items: Clopper–Pearson, Jeffreys, Wilson |
| `published_rules` | intervals of shares and rates of sums over documents or items |
"""
