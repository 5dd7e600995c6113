"""What a corpus contains, from data frames of a system's labels and a human audit."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from ..data.readers.tables.given import Given
from ..data.schema import Role
from ..metrics.errors import MetricsError
from ..metrics.prevalence.prevalence_options import Draw, Target, Wanted
from ..reports.columns import interval, number, text, values_by_column
from .frames import Column, Kind, category_order, reading_with_order
from .keyword_options import make_options, public
from .label_tables import Annotators, label_table
from .reading import Data
from .result import InSentences


class CorpusEstimate(InSentences):
    """Corrected shares, accuracies and means of a corpus; ``found["hate"]`` is a share.

    Attributes
    ----------
    systems
        One entry for each system, with ``system``, ``n_items``, ``n_audited``, ``shares``,
        ``accuracy``, ``mean`` and ``changes``. A share, an accuracy and a mean have ``naive`` (the
        system alone, not valid), ``humans`` and ``humans_interval`` (the audit alone), ``value``
        and ``interval`` (corrected), and ``reason``, why there is no value. A share also has
        ``category``, ``n_hits``, ``saving``, ``worth``, ``n_needed`` and ``textbook``.
    differences
        The differences of the systems' accuracies, with ``first``, ``second``, ``value`` and
        ``interval``.
    agreement
        Krippendorff's α of the humans of the audit, if there are several.
    """

    def __init__(self, result: Any, kind: Kind) -> None:
        self._found, self._kind = result.found, kind
        self.systems, self.differences = result.found.systems, result.found.differences
        self.agreement = result.found.agreement
        self._take_account(result)

    def __getitem__(self, category: Any) -> Any:
        """Return the share of a category, of the first system. Raises KeyError if unknown."""
        shares = {one.category: one for one in self.systems[0].shares}
        if str(category) not in shares:
            raise KeyError(f"no category {category!r}; there are {', '.join(shares)}")
        return shares[str(category)]

    @property
    def sentences(self) -> list[str]:
        """How the audit was drawn, what is estimated, accuracies, means, differences, savings."""
        from ..reports import estimates
        from ..reports.language import Language

        say, found = Language("en", estimates.MESSAGES), self._found
        said = estimates.about_sentences(say, found)
        for one in found.systems:
            said += estimates.system_sentences(say, one, found.level)
        differences = found.differences
        return said + [estimates.difference_sentence(say, one, found.level) for one in differences]

    def _columns(self) -> dict[str, list[Any]]:
        """One row per system and category."""
        rows = [(one, share) for one in self.systems for share in one.shares]
        return values_by_column(
            rows,
            text("system", lambda row: row[0].system, when=len(self.systems) > 1),
            text("category", lambda row: row[1].category),
            number("naive", lambda row: row[1].naive),
            number("humans", lambda row: row[1].humans),
            interval("humans_", lambda row: row[1].humans_interval),
            number("value", lambda row: row[1].value),
            interval("", lambda row: row[1].interval),
            number("n_audited", lambda row: row[0].n_audited),
            number("n_hits", lambda row: row[1].n_hits),
            number("saving", lambda row: row[1].saving),
            number("n_needed", lambda row: row[1].n_needed, when=bool(self._found.wanted_width)),
            text("reason", lambda row: str(row[1].reason or "")),
        )


@public()
def estimate(
    data: Data,
    *,
    systems: str | Sequence[str],
    item: Column = "item",
    annotator: Annotators = "annotator",
    label: Column = "label",
    document: Column | None = None,
    audit_is_random: bool = False,
    queue: str | None = None,
    drawn_by: Draw = "item",
    measures: Wanted | Sequence[Wanted] = ("share", "accuracy"),
    only: str | Sequence[str] = (),
    categories: Sequence[Any] = (),
    target: Target = "majority",
    before: Data | None = None,
    wanted_width: float | None = None,
    simultaneous: bool = False,
    textbook: bool = False,
    confidence_level: float = 0.95,
) -> CorpusEstimate:
    """Estimate how often a corpus contains each category, if a system labelled all of it.

    Humans label a random part of the items, the audit. Each share is corrected by it, one category
    against the rest, and has an interval that also covers after small audits.

    Parameters
    ----------
    data, item, annotator, label, document
        As for :func:`agreement`; the system is an annotator among the others.
    systems
        The name of the system, or the names of several, whose accuracies are then compared.
    audit_is_random
        Your word that the audited items were drawn at random; the result states it.
    queue
        Queue of ``accordeur next`` that drew the audit, in place of your word.
    drawn_by
        How the audit was drawn: ``item``; ``label``, at random among the items of each label of the
        system; or ``document``, whole documents.
    measures
        ``share``, ``accuracy`` (of the system) and ``mean`` (of an ordered or numeric label).
    only
        Only the shares of these categories.
    categories
        All categories, in the order of the scale for their mean.
    target
        If several humans label an item: ``majority`` or ``dawid_skene``.
    before
        An earlier batch with an audit of its own, to see how the shares have changed.
    wanted_width
        Width of an interval, from end to end: ``n_needed`` is the number of items to audit for it.
    simultaneous
        Whether the intervals of the shares hold together (Bonferroni).
    textbook
        Whether to add the corrections of the literature, for comparison.
    confidence_level
        Level of the intervals.

    Returns
    -------
    CorpusEstimate
        Shares, accuracies, means and differences, each with its interval.

    Raises
    ------
    DataError
        Nothing says that the audit is random; no label of the system or of a human; items with
        several labels.
    """
    from ..tasks.inputs.assessment_options import EstimateOptions
    from ..tasks.prevalence.estimate_exports import estimate_in_exports

    names = [systems] if isinstance(systems, str) else [str(one) for one in systems]
    if not names:
        raise MetricsError("there is no system: give systems=name")
    options = make_options(
        EstimateOptions,
        audit_is_random=audit_is_random,
        queue=None if queue is None else str(queue),
        drawn_by=drawn_by,
        measures=_names(measures),
        only=_names(only),
        target=target,
        wanted_width=wanted_width,
        simultaneous=simultaneous,
        textbook=textbook,
        confidence_level=confidence_level,
    )
    table, kind = label_table(data, item, annotator, label, document)
    earlier: Given | None = None
    if before is not None:
        earlier, _ = label_table(before, item, annotator, label, document)
    reading = dataclasses.replace(
        reading_with_order(table, category_order(categories, data, label)),
        roles=dict.fromkeys(names, Role.SYSTEM),
    )
    found = estimate_in_exports([table], names, reading, options, before=earlier)
    return CorpusEstimate(found, kind)


def _names(given: str | Sequence[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(str(one) for one in given)
