"""Tabular files: their rows, which column is what, and the records that rows become."""
