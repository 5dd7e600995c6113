"""Figures as small inline SVG, styled by the page's style sheet (light, dark, print)."""
