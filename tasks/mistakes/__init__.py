"""Probable annotation errors in exports and in layers of campaigns."""
