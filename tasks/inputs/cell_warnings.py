"""Warnings about what the cells of an export hold: joined labels, sets, dates, whole texts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from ...data.errors import DataError
from ...data.label_sets import labels_of_set_name
from ...data.untrusted.documents import parse_json
from ...metrics.agreement.distances import SETS
from ...metrics.agreement.label_matrix import LabelMatrix
from ...metrics.coded_warning import CodedWarning, Finding

SIGNS_OF_NOTHING = (
    *("na", "n/a", "n.a.", "k.a.", "nan", "<na>", "none", "null", "#n/a"),
    *(".", "-", "?", "??", "???"),
    *("missing", "unlabeled", "unlabelled", "skip", "skipped", "unseen", "not seen", "no label"),
    *("not coded", "uncoded", "not annotated", "unannotated", "not rated", "unrated", "no answer"),
    *("not answered", "to do", "todo", "tbd", "pending", "manquant", "non codé", "fehlend"),
)
_CODES = (
    *(-8, -9, -88, -99, -999, -9999),
    *(9, 88, 98, 99, 888, 999, 9999),
)  # numbers that stand for a missing value
_FAR = 4  # times the largest other category
_FEWEST_UNSEEN = 5  # items on which annotators have -1, and none has it beside another label
SEPARATORS = ("\n", "|", ";", ",")  # possible separators between labels in one cell
_WHOLE = re.compile(r"[-+]?[0-9]{1,6}(\.0)?")
_DECIMAL_COMMA = re.compile(r"\s*[-+]?[0-9]+,[0-9]+\s*")
_DATE = re.compile(
    r"([0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}|[0-9]{1,2}[-/.][0-9]{1,2}[-/.]([0-9]{4}|[0-9]{2}))"
    r"([T ,]+[0-9]{1,2}:[0-9]{2}(:[0-9]{2}([.,][0-9]+)?)?( ?[AaPp]\.?[Mm]\.?)?"
    r"( ?(Z|UTC|GMT|[A-Z]{3,4}|[-+][0-9]{2}:?[0-9]{2}))?)?|[0-9]{1,2}:[0-9]{2}:[0-9]{2}"
)
MOST_QUOTED = 3  # names in a sentence
_FEWEST_TEXTS, _MOSTLY, _WORDS = 12, 0.9, 3  # of different texts: number, per item, mean words


def warnings_on_missing(
    tagset: Iterable[str], n_shared: Mapping[str, tuple[int, int]] = MappingProxyType({})
) -> list[CodedWarning]:
    """Warn of categories that other programs write for a missing label.

    n_shared  by category the numbers of items on which all labels are of it, and on which only some
              are
    """
    names = list(tagset)
    found = [one for one in names if one.strip().casefold() in SIGNS_OF_NOTHING]
    return [
        CodedWarning("missing_as_category", {"category": name})
        for name in [*found, *_codes_of_missing(names, n_shared)]
    ]


def _codes_of_missing(
    names: Sequence[str], n_shared: Mapping[str, tuple[int, int]]
) -> Iterable[str]:
    """Return numbers far off all others, and -1 beside others of which none is negative."""
    numbers = {name: float(name) for name in names if _WHOLE.fullmatch(name.strip())}
    for name, number in numbers.items():
        if number != -1 and number not in _CODES:
            continue
        others = [abs(one) for other, one in numbers.items() if other != name and one not in _CODES]
        if number in _CODES:
            is_alone = (
                number < 0 <= min((one for one in numbers.values() if one != number), default=0)
            )
            if is_alone or abs(number) > _FAR * max([1, *others]):
                yield name
        elif number == -1 and others and all(one >= 0 for one in numbers.values() if one != -1):
            alone, beside = n_shared.get(name, (0, 0))
            if max(others) > 1 or (alone >= _FEWEST_UNSEEN and not beside):
                yield name


def label_counts_from_sets(of_sets: Mapping[str, int]) -> Counter[str]:
    """Return how many cells contain each label."""
    found: Counter[str] = Counter()
    for name, n in of_sets.items():
        found.update(dict.fromkeys(labels_of_set_name(name), n))
    return found


def warnings_on_sets(names: Iterable[str], distance: str) -> list[CodedWarning]:
    """Warn of a distance between sets if no set has several labels; `names` are the sets' names."""
    if distance not in SETS or any(len(labels_of_set_name(name)) > 1 for name in names):
        return []
    return [CodedWarning("sets_of_one", {"distance": distance})]


def warnings_on_joined_labels(counts: Mapping[str, int]) -> list[CodedWarning]:
    """Warn of cells that seem to hold several labels, such as `a|b` beside `a` and `c|b`.

    counts  category → number of cells. A separator is reported when at least half of the cells
    that contain it are made of labels that other categories contain too. Cells such as `1,5` may
    be numbers instead.
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
        if sign == "," and all(map(_DECIMAL_COMMA.fullmatch, parts_of)):
            found.append(
                CodedWarning("decimal_comma", {"cells": quoted_first_names(sorted(parts_of))})
            )
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
            figures = {
                "separator": used,
                "written": written,
                "cells": quoted_first_names(sorted(joined)),
            }
            found.append(CodedWarning("joined_labels", figures))
    return found


def warnings_on_nested_and_dates(tagset: Iterable[str]) -> list[CodedWarning]:
    """Warn of categories that are JSON objects or lists, and of tagsets that are mostly dates."""
    names = [name for name in tagset if name]
    found = []
    if nested := [name for name in names if _is_nested(name)]:
        found.append(CodedWarning("nested_labels", {"labels": quoted_first_names(nested)}))
    dates = [name for name in names if _DATE.fullmatch(name.strip())]
    if dates and 2 * len(dates) >= len(names):
        found.append(CodedWarning("dates_as_labels", {"labels": quoted_first_names(dates)}))
    return found


def texts_as_categories(matrix: LabelMatrix) -> list[Finding]:
    """Find labels of several words of which nearly none recurs on another item."""
    labels = matrix.tagset
    n_items = int(np.count_nonzero(matrix.n_labels))
    if matrix.members is not None or len(labels) < max(_FEWEST_TEXTS, _MOSTLY * n_items):
        return []
    n_words = float(np.mean([len(label.split()) for label in labels]))
    figures = {"n_labels": len(labels), "n_items": n_items}
    return [Finding("texts_as_categories", figures).as_serious()] if n_words >= _WORDS else []


def _is_nested(label: str) -> bool:
    if label[:1] + label[-1:] not in ("{}", "[]"):
        return False
    try:
        return isinstance(parse_json(label, "label"), dict | list)
    except DataError:
        return False


def quoted_first_names(names: Sequence[str]) -> str:
    return ", ".join(map(repr, names[:MOST_QUOTED])) + (", …" if len(names) > MOST_QUOTED else "")
