"""Reliability of an agreement value: subsets, synthetic annotators, reading tables and grids."""
