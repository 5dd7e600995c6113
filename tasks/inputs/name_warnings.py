"""Warnings about names: alike, of another role, of no annotator."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from ...data.annotator_names import named_after_times, placeholder_annotators, suggested_roles
from ...data.schema import Role
from ...metrics.annotator_checks import look_alike_names
from ...metrics.coded_warning import CodedWarning
from .cell_warnings import quoted_first_names


def warnings_on_names_of_export(
    tagset: Iterable[str], annotators: Iterable[str]
) -> list[CodedWarning]:
    """Return a warning for each group of categories or annotators that look the same."""
    return [
        *warnings_on_similar_names("categories", tagset),
        *warnings_on_similar_names("annotators", annotators),
    ]


def warnings_on_similar_names(
    what: str, names: Iterable[str], *, layer: str = ""
) -> list[CodedWarning]:
    """Return a warning for each group of names that look the same.

    layer  to which the names belong, where there may be several
    """
    return [
        CodedWarning(
            "names_alike",
            {
                "layer": layer,
                "what": what,
                "n_names": len(group),
                "names": _distinguishable_names(group),
            },
        )
        for group in look_alike_names(names)
    ]


def warnings_on_misnamed_humans(humans: Iterable[str]) -> list[CodedWarning]:
    """Annotators counted as human who are called like a system, a reference, or nobody."""
    humans = list(humans)
    suggested = suggested_roles(humans)
    found = []
    for role in (Role.SYSTEM, Role.REFERENCE):
        if those := [name for name, other in suggested.items() if other == role]:
            code = "named_like_system" if role == Role.SYSTEM else "named_like_reference"
            found.append(_warning_of_names(code, those, len(humans)))
    if those := placeholder_annotators(humans):
        warning = _warning_of_names("named_like_nobody", those, len(humans))
        found.append(replace(warning, figures={**warning.figures, "written": ",".join(those)}))
    if those := named_after_times(humans):
        found.append(
            CodedWarning(
                "named_after_times",
                {"n": len(those), "name": those[0], "pattern": "{annotator}"},
            )
        )
    return found


def _warning_of_names(code: str, names: Sequence[str], total: int) -> CodedWarning:
    return CodedWarning(code, {"n": len(names), "total": total, "names": _quoted(names)})


def warnings_on_look_alikes(what: str, alone: set[str], names: Sequence[str]) -> list[CodedWarning]:
    """Warn of a name that only one annotator uses and that looks the same as another name."""
    groups = [g for g in look_alike_names(names) if alone.intersection(g)] if alone else []
    if not groups:
        return []
    n_names = sum(map(len, groups))
    return [
        CodedWarning(
            "paired_by_name",
            {"what": what, "n_names": n_names, "names": _distinguishable_names(groups[0])},
        )
    ]


def warnings_on_annotator_folders(documents: Iterable[str]) -> list[CodedWarning]:
    """Warn of documents with the same name in several folders, which may be one per annotator."""
    homes: dict[str, set[str]] = {}
    for name in documents:
        folder, slash, rest = name.partition("/")
        if slash:
            homes.setdefault(rest, set()).add(folder)
    folders = max(homes.values(), key=len, default=set())
    if len(folders) < 2:
        return []
    return [CodedWarning("folders_of_annotators", {"names": quoted_first_names(sorted(folders))})]


def _quoted(names: Sequence[str]) -> str:
    """Quote the names, so that leading and trailing spaces are visible."""
    return ", ".join(f"“{name}”" for name in names)


def _distinguishable_names(names: Sequence[str]) -> str:
    """Make the names distinguishable to a reader: as code points if they look the same."""
    same = len({unicodedata.normalize("NFC", name) for name in names}) < len(names)
    write: Callable[[str], str] = ascii if same else repr
    return ", ".join(map(write, names))
