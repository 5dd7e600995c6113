"""Coefficients on given items, their chance models and their uncertainty."""
