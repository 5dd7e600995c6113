"""WebAnno TSV 3.x: its lines, the annotations in its cells, and what they become."""
