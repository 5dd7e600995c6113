"""Figures as small inline SVG, themed by the page's style sheet (light, dark, print)."""
