"""Gates that compare a value with that of an earlier run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ...data.store.store import Store
from ...metrics.coded_warning import CodedWarning, Figures
from ...metrics.influence import Influences, combine_influences
from ..influences import Key
from .drift_between_runs import earlier_influences
from .gates import GateSpec


def gates_with_thresholds(
    store: Store,
    gates: Sequence[GateSpec],
    now: Mapping[Key, Influences],
    folders: Mapping[str, str],
) -> tuple[tuple[GateSpec, ...], list[CodedWarning]]:
    """Give gates with `not_below` their threshold, and warn of those that nothing decides.

    folders  run → folder of its report, in order; empty: such gates are left out
    """
    last = [*folders][-1] if folders else ""
    named = {last if gate.not_below == "last" else gate.not_below for gate in gates}
    earlier: dict[str, Mapping[Key, Influences]] = {}
    for run in filter(None, named & folders.keys()):
        earlier |= earlier_influences(store, {run: folders[run]})
    return gates_against_earlier_runs(gates, now, earlier, last)


def gates_against_earlier_runs(
    gates: Sequence[GateSpec],
    now: Mapping[Key, Influences],
    earlier: Mapping[str, Mapping[Key, Influences]],
    last: str,
) -> tuple[tuple[GateSpec, ...], list[CodedWarning]]:
    """Give gates with `not_below` the value of the earlier run as threshold.

    earlier  run → its main values
    last     the last run; "": there is none, and such gates are left out

    The interval of such a gate is the earlier value plus that of the change, paired over documents,
    so that it contains the threshold where the change may be a loss. Also returns a warning for
    each gate that nothing can be compared with, which is left out.
    """
    found, silent = list[GateSpec](), list[CodedWarning]()
    for gate in gates:
        if gate.not_below is None:
            found.append(gate)
            continue
        run = last if gate.not_below == "last" else gate.not_below
        before = earlier.get(run, {})
        comparable = [
            key
            for key in now
            if key in before and key[1] == gate.measure and gate.layer in (None, key[0])
        ]
        for key in comparable:
            change = combine_influences([now[key], before[key]], [1.0, -1.0])
            value = now[key].value - change.value
            low, high = change.interval() if change.value else (0.0, 0.0)
            found.append(
                replace(
                    gate,
                    layer=key[0],
                    at_least=value - gate.margin,
                    against=run,
                    interval=(value + low, value + high),
                )
            )
        if last and not comparable:
            figures: Figures = {"measure": gate.measure, "run": run.removeprefix("run ")}
            silent.append(CodedWarning("gate_not_compared", figures))
    return tuple(found), silent
