"""The quick looks: an export in, numbers out, in about a second; neither Prefect nor Dask."""
