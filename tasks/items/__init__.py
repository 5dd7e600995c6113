"""A layer of labels: counts of batches, coefficients of the campaign, what to read off them."""
