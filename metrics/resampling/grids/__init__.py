"""Reading grids of alignment measures: perfect units, shuffled by a known magnitude."""
