"""The works that a study uses: sources of its measures, its reference models and its method."""

from __future__ import annotations

from ...metrics.measures import MEASURES
from ...metrics.resampling.reference_stability import MODEL_SOURCES
from .study_results import StudyResults

_METHODS = {
    "subsets": ("bregeon2018",),
    "synthetic": ("bregeon2018",),
    "reading_grid": ("mathet2011",),
}


def works_of(study: StudyResults) -> list[str]:
    """Return keys of references.bib, in the order of the page."""
    found = dict.fromkeys(_METHODS.get(study.kind, ()))
    for part in study.parts:
        found |= dict.fromkeys(MODEL_SOURCES.get(str(part.settings.get("model", "")), ()))
        for curve in part.curves:
            for name in (curve.y, curve.x_name):
                if name in MEASURES:
                    found |= dict.fromkeys(MEASURES[name].sources)
    return list(found)
