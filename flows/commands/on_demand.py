"""The commands by name, each imported and built on first use; `--help` builds all of them.

A command is the function of its name in a module of this folder.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, get_args

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from ...data.renamed_words import (
    MEANT_COMMANDS,
    NO_RUNS,
    sentence_on_meant_word,
    sentence_on_old_word,
)
from .typer_options import Form, expand_option_classes, skip_conversion_of_plain_values

PANELS: dict[str, dict[str, tuple[str, str]]] = {
    # help panel: name: module, example
    "Measure": {
        "look": ("look", "look labels.csv"),
        "agree": ("quick", "agree labels.csv"),
        "gamma": ("gamma", "gamma exports/ --by category"),
        "ratings": ("ratings", "ratings ratings.csv --annotators 1-6"),
        "consensus": ("consensus", "consensus labels.csv --rule majority --to gold.csv"),
        "resample": ("quick", "resample labels.csv --ties abstain"),
        "mistakes": ("mistakes", "mistakes labels.csv --to queue.csv"),
        "annotators": ("annotators", "annotators labels.csv --to cards"),
        "measures": ("measures", "measures cohen_kappa"),
        "formats": ("formats", ""),
    },
    "Systems and judges": {
        "score": ("score", "score --reference gold.csv --system tagger.csv"),
        "judge": ("judge", "judge labels.csv --judge gpt --bars bars.toml"),
        "rank": ("rank", "rank preferences.csv"),
        "replace": ("replace", "replace labels.csv --system gpt --expertise expert"),
        "estimate": ("estimate", "estimate labels.csv --system gpt --audit-is-random"),
    },
    "Campaigns": {
        "run": ("run", "run campaign.toml"),
        "check": ("check", "check campaign.toml --why"),
        "demo": ("demo", "demo letters"),
        "compare": ("compare", "compare campaign.toml 3 4"),
        "index": ("index", "index stores/ --to site"),
        "document": ("document", "document campaign.toml 08-telegram"),
        "adjudicate": ("adjudicate", "adjudicate campaign.toml open.csv"),
        "next": ("next", "next campaign.toml --budget 200 --audit 50"),
        "serve": ("serve", "serve campaign.toml --cron '0 6 * * 1'"),
        "audit": ("audit", "audit campaign.toml --to release"),
    },
    "Planning and research": {
        "plan": ("plan", "plan pilot.csv --width 0.1 --annotators 2-6"),
        "calibrate": ("calibrate", "calibrate units.csv --to calibration.html"),
        "study": ("study", "study study.toml --dry-run"),
        "simulate": ("simulate", "simulate prevalence --labels labels.csv"),
        "certify": ("certify", "certify --with krippendorff"),
    },
    "Maintenance": {
        "store": ("store", "store campaign.toml --check"),
        "compile": ("schema_and_compile", ""),
        "schema": ("schema_and_compile", ""),
    },
}
COMMANDS = {
    name: (panel, *command) for panel, some in PANELS.items() for name, command in some.items()
}
_OF_CAMPAIGNS = ("Campaigns", "Maintenance")
STYLE: dict[str, Any] = {
    "rich_markup_mode": "markdown",
    "pretty_exceptions_enable": False,
}


def _meaning(name: str) -> str:
    return f"Did you mean `accordeur {COMMANDS[name][2]}`?"


class OnDemand(Mapping[str, Any]):
    """Typer group that imports commands on first use."""

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)

    def __getitem__(self, name: str) -> Any:
        panel, module, example = COMMANDS[name]
        function = getattr(import_module(f".{module}", __package__), name)
        alone = typer.Typer(add_completion=False, **STYLE)
        epilog = f"Example: `accordeur {example}`" if example else None
        declare = alone.command(name, cls=Command, epilog=epilog, rich_help_panel=panel)
        declare(expand_option_classes(function))
        return get_command(alone)


class _PlainFlags:
    """A command whose help shows flags without the type of a value."""

    def get_params(self, ctx: Any) -> Any:
        """Return the parameters and `--help`."""
        found = super().get_params(ctx)  # type: ignore[misc]  # of the commands of Typer
        for one in found:
            if getattr(one, "is_flag", False):
                one.metavar = " "
        return found


class Command(_PlainFlags, TyperCommand):
    """A command of `accordeur`."""

    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        """Parse the arguments without Pydantic, if none is a number or a choice."""
        skip_conversion_of_plain_values(self, ctx)
        known = {_word(one) for of in self.params for one in of.opts}
        for one in args:
            word = _word(one) if one[:2] == "--" else ""
            said = sentence_on_old_word(word, known, flag=True)
            said = said or sentence_on_meant_word(word, known, flag=True)
            if not said and self.name == "compare" and word not in (*known, "", "help", "debug"):
                said = f"compare is of two runs and has no --{word}: {NO_RUNS}"
            if said:
                is_file = word == "to" and any(of.name == "out" for of in self.params)
                more = f"; the file to write has no option: accordeur {self.name} CAMPAIGN FILE"
                ctx.fail(f"{said}{more * is_file}.")
        for option in self.params:
            often = [one for one in args if one.partition("=")[0] in option.opts and one[0] == "-"]
            is_list = getattr(option, "multiple", False) or getattr(option, "is_flag", False)
            if len(often) > 1 and not is_list:
                ctx.fail(f"{option.opts[0]} is given {len(often)} times: it takes one value.")
        for one, value in zip(args, [*args[1:], ""], strict=False):
            name, mark, given = one.partition("=")
            own = given if mark else value
            if name == "--format" and "from" in known and own not in get_args(Form):
                ctx.fail(
                    f"--format is what is printed ({', '.join(get_args(Form))}); of an export, "
                    f"--format is called --from: --from {own}."
                )
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Run the command; of exports, say what each table is, except with JSON.

        Campaigns may be private, and their tables are described in their reports.
        """
        of_campaigns = COMMANDS.get(self.name or "", ("Campaigns",))[0] in _OF_CAMPAIGNS
        if ctx.params.get("json_") or of_campaigns or self.name == "look":  # which says it itself
            return super().invoke(ctx)
        from .printing.tables_read import listening_to_tables

        with listening_to_tables():
            return super().invoke(ctx)


def _word(option: str) -> str:
    return option.removeprefix("--").partition("=")[0].replace("-", "_")


class Group(_PlainFlags, TyperGroup):
    """The command `accordeur` itself."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = OnDemand()  # type: ignore[assignment]  # never modified

    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        """Parse the options before the command without Pydantic."""
        skip_conversion_of_plain_values(self, ctx)
        return super().parse_args(ctx, args)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command; for a word that is none, name the commands that may be meant."""
        name = args[0]
        word = name.casefold().replace("-", "_")
        meant = [one for one, words in MEANT_COMMANDS.items() if word in words]
        if meant and name not in COMMANDS:
            ctx.fail(f"No such command {name!r}. {' '.join(map(_meaning, meant))}")
        return super().resolve_command(ctx, args)

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 - Typer's signature
        """Return the names of the commands, in the order of the help."""
        return list(COMMANDS)
