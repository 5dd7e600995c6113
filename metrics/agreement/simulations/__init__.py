"""Simulations of the coefficients for annotators with known errors and margins."""
