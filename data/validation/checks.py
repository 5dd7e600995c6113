"""Great Expectations as the judge of a batch: the rules of `rules`, stated as expectations.

Only this module imports great_expectations (3–6 s, 300 MB): import it where validation runs. The
results are plain data; our own report shows them (its Data Docs would load from other hosts).
"""

from __future__ import annotations

import logging
import os
import warnings
from collections.abc import Mapping, Sequence

import pandas as pd
import pyarrow as pa

os.environ.setdefault("GX_ANALYTICS_ENABLED", "false")

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import great_expectations as gx
    import great_expectations.expectations as gxe
    from great_expectations.data_context.types.base import ProgressBarsConfig

from ..schema import Role, State
from .rules import RULES, Checked, Declared, Rule, describe

logging.getLogger("great_expectations").setLevel(logging.WARNING)


def check(views: Mapping[str, pa.Table], declared: Declared) -> list[Checked]:
    """Validate the views of `preparation`, of one shard or of several, concatenated.

    Rules of an empty table hold. Raises nothing for bad rows: they are counted.
    """
    context = gx.get_context(mode="ephemeral")
    context.variables.progress_bars = ProgressBarsConfig(globally=False)  # the flow shows its own
    source = context.data_sources.add_pandas("campaign")
    checked: list[Checked] = []
    for table in dict.fromkeys(rule.table for rule in RULES):
        rows = views[table]
        stated = [
            (rule, expectation)
            for rule in RULES
            if rule.table == table
            for expectation in _expectations(rule, declared)
        ]
        if not rows.num_rows:
            checked += [
                Checked(rule.name, table, describe(rule, layer), True, 0, 0, layer=layer)
                for rule, (layer, _) in stated
            ]
            continue
        frame = _frame(table, rows, declared)
        batch = (
            source.add_dataframe_asset(table)
            .add_batch_definition_whole_dataframe("all")
            .get_batch({"dataframe": frame})
        )
        suite = gx.ExpectationSuite(name=table)
        for number, (_, (_, expectation)) in enumerate(stated):
            expectation.meta = {"number": number}  # results come back in any order
            suite.add_expectation(expectation)
        outcome = batch.validate(suite, result_format="SUMMARY")
        # The engine and its batches refer to one another: their frames would stay until Python
        # looks for circles, in a worker after dozens of tasks.
        known = source.get_execution_engine().batch_manager
        known.reset_batch_cache()
        known.batch_data_cache.clear()
        numbered = {r.expectation_config.meta["number"]: r for r in outcome.results}
        for number, (rule, (layer, _)) in enumerate(stated):
            result = numbered[number]
            if result.exception_info and result.exception_info.get("raised_exception"):
                raise RuntimeError(
                    f"the expectation {rule.name!r} on {table} could not be evaluated: "
                    f"{result.exception_info.get('exception_message')}"
                )
            found = result.result
            examples = tuple(str(v) for v in found.get("partial_unexpected_list", [])[:5])
            checked.append(
                Checked(
                    rule.name,
                    table,
                    describe(rule, layer),
                    bool(result.success),
                    int(found.get("element_count", rows.num_rows)),
                    int(found.get("unexpected_count", 0)),
                    examples,
                    layer,
                )
            )
    return checked


def _frame(table: str, rows: pa.Table, declared: Declared) -> pd.DataFrame:
    """The columns that the expectations look at, as pandas (which Great Expectations needs).

    A column `category in LAYER` holds the layer's categories and nothing in other rows: nothing is
    what expectations pass over. Of several labels it holds the first one outside the tagset.
    """
    columns = {
        "documents": ["text_differs"],
        "assignments": ["annotator", "role", "state"],
        "units": ["text_differs", "start", "end", "document_length", "annotator", "occurrence"],
        "labels": ["annotator", "occurrence"],
        "relations": ["annotator", "from_known", "to_known"],
    }
    frame = rows.select(columns[table]).to_pandas()
    if table == "labels":
        frame["n_labels"] = rows["labels"].to_pandas().map(len)
    if table in ("units", "labels"):
        layers = rows["layer"].to_pandas()
        for layer, tagset in declared.tagsets.items():
            allowed = _allowed(layer, tagset, declared)
            values = rows["category" if table == "units" else "labels"].to_pandas()
            if table == "labels":
                values = values.map(lambda given, ok=frozenset(allowed): _telling(given, ok))
            frame[_category_column(layer)] = values.where(layers == layer, None)
    return frame


def _telling(given: Sequence[str], allowed: frozenset[str]) -> str | None:
    outside = [label for label in given if label not in allowed]
    return outside[0] if outside else next(iter(given), None)


def _allowed(layer: str, tagset: Sequence[str], declared: Declared) -> list[str]:
    return [*tagset, ""] if layer in declared.unlabelled else list(tagset)


def _category_column(layer: str) -> str:
    return f"category in {layer}"


def _expectations(rule: Rule, declared: Declared) -> list[tuple[str, gxe.Expectation]]:
    """(layer or "", expectation) for a rule; none where the campaign declares nothing to break."""
    match rule.name:
        case "category_in_tagset" | "label_in_tagset":
            return [
                (layer, _in_set(_category_column(layer), _allowed(layer, tagset, declared)))
                for layer, tagset in declared.tagsets.items()
            ]
        case "annotator_known" if not declared.roles:
            return []
        case "annotator_known":
            expectation = _in_set("annotator", list(declared.roles))
        case "text_agrees":
            expectation = _in_set("text_differs", [False])
        case "role_known":
            expectation = _in_set("role", [str(role) for role in Role])
        case "state_known":
            expectation = _in_set("state", [str(state) for state in State])
        case "annotator_named":
            expectation = gxe.ExpectColumnValueLengthsToBeBetween(column="annotator", min_value=1)
        case "start_not_negative":
            expectation = gxe.ExpectColumnValuesToBeBetween(column="start", min_value=0)
        case "unit_occurs_once" | "label_occurs_once":
            expectation = gxe.ExpectColumnValuesToBeBetween(column="occurrence", max_value=1)
        case "label_given":
            expectation = gxe.ExpectColumnValuesToBeBetween(column="n_labels", min_value=1)
        case "start_before_end":
            expectation = gxe.ExpectColumnPairValuesAToBeGreaterThanB(
                column_A="end", column_B="start"
            )
        case "inside_document":
            expectation = gxe.ExpectColumnPairValuesAToBeGreaterThanB(
                column_A="document_length",
                column_B="end",
                or_equal=True,
                ignore_row_if="either_value_is_missing",
            )
        case "ends_accepted":
            expectation = gxe.ExpectColumnPairValuesToBeInSet(
                column_A="from_known", column_B="to_known", value_pairs_set=[(True, True)]
            )
        case _:
            raise KeyError(f"the rule {rule.name!r} has no expectation")
    return [("", expectation)]


def _in_set(column: str, values: Sequence[object]) -> gxe.Expectation:
    return gxe.ExpectColumnValuesToBeInSet(column=column, value_set=list(values))
