"""Great Expectations as the judge of a batch: every rule of `rules` as an expectation.

A statement of a rule is a column of booleans that the rule's predicate gives, true where a row
breaks it; the expectation is that none is. Only this module and `expectations` import
great_expectations (3–6 s, 300 MB): import them where validation runs. The results are plain data;
our own report shows them (its Data Docs would load from other hosts).
"""

from __future__ import annotations

import logging
import os
import warnings
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd
import pyarrow as pa

os.environ.setdefault("GX_ANALYTICS_ENABLED", "false")

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import great_expectations as gx
    import great_expectations.expectations as gxe
    from great_expectations.data_context.types.base import ProgressBarsConfig

logging.getLogger("great_expectations").setLevel(logging.WARNING)


class Judged(NamedTuple):
    n_rows: int
    n_unexpected: int


def check(broken: Mapping[str, pa.Table]) -> dict[str, list[Judged]]:
    """Judge rules on the tables of a shard, or of several, concatenated.

    broken  table → one column of booleans per rule, true where a row breaks it. Rules of an empty
            table hold. Raises nothing for bad rows: they are counted.
    """
    engine = Engine()
    found = {}
    for table, rows in broken.items():
        columns = [str(number) for number in range(rows.num_columns)]
        found[table] = [Judged(0, 0) for _ in columns]
        if not rows.num_rows:
            continue
        suite = [gxe.ExpectColumnValuesToBeInSet(column=one, value_set=[False]) for one in columns]
        frame = rows.rename_columns(columns).to_pandas()
        for number, result in enumerate(engine.judge(frame, suite, "SUMMARY")):
            if reason := why_not_judged(result):
                raise RuntimeError(f"a rule could not be judged: {reason}; please report this")
            counts = result.result
            found[table][number] = Judged(counts["element_count"], counts["unexpected_count"])
    return found


class Engine:
    """Great Expectations, without a project, on pandas; one costs a tenth of a second."""

    def __init__(self) -> None:
        context = gx.get_context(mode="ephemeral")
        context.variables.progress_bars = ProgressBarsConfig(globally=False)  # the flow has its own
        self._source = context.data_sources.add_pandas("campaign")
        self._n_assets = 0

    def judge(
        self, frame: pd.DataFrame, suite: Sequence[gxe.Expectation], result_format: str
    ) -> list[Any]:
        """The result of each expectation on the frame, in their order."""
        self._n_assets += 1
        batch = (
            self._source.add_dataframe_asset(str(self._n_assets))
            .add_batch_definition_whole_dataframe("all")
            .get_batch({"dataframe": frame})
        )
        expected = gx.ExpectationSuite(name="suite")
        for number, expectation in enumerate(suite):
            expectation.meta = {"number": number}  # results come back in any order
            expected.add_expectation(expectation)
        outcome = batch.validate(expected, result_format=result_format)
        # The engine and its batches refer to one another: their frames would stay until Python
        # looks for circles, in a worker after dozens of tasks.
        known = self._source.get_execution_engine().batch_manager
        known.reset_batch_cache()
        known.batch_data_cache.clear()
        return sorted(outcome.results, key=lambda one: one.expectation_config.meta["number"])


def why_not_judged(result: Any) -> str:
    """What Great Expectations raised; "" where it judged."""
    raised = result.exception_info or {}
    if "raised_exception" in raised:
        raised = {"": raised}
    told = [one["exception_message"] for one in raised.values() if one.get("raised_exception")]
    return str(told[0]) if told else ""
