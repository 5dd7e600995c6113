"""Results documents made by hand for the tests of the page: typical, pathological, empty, large.

The figures are plausible, not computed: what is tested here is how they are shown.
"""

from tests.reports.samples.large import large
from tests.reports.samples.pathological import empty, pathological
from tests.reports.samples.typical import typical

__all__ = ["empty", "large", "pathological", "typical"]
