"""Numbers of the calculator: fractions, and irrational functions to 50 digits as fractions.

The calculator is plain Python and shares no code with the product, so that an error in one of the
two shows as a difference.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal, localcontext
from fractions import Fraction

DIGITS = 50
STORED_DIGITS = 20  # of a value that is no short fraction
LONGEST_FRACTION = 60


class UndefinedError(Exception):
    """The measure has no value on this input; the argument is the reason."""


def ratio(above: Fraction | int, below: Fraction | int, reason: str) -> Fraction:
    """Divide, or raise UndefinedError with the reason for a divisor of 0."""
    if not below:
        raise UndefinedError(reason)
    return Fraction(above) / Fraction(below)


def mean(values: Iterable[Fraction | int]) -> Fraction:
    listed = [Fraction(one) for one in values]
    return sum(listed, Fraction(0)) / len(listed)


def square_root(value: Fraction) -> Fraction:
    """Return the square root to 50 digits."""
    with localcontext() as context:
        context.prec = DIGITS
        return Fraction((Decimal(value.numerator) / Decimal(value.denominator)).sqrt())


def pi() -> Fraction:
    """Return π to 60 digits (Machin: 16 arctan 1/5 − 4 arctan 1/239)."""
    return 16 * _arctan_of_inverse(5) - 4 * _arctan_of_inverse(239)


def _arctan_of_inverse(n: int) -> Fraction:
    terms = (Fraction((-1) ** k, (2 * k + 1) * n ** (2 * k + 1)) for k in range(50))
    return _rounded(sum(terms, Fraction(0)))


def sine_squared_of_turn(turn: Fraction) -> Fraction:
    """Return sin²(π · turn) to 50 digits, by the Taylor series of (1 − cos 2x)/2."""
    angle = _rounded(2 * pi() * (turn % 1))
    term, cosine = Fraction(1), Fraction(1)
    for k in range(1, 60):
        term = _rounded(-term * angle**2 / ((2 * k - 1) * (2 * k)))
        cosine += term
    return (1 - cosine) / 2


def _rounded(value: Fraction) -> Fraction:
    return Fraction(round(value * 10**70), 10**70)


def as_written(value: Fraction) -> str:
    """Write a value as a fraction `p/q`, or if that is long, as a decimal of 20 digits."""
    if len(str(value)) <= LONGEST_FRACTION:
        return str(value)
    with localcontext() as context:
        context.prec = STORED_DIGITS
        return str(Decimal(value.numerator) / Decimal(value.denominator))
