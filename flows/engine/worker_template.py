"""The process from which local workers are forked: it imports the stages, and ends at once.

`flows.engine.startup` starts it; its workers have what it imported.
"""

from __future__ import annotations

import atexit
import os
from importlib import import_module

from .startup import FLOW, import_pyarrow_without_pandas

import_pyarrow_without_pandas()
for name in [FLOW, "accordeur.tasks.agreement.item_agreement", "prefect_dask"]:
    import_module(name)
atexit.register(os._exit, 0)  # skips a teardown of its many modules, which takes a second
