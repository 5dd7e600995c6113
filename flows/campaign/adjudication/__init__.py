"""Disagreements listed for people who decide, and their decisions read back."""
