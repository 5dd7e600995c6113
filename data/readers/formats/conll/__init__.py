"""CoNLL columns: meaning of the columns, and parsing line by line."""
