"""Gates of a campaign on its ranking: how strong a system is, or how often it is preferred."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...data.errors import DataError
from ...metrics.estimate import Estimate
from ...reports.results.ranking import RankingReport
from ...reports.results.run import Gate, GateOutcome
from ..reporting.gates import GateSpec
from .ranking_options import RankBar


def gates_on_ranking(found: RankingReport, bars: Sequence[RankBar]) -> list[Gate]:
    """Return the bars as gates. Raises DataError for a system that is not ranked."""
    gates = []
    for bar in bars:
        value = _value(found, bar)
        spec = GateSpec(bar.measure, None, bar.at_least, bar.at_most, on=bar.on)
        gate = Gate(
            measure=bar.measure,
            of=bar.of if bar.over is None else f"{bar.of} – {bar.over}",
            operator=spec.operator,
            threshold=spec.threshold,
            value=value.value,
            interval=value.interval,
            level=value.confidence_level,
            outcome=(outcome := spec.outcome(value)),
            fails_run=outcome is GateOutcome.failed,
            on=bar.on,
        )
        gates.append(gate)
    return gates


def _value(found: RankingReport, bar: RankBar) -> Estimate:
    values: dict[tuple[str, str | None], Estimate] = {
        (one.system, None): one.strength for one in found.systems
    }
    if bar.measure == "preferred_share":
        values = {(one.better, one.worse): one.preferred for one in found.pairs}
        values |= {(one.worse, one.better): _of_the_other(one.preferred) for one in found.pairs}
    if (bar.of, bar.over) not in values:
        raise DataError(
            f"a bar is on {' and '.join(filter(None, (bar.of, bar.over)))}, and the systems are "
            f"{', '.join(one.system for one in found.systems)}"
        )
    return values[bar.of, bar.over]


def _of_the_other(share: Estimate) -> Estimate:
    lower, upper = share.interval
    return replace(share, value=1 - share.value, interval=(1 - upper, 1 - lower))
