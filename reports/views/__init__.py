"""Sections of the page: each module formats its part of the results for one template.

Views hold words and figures ready to print; templates loop and print.
"""
