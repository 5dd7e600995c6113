"""Annotators who err as the real ones do, and the reading table read off them."""
