"""Names of items of a campaign as single strings."""

from __future__ import annotations

ITEM_SIGN = "\x1f"  # separator between document and item


def split_item(name: str) -> tuple[str, str]:
    """Split the name of an item into document and item. Raises ValueError without a document."""
    document, item = name.split(ITEM_SIGN, 1)
    return document, item


def public_name(layer: str, case: str) -> str:
    """Return the name of a case in files: layer, then document and item, or document and units."""
    return f"{layer}|{case.replace(ITEM_SIGN, '|')}"
