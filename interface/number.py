"""Arithmetic, comparison and conversion of an object that holds one number."""

from __future__ import annotations

from numbers import Real
from typing import Any


class Number(Real):
    """A real number with more to say: it computes as its ``value``, and results are floats.

    Two numbers are equal if their values are; as with floats, ``nan`` equals nothing.
    """

    value: float

    def __float__(self) -> float:
        return self.value

    def __bool__(self) -> bool:
        return bool(self.value)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        """Return the value as an array without dimensions, as NumPy converts numbers."""
        import numpy as np

        return np.asarray(self.value, dtype or float)

    def __eq__(self, other: object) -> bool:
        return self.value == float(other) if isinstance(other, Real) else NotImplemented

    def __hash__(self) -> int:  # type: ignore[override]  # numbers of the library have one
        return hash(self.value)

    def __lt__(self, other: Any) -> bool:
        return self.value < float(other) if isinstance(other, Real) else NotImplemented

    def __le__(self, other: Any) -> bool:
        return self.value <= float(other) if isinstance(other, Real) else NotImplemented

    def __gt__(self, other: Any) -> bool:
        return self.value > float(other) if isinstance(other, Real) else NotImplemented

    def __ge__(self, other: Any) -> bool:
        return self.value >= float(other) if isinstance(other, Real) else NotImplemented

    def __add__(self, other: Any) -> Any:
        return self.value + _number(other)

    def __radd__(self, other: Any) -> Any:
        return _number(other) + self.value

    def __sub__(self, other: Any) -> Any:
        return self.value - _number(other)

    def __rsub__(self, other: Any) -> Any:
        return _number(other) - self.value

    def __mul__(self, other: Any) -> Any:
        return self.value * _number(other)

    def __rmul__(self, other: Any) -> Any:
        return _number(other) * self.value

    def __truediv__(self, other: Any) -> Any:
        return self.value / _number(other)

    def __rtruediv__(self, other: Any) -> Any:
        return _number(other) / self.value

    def __floordiv__(self, other: Any) -> Any:
        return self.value // _number(other)

    def __rfloordiv__(self, other: Any) -> Any:
        return _number(other) // self.value

    def __mod__(self, other: Any) -> Any:
        return self.value % _number(other)

    def __rmod__(self, other: Any) -> Any:
        return _number(other) % self.value

    def __pow__(self, other: Any) -> Any:
        return self.value ** _number(other)

    def __rpow__(self, other: Any) -> Any:
        return _number(other) ** self.value

    def __neg__(self) -> float:
        return -self.value

    def __pos__(self) -> float:
        return self.value

    def __abs__(self) -> float:
        return abs(self.value)

    def __round__(self, digits: int | None = None) -> Any:
        return round(self.value, digits)

    def __trunc__(self) -> int:
        return self.value.__trunc__()

    def __floor__(self) -> int:
        return self.value.__floor__()

    def __ceil__(self) -> int:
        return self.value.__ceil__()


def _number(other: Any) -> Any:
    """Return the other operand: the value of a number of this kind, anything else as it is."""
    return other.value if isinstance(other, Number) else other
