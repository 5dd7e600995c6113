"""CoNLL columns: which column is what, and the lines one after the other."""
