"""The coefficients themselves: sums of counts and a distance table in, D_o and D_e out."""
