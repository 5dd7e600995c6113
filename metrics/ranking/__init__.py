"""Rankings of systems from pairwise preferences: the model, its errors, and sets of ranks."""
