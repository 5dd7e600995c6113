"""Array types of the compiled kernels, one dtype each so that every kernel compiles once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Longs = NDArray[np.int64]
Ints = NDArray[np.int32]
Flags = NDArray[np.bool_]
Index = int | np.signedinteger[Any]
