"""What runs are run on: a Prefect server of their own, Dask, compiled kernels."""
