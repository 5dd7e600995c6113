"""Exports to spilled rows, and these to accepted and rejected tables with their facts."""
