"""Figures that tutorials draw from their own results."""

from __future__ import annotations

from typing import Any

from drawing import Row, figure, rows_on_an_axis


class Drawn(str):
    """A figure that a notebook shows."""

    def _repr_html_(self) -> str:
        return str(self)


def coefficients(values: Any) -> Drawn:
    """The coefficients of an agreement with their intervals, on one axis."""
    rows = [Row(one.measure, float(one), *one.interval, note=f"{float(one):.3f}") for one in values]
    drawing = rows_on_an_axis(
        rows,
        name="tutorial-coefficients",
        x=(0.4, 0.8),
        x_title="value with its 95 % CI",
        title="The usual coefficients of the same labels",
        description="; ".join(f"{one.name} {one.note}" for one in rows),
    )
    return Drawn(
        figure(drawing, "The chance-corrected coefficients of these labels are nearly equal.")
    )


def judges(found: Any) -> Drawn:
    """The advantage of each judge with its interval, against −ε."""
    rows = [
        Row(
            one.system, one.values[0].value, *one.panel.interval,
            note=str(one.panel.verdict).replace("_", " "),
        )
        for one in found
    ]  # fmt: skip
    drawing = rows_on_an_axis(
        rows,
        name="tutorial-judges",
        x=(-0.3, 0.3),
        x_title="mean advantage over a worker, with its 90 % CI",
        levels=[(-found.epsilon, "−ε"), (0.0, "as good as a worker")],
        title="The advantage of the judges over the workers",
        description="; ".join(f"{one.name}: {one.value:.2f}, {one.note}" for one in rows),
    )
    return Drawn(
        figure(
            drawing,
            "A judge may replace a worker where its whole interval lies right of −ε.",
        )
    )
