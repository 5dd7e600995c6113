"""Types of the arrays that measures take and return, each with one dtype.

A kernel compiles once for each dtype of its arrays.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Ints32 = NDArray[np.int32]
Flags = NDArray[np.bool_]
