"""Formulas as MathML, made when the site is built: no script, no font and no request is needed.

`$…$` in a page is TeX. The formulas of measures are written once, in one line of plain text for the
terminal (`reports/measures.toml`), and become TeX here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml

TOKEN = re.compile(
    r"(?P<space>\s+)"
    r"|(?P<argument>(?<=[A²δ])\([a-z]{2,}(?: [a-z]+)?\))"  # σ²(items), A(first third)
    r"|(?P<word>AC[12]|(?!c?uα)[^\W\d_]+-[\w-]+|\b[a-zA-Z’']{2,}(?![_a-zA-Zα])|\b[aF]\b)"
    r"|(?P<symbol>(?:c?uα|[^\W\d_]\u0304?ₓ?)(?:_(?:\([^)]*\)|[\w·]+))?[²³]?)"
    r"|(?P<number>\d{1,3}(?:,\d{3})+|\d*\.?\d+[²³]?)"
    r"|(?P<sign>[=−+·×±≥≤≠<>|√/…∅∞,()])"
    r"|(?P<other>.)"
)
NAMES = ("AC1", "AC2", "ln", "max", "BMS", "WMS", "JMS", "EMS")  # words that are symbols here
SIGNS = {
    "−": "-", "·": r"\cdot ", "×": r"\times ", "±": r"\pm ",
    "≥": r"\ge ", "≤": r"\le ", "≠": r"\ne ",
    "…": r"\ldots ", "Σ": r"\sum", "Π": r"\prod", "∅": r"\emptyset ", "|": "|", "<": "<", ">": ">",
}  # fmt: skip
POWERS = {"²": "^2", "³": "^3"}
BREAKS = ("=", "−", "+", "±", "≥", "≤", "≠", "<", ">", ",", "…")  # between the terms of a formula


def setup_renderer(app: Any) -> None:
    """Make Sphinx write formulas as MathML."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))


def _inline(writer: Any, node: nodes.Node) -> None:
    writer.body.append(tex2mathml(node.astext()))
    raise nodes.SkipNode


def _block(writer: Any, node: nodes.Node) -> None:
    writer.body.append(f'<div class="formula">{tex2mathml(node.astext(), as_block=True)}</div>')
    raise nodes.SkipNode


def with_formulas(line: str) -> str:
    """Return a formula of one line, or a sentence that contains formulas, with `$TeX$` in it."""
    tokens = [(one.lastgroup, one[0]) for one in _tokens(line)]
    parts: list[str] = []
    run: list[str] = []
    for kind, text in [*tokens, ("end", "")]:
        if kind in ("symbol", "number", "sign", "argument", "space") or text in NAMES:
            run.append(text)
            continue
        parts += _settled(run)
        run = []
        parts.append(text)
    return "".join(parts)


def is_formula(line: str) -> bool:
    """Whether the whole line is one formula, without words."""
    found = with_formulas(line)
    return found.count("$") == 2 and found.startswith("$") and found.endswith("$")


def _tokens(line: str) -> Iterator[re.Match[str]]:
    yield from TOKEN.finditer(line)


def _settled(run: list[str]) -> Iterator[str]:
    """The run as TeX; what cannot belong to a formula at its ends stays text."""
    before: list[str] = []
    after: list[str] = []
    while (run and (run[0].isspace() or run[0] in ",/+·")) or _unbalanced(run, first=True):
        before.append(run.pop(0))
    while (run and (run[-1].isspace() or run[-1] in ",/+·(−")) or _unbalanced(run, first=False):
        after.insert(0, run.pop())
    yield "".join(before)
    if any(one in NAMES or (one[:1].isalpha() and one not in ("Σ", "Π")) for one in run):
        yield f"${tex(''.join(run))}$"
    else:
        yield "".join(run)
    yield "".join(after)


def _unbalanced(run: list[str], *, first: bool) -> bool:
    depth = 0
    for text in run if first else reversed(run):
        opens = (text == "(") if first else (text == ")")
        closes = (text == ")") if first else (text == "(")
        depth += opens - closes
        if depth < 0:
            return True
    return depth > 0 and bool(run)


def tex(formula: str) -> str:
    """Return TeX for a formula in plain text: `p_1k`, `Σ_k`, `a b / (c + d)`, `√(…)`."""
    tokens = [one[0] for one in _tokens(formula) if one.lastgroup != "space"]
    found, rest = _terms(tokens)
    return (found + "".join(_atom(one) for one in rest)).strip()


def _terms(tokens: list[str]) -> tuple[str, list[str]]:
    """Terms up to a closing bracket or the end."""
    parts: list[str] = []
    while tokens and tokens[0] != ")":
        if tokens[0] in BREAKS:
            parts.append(_atom(tokens.pop(0)))
            continue
        product, tokens = _product(tokens)
        parts.append(product)
    return " ".join(parts), tokens


def _product(tokens: list[str]) -> tuple[str, list[str]]:
    """Factors beside each other; what stands before `/` is the numerator."""
    factors: list[str] = []
    while tokens and tokens[0] != ")" and tokens[0] not in BREAKS:
        if tokens[0] == "·":
            factors.append(_atom(tokens.pop(0)))
        elif tokens[0] == "/":
            tokens = tokens[1:]
            start = max((k + 1 for k, one in enumerate(factors) if one == SIGNS["·"]), default=0)
            if tokens and tokens[0].startswith(("Σ", "Π")):
                below, tokens = _product(tokens)
            else:
                below, tokens = _factor(tokens)
            above = factors[start:]
            top = _bare(above[0]) if len(above) == 1 else " ".join(above)
            factors[start:] = [rf"\frac{{{top}}}{{{_bare(below)}}}"]
        else:
            factor, tokens = _factor(tokens)
            factors.append(factor)
    return " ".join(factors), tokens


def _factor(tokens: list[str]) -> tuple[str, list[str]]:
    if not tokens:
        return "", tokens
    head, tokens = tokens[0], tokens[1:]
    if head == "(":
        inside, tokens = _terms(tokens)
        return rf"\left({inside}\right)", tokens[1:]
    if head == "√":
        inside, tokens = _factor(tokens)
        return rf"\sqrt{{{_bare(inside)}}}", tokens
    if head in ("Δ",) and tokens and tokens[0] == "∅":
        return r"\Delta_{\emptyset}", tokens[1:]
    return _atom(head), tokens


def _bare(factor: str) -> str:
    """Without the brackets that a fraction or a root replaces."""
    inside = re.fullmatch(r"\\left\((.*)\\right\)", factor, re.S)
    if inside and _closes_last(inside[1]):
        return inside[1]
    return factor


def _closes_last(inside: str) -> bool:
    depth = 0
    for one in re.findall(r"\\left\(|\\right\)", inside):
        depth += 1 if one == r"\left(" else -1
        if depth < 0:
            return False
    return True


def _atom(text: str) -> str:
    if text in SIGNS:
        return SIGNS[text]
    if text in ("ln", "max"):
        return rf"\{text} "
    if text in NAMES:
        return rf"\mathrm{{{text}}}"
    if text.startswith("("):
        return rf"(\text{{{text[1:-1]}}})"
    power = POWERS.get(text[-1], "")
    text = text.rstrip("²³")
    base, _, below = text.partition("_")
    base = SIGNS.get(base, base)
    if base.endswith("\u0304"):
        base = rf"\bar{{{base[0]}}}"
    below = "x" if base.endswith("ₓ") else below.strip("()").replace("·", r"\cdot ")
    base = base.removesuffix("ₓ")
    if len(below) > 2 and below.isalpha():
        below = rf"\text{{{below}}}"
    return f"{base}_{{{below}}}{power}" if below else f"{base}{power}"
