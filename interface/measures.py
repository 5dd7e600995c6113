"""Measures as objects: what is known of each, and how its name is written and read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal, TypeAlias, overload

from ..metrics.close_names import did_you_mean
from ..metrics.errors import MetricsError
from ..metrics.measure import DataKind
from ..metrics.measure_text import MeasureText
from ..metrics.measures import COEFFICIENTS, MEASURES, UNITS, measure_of, split_variant
from .frames import Labels
from .keyword_options import Rng, public, require_choice
from .label_matrices import Matrix
from .measure_names import MeasureName
from .reading import Export
from .result import Listing
from .table_axes import Rows
from .value import Value

Compared: TypeAlias = Literal[
    "items", "objects", "units", "relations", "chains", "segments", "turns", "ratings",
    "distributions", "pairs of ratings", "labels of two groups of annotators",
]  # fmt: skip


class Measure(MeasureName):
    """A measure, with the distance that it is computed with if one was chosen.

    It is the text that :func:`measure` reads, and is accepted wherever the name of a measure is.
    Coefficients on items are functions: ``acc.measure("gwet_ac1")(first, second)``.
    """

    __slots__ = ()

    def __new__(cls, text: str) -> Measure:
        read = MeasureText.read(text)
        if split_variant(read.name)[1] not in MEASURES:
            hint = did_you_mean(read.name, MEASURES)
            raise MetricsError(f"no measure {read.name!r}; {hint}acc.measures() lists them")
        return super().__new__(cls, str(read))

    @property
    def __name__(self) -> str:
        """The text, as other packages name functions that they are given."""
        return str(self)

    @property
    def name(self) -> str:
        """Name without the distance."""
        return MeasureText.read(self).name

    @property
    def distance(self) -> str | None:
        """The distance that was chosen; None if none was."""
        return MeasureText.read(self).distance or None

    @property
    def words(self) -> str:
        """Name for use in a text: `Krippendorff's α`."""
        from ..reports.language import Language
        from ..reports.page.values import measure_name

        return measure_name(Language("en", ("",)), self.name)

    @property
    def symbol(self) -> str:
        """Symbol in papers; "" for a measure without one."""
        return measure_of(self.name).symbol

    @property
    def range(self) -> tuple[float, float]:
        """Lowest and highest value; infinite without a bound."""
        return measure_of(self.name).range

    @property
    def direction(self) -> str:
        """Which value is better: ``higher``, ``lower``, or in words where it is neither."""
        return self.facts["Better"]

    @property
    def needs(self) -> tuple[str, ...]:
        """Kinds of data that it compares: ``items``, ``units``, ``ratings`` …"""
        one = measure_of(self.name)
        return tuple(str(kind) for kind in dict.fromkeys((*one.agreement, *one.scores)))

    @property
    def takes_distance(self) -> bool:
        """Whether a distance between categories can be chosen for it."""
        name = self.name
        return name in UNITS or (name in COEFFICIENTS and COEFFICIENTS[name].weighted)

    @property
    def formula(self) -> list[str]:
        """Its formula, one line per equation."""
        from ..reports.measure_facts import formulas

        return formulas(measure_of(self.name))

    @property
    def facts(self) -> dict[str, str]:
        """What ``accordeur measures NAME`` prints, by heading."""
        from ..reports.language import Language
        from ..reports.measure_facts import facts

        return facts(measure_of(self.name), Language("en"))

    @property
    def citation(self) -> str:
        """Its publications: `Mathet, Widlöcher & Métivier 2015`."""
        from ..reports.bibliography import author_year_citation

        return author_year_citation(measure_of(self.name).sources)

    def bibtex(self) -> str:
        """Return the BibTeX entries of its publications."""
        from ..reports.bibliography import bibtex_of

        return bibtex_of(measure_of(self.name).sources)

    def __call__(
        self,
        matrix: Matrix | Export,
        other: Labels | None = None,
        *,
        rows: Rows | None = None,
        categories: Sequence[Any] | None = None,
        complete: bool = False,
        confidence_level: float = 0.95,
        replicates: int = 1000,
        seed: int = 0,
        rng: Rng | None = None,
    ) -> Value:
        """Compute a coefficient of a matrix of labels or of two lists, as :func:`coefficient`.

        Raises MetricsError for a measure of other data.
        """
        from .matrices import coefficient

        if self.name not in COEFFICIENTS:
            call = f"gamma(units, measure={str(self)!r})" if self.name in UNITS else "measures()"
            raise MetricsError(f"{self.name} compares {', '.join(self.needs)}: see acc.{call}")
        return coefficient(
            self,
            matrix,
            other,
            rows=rows,
            categories=categories,
            complete=complete,
            confidence_level=confidence_level,
            replicates=replicates,
            seed=seed,
            rng=rng,
        )

    def __repr__(self) -> str:
        return f"Measure({str(self)!r})"

    def _repr_html_(self) -> str:
        from html import escape

        known = {"Name": str(self), **self.facts, "Publications": self.citation}
        rows = "".join(
            f"<tr><th>{escape(heading)}</th><td>{escape(text.replace('`', ''))}</td></tr>"
            for heading, text in known.items()
        )
        return f"<p>{escape(self.words)}</p><table>{rows}</table>"


class Measures(Listing):
    """Measures as a table; ``found["gwet_ac1"]`` is one of them."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = list(names)

    def __len__(self) -> int:
        return len(self._names)

    def __iter__(self) -> Iterator[Measure]:
        return map(Measure, self._names)

    def __contains__(self, key: object) -> bool:
        return key in self._names

    @overload
    def __getitem__(self, key: str | int) -> Measure: ...

    @overload
    def __getitem__(self, key: slice) -> Measures: ...

    def __getitem__(self, key: str | int | slice) -> Measure | Measures:
        """Return a measure by index or by name. Raises KeyError for an unknown name."""
        if isinstance(key, slice):
            return Measures(self._names[key])
        if isinstance(key, str):
            if key not in self._names:
                raise KeyError(f"no measure {key!r} here: {did_you_mean(key, self._names)}")
            return Measure(key)
        return Measure(self._names[key])

    def _columns(self) -> dict[str, list[Any]]:
        """One row per measure: name, in words, symbol, needs, range, direction, publications."""
        every = [*self]
        return {
            "name": [one.name for one in every],
            "words": [one.words for one in every],
            "symbol": [one.symbol for one in every],
            "needs": [", ".join(one.needs) for one in every],
            "minimum": [one.range[0] for one in every],
            "maximum": [one.range[1] for one in every],
            "direction": [one.direction for one in every],
            "takes_distance": [one.takes_distance for one in every],
            "citation": [one.citation for one in every],
        }

    def __repr__(self) -> str:
        return "\n".join(f"{one.name}: {one.words}" for one in self)


@public()
def measures(*, on: Compared | None = None) -> Measures:
    """List the measures, those of other packages included.

    Parameters
    ----------
    on
        Only those that compare this kind of data, such as ``items`` or ``units``.

    Returns
    -------
    Measures
        A table of the measures, each a :class:`Measure`.

    Examples
    --------
    >>> import accordeur as acc
    >>> acc.measures(on="units")["gamma_cat"].citation
    'Mathet 2017'
    """
    require_choice("on", on, (*map(str, DataKind), None))
    return Measures(
        [
            name
            for name, one in MEASURES.items()
            if on is None or on in (*one.agreement, *one.scores)
        ]
    )


@public()
def measure(text: str) -> Measure:
    """Read a measure: its name, with a distance in parentheses if it takes one.

    The command line and campaign files read measures in the same way.

    Parameters
    ----------
    text
        ``gwet_ac1``, ``krippendorff_alpha(scale=ordinal)``, ``weighted_kappa(weights=quadratic)``,
        ``ICC(A,1)`` as in papers, or the signature of a value.

    Returns
    -------
    Measure
        A text that is accepted wherever the name of a measure is, with range, direction, the data
        that it needs, and its sources.

    Raises
    ------
    MetricsError
        An unknown measure, or a distance that it does not take.

    Examples
    --------
    >>> import accordeur as acc
    >>> kappa = acc.measure("weighted_kappa(weights=quadratic)")
    >>> kappa.range, kappa.direction, kappa.citation
    ((-1.0, 1.0), 'higher', 'Cohen 1968')
    >>> round(kappa([1, 2, 3, 3], [1, 2, 3, 2]).value, 3)
    0.8
    """
    if not isinstance(text, str):
        raise MetricsError(f"a measure is its name as a text, not a {type(text).__name__}")
    return Measure(text)
