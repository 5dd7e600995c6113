"""Exports read and measured in memory: what the quick looks of every kind share."""
