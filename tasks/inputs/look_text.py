"""What `accordeur look` found, in lines of text."""

from __future__ import annotations

import re
import shlex
from itertools import chain

from ...data.annotator_names import are_human_and_machine
from ...data.readers.tables.column_names import (
    is_annotator_name,
    listed_columns,
    names_annotators,
)
from ...data.readers.tables.known_shapes import UNNAMED
from ...data.readers.tables.layout import Layout
from ...data.readers.tables.other_shapes import annotator_like_columns
from ...reports.language import TERMINAL, Language
from ...reports.warnings import in_english
from ..ranking.seen_preferences import SeenPreferences
from ..wording import counted
from .columns_of_annotators import are_like_names
from .scales import FEWEST_STEPS, is_finite_number
from .seen_files import Look, SeenLayer
from .table_sentences import table_sentence

_MOST_NAMES, _MOST_LAYERS = 8, 20
_GRADE = re.compile(r"[A-FU](\+{0,2}|-{0,2})")
_NO_GRADE = ("na", "nan", "n/a", "none", "-")
_FILES = "Each file is taken as the work of one annotator."
_SETS = "A label is the set of all labels that an annotator gave an item."


def lines_of_look(found: Look) -> list[str]:
    """Return what files are, what can be measured, what is doubtful, and the commands to copy."""
    say = Language("en", TERMINAL)
    lines = [table_sentence(one, say) for one in found.tables[:_MOST_NAMES]]
    what = found.shape.name if found.shape else found.format
    if found.ranked and not found.layers:
        return _lines_of_preferences(found.ranked)
    if found.shape or not lines:
        lines.insert(0, f"{', '.join(found.paths)}: {what}")
    lines += filter(None, [_note(found)])
    rows = [f"{counted(found.n_read, 'row')} read"]
    rows += [f"{found.n_excluded:,} excluded"] if found.n_excluded else []
    rows += [f"{found.n_rejected:,} rejected"] if found.n_rejected else []
    lines.append(", ".join(rows))
    shown = found.layers[:_MOST_LAYERS]
    lines += [_layer_text(layer, named=len(found.layers) > 1) for layer in shown]
    lines += [f"warning: {in_english(one)}" for one in found.doubts]
    lines += filter(None, [_unnamed_columns(found), _unnamed_annotator(found)])
    lines += [f"If the numbers are ratings or ranks: {one}" for one in _for_ratings(found)]
    lines += [f"If the grades are ordered: {one}" for one in _for_grades(found)]
    lines += map(found.command, found.measurable[:_MOST_LAYERS])
    n_more = len(found.measurable) - _MOST_LAYERS
    lines += [f"… and {counted(n_more, 'layer')} more"] if n_more > 0 else []
    if found.further:
        lines += ["Other columns may be questions, too:", *found.further]
    return [*lines, *(_lines_of_preferences(found.ranked) if found.ranked else ())]


def _note(found: Look) -> str:
    """Return what a reader must know of labels that a query selects."""
    if found.shape:
        return found.shape.note
    query = found.options.get("query", "")
    of_sets = "list(distinct" in query or "list_distinct(" in query
    are_places = "unnest(range(len(list))) + 1 as annotator" in query
    are_places |= "unnest(range(len(given))) + 1 as annotator" in query
    are_places |= "order by row) as annotator" in query
    of_files = found.options.get("paths") == "{annotator}"
    parts = [UNNAMED if are_places else "", _SETS if of_sets else "", _FILES if of_files else ""]
    return " ".join(filter(None, parts))


def _unnamed_columns(found: Look) -> str:
    """Return a warning of columns that are read as annotators and called otherwise; "" if none."""
    names = [*dict.fromkeys(chain(*(layer.annotators for layer in found.layers)))]
    is_called = len(annotator_like_columns(dict(enumerate(names)))) > 1
    are_numbers = all(map(str.isdecimal, names))  # of columns without names
    is_called = is_called or (are_like_names(names) and not are_numbers)
    if not found.is_wide or is_called or are_human_and_machine(names):
        return ""
    return (
        f"warning: no name says that these columns are annotators': {listed_columns(names)}. If "
        "they are questions, or properties of the items, name those that are: "
        f"accordeur look {shlex.join(found.paths)} --annotator FIRST,SECOND"
    )


def _unnamed_annotator(found: Look) -> str:
    """Return a warning of a column that is read as the annotators' and called otherwise, or ""."""
    names = [one.annotator for one in found.tables if one.layout == Layout.LONG and one.annotator]
    unnamed = [name for name in dict.fromkeys(names) if not names_annotators(name.strip())]
    called = [who for layer in found.layers for who in layer.annotators if is_annotator_name(who)]
    if not unnamed or len(called) > 1:
        return ""
    return (
        f"warning: no name says that `{unnamed[0]}` holds the annotators. If it names what was "
        "judged, or a condition, the value is of nothing: name the column of the annotators: "
        f"accordeur look {shlex.join(found.paths)} --annotator NAME"
    )


def _for_ratings(found: Look) -> list[str]:
    """Return the commands for labels that are numbers, which `agree` takes for categories."""
    numeric = (
        found.command(one)
        for one in found.measurable
        if len(one.categories) >= FEWEST_STEPS and all(map(is_finite_number, one.categories))
    )
    of_all = (one for one in numeric if one.startswith("accordeur agree") and " --by " not in one)
    return [one.replace("agree", "ratings", 1) for one in of_all]


def _for_grades(found: Look) -> list[str]:
    """Return the commands for labels that are grades in letters, from the lowest to the highest."""
    commands = []
    for layer in found.measurable:
        others = [one for one in layer.categories if not _GRADE.fullmatch(one)]
        grades = sorted({*layer.categories} - {*others}, key=_height_of_grade, reverse=True)
        are_grades = len(grades) > 2 and all(one.casefold() in _NO_GRADE for one in others[:1])
        command = found.command(layer)
        if are_grades and len(others) < 2 and command.startswith("accordeur agree"):
            missing = [f" --option missing={shlex.quote(one)}" for one in others]
            ordered = f"--distance ordinal --categories {','.join(grades)}"
            commands.append(f"{command} {ordered}{''.join(missing)}")
    return commands


def _height_of_grade(grade: str) -> tuple[str, int]:
    return grade[0], grade.count("-") - grade.count("+")


def _lines_of_preferences(found: SeenPreferences) -> list[str]:
    """Return what the systems, items and raters are, what is left out, and the command."""
    what = found.shape.name if found.shape else "preferences"
    lines = [f"{found.path}: {what}"]
    if not found.lacks:
        columns = ", ".join(f"{role} {name}" for role, name in found.columns.items())
        lines[0] += (
            f" ({columns}); {counted(found.n_comparisons, 'comparison')} of "
            f"{counted(found.n_systems, 'system')} on {counted(found.n_items, 'item')} by "
            f"{counted(found.n_raters, 'rater')}"
        )
    lines += [found.shape.note] if found.shape and found.shape.note else []
    if found.n_unanswered:
        lines.append(f"{counted(found.n_unanswered, 'row')} without an answer")
    lines += [f"warning: {found.lacks}"] if found.lacks else []
    lines += [f"warning: {in_english(one)}" for one in found.doubts]
    return [*lines, found.command]


def _layer_text(layer: SeenLayer, *, named: bool) -> str:
    annotators = [f"{name} {n:,}" for name, n in layer.annotators.items()]
    who = ", ".join(annotators[:_MOST_NAMES]) + (", …" if len(annotators) > _MOST_NAMES else "")
    others = "".join(f"; {name} is {role}" for name, role in layer.others.items())
    what, more = ("item", "labels") if layer.table == "labels" else ("document", "annotators")
    begin = f"{layer.name}: " if named else ""
    text = f"{begin}{layer.table} of {counted(len(annotators), 'annotator')} ({who}){others}; "
    if not layer.can_be_compared:
        return f"{text}nothing to compare: no {what} has two {more}"
    shared = f"{counted(layer.n_shared, what)} with two {more} or more"
    return f"{text}{shared}, {counted(len(layer.categories), 'category').replace('ys', 'ies')}"
