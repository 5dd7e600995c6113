"""Layers of units: best alignments of batches, chance samples, γ and related values."""
