"""Imported by the process that workers are forked from: its compiled kernels are theirs.

Loading them takes a worker half a second; here it happens once, while Prefect's server starts.
"""

from contextlib import suppress

from metrics.alignment.compilation import compile_kernels

with suppress(Exception):  # what is wrong with them, the first task says better
    compile_kernels()
