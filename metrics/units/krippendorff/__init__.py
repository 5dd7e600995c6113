"""Krippendorff's coefficients on unitized continua: α_U (1995) and the uα family (2016)."""
