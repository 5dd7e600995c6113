"""Thin Prefect tasks: read a batch, call a pure function, write Parquet, return its path."""
