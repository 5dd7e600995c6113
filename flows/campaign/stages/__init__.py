"""Stages of a run that take more than one call of a task."""
