"""Warnings of names: look-alikes counted as several, humans called like a reference or a system."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ...data.schema import Role
from ...data.suggested_roles import suggested_roles
from ...metrics.look_alikes import look_alikes
from ...reports.notices import notice
from ...reports.results import Notice


def similar_names(tagsets: Mapping[str, Sequence[str]], annotators: Iterable[str]) -> list[Notice]:
    """One notice for each group of look-alikes: of each layer, then among the people."""
    return [
        *(
            notice("similar_categories", layer=layer, names=_listed(group))
            for layer, tagset in tagsets.items()
            for group in look_alikes(tagset)
        ),
        *(notice("similar_annotators", names=_listed(group)) for group in look_alikes(annotators)),
    ]


def names_of_other_roles(humans: Iterable[str]) -> list[Notice]:
    """One notice for each annotator counted as human who is called like a reference or a system."""
    return [
        notice("named_like_reference", name=name)
        if role == Role.REFERENCE
        else notice("named_like_system", name=name)
        for name, role in suggested_roles(humans).items()
    ]


def _listed(names: Sequence[str]) -> str:
    """In quotation marks, which show the spaces at their ends."""
    return ", ".join(f"“{name}”" for name in names)
