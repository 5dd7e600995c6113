"""Generated tables have one value or one refusal as a file and as a frame, and no wrong value."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path

import pandas as pd
import pytest

import accordeur as acc
from accordeur.reports.warnings import in_english
from accordeur.tasks.agreement.agree import agree
from accordeur.tasks.inputs.label_options import LabelOptions
from accordeur.tasks.inputs.reading_options import Reading

from .generated_tables import Generated, frame_keywords, generated

ALPHA = "krippendorff_alpha"
_OPTIONS = LabelOptions(measures=(ALPHA,), replicates=0)


def of_file(table: Generated, folder: Path) -> tuple[float | None, str]:
    """The value, or None, and all that was said."""
    path = table.write(folder / "t.csv")
    try:
        found = agree([path], Reading(format="table", options=table.named), _OPTIONS)
    except ValueError as error:
        return None, str(error)
    return found.estimates[0].value, " ".join(map(in_english, found.warnings))


def of_frame(table: Generated, folder: Path) -> tuple[float | None, str]:
    frame = pd.read_csv(
        folder / "t.csv", dtype=str, keep_default_na=False, na_values=[""], skip_blank_lines=False
    )
    try:
        found = acc.agreement(frame, **frame_keywords(table.named), measures=ALPHA, replicates=0)
    except ValueError as error:
        return None, str(error)
    return float(found[0].value), " ".join(found.warnings)


def fates(seeds: range, folder: Path) -> tuple[Counter[str], list[str]]:
    counts: Counter[str] = Counter()
    wrong = []
    for seed in seeds:
        table = generated(seed)
        value, said = of_file(table, folder)
        again, said_of_frame = of_frame(table, folder)
        same = (value is None) == (again is None) and (
            value is None
            or math.isclose(value, again or 0.0, abs_tol=1e-12)
            or (math.isnan(value) and math.isnan(again or 0.0))
        )
        if not same:
            wrong.append(
                f"{seed} {table.kind}: file {value}, frame {again}: {said} / {said_of_frame}"
            )
        if value is None:
            counts["refused" if table.readable else "refused rightly"] += 1
            continue
        is_right = math.isclose(value, table.alpha, abs_tol=1e-9) or (
            math.isnan(value) and math.isnan(table.alpha)
        )
        counts["right" if is_right else "warned"] += 1
        if not is_right and not any(name in said for name in table.culprits):
            wrong.append(f"{seed} {table.kind}: {value} for {table.alpha}: {said}")
    return counts, wrong


def test_generated_tables(tmp_path):
    counts, wrong = fates(range(150), tmp_path)
    assert wrong == []
    assert counts["refused"] <= 0.1 * (counts["refused"] + counts["right"] + counts["warned"])


@pytest.mark.long
@pytest.mark.release
def test_many_generated_tables(tmp_path):
    """Some three minutes; other seeds by hand: 10,000 of them take twenty."""
    counts, wrong = fates(range(1000, 2500), tmp_path)
    assert wrong == [], (len(wrong), counts)
    assert counts["refused"] <= 0.1 * (counts["refused"] + counts["right"] + counts["warned"])
