"""Layers of INCEpTION, WebAnno and DKPro: their short names, and which feature is the category.

The category of a unit is its layer's main feature: `CATEGORY_FEATURES` for the built-in layers,
else a feature called `value`, `label`, `category` …, else the first string feature that the layer
declares. The option `category` chooses another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from data.errors import DataError
from data.readers.base import SourceOptions

CATEGORY_FEATURES: Mapping[str, tuple[str, ...]] = {
    "POS": ("PosValue", "coarseValue"),  # projects fill the one or the other
    "Chunk": ("chunkValue",),
    "Constituent": ("constituentType",),
    "Coreference": ("referenceType",),
    "Dependency": ("DependencyType",),
    "MorphologicalFeatures": ("value",),
    "SemPred": ("category",),
}
CATEGORY_OPTION = {
    "category": "the feature that is a layer's category, as `Layer.feature`, separated by commas"
}
_USUAL_NAMES = ("value", "label", "category", "type", "name", "class")


@lru_cache(maxsize=1024)
def short_layer(type_name: str) -> str:
    """`…ner.type.NamedEntity` → NamedEntity; chain links and DKPro's sub-types under their base."""
    name = type_name.rpartition(".")[2]
    for base in ("POS", "Constituent", "Dependency"):
        if f".{base.lower()}." in type_name:
            return base
    return name.removesuffix("Link") if name != "Link" else name


def category_choices(options: SourceOptions) -> dict[str, tuple[str, ...]]:
    """The category features by layer, after the option `category`. Raises DataError on its form."""
    chosen = dict(CATEGORY_FEATURES)
    for pair in filter(None, options.extra.get("category", "").split(",")):
        layer, dot, feature = pair.strip().rpartition(".")
        if not dot or not layer:
            raise DataError(f"option category = {pair.strip()!r}: write `Layer.feature`")
        chosen[layer.rpartition(".")[2]] = (feature,)
    return chosen


def main_feature(strings: Sequence[str]) -> tuple[str, ...]:
    """The category feature of a layer of the user's, among its string features in their order."""
    usual = [name for name in _USUAL_NAMES if name in strings]
    return tuple((usual or list(strings))[:1])
