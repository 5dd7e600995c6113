"""References: built from annotators by a run, released, and kept for scoring."""
