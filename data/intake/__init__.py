"""Reading of exports into the store.

* list and hash files       input_files
* read and adapt rows       source_rows, adaptation, hiding (pseudonyms)
* spill, sort, merge        spill, sorted_runs
"""
