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
from tests.flows.small import NO_GRID
from tests.flows.stages_in_process import measured_in_process

MOST_MODULES, MOST_FUNCTIONS = 15, 20
LABEL = "zqxj"
LABELS = [*"abbabaabbabaababb", LABEL]
AFTER_READING = ("data/validation/", "tasks/", "metrics/")
IN_MEMORY = {
    "RawRows.shards",
    "accepted_rows",
    "InMemory.accepted_rows",
    "read_exported_labels",
}

Function = tuple[str, str]  # module and name


@pytest.fixture
def labels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A table whose last label is in none of the rows from which its columns are recognised."""
    path = tmp_path / "labels.csv"
    rows = (f"i{k // 3},p{k % 3},{label}" for k, label in enumerate(LABELS))
    path.write_text("\n".join(["item,annotator,label", *rows, ""]), encoding="utf-8")
    for module, name in (
        (table_file, "SAMPLE"),
        (meaning, "_FEWEST_ROWS"),
        (meaning, "_ROWS_BELOW"),
    ):
        monkeypatch.setattr(module, name, len(LABELS) // 2)
    return path


def is_column(values: Any) -> bool:
    """Whether a sequence has the labels' values, with one in the last row that no other row has."""
    if len(values) not in (len(LABELS), len(LABELS) + 1):  # perhaps with the header
        return False
    *others, last = (str(one) for one in values)
    n_others = len({*LABELS}) - 1 + len(values) - len(LABELS)  # numbers of rows are no labels
    is_alone = len({*others}) == n_others and last not in others
    return is_alone and (LABEL in last or last.isdigit())


def attributes(value: Any) -> list[Any]:
    names = [*getattr(value, "__dict__", ()), *getattr(type(value), "__slots__", ())]
    return [getattr(value, name, None) for name in names]


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


def yields_later(value: Any, depth: int = 4) -> bool:
    """Whether a value is or has an iterator, whose rows are read later."""
    if isinstance(value, Iterator):
        return True
    ours = type(value).__module__.startswith("accordeur")
    inside = value if isinstance(value, tuple) else attributes(value) if ours else ()
    return depth > 0 and any(yields_later(one, depth - 1) for one in inside)


class LabelTracer:
    """Collects the functions that hand the label on until the formula is called, and all calls."""

    def __init__(self) -> None:
        self.functions: set[Function] = set()
        self.called: set[Function] = set()
        self._received: dict[FrameType, set[Function]] = {}
        self._modules: dict[str, str] = {}
        self._done = False

    def trace(self, do: Callable[[], object], *, only_calls: bool = False) -> LabelTracer:
        self._done = only_calls
        sys.setprofile(self._note)
        try:
            do()
        finally:
            sys.setprofile(None)
        return self

    def _module(self, frame: FrameType) -> str:
        """The module of a function of the package; "" for any other, and for comprehensions."""
        file = frame.f_code.co_filename
        if file not in self._modules:
            path = Path(file).resolve()
            inside = path.is_relative_to(ROOT) and "site-packages" not in path.parts
            name = path.relative_to(ROOT).as_posix() if inside else ""
            self._modules[file] = "" if name.startswith("tests") else name
        return "" if frame.f_code.co_name.startswith("<") else self._modules[file]

    def _note(self, frame: FrameType, event: str, value: Any) -> None:
        if event not in ("call", "return") or not (module := self._module(frame)):
            return
        function = (module, frame.f_code.co_qualname)
        self.called.add(function)
        if self._done:
            return
        if event == "return":
            self._hand_on(frame, function, value)
        elif frame.f_code is closed_forms.krippendorff.__code__:
            self._done = True
            while frame := frame.f_back:  # type: ignore[assignment]
                self.functions |= self._received.get(frame, set())

    def _hand_on(self, frame: FrameType, function: Function, value: Any) -> None:
        """Note for the receiver what led to the value, if the value or a method's object holds."""
        own = self._received.get(frame, set())
        if holds(value):
            own = own | {function}
        elif not yields_later(value) and (
            value is not None or not holds(frame.f_locals.get("self"))
        ):
            own = set()
        receiver = frame.f_back
        while receiver is not None and not self._module(receiver):
            receiver = receiver.f_back
        if receiver is not None and own:
            self._received.setdefault(receiver, set()).update(own)
        if not frame.f_code.co_flags & CO_GENERATOR:
            self._received.pop(frame, None)


def of_quick_look(labels: Path) -> set[Function]:
    return LabelTracer().trace(lambda: found("agree", labels)).functions


def test_a_label_passes_through_few_functions(labels: Path) -> None:
    functions = of_quick_look(labels)
    modules = {module for module, _ in functions}
    assert {"data/readers/tables/reader.py", "metrics/agreement/sums.py"} < modules
    assert len(modules) <= MOST_MODULES, sorted(modules)
    assert len(functions) <= MOST_FUNCTIONS, sorted(functions)


def test_the_label_of_a_frame_passes_through_the_same_functions_once_it_is_read(
    labels: Path,
) -> None:
    frame = pd.read_csv(labels)
    of_frame = LabelTracer().trace(lambda: acc.agreement(frame)).functions
    first, second = (
        {one for one in functions if one[0].startswith(AFTER_READING)}
        for functions in (of_quick_look(labels), of_frame)
    )
    assert first == second


def test_a_run_calls_all_of_these_functions_but_those_that_keep_rows_in_memory(
    labels: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = labels.with_name("campaign.toml")
    source = f'[campaign]\nname = "x"\n[[sources]]\npath = "{labels.name}"\n{NO_GRID}'
    campaign.write_text(source + "[intervals]\nreplicates = 0\n", encoding="utf-8")
    run = LabelTracer().trace(lambda: measured_in_process(campaign, monkeypatch), only_calls=True)
    assert {name for _, name in of_quick_look(labels) - run.called} == IN_MEMORY
