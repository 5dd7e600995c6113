"""The end of a run: summaries to the results document, its page, its tables and its gates."""
