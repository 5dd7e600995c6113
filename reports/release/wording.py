"""Sentences about what was measured, for each question of a standard about the corpus."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import fields

from ...data.row_account import RowAccount
from ...metrics.estimate import Estimate
from ..page.page import Page
from ..page.values import measure_name, name_with_variant
from ..value import Named
from ..views.statement import limit_keys
from ..views.verdict import gate_in_words
from ..warnings import reason_text
from .cited_numbers import Citations, Style, pointer_part
from .corpus_to_release import Corpus

_METHOD, _OVER = "passport.method.", "passport.over."
N_CATEGORIES = 20  # values per layer; results.json has all


class Wording:
    """Sentences in one language and style; each number is cited."""

    def __init__(self, corpus: Corpus, style: Style) -> None:
        self.corpus, self.say = corpus, corpus.say
        self.cite = Citations(corpus, style)

    def agreement(self) -> Iterator[str]:
        """Describe the main values of each layer, its categories, and causes of disorder."""
        results = self.corpus.results
        for kind in ("items", "units", "relations"):
            for i, layer in enumerate(getattr(results, kind)):
                for j, value in enumerate(layer.values):
                    place = f"/{kind}/{i}/values/{j}"
                    if isinstance(value, Named):
                        measure = f"relation_{value.name}"
                        yield self._value(value.value, measure, f"{place}/value", layer.layer)
                    else:
                        yield self._value(value, value.measure, place, layer.layer)
                for j, part in enumerate(layer.per_category[:N_CATEGORIES]):
                    place = f"/{kind}/{i}/per_category/{j}/value"
                    if not math.isnan(part.value.interval[0]):
                        yield self._category(part.name, part.value, place, layer.layer)
        for i, links in enumerate(results.relations):
            for j, value in enumerate(links.chains):
                yield self._value(value, value.measure, f"/relations/{i}/chains/{j}", links.layer)
        for i, layer in enumerate(results.units):
            for j, cost in enumerate(layer.error_costs):
                if not math.isnan(cost.share):
                    share = self.cite.percent(f"/units/{i}/error_costs/{j}/share")
                    known = f"passport.cost.{cost.cause}"
                    yield self.say(known, share=share, layer=self.layer(layer.layer))

    def value_to_quote(self) -> Iterator[str]:
        results = self.corpus.results
        n_values = [len(one.values) for one in results.items]
        n_values += [len(one.values) for one in results.units]
        if max(n_values, default=0) > 1:
            yield self.say("passport.first_value")

    def intervals(self) -> Iterator[str]:
        """Say what the intervals are over."""
        results = self.corpus.results
        of_items = "interval_of_items" in limit_keys(results)
        yield self.say(f"passport.intervals{'_of_items' if of_items else ''}")

    def gates(self) -> Iterator[str]:
        """State each quality gate of the campaign with its outcome."""
        page = Page(self.corpus.results, self.say)
        for gate in self.corpus.results.gates:
            found = gate_in_words(page, gate)
            yield self.say("passport.gate", outcome=found.word, sentence=found.sentence)

    def per_item(self) -> Iterator[str]:
        for i, one in enumerate(self.corpus.release.annotations_per_item):
            place = f"/release/annotations_per_item/{i}"
            per = "per_document" if one.kind == "units" else "per_item"
            yield self.say(
                f"passport.{per}{'_alike' if one.fewest == one.most else ''}",
                layer=self.layer(one.layer),
                n=self.cite.number(f"{place}/n_items"),
                fewest=self.cite.number(f"{place}/fewest"),
                most=self.cite.number(f"{place}/most"),
                median=self.cite.number(f"{place}/median", 0 if one.median.is_integer() else 1),
            )
            if one.categories:
                shown = [
                    self.say("passport.group", name=name or self.say("passport.no_category"),
                             n=self.cite.number(f"{place}/categories/{pointer_part(name)}"))
                    for name in [*one.categories][:N_CATEGORIES]
                ]  # fmt: skip
                more = len(one.categories) - len(shown)
                yield self.say(
                    f"passport.{'units' if one.kind == 'units' else 'labels'}_by_category",
                    layer=self.layer(one.layer),
                    categories=self.say.semicolon_list(shown),
                    more=self.say("passport.more_categories", n=more) if more else "",
                )

    def demographics(self) -> Iterator[str]:
        release = self.corpus.release
        for i, one in enumerate(release.demographics):
            groups = [
                self.say(
                    "passport.group",
                    name=name or self.say("passport.joined"),
                    n=self.cite.number(f"/release/demographics/{i}/groups/{pointer_part(name)}"),
                )
                for name in one.groups
            ]
            yield self.say(
                "passport.demographic",
                attribute=one.attribute,
                groups=self.say.semicolon_list(groups),
            )
        for attribute in release.withheld:
            minimum = self.cite.number("/release/metadata/minimum_group")
            yield self.say("passport.withheld", attribute=attribute, minimum=minimum)
        yield from self._texts_under_heading("Annotator demographic")

    def rows(self) -> Iterator[str]:
        validation = self.corpus.results.validation
        if validation is not None:
            if validation.account is not None:
                yield self.say(
                    "passport.annotations",
                    read=self.cite.number("/validation/account/n_read"),
                    measured=self.cite.number("/validation/account/measured"),
                )
                yield from self._not_measured(validation.account)
            yield self.say(
                "passport.rows",
                read=self.cite.number("/validation/rows_in"),
                rejected=self.cite.number("/validation/rows_rejected"),
                accepted=self.cite.number("/validation/rows_accepted"),
            )

    def _not_measured(self, account: RowAccount) -> Iterator[str]:
        """Say how many annotations enter no agreement, by reason."""
        place, counts = "/validation/account", dict[str, str]()
        for name in ("system", "reference_only", "audit"):
            if getattr(account, name):
                counts[f"passport.row_of.{name}"] = f"{place}/{name}"
        for reason in account.excluded:
            counts[f"account.reason.{reason}"] = f"{place}/excluded/{pointer_part(reason)}"
        told = [
            self.say(
                "passport.group",
                name=self.say(key) if self.say.knows(key) else key.rpartition(".")[2],
                n=self.cite.number(pointer),
            )
            for key, pointer in counts.items()
        ]
        if told:
            yield self.say("passport.not_measured", reasons=self.say.semicolon_list(told))

    def references(self) -> Iterator[str]:
        """Describe how the reference of each layer was made, and its coverage."""
        results = self.corpus.results
        of_units = {one.layer for one in results.units}
        curators = {one.name for one in results.annotators if one.role == "reference"}
        for i, one in enumerate(results.references):
            known = next(
                (k for k in (f"passport.rule.{one.rule}", f"rule.{one.rule}") if self.say.knows(k)),
                "",
            )
            imported = one.annotators and set(one.annotators) <= curators
            key = "single" if one.is_single_annotator else "curation" if imported else "reference"
            yield self.say(
                f"passport.{key}",
                layer=self.layer(one.layer),
                kind=self.say(f"passport.{'places' if one.layer in of_units else 'items'}"),
                rule=self.say(known) if known else one.rule,
                resolved=self.cite.number(f"/references/{i}/n_resolved"),
                n=self.cite.number(f"/references/{i}/n_items"),
                open=self.cite.number(f"/references/{i}/n_unresolved"),
                ties=self.say("passport.ties", n=self.cite.number(f"/references/{i}/n_ties"))
                if one.n_ties
                else "",
            )
        built = [one.layer for one in results.references]
        for name in dict.fromkeys(one for one in built if built.count(one) > 1):
            yield self.say("passport.imported_first", layer=self.layer(name))
        without = [one.layer for one in results.relations]
        if not curators:  # whose references are published though no rule built them
            layers = dict.fromkeys(one.layer for one in (*results.items, *results.units))
            without = [*(one for one in layers if one not in built), *without]
        yield from (self.say("passport.no_reference", layer=self.layer(one)) for one in without)

    def errors(self) -> Iterator[str]:
        """Describe how wrong each reference is, by an audit of it, or that none tells."""
        results = self.corpus.results
        audited = {
            one.layer for one in results.validity if one.error and not math.isnan(one.error.value)
        }
        for name in dict.fromkeys(one.layer for one in results.references):
            if name not in audited:
                yield self.say("passport.no_error", layer=self.layer(name))
        for i, one in enumerate(results.validity):
            place, error = f"/validity/{i}/error", one.error
            if error is None or math.isnan(error.value):
                continue
            in_units = error.measure == "slot_error_rate"
            show = self.cite.number if in_units else self.cite.percent
            has_interval = not math.isnan(error.interval[0])
            yield self.say(
                f"passport.error{'_of_units' if in_units else ''}",
                layer=self.layer(one.layer),
                reference=self.say("passport.named", name=one.reference)
                if sum(other.layer == one.layer for other in results.validity) > 1
                else "",
                value=show(f"{place}/value"),
                interval=self.say(
                    "passport.error_interval",
                    low=show(f"{place}/interval/0"),
                    high=show(f"{place}/interval/1"),
                    **self._interval_of_error(error, place),
                )
                if has_interval
                else "",
                n=self.cite.number(f"{place}/n_items"),
            )

    def _interval_of_error(self, error: Estimate, place: str) -> dict[str, str]:
        found = self._interval(error, place)
        return {name: found[name] for name in ("level", "how")}

    def estimates(self) -> Iterator[str]:
        """Describe the corrected shares of the categories in the whole corpus."""
        for i, one in enumerate(self.corpus.results.estimates):
            for j, system in enumerate(one.systems):
                for k, share in enumerate(system.shares[:N_CATEGORIES]):
                    place = f"/estimates/{i}/systems/{j}"
                    if math.isnan(share.value):
                        continue
                    yield self.say(
                        "passport.corrected_share",
                        layer=self.layer(one.layer),
                        name=share.category,
                        system=system.system,
                        value=self.cite.number(f"{place}/shares/{k}/value"),
                        level=self.cite.percent(f"/estimates/{i}/level_of_shares"),
                        low=self.cite.number(f"{place}/shares/{k}/interval/0"),
                        high=self.cite.number(f"{place}/shares/{k}/interval/1"),
                        audited=self.cite.number(f"{place}/n_audited"),
                        n=self.cite.number(f"{place}/n_items"),
                    )

    def individual(self) -> Iterator[str]:
        """Describe how annotations of individual annotators are published."""
        yield self.say("passport.individual")
        tables = [table.name for table in self.corpus.release.tables]
        linked = [f"`{one}`" for one in ("reference_labels", "soft_labels") if one in tables]
        if "labels" in tables and linked:
            yield self.say("passport.linked_labels", tables=self.say.listed(linked))
        humans = [one for one in self.corpus.results.annotators if one.role == "human"]
        hidden = self.corpus.release.hides_annotators or not humans
        yield self.say("passport.hidden" if hidden else "passport.linked")

    def annotators(self) -> Iterator[str]:
        """Describe how the annotators were recruited, paid, asked and instructed."""
        release, unstated = self.corpus.release, list[str]()
        given = self.corpus.metadata.annotators
        for one in fields(given):
            text = str(getattr(given, one.name)).strip()
            if one.name == "instructions":
                if release.instructions_sha256:
                    digest = self.cite.text("/release/instructions_sha256")
                    yield self.say("passport.instructions", name=text, digest=digest)
            elif text:
                yield self.say(f"passport.annotators_of.{one.name}", text=text)
            else:
                unstated.append(self.say(f"passport.unstated.{one.name}"))
        if unstated:
            yield self.say("passport.not_stated", what=self.say.listed(unstated))

    def guideline(self) -> Iterator[str]:
        if self.corpus.results.campaign.guideline:
            yield self.say("passport.guideline", version=self.cite.text("/campaign/guideline"))

    def texts(self) -> Iterator[str]:
        metadata = self.corpus.metadata
        if metadata.texts:
            licence = metadata.text_licence or self.corpus.results.campaign.licence
            yield self.say("passport.texts", licence=licence)
        else:
            tables = {table.name: table.columns for table in self.corpus.release.tables}
            known = "sha256" in tables.get("documents", {})
            yield self.say(f"passport.no_texts{'_but_hashes' if known else ''}")

    def limits(self) -> Iterator[str]:
        """Describe the limits of the measured numbers."""
        said = ("privacy", "interval_of_items")  # of the page; beside the values
        keys = [key for key in limit_keys(self.corpus.results) if key not in said]
        yield from (self.say(f"limits.{key}") for key in keys)

    def layer(self, name: str) -> str:
        if not name:
            return self.say("passport.only_layer")
        return self.say("passport.layer", name=name)

    def _texts_under_heading(self, heading: str) -> Iterator[str]:
        for given, text in self.corpus.results.campaign.statement.items():
            if given.strip().lower() == heading.lower() and text.strip():
                yield text

    def _value(self, value: Estimate, measure: str, place: str, layer: str) -> str:
        of_relation = measure != value.measure
        named = measure_name(self.say, measure) if of_relation else ""
        about = {"measure": named or name_with_variant(self.say, value), "layer": self.layer(layer)}
        if math.isnan(value.value):
            reason = reason_text(self.say, value.reason).rstrip(".")
            return self.say("passport.agreement_undefined", reason=reason, **about)
        about |= {
            "value": self.cite.number(f"{place}/value"),
            "n": self.cite.number(f"{place}/n_annotators"),
        }
        if math.isnan(value.interval[0]):
            return self.say("passport.agreement_without_interval", **about)
        pool = "_new_annotators" if value.is_for_new_annotators else ""
        return self.say(f"passport.agreement{pool}", **about, **self._interval(value, place))

    def _category(self, name: str, value: Estimate, place: str, layer: str) -> str:
        return self.say(
            "passport.category",
            measure=name_with_variant(self.say, value),
            layer=self.layer(layer),
            name=name,
            value=self.cite.number(f"{place}/value"),
            **self._interval(value, place),
        )

    def _interval(self, value: Estimate, place: str) -> dict[str, str]:
        used = value.how.interval
        method, over = (used.method, used.over) if used else ("", "")
        kinds = [method[:end] for end, sign in enumerate(f"{method}-") if sign == "-"]
        known = next((one for one in reversed(kinds) if self.say.knows(_METHOD + one)), "")
        how = self.say(
            "passport.how",
            over=self.say(_OVER + over) if over and self.say.knows(_OVER + over) else over,
            method=self.say(_METHOD + known) if known else method,
        )
        return {
            "how": how if over and method else "",
            "level": self.cite.percent(f"{place}/level"),
            "low": self.cite.number(f"{place}/interval/0"),
            "high": self.cite.number(f"{place}/interval/1"),
        }
