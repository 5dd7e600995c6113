"""Layers of INCEpTION, WebAnno and DKPro: their short names and category features.

| layer | its category |
|---|---|
| built-in layers of DKPro | the feature in `BUILT_IN` |
| chains | `referenceType` |
| other layers | the feature of the option `category`, or else the only text feature with values |

If several text features of a layer have values, the user must choose the category:
`CategoryFeatures.require_choice` rejects the layer and lists its features.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Annotated, Any

from ...errors import DataError, OptionError
from ...option_names import format_options, names_campaign_keys, option
from ..options import FormatOptions, Option

BUILT_IN: Mapping[str, tuple[str, ...]] = {
    "NamedEntity": ("value",),
    "POS": ("PosValue", "coarseValue"),  # coarseValue where an annotation has no PosValue
    "Lemma": ("value",),
    "Stem": ("value",),
    "Chunk": ("chunkValue",),
    "Constituent": ("constituentType",),
    "Coreference": ("referenceType",),
    "Dependency": ("DependencyType",),
    "MorphologicalFeatures": ("value",),
    "SemPred": ("category",),
    "SurfaceForm": ("value",),
}
_BUILT_IN_PACKAGES = (".dkpro.core.", ".clarin.webanno.")
_SEGMENTATION = frozenset(
    {"Token", "Sentence", "Paragraph", "Lemma", "Stem"}
    | {"TokenAnnotation", "SentenceAnnotation", "ParagraphAnnotation", "LemmaAnnotation"}
    | {"WordToken", "BaseToken", "WordAnnotation"}
)
_SEGMENTATION_PACKAGE = ".segmentation.type."
_CUSTOM = ("webanno.custom.", "custom.")  # custom layers of a project
_EXAMPLES = 3
_MOST_DIFFERENT = 1000


@dataclass(frozen=True)
class CategoryOption(FormatOptions):
    category: Annotated[
        str,
        Option(
            "the feature that holds the category: `feature` for all layers that have it, "
            "`Layer.feature` for one layer; separate several with commas"
        ),
    ] = ""


@lru_cache(maxsize=1024)
def short_layer_name(type_name: str) -> str:
    """Shorten `…ner.type.NamedEntity` to NamedEntity; chain links and sub-types to their base."""
    name = type_name.rpartition(".")[2]
    for base in ("POS", "Constituent", "Dependency"):
        if f".{base.lower()}." in type_name:
            return base
    return name.removesuffix("Link") if name != "Link" else name


@lru_cache(maxsize=1024)
def is_segmentation(type_name: str) -> bool:
    """Return whether a type segments the text (tokens, sentences, lemmas); read only if named."""
    if type_name.startswith(_CUSTOM):
        return False
    return _SEGMENTATION_PACKAGE in type_name or type_name.rpartition(".")[2] in _SEGMENTATION


def holds_only_unmarked_relation_ends(layer: str, categories: Iterable[str]) -> bool:
    """Return whether a layer holds only tokens that relations attach to, which nobody marked."""
    return layer == "Token" and not any(categories)


@dataclass(slots=True)
class FeatureValues:
    """The values that the annotations of one layer have in one feature."""

    n: int = 0
    different: dict[str, None] = field(default_factory=dict)

    def add(self, value: str) -> None:
        self.n += 1
        if len(self.different) < _MOST_DIFFERENT:
            self.different[value] = None

    def __str__(self) -> str:
        n = len(self.different)
        some = ", ".join(repr(value[:40]) for value in list(self.different)[:_EXAMPLES])
        more = "+" if n == _MOST_DIFFERENT else ""
        return f"{self.n} value{'s' * (self.n != 1)}, {n}{more} different: {some}"


class SeveralFeaturesError(OptionError):
    """Layers have several features that could be their category.

    usual  the feature of each with most values, as a value of the option `category`
    """

    def __init__(self, text: str, wanted: Mapping[str, Mapping[str, FeatureValues]]) -> None:
        super().__init__(text)
        most = {layer: max(found, key=lambda f: found[f].n) for layer, found in wanted.items()}
        self.usual = ",".join(f"{layer}.{feature}" for layer, feature in most.items())


@dataclass(frozen=True, slots=True)
class ReadAs:
    """How the layers of a source were read, as far as it affects what is measured.

    features   layer → the feature that is its category
    found      layers of `features` whose feature the user did not choose
    offsets    the option `offsets` ("": as in the format)
    trimmed    layers whose units lost blanks and punctuation at their edges
    query      the hash of the query that selected the rows ("": the rows are those of the file)
    """

    features: Mapping[str, str] = field(default_factory=dict)
    found: tuple[str, ...] = ()
    offsets: str = ""
    trimmed: tuple[str, ...] = ()
    query: str = ""

    def renamed(self, names: Mapping[str, str]) -> ReadAs:
        """Return the same with the campaign's names of the layers."""
        return ReadAs(
            {names.get(layer, layer): feature for layer, feature in self.features.items()},
            tuple(names.get(layer, layer) for layer in self.found),
            self.offsets,
            query=self.query,
        )

    def as_json(self) -> dict[str, Any]:
        return {
            "features": dict(self.features),
            "found": self.found,
            "offsets": self.offsets,
            "query": self.query,
        }

    def settings(self, layer: str) -> dict[str, str]:
        """Return the settings in the signature of every value of the layer."""
        feature = self.features.get(layer)
        stated = {
            "category_feature": feature,
            "offsets": self.offsets,
            "trim": "edges" if layer in self.trimmed else "",
            "query": self.query,
        }
        return {name: value for name, value in stated.items() if value}


def combine_read_as(sources: Sequence[tuple[str, ReadAs]]) -> ReadAs:
    """Combine how the layers of several sources, each with its path, were read.

    Raises DataError when sources differ in the category feature of a layer and the user did not
    choose it in all of them.
    """
    features: dict[str, dict[str, str]] = {}  # layer → feature → the source that has it
    for path, read_as in sources:
        for layer, feature in read_as.features.items():
            features.setdefault(layer, {}).setdefault(feature, path)
    found = {layer for _, read_as in sources for layer in read_as.found}
    for layer, paths in sorted(features.items()):
        if len(paths) > 1 and layer in found:
            choices = ", ".join(f"{feature} in {path}" for feature, path in paths.items())
            raise DataError(
                f"layer {layer} has different category features in the sources ({choices}): choose "
                f'one for each with options = {{ category = "{layer}.FEATURE" }}'
            )
    return ReadAs(
        {layer: "/".join(sorted(paths)) for layer, paths in sorted(features.items())},
        tuple(sorted(found)),
        "/".join(sorted({read_as.offsets for _, read_as in sources} - {""})),
        query="/".join(sorted({read_as.query for _, read_as in sources} - {""})),
    )


class CategoryFeatures:
    """Determines the category feature of each layer of a source, over all of its files.

    measured  the only layer that is measured; other layers need no choice (None: all are measured)
    """

    def __init__(self, measured: str | None = None) -> None:
        self._measured = measured
        self._option = ""
        self._of_layer: dict[str, str] = {}
        self._of_any: list[str] = []
        self._declared: dict[str, set[str]] = {}
        self._values: dict[str, dict[str, FeatureValues]] = {}
        self._used: dict[str, tuple[str, ...]] = {}

    def choose(self, option: str) -> None:
        """Parse the option `category`. Raises DataError when it is malformed."""
        if option == self._option:
            return
        self._option = option
        for name in filter(None, map(str.strip, option.split(","))):
            layer, dot, feature = name.rpartition(".")
            if not feature or (dot and not layer):
                raise OptionError(f"option category = {name!r}: write `feature` or `Layer.feature`")
            if dot:
                self._of_layer[layer.rpartition(".")[2]] = feature
            else:
                self._of_any.append(feature)

    def measures(self, layer: str) -> bool:
        """Return whether the layer was named as the one to measure."""
        return layer == self._measured

    def known(
        self, type_name: str, declared: Iterable[str], *, is_chain: bool = False
    ) -> tuple[str, ...]:
        """Return a type's category features if they are known without its values; otherwise ().

        declared  all features of the type
        """
        layer, names = short_layer_name(type_name), set(declared)
        self._declared.setdefault(layer, set()).update(names)
        found: tuple[str, ...] = ()
        if layer in self._of_layer:
            found = (self._of_layer[layer],)
        elif own := [name for name in self._of_any if name in names]:
            found = (own[0],)
        elif layer in BUILT_IN and any(package in type_name for package in _BUILT_IN_PACKAGES):
            found = BUILT_IN[layer]
        elif is_chain:
            found = ("referenceType",)
        if found:
            self.use(layer, *found)
        return found

    def add(self, layer: str, feature: str, value: str) -> None:
        """Count a text feature's value in an annotation of a layer that is not `known`."""
        if value:
            self._values.setdefault(layer, {}).setdefault(feature, FeatureValues()).add(value)

    def only(self, layer: str) -> tuple[str, ...]:
        """Return the layer's only feature with values so far; () if there is none or several."""
        names = tuple(self._values.get(layer, ()))
        return names if len(names) == 1 else ()

    def use(self, layer: str, *features: str) -> None:
        """Record the features that are the category of a layer."""
        self._used[layer] = tuple(dict.fromkeys((*self._used.get(layer, ()), *features)))

    def read_as(self, offsets: str = "") -> ReadAs:
        """Return the decisions after all files are read."""
        found = {layer: names[0] for layer in self._values if (names := self.only(layer))}
        used = {layer: "/".join(names) for layer, names in self._used.items()}
        return ReadAs(dict(sorted((found | used).items())), tuple(sorted(found)), offsets)

    def require_choice(self, source: object) -> None:
        """Raise OptionError for a layer with several features, or a chosen one that is nowhere."""
        if self._declared:  # otherwise the format has no layers with features
            self._require_chosen(source)
        wanted = {
            layer: values
            for layer, values in sorted(self._values.items())
            if len(values) > 1 and self._measured in (None, layer)
        }
        if wanted:
            text = f"{source}: {_category_choices(wanted, self._undecided_layers(wanted))}"
            raise SeveralFeaturesError(text, wanted)

    def _require_chosen(self, source: object) -> None:
        for layer, feature in self._of_layer.items():
            features = self._declared.get(layer)
            if features is None:
                raise OptionError(
                    f"{source}: option category = {layer}.{feature}: there is no layer {layer}; "
                    f"the layers are {_listed(self._declared)}"
                )
            if feature not in features:
                raise OptionError(
                    f"{source}: option category = {layer}.{feature}: layer {layer} has no feature "
                    f"{feature}; its features are {_listed(features)}"
                )
        for feature in self._of_any:
            if not any(feature in features for features in self._declared.values()):
                every = {name for features in self._declared.values() for name in features}
                raise OptionError(
                    f"{source}: option category = {feature}: no layer has that feature; the "
                    f"features are {_listed(every)}"
                )

    def _undecided_layers(self, wanted: Mapping[str, object]) -> list[str]:
        return sorted(layer for layer in self._declared if layer not in wanted)


def _category_choices(
    wanted: Mapping[str, Mapping[str, FeatureValues]], others: Sequence[str]
) -> str:
    lists = "; ".join(
        f"layer {layer} has several features that could be its category: "
        + ", ".join(f"{name} ({found})" for name, found in values.items())
        for layer, values in wanted.items()
    )
    first, values = next(iter(wanted.items()))
    chosen = f"{first}.{next(iter(values))}"
    rest = ""
    if others:
        layers = "layers" if names_campaign_keys() else option("layer")
        rest = f", or name another layer ({_listed(others)}) with `{layers}`"
    return f"{lists}. Choose one with `{format_options(category=chosen)}`{rest}"


def _listed(names: Iterable[str], most: int = 12) -> str:
    found = sorted(names)
    return ", ".join(found[:most]) + (" …" if len(found) > most else "") or "none"
