"""Resampling studies: trials of their cells, and their summary and page."""
