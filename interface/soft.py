"""Disagreement as information: distributions of labels, and groups of annotators."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..metrics.errors import MetricsError
from ..metrics.options import Sampling, SoftRule
from ..reports.columns import OwnColumn, Table, interval, number, text, values_by_column
from .column_texts import names_as_text_column
from .distances import Scale, given_category_distance
from .frames import (
    Column,
    Frame,
    Kind,
    category_order,
    cell_values,
    column_names,
    own_columns,
    reading_with_order,
    requested_columns,
)
from .keyword_options import Rng, public, seed_of
from .label_tables import Annotators, label_table
from .reading import Data
from .result import Result

if TYPE_CHECKING:
    from ..metrics.coded_warning import CodedWarning
    from ..metrics.results import AttributeGroups
    from ..tasks.references.soft_reference import ExportSoftLabels


class SoftLabels(Result):
    """A distribution of labels for each item; ``to_frame`` has a column for each category.

    Attributes
    ----------
    log_loss, interval
        Mean −ln of the probability of the labels of held-out annotators, with its interval over
        documents or items.
    baseline
        Log-loss of predicting the overall label shares for every item.
    calibration_error
        Mean distance between predicted and observed shares.
    """

    def __init__(self, made: ExportSoftLabels, kind: Kind, named: Mapping[str, OwnColumn]) -> None:
        self._soft, self._summary, self._kind, self._named = made.soft, made.summary, kind, named
        soft, summary = made.soft, made.summary
        self.rule: str = soft.rule
        self.tagset: tuple[str, ...] = soft.tagset
        self.log_loss: float = summary.log_loss
        self.interval: tuple[float, float] = summary.interval
        self.baseline: float = summary.baseline
        self.calibration_error: float = summary.calibration_error
        self._take_account(made)

    def _columns(self) -> dict[str, list[Any]]:
        """One row per item: ``document``, ``item``, ``n_labels`` and a column for each category."""
        from ..tasks.references.soft_reference import soft_label_table

        columns = dict(soft_label_table(self._soft).to_pydict())
        if not any(columns["document"]):
            del columns["document"]
        return columns

    @property
    def reliability_diagram(self) -> Any:
        """Reliability diagram: predicted and observed label frequency by predicted probability."""
        columns = ("lower", "upper", "n", "predicted", "observed")
        bins = self._summary.bins
        return self._frame({name: [getattr(one, name) for one in bins] for name in columns})

    def write(self, path: str | Path) -> None:
        """Write a ``.parquet`` table or ``.jsonl`` lines. Raises DataError for any other suffix."""
        from ..tasks.references.soft_reference import write_soft_labels

        write_soft_labels(self._soft, Path(path))

    def _blocks(self) -> Iterable[str | Table]:
        low, high = self.interval
        return [
            f"{self._summary.n_items} distributions over {', '.join(self.tagset)} ({self.rule})",
            f"held-out log-loss: {self.log_loss:.3f} [{low:.3f}, {high:.3f}]",
            f"log-loss of the overall label shares: {self.baseline:.3f}",
            f"calibration error: {self.calibration_error:.3f}",
            *self._first_rows(),
        ]


@public()
def soft_labels(
    data: Data,
    *,
    rule: SoftRule = "votes",
    item: Column = "item",
    annotator: Annotators = "annotator",
    label: Column = "label",
    document: Column | None = None,
    categories: Sequence[Any] = (),
    confidence_level: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
    rng: Rng | None = None,
) -> SoftLabels:
    """Distribution over the categories for each item, and how well it predicts annotators.

    ``data`` and its columns, ``categories``, ``confidence_level``, ``replicates``, ``seed`` and
    ``rng`` are as for :func:`agreement`.

    Parameters
    ----------
    rule
        ``votes``: the shares of the item's labels; ``dirichlet``: the same, shrunk towards the
        shares over all items; ``dawid_skene``: the posterior of a single true category.

    Raises
    ------
    DataError
        Only one annotator.
    MetricsError
        An unknown rule.
    """
    from ..tasks.references.soft_reference import soft_labels_of_export

    table, kind = label_table(data, item, annotator, label, document)
    sampling = Sampling(replicates, confidence_level, seed_of(seed, rng))
    reading = reading_with_order(table, category_order(categories, data, label))
    made = soft_labels_of_export(table, reading, rule, sampling)
    return SoftLabels(made, kind, own_columns(data, item=item, document=document))


class Groups(Result):
    """Agreement within and between groups of annotators; ``to_frame`` has a row for each group.

    ``warnings`` also say what is unknown, or hidden because a group is too small.
    """

    def __init__(
        self, found: Sequence[AttributeGroups], kind: Kind, warnings: Sequence[CodedWarning]
    ) -> None:
        from ..reports.warnings import in_english
        from ..tasks.wording import counted

        self._found, self._kind = found, kind
        self.warnings = said = [in_english(one) for one in warnings]
        for one in found:
            if one.n_hidden:
                said.append(
                    f"{one.attribute}: {counted(one.n_hidden, 'smaller group')} with "
                    f"{counted(one.n_hidden_annotators, 'annotator')} not shown and not compared"
                )
            if one.n_unknown:
                unknown = counted(one.n_unknown, "annotator")
                said.append(f"{one.attribute}: unknown for {unknown}")

    def _columns(self) -> dict[str, list[Any]]:
        """Agreement ``within`` a group, ``between`` it and the others, and ``normalized``.

        Each has its interval; ``p`` is the p-value of the permutation test, corrected for the
        number of groups.
        """
        return values_by_column(
            [(one.attribute, group) for one in self._found for group in one.groups],
            text("attribute", lambda row: row[0]),
            text("group", lambda row: row[1].name),
            number("n_annotators", lambda row: row[1].n_annotators),
            number("within", lambda row: row[1].within.value),
            interval("within_", lambda row: row[1].within.interval),
            number("between", lambda row: row[1].between.value),
            interval("between_", lambda row: row[1].between.interval),
            number("normalized", lambda row: row[1].normalized.value),
            interval("normalized_", lambda row: row[1].normalized.interval),
            number("p", lambda row: row[1].p_corrected),
            number("least_p", lambda row: row[1].least_p),
        )


@public()
def compare_groups(
    data: Data,
    attributes: Frame | Mapping[str, Mapping[str, str]],
    *,
    item: Column = "item",
    annotator: Annotators = "annotator",
    label: Column = "label",
    document: Column | None = None,
    scale: Scale = "nominal",
    distance: str | None = None,
    categories: Sequence[Any] = (),
    smallest_group: int = 3,
    permutations: int = 999,
    confidence_level: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
    rng: Rng | None = None,
) -> Groups:
    """Test whether annotators agree more within their groups than with other groups.

    ``data`` and its columns, ``scale``, ``distance`` (its name), ``categories``,
    ``confidence_level``, ``replicates``, ``seed`` and ``rng`` are as for :func:`agreement`.

    Parameters
    ----------
    attributes
        One row per annotator, with the column ``annotator`` and one for each attribute; or
        ``{attribute: {annotator: value}}``.
    smallest_group
        Minimum number of annotators in a group; smaller groups have no value and are excluded from
        all comparisons.
    permutations
        Number of random groupings in the permutation test; 0: no test.

    References
    ----------
    Prabhakaran et al. (2024), GRASP, NAACL; Wong, Paritosh & Aroyo (2021), Cross-replication
    Reliability, ACL.
    """
    from ..metrics.agreement.distance_checks import require_order
    from ..metrics.options import GroupComparison
    from ..tasks.annotator_groups import compare_groups_by_attribute
    from ..tasks.inputs.exported_labels import MeasuredLabels, read_exported_labels

    table, kind = label_table(data, item, annotator, label, document)
    declared = category_order(categories, data, label)
    labels = read_exported_labels([table], reading_with_order(table, declared))
    matrix = MeasuredLabels(labels).matrix
    named = given_category_distance(scale, distance).name
    if not declared:
        require_order(matrix.tagset, named, declare="categories")
    options = GroupComparison(smallest_group, permutations)
    sampling = Sampling(replicates, confidence_level, seed_of(seed, rng))
    found = compare_groups_by_attribute(
        matrix, _attributes(attributes, matrix.annotators), named, options, sampling
    )
    warned = labels.warnings(matrix=matrix, distance=named, distance_name=named)
    return Groups(found, kind, warned)


def _attributes(given: Any, annotators: Sequence[str]) -> Mapping[str, Mapping[str, str]]:
    """Return attribute → annotator → value. Raises MetricsError if no annotator has any."""
    found = _attributes_by_annotator(given)
    if not any(name in of_annotators for of_annotators in found.values() for name in annotators):
        raise MetricsError(
            "attributes: none of the annotators of the labels has one; give a frame with a row for "
            "each annotator, or {attribute: {annotator: value}}"
        )
    return found


def _attributes_by_annotator(given: Any) -> Mapping[str, Mapping[str, str]]:
    if isinstance(given, Mapping) and all(isinstance(one, Mapping) for one in given.values()):
        return given
    known = [str(name) for name in column_names(given)]
    columns, _ = requested_columns(given, {name: name for name in known})
    people = names_as_text_column(columns.pop("annotator"), "annotator").to_pylist()
    return {
        name: {
            who: str(value)
            for who, value in zip(people, cell_values(cells), strict=True)
            if value not in (None, "") and value == value  # NaN means unknown
        }
        for name, cells in columns.items()
    }
