"""Counts in the sentences of the commands."""


def counted(n: int, noun: str) -> str:
    """`1 unit`, `2 units`, `1,000 units`."""
    return f"{n:,} {noun}" + ("" if n == 1 else "s")
