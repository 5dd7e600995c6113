"""The way out of a table that is not of the shape it was taken for: what `look` would try first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...option_names import format_options, option, table_options
from .column_facts import ColumnFacts
from .column_fit import columns_by_names
from .header_lines import headerless_hint
from .layout import REQUIRED, Layout
from .relation_columns import relation_shape
from .role_proposals import is_without_header, proposed_options


def reading_hint(facts: ColumnFacts, lacking: Sequence[str], *, is_wide: bool) -> str:
    """Return how a table may be read that is not of the shape that it was taken for.

    lacking  what no column is called like
    is_wide  whether an option says that the table is a wide one
    """
    if len(facts.header) == 1:
        return (
            "The first line has one cell: if it is a title, delete the lines above the header; if "
            f"the columns are separated by another sign, name it "
            f"(`{format_options(delimiter='tab')}`)"
        )
    if relations := relation_shape(facts):
        what = f"If the rows are {relations.name} that annotators drew"
        return f"{what}, accordeur.relations(…) in Python compares them"
    found = next((one for one in proposed_options(facts) if "query" not in one), {})
    wide = {"wide": ""} if found.get("layout") == Layout.WIDE else {}
    shown = wide | {key: own for key, own in found.items() if key != "layout" or not wide}
    options = f"`{table_options(**shown)}`"
    if "start" in found:
        files = "" if "annotator" in found else f" and `{format_options(paths='{annotator}')}`"
        return f"Units are read with {options}{files}"
    if [*lacking] == ["annotator"]:
        return (
            f"Name the column (`{format_options(annotator='COLUMN')}`), or use "
            f"`{format_options(paths='{annotator}')}` if each file is the work of one annotator"
        )
    if "count" in found:
        return f"If {found['count']} is how many items a row stands for, use {options}"
    if found.get("layout") == Layout.TRANSPOSED:
        return f"If each row is an annotator and each other column an item, use {options}"
    if wide and "item" in found:
        return f"If {found['item']} names the items, use {options}"
    if "label" in found:
        return f"{'Without' if is_wide else 'With'} {options} each row is a label"
    cells = [facts.texts(k) for k in range(len(facts.header))]
    if lacking and is_without_header(facts, cells):
        return f"If the first line is not a header: {headerless_hint(len(facts.header))}"
    known = columns_by_names(facts)
    rest = _joined(f"`{option(role)}`" for role in REQUIRED[Layout.LONG] if role not in known)
    named = f"name the columns with {rest}"
    if known:
        named = f"use `{table_options(**known)}` and name the columns of the others with {rest}"
    if is_wide:
        return f"Without `{option('wide')}`, {named}"
    item = {role: own for role, own in known.items() if role == "item"}
    return (
        f"Use `{table_options(wide='', **item)}` if every column except the item is one "
        f"annotator's labels, else {named} (units: `{option('start')}` and `{option('end')}`)"
    )


def _joined(names: Iterable[str]) -> str:
    *first, last = [*names] or [""]
    return f"{', '.join(first)} and {last}" if first else last
