"""Located units: γ with its alignments, from data frames or exports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ..data.readers.tables.given import Given
from ..metrics.agreement.values_as_text import names_as_text
from ..metrics.errors import MetricsError
from ..metrics.estimate import Estimate
from ..metrics.options import Axis, Position, Process, Reconcile
from .alignments import Alignment
from .distances import Distance, Scale, given_category_distance
from .frames import (
    Column,
    Kind,
    category_order,
    reading_with_order,
)
from .keyword_options import Rng, make_options, public, seed_of
from .measure_names import UnitMeasure
from .reading import Data
from .unit_tables import unit_table
from .value import Parts, Value, Values, value_from_estimate, values_from_results

if TYPE_CHECKING:
    from ..metrics.units.gamma import GammaResult
    from ..reports.columns import Table
    from ..tasks.inputs.reading_options import Reading
    from ..tasks.inputs.unit_options import GammaOptions
    from ..tasks.units.gamma_of_exports import MeasuredUnits


@dataclass(frozen=True, repr=False, eq=False)
class Gamma(Value):
    """γ of a corpus, with γ-cat and the alignment of each document.

    Attributes
    ----------
    values
        γ and γ-cat (or the requested measure), with the account of rows and warnings.
    """

    values: Values = field(default_factory=lambda: Values(()))
    _measured: MeasuredUnits | None = None
    _kind: Kind = "pandas"

    @property
    def notes(self) -> list[str]:
        """The notes of its `values`."""
        return [*super().notes, *self.values.notes]

    def __repr__(self) -> str:
        return repr(self.values) if len(self.values) else super().__repr__()

    __str__ = __repr__

    def _blocks(self) -> Iterable[str | Table]:
        return [*self.values._blocks(), self.sentence] if len(self.values) else super()._blocks()

    def __getitem__(self, key: str) -> Value | Any:
        """Return one of `values` by its measure. Raises KeyError for another name."""
        return self.values[key]

    @property
    def category(self) -> Value:
        """γ-cat, the agreement on the categories of aligned units."""
        if "gamma_cat" not in self.values.measures:
            raise MetricsError(f"{self.measure} has no γ-cat: take the measure gamma")
        found: Value = self.values["gamma_cat"]
        return found

    @property
    def errors(self) -> Any:
        """Data frame with the loss of γ due to missing units, boundaries and categories.

        ``share`` is the share of the observed disorder. Without errors of that cause, γ would be
        higher by ``cost`` with the same alignment; the costs sum to 1 − γ.
        """
        costs = self._alignments()[0].found.error_costs
        names = ("cause", "share", "disorder", "cost")
        return self._frame({name: [getattr(one, name) for one in costs] for name in names})

    @property
    def explained(self) -> Values:
        """Found, where, what: three values that explain γ, from its alignments.

        ``units_found`` is the share of the units that are aligned with a unit of the other
        annotator, ``bounds_of_found`` the mean overlap of two aligned units (shared over joint
        length), ``category_of_found`` the share of the aligned pairs with the same category.
        """
        return Values(self._alignments()[0].found.explained, kind=self._kind)

    @property
    def documents(self) -> Any:
        """Data frame with the value of each document."""
        measured, result = self._alignments()
        rows = result.documents
        columns: dict[str, Sequence[Any]] = {
            "document": list(measured.units.names),
            "value": [one.value for one in rows],
            "observed": [one.observed for one in rows],
            "n_units": [one.n_items for one in rows],
            "reason": ["" if one.reason is None else str(one.reason) for one in rows],
        }
        return self._frame(columns)

    def alignment(self, document: str) -> Alignment:
        """Return the best alignment of one document. Raises MetricsError if there is none."""
        measured, result = self._alignments()
        document = str(document)
        names = measured.units.names
        if document not in names:
            raise MetricsError(
                f"no document {document!r}; the documents are {', '.join(names[:20])}"
            )
        k = names.index(document)
        found = result.alignments[k]
        if found is None:
            raise MetricsError(f"{document!r} has fewer than two annotators: nothing is aligned")
        return Alignment(document, measured.units.continua[k], found, self._kind)

    def to_document(self) -> dict[str, Any]:
        """Return plain values of each measure, as printed by ``accordeur gamma --json``."""
        return {"results": [one.to_dict() for one in self.values]}

    def to_dict(self) -> dict[str, Any]:
        """Return the values without the alignments, for `from_dict`."""
        own = value_from_estimate(self).to_dict()
        return {**own, "values": self.values.to_dict(), "kind": self._kind}

    @classmethod
    def from_dict(cls, row: Mapping[str, Any]) -> Gamma:
        """Return the values of `to_dict`. Raises ValueError for an unknown field."""
        own = dict(row)
        values, kind = Values.from_dict(own.pop("values", {})), own.pop("kind")
        given = Value.from_dict(own)
        fields_of = {one.name: getattr(given, one.name) for one in fields(Value)}
        return cls(**fields_of, values=values, _kind=kind)

    def _alignments(self) -> tuple[MeasuredUnits, GammaResult]:
        if self._measured is None or self._measured.result is None:
            raise MetricsError(
                f"{self.measure} aligns no documents, or was read from JSON: take the measure gamma"
            )
        return self._measured, self._measured.result


@public(measure="measure")
def gamma(
    data: Data,
    *,
    document: Column | None = "document",
    annotator: Column = "annotator",
    start: Column = "start",
    end: Column = "end",
    category: Column | None = "category",
    length: Column | None = None,
    scale: Scale = "nominal",
    distance: Distance | None = None,
    categories: Sequence[Any] = (),
    measure: UnitMeasure = "gamma",
    by: Parts | None = None,
    layer: str | None = None,
    options: Mapping[str, str] | None = None,
    queue: str | None = None,
    position: Position | None = None,
    alpha: float = 1.0,
    beta: float = 1.0,
    delta_empty: float | None = None,
    unlabelled_distance: float = 1.0,
    processes: Process | Sequence[Process] = (),
    precision: float = 0.01,
    min_samples: int = 30,
    max_samples: int = 10_000,
    reconcile: Reconcile = "rescale",
    min_gap: float = 1.0,
    axis: Axis = "real",
    max_documents: int = 20_000,
    min_overlap: float = 0.0,
    tolerance: int = 0,
    trim: bool = False,
    empty_pairs: bool = False,
    interval: Literal["bootstrap", "annotators"] = "bootstrap",
    confidence_level: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
    rng: Rng | None = None,
) -> Gamma | Any:
    """γ of units that annotators located themselves, with the exact best alignments.

    Parameters
    ----------
    data
        One row per unit: a frame, a dictionary of columns or a list of rows; or the path of an
        export of an annotation tool, with ``options`` of its format.
    document, annotator, start, end, category
        Names of the columns; ``document=None`` if all units are of one document. Bounds are
        whole numbers, with ``end`` after ``start``; durations, clock times (``0:01:02.5``) and
        numbers with decimals are seconds, kept as milliseconds. An annotator without a unit in a
        document counts as not having seen it; a row without bounds means that the annotator
        finished the document without marking a unit.
    length
        Column with the length of the row's document, which Krippendorff's measures need for the
        gaps before the first unit and after the last. Default: the span of the units.
    scale, distance, categories
        Distance between the categories, as for :func:`agreement`: the scale ``nominal``,
        ``ordinal`` or ``interval``, or the distance ``tree``, or a table.
    measure
        ``gamma``, or another measure on units, such as ``holistic``, ``u_alpha`` or ``pairwise_f``;
        ``gamma_k`` and ``ku_alpha`` give a value for each category.
    by
        Give γ (or a pairwise F) of each ``category``, of each ``pair`` of annotators, or without
        each ``annotator``, in place of the value of all; or any measure for each value of another
        column, such as the genre, or of several in a list, on the documents that have it. A part is
        measured alone; ``documents`` of the whole has γ of each with the expected disorder of all.
    layer
        The layer to measure, if the export or the column ``layer`` has several.
    queue
        Queue of ``accordeur next``, as for :func:`agreement`.
    position, alpha, beta, delta_empty, unlabelled_distance
        The dissimilarity of two units: how positions are compared (``positional``, ``sporadic``,
        ``hamming``), the weights of position and of category, the cost of the empty unit, and the
        distance between a unit without a category and one with.
    processes, precision, min_samples, max_samples, reconcile, min_gap, axis, max_documents
        Chance: the models that are sampled, how precisely, and how ``random2`` and ``shuffle`` make
        a sample.
    min_overlap, tolerance
        Of the pairwise F: the least overlap of two units that match, and the largest difference of
        bounds that count as the same.
    trim
        Whether blanks and punctuation at the edges of units are removed first.
    empty_pairs
        Whether γ-cat is also computed as in pygamma-agreement.
    interval
        ``bootstrap``, or ``annotators``: for new annotators of the same pool, too (wider).
    confidence_level, replicates, seed, rng
        As for :func:`agreement`.

    Returns
    -------
    Gamma
        The value, at most 1, with ``category`` (γ-cat), ``documents`` and ``alignment(document)``.
        It is ``nan``, with a ``reason``, if no document has units of two annotators.
    Values
        With ``by``, and for a measure of each category: a value for each part, by its name.

    Raises
    ------
    DataError
        No document with two annotators.
    MetricsError
        A missing column, a bound that is not a whole number, or an unknown measure or option.

    References
    ----------
    Mathet, Widlöcher & Métivier (2015), The Unified and Holistic Method Gamma, Computational
    Linguistics 41(3); γ-cat: Mathet (2017), Computational Linguistics 43(3).
    """
    from ..metrics.measures import UNITS
    from ..tasks.inputs.measure_names import require_known_measures
    from ..tasks.inputs.reading_options import Reading
    from ..tasks.inputs.unit_options import GammaOptions

    asked = make_options(
        GammaOptions,
        measure=measure,
        distance=given_category_distance(scale, distance, categories),
        queue=queue,
        position=position,
        alpha=alpha,
        beta=beta,
        delta_empty=delta_empty,
        unlabelled_distance=unlabelled_distance,
        processes=processes if isinstance(processes, str) else tuple(processes),
        precision=precision,
        min_samples=min_samples,
        max_samples=max_samples,
        reconcile=reconcile,
        min_gap=min_gap,
        axis=axis,
        max_documents=max_documents,
        min_overlap=min_overlap,
        tolerance=tolerance,
        trim=trim,
        empty_pairs=empty_pairs,
        interval=interval,
        confidence_level=confidence_level,
        replicates=replicates,
        seed=seed_of(seed, rng),
    )
    require_known_measures((asked.measure,), UNITS, "the measures on units are")
    if isinstance(data, str | Path):
        tagset = tuple(names_as_text(list(categories), "category"))
        reading = Reading(options=dict(options or {}), layer=layer, categories=tagset)
        return _run_gamma(Path(data), reading, asked, "pandas", by)
    if options:
        raise MetricsError(
            "options are those of a format, and data in memory have none: name a column, such as "
            'length="COLUMN", or give the path of a file'
        )
    table, kind = unit_table(data, document, annotator, start, end, category, length=length, by=by)
    reading = reading_with_order(table, category_order(categories, data, category))
    return _run_gamma(table, replace(reading, layer=layer), asked, kind, by)


def _run_gamma(
    given: Given, reading: Reading, asked: GammaOptions, kind: Kind, by: Parts | None
) -> Gamma | Values:
    from ..tasks.units.gamma_by_column import gamma_by
    from ..tasks.units.gamma_of_exports import gamma_with_alignments

    if by is not None:
        parts = ",".join(map(str, [by] if isinstance(by, str | int) else by))
        return values_from_results(gamma_by([given], reading, asked, parts), kind)
    done = gamma_with_alignments([given], reading, asked)
    values = values_from_results(done.found, kind)
    if values.by is not None:
        return values
    first = {one.name: getattr(values[0], one.name) for one in fields(Estimate)}
    return Gamma(**first, values=values, _measured=done, _kind=kind)
