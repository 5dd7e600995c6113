"""Model judges checked against the humans who label the same items, from data frames."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from ..data.schema import Role
from ..metrics.close_names import did_you_mean
from ..metrics.estimate import Estimate
from ..reports.columns import Table, interval, number, text, values_by_column
from ..tasks.inputs.measure_names import name_in_results
from .distances import Distance, Scale, given_category_distance
from .frames import Column, Kind, category_order, reading_with_order
from .keyword_options import Rng, make_options, public, seed_of
from .label_tables import Annotators, label_table
from .reading import Data
from .result import InSentences, written
from .value import Values, value_from_estimate


class JudgeCheck(InSentences):
    """Judges beside the human ceiling, against a reference, and the verdict on each.

    ``to_frame`` has a row for each judge and score, category or coefficient; ``part`` says which.
    ``check["gpt", "cohen_kappa"]`` is a value, ``check["gpt"]`` are those of a judge.

    Attributes
    ----------
    agreement
        Agreement of the humans alone, the human ceiling; empty with one human.
    human_ratings
        Numeric labels: correlations and ICC of the humans, mean over their pairs; else empty.
    verdicts
        Name of the judge → ``passed``, ``failed`` or ``undecided``.
    reference
        What the scores are against: ``majority`` (of the humans), or an annotator.
    """

    def __init__(self, found: Any, kind: Kind = "pandas", result: Any = None) -> None:
        self._found, self._kind = found, kind
        if result is not None:  # a campaign's check has no account of rows
            self._take_account(result)
        self.agreement = Values(found.agreement, rows=self.rows, kind=kind)
        self.human_ratings = Values(found.human_ratings, kind=kind)
        self.verdicts = {one.system: str(one.outcome) for one in found.verdicts}
        self.reference = found.reference

    @property
    def sentences(self) -> list[str]:
        """The verdicts, and what is said beside the tables."""
        return [block for block in self._blocks() if isinstance(block, str)]

    def _blocks(self) -> Iterable[str | Table]:
        from ..reports.judges import MESSAGES, blocks
        from ..reports.language import Language

        return blocks(Language("en", MESSAGES), self._found)

    def __getitem__(self, key: str | tuple[str, str]) -> Any:
        """Return a value by `(judge, measure)`, or a judge's values by its name.

        A category in place of the measure gives its scores. With one judge, its name may be
        omitted; with several, a measure alone gives the value of each. Raises KeyError if unknown.
        """
        every = [*dict.fromkeys(row[1] for row in self._values)]
        *of_judge, name = key if isinstance(key, tuple) else (key,)
        is_judge = not of_judge and name in every
        judges = of_judge or ([name] if is_judge else every)
        own = [row for row in self._values if row[1] in judges]
        names = [*dict.fromkeys(row[2] or row[3].measure for row in own)]
        name = name if name in names else name_in_results(str(name), names)
        chosen = [row for row in own if (row[2] or row[3].measure) == name]
        chosen = [row for row in own if not row[2]] if is_judge else chosen
        if not chosen:
            known = names if of_judge and names else [*every, *names]
            hint = did_you_mean(str(name if names else of_judge[0]), known)
            raise KeyError(f"no value {key!r}: {hint}there are {', '.join(known)}")
        if len(chosen) == 1:
            return value_from_estimate(chosen[0][3])
        by, at = ("part", 0) if len(judges) == 1 else ("judge", 1)
        values, parts = [row[3] for row in chosen], [str(row[at]) for row in chosen]
        return Values(values, by=by, parts=parts, kind=self._kind)

    @property
    def _values(self) -> list[tuple[str, str, str, Estimate]]:
        """Part, judge, category and value of each row of the table."""
        found, rows = self._found, list[tuple[str, str, str, Estimate]]()
        for one in (*found.candidates, *found.ratings):
            rows += [("candidate", one.system, "", each.mean) for each in one.measures]
        for one in found.scores:
            rows += [("score", one.system, "", value) for value in (*one.values, *one.confidence)]
            rows += [
                ("score", one.system, part.category, value)
                for part in one.categories
                for value in part.values
            ]
        return rows

    def _columns(self) -> dict[str, list[Any]]:
        return values_by_column(
            self._values,
            text("part", lambda row: row[0]),
            text("judge", lambda row: row[1]),
            text("category", lambda row: row[2]),
            *_of_value(),
        )

    def candidates(self, kind: Kind | None = None) -> Any:
        """One row per judge, human and coefficient. These values are not agreement of humans."""
        rows = [
            (one.system, pair.annotator, pair.value)
            for one in (*self._found.candidates, *self._found.ratings)
            for each in one.measures
            for pair in each.pairs
        ]
        columns = values_by_column(
            rows,
            text("judge", lambda row: row[0]),
            text("annotator", lambda row: row[1]),
            *_of_value(),
        )
        return self._frame(columns, kind)

    def slices(self, kind: Kind | None = None) -> Any:
        """One row per slice, judge and value; `part` says candidate or score."""
        rows = []
        for one in self._found.slices:
            rows += [("candidate", one, "", value) for value in one.candidate]
            rows += [("score", one, "", value) for value in one.scores]
            rows += [
                ("score", one, part.category, value)
                for part in one.categories
                for value in part.values
            ]
        columns = values_by_column(
            rows,
            text("part", lambda row: row[0]),
            text("slice", lambda row: row[1].name),
            text("judge", lambda row: row[1].system),
            text("category", lambda row: row[2]),
            *_of_value(),
        )
        return self._frame(columns, kind)

    def confusion(self, kind: Kind | None = None) -> Any:
        """One row per judge, label of the reference and label of the judge (see `items`)."""
        rows = [(one.system, cell) for one in self._found.scores for cell in one.confusion]
        columns = values_by_column(
            rows,
            text("judge", lambda row: row[0]),
            text("reference", lambda row: row[1].reference),
            text("label", lambda row: row[1].label),
            number("n", lambda row: row[1].n),
        )
        return self._frame(columns, kind)

    def items(self, judge: str, reference: str, label: str) -> list[str]:
        """Return the items that the reference labels `reference` and the judge `label`, up to 100.

        Raises KeyError for an unknown judge. ``label=""`` means no label.
        """
        cells = {one.system: one.confusion for one in self._found.scores}
        if judge not in cells:
            raise KeyError(f"{judge!r}; there are {', '.join(cells)}")
        return [
            item
            for cell in cells[judge]
            if (cell.reference, cell.label) == (str(reference), str(label))
            for item in cell.items
        ]

    def bars(self, kind: Kind | None = None) -> Any:
        """One row per judge and bar: the bar, the value with its interval, the outcome."""
        rows = [one for verdict in self._found.verdicts for one in verdict.bars]
        columns = values_by_column(
            rows,
            text("judge", lambda one: one.system),
            text("measure", lambda one: one.measure),
            text("category", lambda one: one.of),
            text("operator", lambda one: one.operator),
            number("threshold", lambda one: one.threshold),
            number("value", lambda one: one.value.value),
            interval("", lambda one: one.value.interval),
            text("outcome", lambda one: str(one.outcome)),
        )
        return self._frame(columns, kind)

    def to_markdown(
        self,
        path: str | Path | None = None,
        *,
        columns: Sequence[str] | None = None,
        digits: int = 3,
    ) -> str:
        """Return all sentences and tables as Markdown, or some columns of the table of values."""
        if columns is not None:
            return super().to_markdown(path, columns=columns, digits=digits)
        from ..reports.judge_documents import markdown
        from ..reports.judges import MESSAGES
        from ..reports.language import Language

        return written(markdown(Language("en", MESSAGES), self._found), path)


def _of_value() -> list[Any]:
    """Return the columns of the value that ends each row."""
    return [
        text("measure", lambda row: row[-1].measure),
        number("value", lambda row: row[-1].value),
        interval("", lambda row: row[-1].interval),
        number("n_items", lambda row: row[-1].n_items),
        text("reason", lambda row: str(row[-1].reason or "")),
    ]


@public(judge="judges")
def judge(
    data: Data,
    *,
    judges: str | Sequence[str],
    item: Column = "item",
    annotator: Annotators = "annotator",
    label: Column = "label",
    document: Column | None = None,
    reference: str | None = None,
    by: Column | None = None,
    bars: str | None = None,
    panel: bool = False,
    audit_is_random: bool = False,
    drawn_by: Literal["item", "label", "document"] = "item",
    expertise: Literal["expert", "skilled", "crowd"] | None = None,
    epsilon: float | None = None,
    missing: Literal["lost", "excluded"] = "lost",
    min_items: int = 30,
    positions: Sequence[str] = (),
    earlier: Mapping[str, str] = {},
    lengths: str | None = None,
    confidence: str | None = None,
    scale: Scale = "nominal",
    distance: Distance | None = None,
    categories: Sequence[Any] = (),
    confidence_level: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
    rng: Rng | None = None,
) -> JudgeCheck:
    """Check model judges against the humans who label the same items.

    The humans' agreement is the human ceiling. Each judge is compared with each human by the same
    coefficients, as a candidate annotator; it never enters the humans' agreement. Scores are
    against a reference. The verdict is by bars, or by whether the judge may replace a human.

    Parameters
    ----------
    data, item, annotator, label, document
        As for :func:`agreement`; the judges are annotators among the others.
    judges
        The name of a judge, or the names of several, which are then also compared in pairs.
    reference
        ``majority`` of the humans, or the name of an annotator. Default: the annotator with the
        role reference if there is one, else the majority.
    by
        A column that says something of each item, such as a topic, in data with a row for each
        label: also the values on the items of each of its texts.
    bars
        Path of a TOML file of what a judge must reach (``[[bars]]``).
    panel
        Whether the majority of the judges is judged as one more judge, ``panel``.
    audit_is_random, drawn_by
        Whether, and how, the items that humans labelled were drawn at random: then the share of
        each category in all items is corrected for the judge's errors.
    expertise, epsilon, missing, min_items
        As for the verdict whether a system may replace an annotator.
    positions, earlier, lengths
        The two categories of pairwise items by the order shown, earlier runs of judges under names
        of their own, a table of the lengths of items: checks of position, drift and length.
    confidence
        Path of a table with the columns item and confidence, and annotator for several judges:
        Brier score, calibration error and reliability.
    scale, distance, categories
        Distance between categories for the coefficients, as for :func:`agreement`.
    confidence_level, replicates, seed, rng
        As for :func:`agreement`.

    Returns
    -------
    JudgeCheck
        Verdicts, human ceiling, candidates, scores, confusion, corrected shares.

    Raises
    ------
    DataError
        A judge without labels; no human; items with several labels; a bar on a value that is not
        computed.

    Examples
    --------
    >>> import accordeur as acc
    >>> rows = [
    ...     (f"i{i}", who, "yes" if i % 3 == 0 or (who == "gpt" and i == 4) else "no")
    ...     for i in range(30)
    ...     for who in ("ann", "ben", "gpt")
    ... ]
    >>> found = acc.judge(rows, judges="gpt", item=0, annotator=1, label=2)
    >>> found.verdicts
    {'gpt': 'undecided'}
    >>> found.items("gpt", "no", "yes")
    ['i4']
    """
    from ..tasks.candidates.judge_exports import judge_exports
    from ..tasks.inputs.assessment_options import JudgeOptions

    names = [judges] if isinstance(judges, str) else [str(one) for one in judges]
    options = make_options(
        JudgeOptions,
        reference=reference,
        by=None if by is None else str(by),
        bars=None if bars is None else str(bars),
        panel=panel,
        audit_is_random=audit_is_random,
        drawn_by=drawn_by,
        expertise=expertise,
        epsilon=epsilon,
        missing=missing,
        min_items=min_items,
        positions=tuple(positions),
        earlier=dict(earlier),
        lengths=None if lengths is None else str(lengths),
        confidence=None if confidence is None else str(confidence),
        distance=given_category_distance(scale, distance, categories),
        confidence_level=confidence_level,
        replicates=replicates,
        seed=seed_of(seed, rng),
    )
    table, kind = label_table(data, item, annotator, label, document)
    reading = dataclasses.replace(
        reading_with_order(table, category_order(categories, data, label)),
        roles=dict.fromkeys(names, Role.SYSTEM),
    )
    result = judge_exports([table], names, reading, options)
    return JudgeCheck(result.found, kind, result)
