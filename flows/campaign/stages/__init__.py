"""Stages of a run that consist of more than one task call."""
