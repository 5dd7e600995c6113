"""Synthetic annotators with the error pattern of real ones, and the reading table based on them."""
