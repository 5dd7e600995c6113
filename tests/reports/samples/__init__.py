"""Results documents made by hand for the tests of the page: typical, pathological, quiet, large.

The figures are plausible, not computed: what is tested here is how they are shown.
"""

from tests.reports.samples.large import large
from tests.reports.samples.objects import objects
from tests.reports.samples.other_pages import calibration, simulation, study
from tests.reports.samples.over_runs import comparison, index
from tests.reports.samples.pathological import empty, pathological
from tests.reports.samples.quiet import agreed, bare
from tests.reports.samples.typical import typical

__all__ = [
    "agreed",
    "bare",
    "calibration",
    "comparison",
    "empty",
    "index",
    "large",
    "objects",
    "pathological",
    "simulation",
    "study",
    "typical",
]
