"""Execution of runs: a private Prefect server, Dask, compiled kernels."""
