"""Contract tests for packages that add a measure, distance, format, expectation or section.

Call them in a test. Each raises AssertionError with a sentence on the first violated rule.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .data.blocks import as_records, as_table
from .data.readers.base import Reader, SourceOptions
from .data.readers.options import option_descriptions
from .data.schema import RECORD_TYPES, Label, Record, Relation, Unit
from .data.validation.expectations import Expectation
from .metrics.agreement.category_distance import CategoryDistance, Needs
from .metrics.agreement.counts import count, join_counts
from .metrics.agreement.formulas.coefficient import Coefficient
from .metrics.agreement.label_matrix import LabelMatrix
from .metrics.agreement.resampling_units import coefficient_values
from .metrics.agreement.summands import CountedSummands
from .metrics.agreement.sums import Sums, sums_of_each
from .metrics.measure import DataKind
from .metrics.objects.object_distance import ObjectDistance
from .metrics.resampling.grids.corpus_shuffling import UnitDegradation, perfect_units
from .metrics.resampling.grids.perfect_campaign import uniform_campaign
from .metrics.resampling.synthetic.changed_campaigns import StudyVariable
from .metrics.resampling.synthetic.reading_table import profile_from_summary
from .metrics.resampling.synthetic.synthetic_annotators import LabelGenerator
from .reports.language import LANGUAGES, Language
from .reports.page.blocks import Block, Section
from .reports.page.page import Page, ReportSection
from .reports.render import render_page
from .reports.results import Results
from .reports.views.sections import SECTIONS

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_N_ITEMS, _TAGSET = 40, ("1", "2", "3")
_SLACK = 1e-9
_NOISE_LEVELS = (0.0, 0.1, 0.3, 0.6, 1.0)
_N_NOISY = 300  # noisy annotations at each level
Noise = Callable[[str, float, np.random.Generator], str]


def check_measure(measure: Coefficient) -> None:
    """Check a coefficient on items with random labels of two to four annotators.

    Checks its name; a value for each campaign of a batch, the same as alone, at most 1, and 1 (or
    nan) if all annotators agree; no dependence on the order of items and annotators or, for a
    measure that is `anonymous`, on the annotator of each label; no exception if only one category
    is used.
    """
    assert isinstance(measure, Coefficient), f"{measure!r} is not a Coefficient"
    assert _NAME.fullmatch(measure.name), f"the name {measure.name!r} is not in lower_case"
    assert DataKind.ITEMS in measure.agreement, (
        f"{measure.name} is not a measure of agreement on items"
    )
    rng = np.random.default_rng(0)
    sizes = (2,) if measure.generalisation else (2, 3, 4)
    for n_annotators in sizes:
        codes = rng.integers(0, len(_TAGSET), (_N_ITEMS, n_annotators)).astype(np.int32)
        codes[: _N_ITEMS // 2] = codes[: _N_ITEMS // 2, :1]
        if n_annotators > 2 and not measure.complete_items:
            codes[-5:, -1] = -1
        value = _value(measure, codes)
        assert value <= 1 + _SLACK, f"{measure.name} is {value}: more than 1"
        turned = _value(measure, rng.permutation(codes)[:, ::-1])
        assert _are_close(value, turned), (
            f"{measure.name} depends on the order of items or annotators: {value}, {turned}"
        )
        if measure.anonymous:
            mixed = _value(measure, rng.permuted(codes, axis=1))
            assert _are_close(value, mixed), (
                f"{measure.name} is declared anonymous but depends on who gave a label: {value}, "
                f"{mixed}"
            )
        halves = [codes[::2], codes[1::2]]
        batch = _sums(halves)
        found = coefficient_values([measure], batch, "nominal", _TAGSET)[:, 0]
        alone = [_value(measure, half) for half in halves]
        assert all(map(_are_close, found.tolist(), alone)), (
            f"{measure.name} of two campaigns in one batch is {found.tolist()}, alone {alone}"
        )
        same = np.repeat(codes[:, :1], n_annotators, axis=1)
        agreed = _value(measure, same)
        assert np.isnan(agreed) or _are_close(agreed, 1.0), (
            f"{measure.name} is {agreed} where all annotators agree: it must be 1"
        )
        _value(measure, np.zeros_like(codes))


def check_distance(distance: CategoryDistance) -> None:
    """Check a distance between categories against its declared needs.

    Checks its name; a table of finite numbers of at least 0, symmetric, 0 for a category and
    itself; the same table every time; for `Needs.USES` the tables of a batch, each as alone.
    """
    assert isinstance(distance, CategoryDistance), f"{distance!r} is not a CategoryDistance"
    assert _NAME.fullmatch(distance.name), f"the name {distance.name!r} is not in lower_case"
    numbers = np.array([1.0, 2.0, 3.5, 7.0])
    given = {
        Needs.CATEGORIES: numbers.size,
        Needs.USES: numbers * 2,
        Needs.NUMBERS: numbers,
        Needs.RANKS: numbers,
        Needs.NUMBERS_OR_RANKS: numbers,
        Needs.NAMES: ["a", "a/b", "a/c", "d/e"],
        Needs.SETS: np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 1]], dtype=np.bool_),
    }[distance.needs]
    table = np.asarray(distance.table(given))
    shape = (numbers.size, numbers.size)
    assert table.shape == shape, f"{distance.name} gives shape {table.shape}, not {shape}"
    assert np.isfinite(table).all(), f"{distance.name} gives numbers that are not finite"
    assert (table >= 0).all(), f"{distance.name} gives a negative distance"
    assert not np.diagonal(table).any(), f"{distance.name} of a category and itself is not 0"
    assert np.allclose(table, table.T, rtol=0, atol=1e-12), f"{distance.name} is not symmetric"
    assert np.array_equal(table, distance.table(given)), f"{distance.name} changes between calls"
    if distance.needs is Needs.USES:
        batch = distance.table(np.stack([numbers * 2, numbers]))
        assert np.allclose(batch[0], table), (
            f"{distance.name} of a batch differs from the distances computed one by one"
        )


def check_object_distance(
    distance: ObjectDistance, examples: Sequence[str], noise: Noise | None = None
) -> None:
    """Check a distance between objects on the texts of at least three different annotations.

    Checks its name; distances that are finite, at least 0, at most the largest, symmetric, 0 for
    equal texts, the same in any batch, and without detours if it claims to be a metric. `noise`
    gives an example of which a share, 0 to 1, is annotated at random: the mean distance to the
    example must be 0 without noise and grow from level to level (0.1, 0.3, 0.6, 1).
    """
    assert isinstance(distance, ObjectDistance), f"{distance!r} is not an ObjectDistance"
    name = distance.name
    assert _NAME.fullmatch(name), f"the name {name!r} is not in lower_case"
    assert len({*examples}) > 2, "at least three different examples are necessary"
    objects = [distance.read(text) for text in examples]
    n = len(objects)
    rows, columns = np.divmod(np.arange(n * n), n)
    found = np.asarray(
        distance.distances([objects[k] for k in rows], [objects[k] for k in columns])
    )
    assert found.shape == (n * n,), f"{name} of {n * n} pairs gives the shape {found.shape}"
    table = found.reshape(n, n)
    assert np.isfinite(table).all(), f"{name} gives distances that are not finite"
    assert (table >= 0).all(), f"{name} gives a negative distance"
    assert np.abs(np.diagonal(table)).max() < _SLACK, f"{name} of equal texts is not 0"
    assert np.abs(table - table.T).max() < _SLACK, f"{name} is not symmetric"
    if distance.largest is not None:
        most = float(table.max())
        assert most <= distance.largest + _SLACK, f"{name} is {most}: more than its largest"
    again = [distance.read(text) for text in examples]
    alone = [distance.distances([objects[0]], [other])[0] for other in again]
    assert np.abs(alone - table[0]).max() < _SLACK, f"{name} depends on the batch"
    if distance.metric:
        through = (table[:, :, None] + table[None]).min(axis=1)
        one, two = divmod(int(np.argmax(table - through)), n)
        assert table[one, two] <= through[one, two] + _SLACK, (
            f"{name} claims the triangle inequality: from {examples[one]!r} to {examples[two]!r} "
            f"it is {table[one, two]}, and {through[one, two]} through another example"
        )
    if noise is not None:
        _check_ordering(distance, examples, noise)


def check_reader(reader: Reader, example_file: str | Path) -> None:
    """Check a format on an example file.

    Checks its name, patterns and options; a probe that accepts the example and never raises;
    records of known types, the same when read again, with at least one label, unit or relation;
    labels that are strings and units that end after they start.
    """
    example = Path(example_file)
    assert isinstance(reader, Reader), f"{reader!r} lacks attributes of a Reader"
    assert _NAME.fullmatch(reader.NAME), f"the name {reader.NAME!r} is not in lower_case"
    assert any(map(example.match, reader.PATTERNS)), (
        f"{example.name} matches none of the patterns {', '.join(reader.PATTERNS)}"
    )
    for name, text in option_descriptions(reader.OPTIONS).items():
        assert text, f"the option {name} of {reader.NAME} has no help"
    assert reader.probe(example), f"the probe of {reader.NAME} rejects {example.name}"
    assert not reader.probe(example / "nowhere"), "the probe accepts a file that does not exist"
    reader.probe(example.parent)
    records = list(as_records(reader.read(example, SourceOptions())))
    assert records == list(as_records(reader.read(example, SourceOptions()))), (
        "reading the example again gives different records"
    )
    for record in records:
        assert isinstance(record, RECORD_TYPES), f"{record!r} is not a record"
        _check_record(record)
    assert any(isinstance(one, Label | Unit | Relation) for one in records), (
        f"{example.name} gives no label, unit or relation"
    )


def check_expectation(
    expectation: type,
    arguments: Mapping[str, Any],
    kept: Sequence[Record],
    broken: Sequence[Record],
) -> None:
    """Check a Great Expectations expectation on records of one table.

    Checks its name; that the arguments are accepted; that exactly the records `broken` are
    rejected, in any order, and none if all are `kept`.
    """
    from .data.validation.checks import add_broken_value_columns, check_type, expectation_types

    name = check_type(expectation)
    known = expectation_types()
    assert known.setdefault(name, expectation) is expectation, f"the name {name} is taken"
    table = kept[0].TABLE
    entry = Expectation(0, table, name, arguments)
    for bad in (list(broken), []):
        for rows in ([*bad, *kept], [*kept, *bad]):
            found, rejecting = add_broken_value_columns({table: as_table(rows)}, [entry])
            assert rejecting, f"{name} is not a condition on single rows"
            values = found[table][entry.column].to_pylist()
            for row, value in zip(rows, values, strict=True):
                is_bad = any(row is one for one in bad)
                wrong = "kept" if is_bad else "rejected"
                assert (value is not None) == is_bad, f"{name}: wrongly {wrong}: {row}"


def check_degradation(degradation: UnitDegradation) -> None:
    """Check a degradation of reading grids on simulated units.

    Checks its name; that magnitude 0 changes nothing; that units of any magnitude stay units of the
    document with categories of the tagset; and that equal random numbers give equal units.
    """
    assert isinstance(degradation, UnitDegradation), f"{degradation!r} is not a UnitDegradation"
    name = degradation.name
    assert _NAME.fullmatch(name), f"the name {name!r} is not in lower_case"
    model = uniform_campaign(categories=_TAGSET)
    for magnitude in (0.0, 0.4, min(degradation.most, 2.0)):
        perfect = perfect_units(model, np.random.default_rng(0))
        first, again = (
            degradation.change(perfect, magnitude, model, np.random.default_rng(1))
            for _ in range(2)
        )
        assert np.array_equal(first.starts, again.starts), f"{name} differs when it is made again"
        if magnitude == 0:
            assert sorted(first.starts) == sorted(perfect.starts), f"{name} of 0 changes units"
            assert sorted(first.ends) == sorted(perfect.ends), f"{name} of 0 changes units"
        inside = (first.starts >= 0) & (first.ends <= model.length + _SLACK)
        assert (inside & (first.starts < first.ends)).all(), f"{name} makes units that are none"
        known = (first.categories >= 0) & (first.categories < len(_TAGSET))
        assert known.all(), f"{name} makes a category outside the tagset"


def check_generator(generator: LabelGenerator) -> None:
    """Check a generator of synthetic annotators: its name, and its labels, which no error spoils.

    Labels have the shape of items by annotators and categories of the tagset; they are the
    reference without errors, and the same for equal random numbers.
    """
    assert isinstance(generator, LabelGenerator), f"{generator!r} is not a LabelGenerator"
    name, draw = generator.name, generator.labels
    assert _NAME.fullmatch(name), f"the name {name!r} is not in lower_case"
    assert draw is not None, f"{name} has no function that draws labels"
    profile = profile_from_summary(np.full(_N_ITEMS, 0.3), tagset=_TAGSET, seed=0)
    for share in (0.0, 0.5, 1.0):
        first, again = (draw(profile, 3, share, np.random.default_rng(1)) for _ in range(2))
        assert np.array_equal(first, again), f"{name} differs when it is drawn again"
        assert first.shape == (_N_ITEMS, 3), f"{name} gives labels of shape {first.shape}"
        assert ((first >= 0) & (first < len(_TAGSET))).all(), f"{name} leaves the tagset"
        if share == 0:
            assert (first == profile.reference[:, None]).all(), f"{name} errs on a share of 0"


def check_study_variable(variable: StudyVariable, values: Sequence[float]) -> None:
    """Check a variable of studies at some of its values: its name, and the labels that it gives.

    They are by the same annotators, of the same tagset, and the same for the same seed.
    """
    assert isinstance(variable, StudyVariable), f"{variable!r} is not a StudyVariable"
    name = variable.name
    assert _NAME.fullmatch(name), f"the name {name!r} is not in lower_case"
    codes = np.random.default_rng(0).integers(0, len(_TAGSET), (_N_ITEMS, 3)).astype(np.int32)
    matrix = LabelMatrix(codes=codes, tagset=_TAGSET, annotators=("a", "b", "c"))
    for value in values:
        first, again = (variable.change(matrix, value, 1) for _ in range(2))
        assert isinstance(first, LabelMatrix), f"{name} gives {first!r}"
        assert np.array_equal(first.codes, again.codes), f"{name} differs when it is made again"
        assert first.annotators == matrix.annotators, f"{name} changes the annotators"
        assert first.tagset == matrix.tagset, f"{name} changes the tagset"
        assert first.n_items, f"{name} of {value} leaves no item"


def check_section(section: ReportSection, results: Results) -> None:
    """Check a section of the report in each language, on results that contain data for it.

    Checks its name and place; the same words in each language, which replace none of the report's;
    a `Section` of the same identifier with a title and blocks, identical when made again; its HTML.
    """
    assert isinstance(section, ReportSection), f"{section!r} is not a ReportSection"
    assert _NAME.fullmatch(section.name), f"the name {section.name!r} is not in lower_case"
    ours = [one.name for one in SECTIONS]
    assert section.name not in ours, f"the name {section.name!r} is already used by another section"
    assert section.after in ours, (
        f"{section.name} is placed after {section.after!r}, which is not a section"
    )
    for language in LANGUAGES:
        own = section.words.get(language, {})
        keys = {key for of in section.words.values() for key in of}
        assert own.keys() == keys, f"words that {language} lacks: {sorted(keys - own.keys())}"
        say = Language(language)
        taken = [key for key in own if say.knows(key)]
        assert not taken, f"words that the report already defines: {taken}"
        first, second = (section.of(Page(results, say)) for _ in range(2))
        assert isinstance(first, Section), f"{section.name} gives {first!r} of these results"
        assert first == second, f"{section.name} differs when it is made again"
        assert first.identifier == section.name, f"its identifier is {first.identifier!r}"
        assert first.title, f"{section.name} has no title"
        assert first.blocks, f"{section.name} has no block"
        assert all(isinstance(one, Block) for one in first.blocks), "a block is not a Block"
        html = render_page(Page(results, say), [first])
        assert f'<section id="{section.name}"' in html, f"{section.name} is not on the page"


def _check_ordering(distance: ObjectDistance, examples: Sequence[str], noise: Noise) -> None:
    means = []
    for level in _NOISE_LEVELS:
        rng = np.random.default_rng(0)
        texts = [examples[k % len(examples)] for k in range(_N_NOISY)]
        first = [distance.read(text) for text in texts]
        second = [distance.read(noise(text, level, rng)) for text in texts]
        means.append(float(np.mean(distance.distances(first, second))))
    assert means[0] < _SLACK, f"{distance.name} is {means[0]} without noise"
    assert all(one < two for one, two in pairwise(means)), (
        f"the mean of {distance.name} does not grow with noise: {means}"
    )


def _check_record(record: Record) -> None:
    if isinstance(record, Label):
        strings = isinstance(record.labels, tuple) and all(
            isinstance(one, str) for one in record.labels
        )
        assert strings, f"labels must be a tuple of strings: {record!r}"
    if isinstance(record, Unit):
        assert record.start_offset < record.end_offset, (
            f"a unit must end after it starts: {record!r}"
        )


def _sums(campaigns: Sequence[NDArray[np.int32]]) -> Sums:
    each = []
    for codes in campaigns:
        names = tuple(map(str, range(codes.shape[1])))
        each.append(count(LabelMatrix(codes=codes, tagset=_TAGSET, annotators=names)))
    return sums_of_each(CountedSummands(join_counts(each)))


def _value(measure: Coefficient, codes: NDArray[np.int32]) -> float:
    return float(coefficient_values([measure], _sums([codes]), "nominal", _TAGSET)[0, 0])


def _are_close(first: float, second: float) -> bool:
    return abs(first - second) < _SLACK or bool(np.isnan(first) and np.isnan(second))
