"""Adjudication: disagreements exported for decision makers, and import of their decisions."""
