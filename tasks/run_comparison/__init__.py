"""Comparison of two runs of a campaign: values, documents, data, options, code."""
