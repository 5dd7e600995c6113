"""Reading of exports into the store.

* list and hash files       inputs
* read and adapt rows       source_rows, adaptation
* spill, sort, merge        spill, sorted_runs
"""
