"""An expectation: the values of a column are in Unicode's normal form C, as most tools write."""

from unicodedata import is_normalized

import pandas as pd
from great_expectations.execution_engine import PandasExecutionEngine
from great_expectations.expectations.expectation import ColumnMapExpectation
from great_expectations.expectations.metrics import (
    ColumnMapMetricProvider,
    column_condition_partial,
)


class ColumnValuesNfc(ColumnMapMetricProvider):
    condition_metric_name = "column_values.nfc"

    @column_condition_partial(engine=PandasExecutionEngine)
    def _pandas(cls, column: pd.Series, **_: object) -> pd.Series:  # noqa: N805
        return column.map(lambda text: is_normalized("NFC", text))


class ExpectColumnValuesToBeNfc(ColumnMapExpectation):
    map_metric = "column_values.nfc"
