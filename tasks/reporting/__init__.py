"""Reporting stage of a run: from summaries to the results document, page, tables and gates."""
