"""The picture of the effects of documents, in the style of the report's forest plots."""

from __future__ import annotations

from markupsafe import Markup

from ..figures.svg import Scale


def effect_strip(effect: float, largest: float) -> Markup:
    """Draw one row of a plot of effects around 0; the table has the numbers."""
    scale = Scale(-largest, largest, 5.0, 95.0)
    return Markup(
        '<svg class="strip" aria-hidden="true" height="18">'
        '<line class="zero" x1="50%" x2="50%" y1="0" y2="18"/>'
        '<line class="interval" x1="50%" x2="{0:g}%" y1="9" y2="9"/>'
        '<circle class="point" cx="{0:g}%" cy="9" r="4"/></svg>'
    ).format(scale(effect))
