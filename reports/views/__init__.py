"""Sections of the page: each module formats its part of the results for one template.

Views prepare words and figures; templates only loop over them and print.
"""
