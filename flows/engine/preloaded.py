"""Imported by the process that workers are forked from: what it has loaded is theirs.

The compiled kernels take a worker half a second, the modules of the formats and the templates of
the page up to a tenth each; here they are loaded once, while Prefect's server starts.
"""

from contextlib import suppress

from data.readers.registry import readers
from metrics.alignment.compilation import compile_kernels
from reports.render import load_templates

for load in (compile_kernels, readers, load_templates):
    with suppress(Exception):  # what is wrong with them, the first task says better
        load()
