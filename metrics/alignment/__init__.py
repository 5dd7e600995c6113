"""The exact alignment engine."""

from metrics.alignment.kernel_cache import drop_stale_kernels

drop_stale_kernels()
