"""A resampling study: its file, what it reads, its cells and what they will cost."""
