"""What studies vary, with what other packages add by entry points of three groups.

`accordeur.degradations` (a `UnitDegradation`), `accordeur.generators` (a `LabelGenerator`) and
`accordeur.study_variables` (a `StudyVariable`). They are loaded when a study is read,
after the modules that define their classes, which the packages import.
"""

from __future__ import annotations

from functools import cache

from ..plugins import load_plugins
from .grids.corpus_shuffling import DEGRADATIONS, UnitDegradation
from .synthetic.changed_campaigns import StudyVariable
from .synthetic.synthetic_annotators import GENERATORS, LabelGenerator


@cache
def unit_degradations() -> dict[str, UnitDegradation]:
    """Return the degradations by name, with those of other packages."""
    DEGRADATIONS.update(load_plugins("accordeur.degradations", UnitDegradation, known=DEGRADATIONS))
    return DEGRADATIONS


@cache
def label_generators() -> dict[str, LabelGenerator]:
    """Return the generators of labels by name, with those of other packages."""
    GENERATORS.update(load_plugins("accordeur.generators", LabelGenerator, known=GENERATORS))
    return GENERATORS


@cache
def study_variables() -> dict[str, StudyVariable]:
    """Return the variables of other packages by name."""
    return load_plugins("accordeur.study_variables", StudyVariable, known=())
