"""Certified values: the collection, what Accordeur and other packages reach, and digits."""
