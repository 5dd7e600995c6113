"""Counts in the sentences of the commands, and what kind of number a measure is."""

# Their observed and expected are disorders, not shares of agreement.
ALIGNMENT_MEASURES = (
    "gamma", "gamma_cat", "gamma_cat_empty_pairs", "soft_gamma", "holistic", "holistic_greedy",
)  # fmt: skip


def counted(n: int, noun: str) -> str:
    """`1 unit`, `2 units`, `1,000 units`."""
    return f"{n:,} {noun}" + ("" if n == 1 else "s")
