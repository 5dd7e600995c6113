"""Projects of programs for qualitative data analysis: coded texts."""
