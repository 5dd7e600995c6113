"""Assignments and their states, from the JSON of an INCEpTION or WebAnno project."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import Any

from ...annotator_names import CURATOR
from ...errors import DataError
from ...schema import State
from ...untrusted.archives import Archive
from ...untrusted.documents import parse_json

PROJECT_MARK = "exportedproject"
_STATES = {
    "FINISHED": State.FINISHED,
    "IN_PROGRESS": State.UNFINISHED,
    "NEW": State.NOT_ASSIGNED,
    "IGNORE": State.NOT_ASSIGNED,  # locked: the annotator was not to annotate it
}
_CURATION_STATES = {
    "CURATION_FINISHED": State.FINISHED,
    "CURATION_IN_PROGRESS": State.UNFINISHED,
}


@dataclass(slots=True)
class ProjectStates:
    """`root` is the folder that contains the entries, with its "/"; "" when there is none."""

    root: str
    documents: list[str] = field(default_factory=list)
    annotators: set[str] = field(default_factory=set)
    _states: dict[tuple[str, str], tuple[State, str]] = field(default_factory=dict)

    def state(self, document: str, annotator: str) -> tuple[State, str]:
        """Return state and time (ISO 8601) of an annotator on a document; default: not assigned."""
        return self._states.get((document, annotator), (State.NOT_ASSIGNED, ""))

    def annotators_of(self, document: str) -> set[str]:
        """Return the annotators with a state on the document."""
        return {annotator for home, annotator in self._states if home == document}

    def set(self, document: str, annotator: str, state: State, time: str) -> None:
        self._states[document, annotator] = (state, time)


def project_states(archive: Archive, source: str) -> ProjectStates:
    """Read the states in the project's JSON. Raises DataError when it is missing or damaged."""
    marks = [name for name in archive.names if PROJECT_MARK in PurePosixPath(name).name]
    if not marks:
        raise DataError(f"{source}: no {PROJECT_MARK}….json in it: not a project export")
    name = min(marks, key=len)
    states = ProjectStates(name[: len(name) - len(PurePosixPath(name).name)])
    try:
        project = parse_json(archive.read(name), f"{source}/{name}")
        for entry in project.get("source_documents") or []:
            states.documents.append(str(entry["name"]))
            curated = _CURATION_STATES.get(str(entry.get("state")))
            if curated is not None:
                states.set(str(entry["name"]), CURATOR, curated, _time(entry))
        for entry in project.get("annotation_documents") or []:
            annotator = str(entry["user"])
            state = _STATES.get(str(entry.get("state")), State.NOT_ASSIGNED)
            states.annotators.add(annotator)
            states.set(str(entry["name"]), annotator, state, _time(entry))
    except DataError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise DataError(f"{source}/{name}: not the JSON of a project ({error!r})") from error
    return states


def _time(entry: dict[str, Any]) -> str:
    """Return the time of the last change, from milliseconds since 1970."""
    value = entry.get("updated") or entry.get("timestamp")
    if not isinstance(value, int) or not 0 < value < 10**14:
        return ""
    return datetime.fromtimestamp(value / 1000, UTC).isoformat(timespec="seconds")
