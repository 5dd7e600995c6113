"""What to look at beside the values of a quick look: warnings about names, scales, annotators."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...metrics.agreement.distances import category_values
from ...metrics.look_alikes import look_alikes
from ...metrics.speakers import never_overlap
from ...metrics.strangers import of_another_unit, of_other_categories
from ..wording import counted
from .warned import Warned, WarningCode

if TYPE_CHECKING:
    from ...data.readers.quick.unit_tables import UnitTable
    from ...metrics.agreement.label_matrix import LabelMatrix
    from ...metrics.alignment.continuum import Continuum

MOST_NAMES = 50_000  # that are compared with one another
MOST_NAMED = 20  # categories that are numbers and may be codes of names
SEPARATORS = ("\n", "|", ";", ",")  # that may stand between the labels of one cell
SIGNS_OF_NOTHING = ("na", "n/a", "nan", "<na>", "none", "null", "#n/a", ".", "-", "?")
_TOLD = 3


def remarks_on(tagset: Iterable[str], annotators: Iterable[str]) -> list[Warned]:
    """Categories and annotators that look the same, each group as a warning."""
    return [*remarks_on_names("categories", tagset), *remarks_on_names("annotators", annotators)]


def remarks_on_names(what: str, names: Iterable[str]) -> list[Warned]:
    """Names that look the same, each group as a warning."""
    return [
        Warned(
            WarningCode.NAMES_ALIKE,
            f"{' and '.join(map(_written(group), group))} are counted as different {what}, and "
            "differ only in case, white space, the encoding of letters or the writing of a number",
            {"what": what, "n_names": len(group)},
        )
        for group in look_alikes(names)
    ]


def remarks_on_labels(matrix: LabelMatrix) -> list[Warned]:
    """Names, annotators of other categories, and items that were not paired because of names."""
    n_labels = (matrix.codes >= 0).sum(axis=1)
    lone = np.flatnonzero(n_labels == 1).tolist()
    alone = {matrix.items[i] for i in lone} if len(matrix.items) <= MOST_NAMES else set()
    n_categories = len(matrix.tagset)
    counts = np.stack([np.bincount(c[c >= 0], minlength=n_categories) for c in matrix.codes.T])
    sets = matrix.members is not None  # one label in common is then enough
    labels = matrix.tags if sets else matrix.tagset
    of_cells = dict(zip(matrix.tagset, counts.sum(axis=0).tolist(), strict=True))
    return [
        *remarks_on(labels, matrix.annotators),
        *remarks_on_missing(labels),
        *([] if sets else remarks_on_joined(of_cells)),
        *([] if sets else _strangers(counts, matrix.annotators, matrix.tagset)),
        *lone_and_alike("items", alone, matrix.items),
        *_same_item_elsewhere(matrix, n_labels),
    ]


def remarks_on_nominal(matrix: LabelMatrix, distance: str) -> list[Warned]:
    """Sets and numbers that the nominal distance takes as unrelated categories."""
    if distance != "nominal":
        return []
    if matrix.members is not None:
        overlapping = (
            "items have sets of labels, and two sets that overlap count as a disagreement: "
            "`--distance jaccard` or `--distance masi` takes the labels in common into account"
        )
        return [Warned(WarningCode.SETS_AS_NAMES, overlapping)]
    if category_values(matrix.tagset) is not None:
        from ...metrics.agreement.diagnosis.diagnose import fine_scale
        from ...metrics.agreement.diagnosis.findings import Thresholds

        finding = fine_scale(matrix, Thresholds())
        if finding is not None:
            fine = (
                "the categories are all numbers, and `--distance nominal` takes them as unrelated "
                f"names (`--distance ordinal` and `interval` do not). {finding.seen}"
            )
            return [Warned(WarningCode.NUMBERS_AS_NAMES, fine, finding.figures)]
    return remarks_on_scale(matrix.tagset, distance)


def remarks_on_joined(counts: Mapping[str, int]) -> list[Warned]:
    """Labels that look like several labels in one cell, such as `a|b` beside `a` and `c|b`.

    counts  category → number of cells. A separator is reported when at least half of the cells
    that contain it are made of labels that other categories contain too.
    """
    found = []
    for sign in SEPARATORS:
        parts_of = {
            category: [part.strip() for part in category.split(sign)]
            for category in counts
            if sign in category
        }
        if not parts_of:
            continue
        known = Counter(part for parts in parts_of.values() for part in {*parts})
        known.update(category.strip() for category in counts.keys() - parts_of.keys())
        joined = [
            category
            for category, parts in parts_of.items()
            if all(p and known[p] > 1 for p in parts)
        ]
        n_joined = sum(counts[category] for category in joined)
        if joined and 2 * n_joined >= sum(counts[category] for category in parts_of):
            spaced = (f" {sign} ", f"{sign} ", sign)
            used = next(s for s in spaced if all(c.count(s) == c.count(sign) for c in joined))
            written = used.replace("\n", "\\n")
            text = (
                f"cells such as {_first(sorted(joined))} seem to hold several labels: "
                f"`--option 'separator={written}'` (a campaign: `options = {{ separator = "
                f'"{written}" }}`) reads them as sets of labels'
            )
            found.append(Warned(WarningCode.JOINED_LABELS, text, {"separator": used}))
    return found


def remarks_on_scale(tagset: Sequence[str], distance: str) -> list[Warned]:
    """Numbers that are compared as names, where they are too many for names."""
    if distance != "nominal" or len(tagset) <= MOST_NAMED or category_values(tagset) is None:
        return []
    told = (
        f"the {len(tagset)} categories are all numbers, and each is as far from its neighbour as "
        'from any other: `--distance interval` (a campaign: `distance = "interval"`), or ordinal, '
        "compares them as numbers"
    )
    return [Warned(WarningCode.NUMBERS_AS_NAMES, told, {"n_categories": len(tagset)})]


def remarks_on_missing(tagset: Iterable[str]) -> list[Warned]:
    """Categories that other programs write where there is no label."""
    found = [name for name in tagset if name.strip().casefold() in SIGNS_OF_NOTHING]
    return [
        Warned(
            WarningCode.MISSING_AS_CATEGORY,
            f"{name!r} is counted as a category; where it stands for no label, say "
            f'`--option missing={name}` (a campaign: `options = {{ missing = "{name}" }}`)',
            {"category": name},
        )
        for name in found
    ]


def remarks_on_units(tables: Sequence[UnitTable], continua: Sequence[Continuum]) -> list[Warned]:
    """The same of units, with the documents that one person alone annotated; a table a continuum.

    Units of time are looked at where the document's length is unknown, as nothing else bounds them.
    """
    names = [table.document for table in tables]
    tagset = continua[0].tagset
    people = sorted({name for continuum in continua for name in continuum.annotators})
    row = {name: a for a, name in enumerate(people)}
    counts = np.zeros((len(people), len(tagset)), dtype=np.int64)
    ends: list[dict[str, float]] = []
    for table, continuum in zip(tables, continua, strict=True):
        who = np.array([row[name] for name in continuum.annotators])[continuum.owners]
        known = continuum.categories >= 0
        np.add.at(counts, (who[known], continuum.categories[known]), 1)
        if table.length < 0:
            reached = {people[a]: continuum.ends[who == a].max() for a in np.unique(who).tolist()}
            ends.append(reached)
    found = [
        *remarks_on(tagset, people),
        *_strangers(counts, people, tagset),
        *(
            Warned(
                WarningCode.OTHER_UNIT_OF_TIME,
                f"the units of {who!r} end about {max(ratio, 1 / ratio):,.0f} times "
                f"{'later' if ratio > 1 else 'earlier'} than the others' in the same documents: "
                "are they in another unit of time (milliseconds, seconds)?",
                {"annotator": who, "ratio": ratio},
            )
            for who, ratio in of_another_unit(ends).items()
        ),
    ]
    if apart := never_overlap(continua):
        text = f"{apart.seen} {apart.advice}"
        found.append(Warned(WarningCode.NEVER_OVERLAP, text, apart.figures))
    alone = {name: c for name, c in zip(names, continua, strict=True) if c.n_annotators < 2}
    if alone and len(people) > 1:
        n_units = sum(continuum.n_units for continuum in alone.values())
        several = len(alone) != 1
        found.append(
            Warned(
                WarningCode.SINGLE_ANNOTATOR_DOCUMENTS,
                f"{counted(len(alone), 'document')} {'have' if several else 'has'} one annotator "
                f"only ({_first(sorted(alone))}): {counted(n_units, 'unit')} there "
                f"{'are' if n_units != 1 else 'is'} not compared with anything",
                {"n_documents": len(alone), "n_units": n_units},
            )
        )
        found += lone_and_alike("documents", set(alone), names)
    return found


def folders_of_people(documents: Iterable[str]) -> str:
    """What to do where documents of one name stand in several folders, which may be annotators'; ""
    where they do not."""
    homes: dict[str, set[str]] = {}
    for name in documents:
        folder, slash, rest = name.partition("/")
        if slash:
            homes.setdefault(rest, set()).add(folder)
    folders = max(homes.values(), key=len, default=set())
    if len(folders) < 2:
        return ""
    return (
        f"documents of one name are in the folders {_first(sorted(folders))}: if a folder is one "
        "annotator's, say so with the option layout=annotator/document (of brat: "
        "annotator_folder=last)"
    )


def _strangers(
    counts: NDArray[np.int64], annotators: Sequence[str], tagset: Sequence[str]
) -> Iterable[Warned]:
    for a in of_other_categories(counts):
        own = [tagset[k] for k in np.flatnonzero(counts[a]).tolist()]
        elsewhere = np.delete(counts, a, axis=0).any(axis=0)
        others = [tagset[k] for k in np.flatnonzero(elsewhere).tolist()]
        yield Warned(
            WarningCode.OTHER_CATEGORIES,
            f"{annotators[a]!r} gave no category that anybody else gave ({_first(own)}; the others "
            f"{_first(others)}): another tagset, or no annotator?",
            {"annotator": annotators[a]},
        )


def lone_and_alike(what: str, alone: set[str], names: Sequence[str]) -> list[Warned]:
    """Names that one annotator alone has, where a name that looks the same is there."""
    groups = [g for g in look_alikes(names) if alone.intersection(g)] if alone else []
    if not groups:
        return []
    first = " and ".join(map(_written(groups[0]), groups[0]))
    n_names = sum(map(len, groups))
    text = (
        f"{counted(n_names, what[:-1])} are counted as different that differ only in "
        f"case, white space, the encoding of letters or the writing of a number: {first}"
        + (f", and {len(groups) - 1:,} more such groups" if groups[1:] else "")
    )
    return [Warned(WarningCode.PAIRED_BY_NAME, text, {"what": what, "n_names": n_names})]


def _same_item_elsewhere(matrix: LabelMatrix, n_labels: NDArray[np.int64]) -> list[Warned]:
    """Where no item has two labels: items of one name in several documents."""
    if matrix.documents is None or (n_labels > 1).any():
        return []
    names = [name.rpartition("/")[2] for name in matrix.items]
    n_again = len(names) - len(set(names))
    if not n_again:
        return []
    told = (
        f"{counted(n_again, 'item')} of the name of another stand in other documents, and are "
        "different items there: a file without a column `document` is a document of its own; with "
        "one file an annotator say `--option file=annotator`"
    )
    return [Warned(WarningCode.SAME_ITEM_ELSEWHERE, told, {"n_items": n_again})]


def _first(names: Sequence[str]) -> str:
    more = f" and {len(names) - _TOLD:,} more" if len(names) > _TOLD else ""
    return ", ".join(map(repr, names[:_TOLD])) + more


def _written(names: Sequence[str]) -> Callable[[str], str]:
    """How to write names so that they can be told apart: by code points where they look one."""
    same = len({unicodedata.normalize("NFC", name) for name in names}) < len(names)
    return ascii if same else repr
