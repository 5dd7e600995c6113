"""Resampling studies: the study file, inputs, cells and their cost."""
