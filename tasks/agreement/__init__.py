"""Layers of labels: counts of batches, coefficients of the campaign, and interpretation."""
