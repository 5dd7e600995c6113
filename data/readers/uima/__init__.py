"""UIMA CAS: the two formats it comes in, and what its annotations become."""
