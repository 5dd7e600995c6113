"""Verdicts on whether a system may replace an annotator, from data frames; not agreement."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ..data.readers.tables.given import Given
from ..data.schema import Role
from ..metrics.errors import MetricsError
from ..metrics.options import Position
from ..reports.columns import interval, number, text, values_by_column
from .column_texts import names_as_text_column as names_of
from .distances import Distance, Scale, given_category_distance
from .frames import (
    Column,
    Kind,
    category_order,
    cell_values,
    document_column,
    reading_with_order,
    requested_columns,
)
from .keyword_options import Rng, make_options, public, seed_of
from .label_tables import Annotators, label_table
from .reading import Data, are_units
from .result import InSentences, Listing
from .unit_tables import unit_table


class Replacement(InSentences, Listing):
    """Verdicts on systems, one for each; ``found["gpt"]`` is the verdict on ``gpt``.

    Each has ``system``, ``values`` (advantage, winning rate ω, average advantage probability ρ),
    ``panel`` and ``new_annotators`` (decisions with ``verdict``, ``interval``, ``stability`` and
    ``more``), ``after_holm``, ``passed`` (the alt-test), ``curve``, ``parts``, ``lost`` and
    ``checks``.

    Attributes
    ----------
    epsilon
        The ε used.
    """

    def __init__(self, result: Any, kind: Kind) -> None:
        self._found, self._kind, self._agreement = result.found, kind, result.agreement
        self.epsilon = result.found.epsilon
        self._take_account(result)

    def __len__(self) -> int:
        return len(self._found.systems)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._found.systems)

    def __getitem__(self, key: Any) -> Any:
        """Return a verdict by index, or by name of the system. Raises KeyError if unknown."""
        if not isinstance(key, str):
            return self._found.systems[key]
        for one in self._found.systems:
            if one.system == key:
                return one
        raise KeyError(f"{key!r}; there are {', '.join(one.system for one in self)}")

    @property
    def sentences(self) -> list[str]:
        """The verdicts as sentences, one text per system."""
        from ..reports.language import Language
        from ..reports.replacement import MESSAGES, verdict_sentences

        say = Language("en", MESSAGES)
        return [" ".join(verdict_sentences(say, self._found, one)) for one in self]

    def _columns(self) -> dict[str, list[Any]]:
        return _columns(self._found.systems)

    def curve(self, kind: Kind | None = None) -> Any:
        """ω and the verdict over ε, one row per system and ε; ρ does not depend on ε."""
        points = [(one, point) for one in self for point in one.curve]
        columns = values_by_column(
            points,
            text("system", lambda row: row[0].system),
            number("epsilon", lambda row: row[1].epsilon),
            number("winning_rate", lambda row: row[1].winning_rate),
            number("advantage_probability", lambda row: row[0].values[2].value),
            text("verdict", lambda row: row[1].verdict),
        )
        return self._frame(columns, kind)

    def parts(self, kind: Kind | None = None) -> Any:
        """The advantage and the verdict on the items of each category and of large documents."""
        parts = [(one.system, part) for one in self for part in one.parts]
        columns = values_by_column(
            parts,
            text("system", lambda row: row[0]),
            text("kind", lambda row: row[1].kind),
            text("part", lambda row: row[1].name),
            number("advantage", lambda row: row[1].value.value),
            interval("", lambda row: row[1].value.interval),
            number("n_items", lambda row: row[1].value.n_items),
            text("verdict", lambda row: row[1].verdict),
        )
        return self._frame(columns, kind)

    def lost(self, kind: Kind | None = None) -> Any:
        """Items on which the annotators agree with one another better than with the system.

        For units, the items are documents, with the number of units that each annotator marked.
        """
        items = [(one.system, lost) for one in self for lost in one.lost]
        of_units = self._found.kind == "units"
        columns = values_by_column(
            items,
            text("system", lambda row: row[0]),
            text("document", lambda row: row[1].item if of_units else row[1].document),
            number("n_units", lambda row: row[1].n_units, when=of_units),
            text("units", lambda row: _counts(row[1].units), when=of_units),
            text("item", lambda row: row[1].item, when=not of_units),
            text("label", lambda row: row[1].label, when=not of_units),
            text("labels", lambda row: _counts(row[1].labels), when=not of_units),
            number("advantage", lambda row: row[1].advantage),
        )
        return self._frame(columns, kind)

    def checks(self, kind: Kind | None = None) -> Any:
        """Checks of each system: consistency over runs, drift, position and length bias."""
        checks = [(one.system, value) for one in self for value in one.checks]
        columns = values_by_column(
            checks,
            text("system", lambda row: row[0]),
            text("check", lambda row: row[1].measure),
            number("value", lambda row: row[1].value),
            interval("", lambda row: row[1].interval),
            number("n_items", lambda row: row[1].n_items),
        )
        return self._frame(columns, kind)

    def checklist(self, kind: Kind | None = None) -> Any:
        """Reporting checklist for each system, completed from the data, or with instructions."""
        from ..reports.judge_checklist import checklist
        from ..reports.language import Language
        from ..reports.replacement import MESSAGES

        say = Language("en", MESSAGES)
        points = [
            (one.system, point)
            for one in self
            for point in checklist(say, self._found, one, self._agreement)
        ]
        columns = values_by_column(
            points,
            text("system", lambda row: row[0]),
            text("point", lambda row: row[1].title),
            text("is_filled", lambda row: row[1].is_filled),
            text("text", lambda row: row[1].text),
        )
        return self._frame(columns, kind)


@public()
def replacement(
    data: Data,
    *,
    systems: str | Sequence[str],
    item: Column = "item",
    annotator: Annotators = "annotator",
    label: Column = "label",
    document: Column | None = None,
    start: Column = "start",
    end: Column = "end",
    category: Column | None = "category",
    pass_: Column | None = None,
    length: Column | None = None,
    positions: Sequence[str] = (),
    earlier: Mapping[str, str] = {},
    epsilon: float | None = None,
    expertise: str | None = None,
    alignment: str | Callable[[str, str], float] = "accuracy",
    scale: Scale = "nominal",
    distance: Distance | None = None,
    categories: Sequence[Any] = (),
    missing: str = "lost",
    min_items: int = 30,
    error: float = 0.05,
    replicates: int = 1000,
    seed: int = 0,
    rng: Rng | None = None,
    position: Position | None = None,
    alpha: float = 1.0,
    beta: float = 1.0,
    delta_empty: float | None = None,
    unlabelled_distance: float = 1.0,
) -> Replacement:
    """Test whether a system may replace an annotator: alt-test, and a verdict with its stability.

    Parameters
    ----------
    data, item, annotator, label, document
        As for :func:`agreement`; the systems are annotators among the others.
    systems
        The names of the systems.
    start, end, category
        With a column ``start``, the rows are located units, as for :func:`gamma`. Each document is
        then an item, and the alignment is ``exact_f`` unless another is given.
    pass_
        Column with the number of the annotation pass; the first is judged, and later passes of a
        system count as repeated runs.
    length
        Column with the length of each item's text, for the bias towards long answers; for
        pairwise items, the length of the first answer minus the length of the second. Of units,
        the length of the document in the unit of the offsets.
    positions
        For pairwise items, the two labels that choose the answer shown first and the answer shown
        second in pass 1. In even passes of a system, the order of the answers was reversed.
    earlier
        The earlier run of a system, ``{"gpt": "gpt-january"}``; both are among the systems.
    epsilon
        How much worse than an annotator a system may be, given its lower cost. Default: set by
        ``expertise``, else 0.1.
    expertise
        Expertise of the annotators: ``expert`` (0.2), ``skilled`` (0.15) or ``crowd`` (0.1).
    alignment
        How well a label fits the labels of the other annotators: ``accuracy``, ``rmse`` (labels
        that are numbers), ``similarity`` (1 minus the ``distance``), or a function of
        two labels that returns their similarity. For units: ``exact_f``, ``type_f``, ``overlap_f``,
        or ``disorder`` (1 minus the disorder of the best alignment, as a share of its maximum).
    scale, distance, categories
        As for :func:`agreement`, for the alignments ``similarity`` and ``disorder``.
    missing
        Whether items without a label of the system count as ``lost`` or are ``excluded``.
    min_items
        Minimum number of items that an annotator in the panel shares with others.
    error
        Maximum probability of a wrong verdict, one-sided; intervals have level 1 − 2 ``error``.
    replicates, seed, rng
        Number of resamples for the stability of the verdict, and random seed or generator.
    position, alpha, beta, delta_empty, unlabelled_distance
        The dissimilarity of two units, for the alignment ``disorder``, as for :func:`gamma`.

    Returns
    -------
    Replacement
        One verdict per system: ``may``, ``may_not`` or ``undecided``.

    References
    ----------
    Calderon, Reichart & Dror (2025), The Alternative Annotator Test for LLM-as-a-Judge, ACL.
    """
    from ..metrics.replacement.replacement_options import alignment_for
    from ..tasks.inputs.assessment_options import ReplaceOptions
    from ..tasks.replacement.replacement_in_exports import replacement_in_exports

    if not systems:
        raise MetricsError("there is no system to judge: give systems=[name, …]")
    own = alignment if callable(alignment) else None
    of_units = are_units(data, start, category)
    if of_units:
        if own:
            raise MetricsError("for units, alignment must be a name, not a function")
        alignment = alignment_for(alignment, of_units=True)  # type: ignore[arg-type]
    options = make_options(
        ReplaceOptions,
        expertise=expertise,
        epsilon=epsilon,
        alignment="similarity" if own else alignment,
        missing=missing,
        min_items=min_items,
        error=error,
        replicates=replicates,
        seed=seed_of(seed, rng),
        distance=given_category_distance(scale, distance, categories),
        positions=tuple(positions),
        earlier=dict(earlier),
        position=position,
        alpha=alpha,
        beta=beta,
        delta_empty=delta_empty,
        unlabelled_distance=unlabelled_distance,
    )
    table: Given
    if of_units:
        places = (document or "document", annotator, start, end, category)
        table, kind = unit_table(data, *places, pass_=pass_)
    else:
        table, kind = label_table(data, item, annotator, label, document, pass_)
    of = (document or "document", None) if of_units else (item, document_column(data, document))
    lengths = None if length is None else _lengths(data, *of, length)
    names = [systems] if isinstance(systems, str) else [str(one) for one in systems]
    how = dataclasses.replace(
        reading_with_order(
            table, category_order(categories, data, category if of_units else label)
        ),
        roles=dict.fromkeys(names, Role.SYSTEM),
    )
    found = replacement_in_exports([table], names, how, options, own=own, lengths=lengths)
    return Replacement(found, kind)


def _lengths(
    data: Any, item: Column, document: Column | None, length: Column
) -> dict[tuple[str, str], float]:
    """Return the lengths by item. Raises MetricsError for a length that is not a number."""
    columns, _ = requested_columns(data, {"item": item, "document": document, "length": length})
    items = names_of(columns["item"], "item").to_pylist()
    homes = [""] * len(items)
    if document:
        homes = names_of(columns["document"], "document").to_pylist()
    try:
        given = [math.nan if one is None else float(one) for one in cell_values(columns["length"])]
    except (TypeError, ValueError):
        raise MetricsError("length must be a column of numbers") from None
    return dict(zip(zip(homes, items, strict=True), given, strict=True))


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} × {n}" for name, n in counts.items())


def _columns(systems: Sequence[Any]) -> dict[str, list[Any]]:
    return values_by_column(
        systems,
        text("system", lambda one: one.system),
        text("verdict", lambda one: one.panel.verdict if one.panel else ""),
        number("stability", lambda one: one.panel.stability if one.panel else None),
        text("is_stable", lambda one: one.panel.is_stable if one.panel else False),
        number("advantage", lambda one: one.values[0].value),
        interval("", lambda one: one.values[0].interval),
        text(
            "new_annotators", lambda one: one.new_annotators.verdict if one.new_annotators else ""
        ),
        text("after_holm", lambda one: one.after_holm),
        number("winning_rate", lambda one: one.values[1].value),
        number("advantage_probability", lambda one: one.values[2].value),
        text("passed", lambda one: one.passed),
        text("reason", lambda one: str(one.values[0].reason or "")),
    )
