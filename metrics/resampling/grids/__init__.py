"""Reading grids of alignment measures: perfect units, degraded by a known magnitude."""
