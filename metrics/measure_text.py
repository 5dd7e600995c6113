"""A measure with its distance as a text: `weighted_kappa(weights=quadratic)`, or a signature."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .close_names import did_you_mean
from .errors import MetricsError
from .measures import COEFFICIENTS, resolve_published_name
from .signature import How

_WITH_SETTINGS = re.compile(r"(?P<name>[^()|]+)\((?P<settings>[^()]*)\)")
SETTINGS = ("distance", "scale", "weights")


@dataclass(frozen=True, slots=True)
class MeasureText:
    """A measure and the distance that it is computed with; "" if that is chosen elsewhere."""

    name: str
    distance: str = ""

    def __str__(self) -> str:
        return f"{self.name}(distance={self.distance})" if self.distance else self.name

    @classmethod
    def read(cls, text: str) -> MeasureText:
        """Read a name, a name with settings, a published name (`ICC(A,1)`) or a signature.

        Names are not checked. `scale` says the same as `distance`; `weights`, of κ, are those of
        the ranks, as in scikit-learn. Raises MetricsError for other settings, for two of them and
        for a coefficient without distances.

        >>> str(MeasureText.read("cohen_kappa(weights=quadratic)"))
        'weighted_kappa(distance=quadratic_ranks)'
        >>> str(MeasureText.read("krippendorff_alpha|distance:ordinal|categories:3|version:0.3.0"))
        'krippendorff_alpha(distance=ordinal)'
        """
        if "|" in text:
            how = How.read(text)
            return cls(how.measure, _chosen(how.measure, how.distance or ""))
        found = _WITH_SETTINGS.fullmatch(text.strip())
        if found is None or "=" not in found["settings"]:
            return cls(resolve_published_name(text.strip()))
        name = found["name"].strip()
        key, value = _only_setting(text, found["settings"])
        if key == "weights":
            if name not in ("cohen_kappa", "weighted_kappa") or value not in _WEIGHTS:
                raise MetricsError(
                    f"{text}: weights are linear or quadratic, of weighted_kappa; give another "
                    "coefficient a distance: krippendorff_alpha(distance=quadratic)"
                )
            return cls("weighted_kappa", f"{value}_ranks")
        if name in COEFFICIENTS and not COEFFICIENTS[name].weighted:
            raise MetricsError(
                f"{text}: {name} has no distances between categories; take a weighted coefficient, "
                "such as weighted_kappa or krippendorff_alpha"
            )
        return cls(name, _chosen(name, value))


_WEIGHTS = ("linear", "quadratic")


def _chosen(name: str, distance: str) -> str:
    """Return the distance of a signature or a text; "" for one that nobody has to choose."""
    if distance == "nominal" or (name in COEFFICIENTS and not COEFFICIENTS[name].weighted):
        return ""
    return distance


def _only_setting(text: str, settings: str) -> tuple[str, str]:
    """Return the key and the value of `distance=ordinal`. Raises MetricsError."""
    pairs = [one.partition("=")[::2] for one in settings.split(",")]
    (key, value), *others = [(key.strip(), value.strip()) for key, value in pairs]
    if key not in SETTINGS or not value or others:
        hint = "" if key in SETTINGS else did_you_mean(key, SETTINGS)
        raise MetricsError(
            f"{text}: {hint}a measure takes one setting in parentheses: distance=NAME, scale=NAME, "
            "or weights=linear or quadratic"
        )
    return key, value
