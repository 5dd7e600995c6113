"""Tabular files: rows, the meaning of columns, and conversion of rows to records."""
