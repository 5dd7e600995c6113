"""Draw the figure of docs/how-to/f-of-spans.md: F of spans and γ as bounds differ more."""

from __future__ import annotations

import numpy as np
import pandas as pd
from drawing import Curve, curves, figure

import accordeur as acc

LENGTH, GAP, N_SPANS, N_DOCUMENTS = 20, 30, 12, 4
SHIFTS = (0, 1, 2, 3, 4, 6, 8, 10)
NAMES = {
    "pairwise_f": "F of same bounds",
    "pairwise_f_characters": "F by characters",
    "pairwise_f_overlap": "F of overlaps",
}


def spans(shift: int) -> pd.DataFrame:
    """The spans of two annotators, of whom one puts each span `shift` characters to a side."""
    rng = np.random.default_rng(1)
    rows = []
    for d in range(N_DOCUMENTS):
        for k, side in enumerate(rng.choice([-1, 1], N_SPANS)):
            start = 10 + k * (LENGTH + GAP) + int(rng.integers(0, GAP - 20))
            for name, moved in (("anna", 0), ("ben", int(side) * shift)):
                at = start + moved
                rows.append((f"d{d}", name, at, at + LENGTH, "AB"[k % 2]))
    return pd.DataFrame(rows, columns=["document", "annotator", "start", "end", "category"])


def near_misses() -> str:
    """F of spans and γ of spans that are placed farther and farther apart."""
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in (*NAMES.values(), "γ")}
    for shift in SHIFTS:
        units = spans(shift)
        values = acc.gamma(units, measure="pairwise_f", replicates=0).values
        for measure, name in NAMES.items():
            found[name].append((shift, float(values[measure])))
        gamma = acc.gamma(units, replicates=0, min_samples=30, max_samples=30)
        found["γ"].append((shift, float(gamma)))
    at = SHIFTS.index(4)
    shown = ", ".join(f"{name} {line[at][1]:.2f}" for name, line in found.items())
    drawing = curves(
        [
            Curve("F of overlaps", found["F of overlaps"], -1),
            Curve("F by characters", found["F by characters"], -1, above=False),
            Curve("γ", found["γ"], 4, above=False),
            Curve("F of same bounds", found["F of same bounds"], 1),
        ],
        name="concept-near-misses",
        x=(0.0, 10.0),
        x_title="characters by which one annotator’s spans are shifted",
        y_title="value",
        title="F of spans and γ as the bounds differ more",
        description=f"At a shift of 4 characters: {shown}.",
    )
    return figure(
        drawing,
        f"Two annotators mark the same spans of {LENGTH} characters, but one of them puts each "
        f"some characters to the left or right. At 4 characters: {shown}. F of same bounds "
        "cannot tell a near miss from a miss, and F of overlaps does not see the difference.",
    )
