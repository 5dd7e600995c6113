"""Formulas of the coefficients: from sums of counts and a distance table to D_o and D_e."""
