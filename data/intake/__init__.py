"""Exports on their way in.

* which files               inputs
* their rows, adapted       source_rows, adaptation
* spilled, sorted, merged   spill, sorted_runs
"""
