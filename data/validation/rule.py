"""What a rule is: a condition on the rows of a table, its words, and the result of its check."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from enum import Enum
from typing import Any, Protocol, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ..arrow_columns import as_numpy, number_column, scalar
from ..sentences import shorten

Mask = NDArray[np.bool_]
Booleans: TypeAlias = pa.ChunkedArray | pa.Array
EXAMPLES = 5
_LONGEST_VALUE = 120  # characters in a message


class Scope(Enum):
    """The rows that a rule applies to."""

    EVERY_ROW = "every row"
    LAYERS_WITH_TAGSET = "the rows of layers whose tagset is declared, stated once per layer"
    LAYERS_OF_OBJECTS = "the rows of layers whose labels are objects, stated once per layer"
    DECLARED_ANNOTATORS = "every row, where annotators are declared"


class ObjectReader(Protocol):
    """What reads the objects of a layer from its labels: a distance, which other layers know."""

    def problem(self, text: str) -> str:
        """Return why a text stands for no object, and what is expected; "" if it stands for one."""


@dataclass(frozen=True, slots=True)
class Declared:
    """Declarations of the campaign file that rows can break.

    `tagsets` maps a layer to its categories (other layers may have any category); `roles` maps
    declared annotators to roles (empty: anyone may annotate); `unlabelled` names the layers in
    which a unit may have no category; `trim` says whether units lose blanks and punctuation at
    their edges before the rules are applied (`trimming`); `objects` maps a layer whose labels are
    objects to what reads them; `deliveries` has the number of each source's delivery, None where
    none is declared.
    """

    tagsets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    roles: Mapping[str, str] = field(default_factory=dict)
    unlabelled: tuple[str, ...] = ()
    trim: bool = False
    objects: Mapping[str, ObjectReader] = field(default_factory=dict)
    deliveries: tuple[int | None, ...] = ()

    def category_like(self, name: str) -> str:
        """Return the declared category that is spelt like `name`; "" if none is.

        >>> Declared({"topic": ("politics", "sport")}).category_like("Sport ")
        'sport'
        """
        by_fold = {one.casefold(): one for tagset in self.tagsets.values() for one in tagset}
        near = get_close_matches(name.strip().casefold(), by_fold, n=1, cutoff=0.75)
        return by_fold[near[0]] if near else ""


@dataclass(frozen=True, slots=True)
class Stock:
    """An expectation of Great Expectations on columns of a table's view; `layer`: only its rows."""

    type: str
    arguments: Mapping[str, Any]
    layer: str = ""

    @property
    def columns(self) -> list[str]:
        """Return the columns that it reads."""
        named = [str(self.arguments[one]) for one in _COLUMNS if one in self.arguments]
        return [*named, "layer"] if self.layer else named


_COLUMNS = ("column", "column_A", "column_B")
IN_SET = "expect_column_values_to_be_in_set"


@dataclass(frozen=True, slots=True)
class Rule:
    """A condition that must hold for each row of `table`.

    `description` states the condition, `problem` its violation, and `advice` what to do; `column`
    names the value shown to users. `broken` is true where a row of the table's view
    (`data.validation.rule_views`) breaks the rule; null counts as kept. `stock` gives the
    expectation that states the rule, of a layer if the rule is stated once per layer.
    """

    name: str
    table: str
    description: str
    problem: str
    column: str
    advice: str
    broken: Callable[[pa.Table, Declared], Booleans]
    scope: Scope = Scope.EVERY_ROW
    stock: Callable[[Declared, str], Stock] | None = None

    def on_mask(self, layer: str) -> Stock:
        """Return the expectation that a column of booleans, named after the rule, is false."""
        name = f"{self.name} of {layer}" if layer else self.name
        return Stock(IN_SET, {"column": name, "value_set": [False]})

    def described(self, layer: str) -> str:
        """Return the words of a statement of the rule; `layer` is "" for a rule of all layers."""
        return f"{self.description} (layer {layer})" if layer else self.description

    def message(self, value: str, declared: Declared, layer: str = "") -> str:
        """Return what is wrong with a row of a layer, and what to do.

        For a category, it says which may be meant; for an object, why it cannot be read.
        """
        meant = declared.category_like(str(value)) if self.scope is Scope.LAYERS_WITH_TAGSET else ""
        shown = shorten(str(value), _LONGEST_VALUE) + (
            f"; did you mean “{meant}”?" if meant else ""
        )
        why = (
            declared.objects[layer].problem(value) if self.scope is Scope.LAYERS_OF_OBJECTS else ""
        )
        return f"{self.problem} ({shown}): {why or self.advice}"

    def broken_rows(self, rows: pa.Table, declared: Declared) -> Mask:
        """Return which rows break the rule."""
        return as_numpy(self.broken(rows, declared))

    def by_layer(
        self, rows: pa.Table, mask: Mask, declared: Declared
    ) -> Iterator[tuple[str, Mask]]:
        """Yield (layer or "", rows that break the rule) for each statement of the rule."""
        for layer in self.statements(declared):
            of_layer = as_numpy(pc.equal(rows["layer"], scalar(layer))) if layer else True
            yield layer, mask & of_layer

    def statements(self, declared: Declared) -> list[str]:
        """Return the layers that the rule is stated for; [""] for a statement about all rows."""
        match self.scope:
            case Scope.LAYERS_WITH_TAGSET:
                return [*declared.tagsets]
            case Scope.LAYERS_OF_OBJECTS:
                return [*declared.objects]
            case Scope.DECLARED_ANNOTATORS if not declared.roles:
                return []
            case _:
                return [""]


@dataclass(frozen=True, slots=True)
class Checked:
    """Result of a rule on one table (tagsets: of one layer), with up to five broken values."""

    rule: str
    table: str
    description: str
    passed: bool
    n_rows: int
    n_unexpected: int
    examples: tuple[str, ...] = field(default=())
    layer: str = ""  # for a rule that is stated once per layer
    severity: str = "critical"

    @property
    def key(self) -> tuple[str, str, str]:
        return self.table, self.rule, self.description


def shown_column(rows: pa.Table, name: str) -> pa.ChunkedArray:
    """Return a column of a table's view; the category of a row of labels joins its labels."""
    if name == "category" and "labels" in rows.column_names:
        return pc.binary_join(rows["labels"], scalar(" + "))
    return rows[name]


def check_result(rule: Rule, rows: pa.Table, broken: Mask, layer: str) -> Checked:
    """Return the result of one statement of the rule, with examples."""
    n = int(broken.sum())
    first = rows.take(number_column(np.flatnonzero(broken)[:EXAMPLES])) if n else rows[:0]
    return Checked(
        rule.name,
        rule.table,
        rule.described(layer),
        n == 0,
        len(broken),
        n,
        tuple(str(value) for value in shown_column(first, rule.column).to_pylist()),
        layer,
    )
