"""Exact choice among candidate tuples: dual prices that bound it, sweeps, islands."""
