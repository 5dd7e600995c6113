"""Exact choice among candidate tuples: dual prices as bounds, sweeps, islands."""
