"""Runs by the clock, and who is told."""
