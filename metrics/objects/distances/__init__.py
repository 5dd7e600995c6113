"""Distances between objects of one kind."""
