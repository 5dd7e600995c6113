"""Annotations that are probably mistakes: of an export, and of a campaign's layers."""
