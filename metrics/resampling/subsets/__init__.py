"""Stability of a reference if only some annotators make it: every subset, exactly."""
