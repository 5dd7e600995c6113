"""CoNLL columns: which column is what, and lines one by one and many at a time."""
