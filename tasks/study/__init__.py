"""A resampling study: trials of its cells, their summary and page."""
