"""One label on its way from the command to the formula of α: few modules and functions hand it on.

A value holds the label if it has the label of the last row in a column, an array of codes or the
text of the file; names of categories and counts of them do not. A function counts if it returns or
yields such a value to a function that hands it on in turn, or to one that calls the formula. What
recognises the columns sees only the rows before the label.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from inspect import CO_GENERATOR
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import accordeur as acc
from accordeur.data.readers.tables import meaning, table_file
from accordeur.metrics.agreement.formulas import closed_forms
from tests.flows.command_line import ROOT
from tests.flows.in_process import found

LABEL = "zqxj"
LABELS = [*"abbabaabbabaababb", LABEL]
MOST_MODULES, MOST_FUNCTIONS = 23, 47


def table(folder: Path) -> Path:
    path = folder / "labels.csv"
    rows = (f"i{k // 3},p{k % 3},{label}" for k, label in enumerate(LABELS))
    path.write_text("\n".join(["item,annotator,label", *rows, ""]), encoding="utf-8")
    return path


def is_column(values: Any) -> bool:
    """Whether a sequence has one value in the last row that no other row has."""
    if len(values) not in (len(LABELS), len(LABELS) + 1):  # perhaps with the header
        return False
    *others, last = (str(one) for one in values)
    return last not in others and (LABEL in last or last.isdigit())


def holds(value: Any, depth: int = 6) -> bool:
    if not depth:
        return False
    if isinstance(value, str | bytes):
        return (LABEL if isinstance(value, str) else LABEL.encode()) in value and len(value) > 99
    if isinstance(value, pa.Table):
        return any(is_column(one.to_pylist()) for one in value.columns)
    if isinstance(value, pa.ChunkedArray | pa.Array):
        return is_column(value.to_pylist())
    if isinstance(value, np.ndarray):
        return value.ndim == 1 and value.dtype.kind == "i" and is_column(value.tolist())
    if isinstance(value, dict):
        return any(holds(one, depth - 1) for one in value.values())
    if isinstance(value, list | tuple):
        return is_column(value) or any(holds(one, depth - 1) for one in value)
    if not type(value).__module__.startswith("accordeur"):
        return False
    tagset, codes = getattr(value, "tagset", ()), getattr(value, "codes", None)
    if isinstance(codes, np.ndarray) and LABEL in tagset:
        return bool((codes == tagset.index(LABEL)).any())
    return any(holds(one, depth - 1) for one in attributes(value))


def attributes(value: Any) -> list[Any]:
    names = [*getattr(value, "__dict__", ()), *getattr(type(value), "__slots__", ())]
    return [getattr(value, name, None) for name in names]


def yields_later(value: Any, depth: int = 4) -> bool:
    """Whether a value is or has an iterator, whose rows are read later."""
    if isinstance(value, Iterator):
        return True
    ours = type(value).__module__.startswith("accordeur")
    inside = value if isinstance(value, tuple) else attributes(value) if ours else ()
    return depth > 0 and any(yields_later(one, depth - 1) for one in inside)


Function = tuple[str, str]


class LabelTracer:
    """Collects the functions that hand the label on, until the formula is called."""

    def __init__(self) -> None:
        self.functions: set[Function] = set()
        self._received: dict[FrameType, set[Function]] = {}
        self._ours: dict[str, str] = {}
        self._done = False

    def module(self, frame: FrameType) -> str:
        """The module of a function of the package; "" for any other, and for comprehensions."""
        file = frame.f_code.co_filename
        if file not in self._ours:
            path = Path(file).resolve()
            inside = path.is_relative_to(ROOT) and "site-packages" not in path.parts
            name = path.relative_to(ROOT).as_posix() if inside else ""
            self._ours[file] = "" if name.startswith("tests") else name
        return "" if frame.f_code.co_name.startswith("<") else self._ours[file]

    @staticmethod
    def is_collected(frame: FrameType, value: Any) -> bool:
        """Whether a method without a result keeps the label in its object."""
        return value is None and holds(frame.f_locals.get("self"))

    def __call__(self, frame: FrameType, event: str, value: Any) -> None:
        if self._done or event not in ("call", "return") or not self.module(frame):
            return
        if event == "call":
            if frame.f_code is closed_forms.krippendorff.__code__:
                self._done = True
                while frame := frame.f_back:  # type: ignore[assignment]
                    self.functions |= self._received.get(frame, set())
            return
        is_held = holds(value)
        own = self._received.get(frame, set())
        if is_held:
            own = own | {(self.module(frame), frame.f_code.co_qualname)}
        elif not yields_later(value) and not self.is_collected(frame, value):
            own = set()
        receiver = frame.f_back
        while receiver is not None and not self.module(receiver):
            receiver = receiver.f_back
        if receiver is not None and own:
            self._received.setdefault(receiver, set()).update(own)
        if not frame.f_code.co_flags & CO_GENERATOR:
            self._received.pop(frame, None)


@pytest.fixture
def few_rows_recognised(monkeypatch: pytest.MonkeyPatch) -> None:
    n_rows = len(LABELS) // 2
    monkeypatch.setattr(table_file, "SAMPLE", n_rows)
    monkeypatch.setattr(meaning, "_FEWEST_ROWS", n_rows)
    monkeypatch.setattr(meaning, "_ROWS_BELOW", n_rows)


def functions_on_the_path(do: Callable[[], object]) -> set[Function]:
    tracer = LabelTracer()
    sys.setprofile(tracer)
    try:
        do()
    finally:
        sys.setprofile(None)
    return tracer.functions


@pytest.mark.usefixtures("few_rows_recognised")
def test_a_label_passes_through_few_functions(tmp_path: Path) -> None:
    labels = table(tmp_path)
    handed_on = functions_on_the_path(lambda: found("agree", labels))
    modules = {module for module, _ in handed_on}
    assert "data/readers/tables/reader.py" in modules
    assert "metrics/agreement/sums.py" in modules
    assert len(modules) <= MOST_MODULES, sorted(modules)
    assert len(handed_on) <= MOST_FUNCTIONS, sorted(handed_on)


@pytest.mark.usefixtures("few_rows_recognised")
def test_the_label_of_a_frame_passes_through_the_same_functions_once_it_is_read(
    tmp_path: Path,
) -> None:
    labels = table(tmp_path)
    frame = pd.read_csv(labels)
    of_file = functions_on_the_path(lambda: found("agree", labels))
    of_frame = functions_on_the_path(lambda: acc.agreement(frame))
    after_reading = ("data/validation/", "tasks/", "metrics/")
    assert {one for one in of_frame if one[0].startswith(after_reading)} == {
        one for one in of_file if one[0].startswith(after_reading)
    }
