"""A layer of units: best alignments of batches, chance samples, γ and what stands beside it."""
