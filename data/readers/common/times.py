"""Times of audio and video: seconds as the export spells them, to whole milliseconds."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal, InvalidOperation

_LONGEST = 12  # digits of seconds: 30,000 years


def seconds(text: str) -> Decimal | None:
    """The number of seconds that `text` spells, exactly; None when it is no such number."""
    try:
        value = Decimal(text.strip()) if len(text) <= 64 else Decimal("NaN")
    except InvalidOperation:
        return None
    return value if value.is_finite() and value.adjusted() < _LONGEST else None


def milliseconds(value: Decimal) -> int:
    """Seconds to the nearest millisecond, halves up."""
    return int((value * 1000).to_integral_value(ROUND_HALF_UP))
