"""Verdicts on whether a system may replace an annotator, from data frames; not agreement."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..data.schema import Role
from ..metrics.errors import MetricsError
from .exports import as_export
from .frames import Column, Frame, Kind, columns_of, frame_of, html_table, order_of
from .frames import names as names_of
from .labels import label_columns
from .options import options_of
from .units import unit_columns


class Replacement(Sequence[Any]):
    """Verdicts on systems, one for each; ``found["gpt"]`` is the verdict on ``gpt``.

    Each has ``system``, ``values`` (advantage, winning rate ω, average advantage probability ρ),
    ``panel`` and ``new_annotators`` (decisions with ``verdict``, ``interval``, ``stability`` and
    ``more``), ``after_holm``, ``passed`` (the alt-test), ``curve``, ``parts``, ``lost`` and
    ``checks``.

    Attributes
    ----------
    epsilon
        The ε used.
    rows
        Account of the rows.
    warnings
        Warnings about the verdicts, as sentences.
    """

    def __init__(self, result: Any, kind: Kind) -> None:
        from ..reports.warnings import english

        self._found, self._kind, self._agreement = result.found, kind, result.agreement
        self.epsilon, self.rows = result.found.epsilon, result.rows
        self.rejected = list(result.rejected)
        self.warnings = [english(one) for one in result.warnings]

    def __len__(self) -> int:
        return len(self._found.systems)

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

    def to_frame(self, kind: Kind | None = None) -> Frame:
        """One row per system."""
        return frame_of(_columns(self._found.systems), kind or self._kind)

    def curve(self, kind: Kind | None = None) -> Frame:
        """ω and the verdict over ε, one row per system and ε; ρ does not depend on ε."""
        points = [(one, point) for one in self for point in one.curve]
        columns = {
            "system": [one.system for one, _ in points],
            "epsilon": [point.epsilon for _, point in points],
            "winning_rate": [point.winning_rate for _, point in points],
            "advantage_probability": [one.values[2].value for one, _ in points],
            "verdict": [point.verdict for _, point in points],
        }
        return frame_of(columns, kind or self._kind)

    def parts(self, kind: Kind | None = None) -> Frame:
        """The advantage and the verdict on the items of each category and of large documents."""
        parts = [(one.system, part) for one in self for part in one.parts]
        columns = {
            "system": [system for system, _ in parts],
            "kind": [part.kind for _, part in parts],
            "part": [part.name for _, part in parts],
            "advantage": [part.value.value for _, part in parts],
            "lower": [part.value.interval[0] for _, part in parts],
            "upper": [part.value.interval[1] for _, part in parts],
            "n_items": [part.value.n_items for _, part in parts],
            "verdict": [part.verdict for _, part in parts],
        }
        return frame_of(columns, kind or self._kind)

    def lost(self, kind: Kind | None = None) -> Frame:
        """Items on which the annotators agree with one another better than with the system.

        For units, the items are documents, with the number of units that each annotator marked.
        """
        items = [(one.system, lost) for one in self for lost in one.lost]
        columns: dict[str, list[Any]] = {"system": [system for system, _ in items]}
        if self._found.kind == "units":
            columns |= {
                "document": [lost.item for _, lost in items],
                "n_units": [lost.n_units for _, lost in items],
                "units": [_counts(lost.units) for _, lost in items],
            }
        else:
            columns |= {
                "document": [lost.document for _, lost in items],
                "item": [lost.item for _, lost in items],
                "label": [lost.label for _, lost in items],
                "labels": [_counts(lost.labels) for _, lost in items],
            }
        columns["advantage"] = [lost.advantage for _, lost in items]
        return frame_of(columns, kind or self._kind)

    def checks(self, kind: Kind | None = None) -> Frame:
        """Checks of each system: consistency over runs, drift, position and length bias."""
        checks = [(one.system, value) for one in self for value in one.checks]
        columns = {
            "system": [system for system, _ in checks],
            "check": [value.measure for _, value in checks],
            "value": [value.value for _, value in checks],
            "lower": [value.interval[0] for _, value in checks],
            "upper": [value.interval[1] for _, value in checks],
            "n_items": [value.n_items for _, value in checks],
        }
        return frame_of(columns, kind or self._kind)

    def checklist(self, kind: Kind | None = None) -> Frame:
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
        columns = {
            "system": [system for system, _ in points],
            "point": [point.title for _, point in points],
            "is_filled": [point.is_filled for _, point in points],
            "text": [point.text for _, point in points],
        }
        return frame_of(columns, kind or self._kind)

    def to_dict(self) -> dict[str, Any]:
        """Return the verdicts as printed by ``accordeur replace --json``."""
        return dict(self._found.model_dump(mode="json"))

    def __repr__(self) -> str:
        return "\n".join([*self.sentences, *(f"warning: {one}" for one in self.warnings)])

    def _repr_html_(self) -> str:
        return html_table(self.to_frame("pandas"))


def replace(
    data: Frame,
    *,
    systems: Sequence[str],
    item: Column = "item",
    annotator: Column = "annotator",
    label: Column = "label",
    document: Column | None = None,
    start: Column | None = None,
    end: Column | None = None,
    category: Column | None = None,
    pass_: Column | None = None,
    length: Column | None = None,
    positions: Sequence[str] = (),
    earlier: Mapping[str, str] = {},
    epsilon: float | None = None,
    expertise: str | None = None,
    alignment: str | Callable[[str, str], float] = "accuracy",
    level: str = "nominal",
    distances: Any = None,
    order: Sequence[Any] = (),
    missing: str = "lost",
    min_items: int = 30,
    error: float = 0.05,
    replicates: int = 1000,
    seed: int = 0,
    **weights: Any,
) -> Replacement:
    """Test whether a system may replace an annotator: alt-test, and a verdict with its stability.

    Parameters
    ----------
    data, item, annotator, label, document
        As for :func:`agreement`; the systems are annotators among the others.
    systems
        The names of the systems.
    start, end, category
        Columns of located units, as for :func:`gamma`, in place of ``item`` and ``label``. Each
        document is then an item, and the alignment is ``exact_f`` unless another is given.
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
        that are numbers), ``similarity`` (1 minus the distance of the ``level``), or a function of
        two labels that returns their similarity. For units: ``exact_f``, ``type_f``, ``overlap_f``,
        or ``disorder`` (1 minus the disorder of the best alignment, as a share of its maximum).
    level, distances, order
        As for :func:`agreement`, for the alignments ``similarity`` and ``disorder``.
    missing
        Whether items without a label of the system count as ``lost`` or are ``excluded``.
    min_items
        Minimum number of items that an annotator in the panel shares with others.
    error
        Maximum probability of a wrong verdict, one-sided; intervals have level 1 − 2 ``error``.
    replicates, seed
        Number of resamples for the stability of the verdict, and random seed.
    weights
        For the alignment ``disorder``: ``alpha``, ``beta``, ``delta_empty``, ``position`` and
        ``unlabelled_distance``, as for :func:`gamma`.

    Returns
    -------
    Replacement
        One verdict per system: ``may``, ``may_not`` or ``undecided``.

    References
    ----------
    Calderon, Reichart & Dror (2025), The Alternative Annotator Test for LLM-as-a-Judge, ACL.
    """
    from ..metrics.replacement.options import alignment_for
    from ..tasks.exports.options import ReplaceOptions
    from ..tasks.replacement.exports import replace_in_exports

    if not systems:
        raise MetricsError("there is no system to judge: give systems=[name, …]")
    own = alignment if callable(alignment) else None
    of_units = start is not None or end is not None
    if of_units:
        if own:
            raise MetricsError("for units, alignment must be a name, not a function")
        alignment = alignment_for(alignment, of_units=True)  # type: ignore[arg-type]
    options = options_of(
        ReplaceOptions,
        order=order,
        expertise=expertise,
        epsilon=epsilon,
        alignment="similarity" if own else alignment,
        missing=missing,
        min_items=min_items,
        error=error,
        replicates=replicates,
        seed=seed,
        distance=level,
        distances=distances,
        positions=tuple(positions),
        earlier=dict(earlier),
        **weights,
    )
    if of_units:
        places = (document or "document", annotator, start or "start", end or "end")
        columns, kind = unit_columns(data, *places, category, pass_=pass_)
    else:
        columns, kind = label_columns(data, item, annotator, label, document, pass_)
    of = (document or "document", None) if of_units else (item, document)
    lengths = None if length is None else _lengths(data, *of, length)
    with as_export(columns) as (path, reading):
        names = [systems] if isinstance(systems, str) else [str(one) for one in systems]
        roles = dict.fromkeys(names, Role.SYSTEM)
        how = dataclasses.replace(
            reading(order_of(order, data, label if start is None else category)),
            roles=roles,
        )
        found = replace_in_exports(path, names, how, options, own=own, lengths=lengths)
        return Replacement(found, kind)


def _lengths(
    data: Frame, item: Column, document: Column | None, length: Column
) -> dict[tuple[str, str], float]:
    """Return the lengths by item. Raises MetricsError for a length that is not a number."""
    columns, _ = columns_of(data, {"item": item, "document": document, "length": length})
    items = names_of(columns["item"], "item")
    homes = names_of(columns["document"], "document") if document else [""] * len(items)
    try:
        given = [math.nan if one is None else float(one) for one in columns["length"]]
    except (TypeError, ValueError):
        raise MetricsError("length must be a column of numbers") from None
    return dict(zip(zip(homes, items, strict=True), given, strict=True))


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} × {n}" for name, n in counts.items())


def _columns(systems: Sequence[Any]) -> dict[str, list[Any]]:
    rows = []
    for one in systems:
        advantage, rate, probability = one.values
        panel, new = one.panel, one.new_annotators
        rows.append(
            {
                "system": one.system,
                "verdict": panel.verdict if panel else "",
                "stability": panel.stability if panel else None,
                "is_stable": panel.is_stable if panel else False,
                "advantage": advantage.value,
                "lower": advantage.interval[0],
                "upper": advantage.interval[1],
                "new_annotators": new.verdict if new else "",
                "after_holm": one.after_holm,
                "winning_rate": rate.value,
                "advantage_probability": probability.value,
                "passed": one.passed,
                "reason": "" if advantage.reason is None else str(advantage.reason),
            }
        )
    return {name: [row[name] for row in rows] for name in (rows[0] if rows else ())}
