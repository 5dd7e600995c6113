"""Answers without a label or unit: finished and empty, or missing.

What such an answer means cannot always be read from the export, and it changes every coefficient.
One rule decides for all formats, and a warning states what was decided:

* an answer that the export states as submitted is finished and empty: a document without units,
  or, where an item may have several labels, the empty set of labels ∅;
* a file of an annotator's in which nothing is marked is finished and empty, too, although tools
  such as brat write the same file for a document that nobody has opened;
* where an item has one label, it is missing: no category can be compared;
* where the export does not state that the answer was submitted (doccano lists untouched documents
  like finished ones), it is missing and the document unfinished;
* where the annotator answered other questions about the item and left an optional one empty, that
  one is missing: the export does not state whether it applied to the item, or was seen.

The option `empty` overrides the rule: `finished` or `unfinished` for all of them. Whether an item
may have several labels is known when the whole source has been read, unless the tool states it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Annotated, Literal

from ....schema import Assignment, Copy, Excluded, ExclusionReason, Label, Record, State, Unit
from ...notes import SourceNotes
from ...options import FormatOptions, Option

Reading = Literal["finished", "unfinished"]


@dataclass(frozen=True)
class EmptyOption(FormatOptions):
    empty: Annotated[
        Reading | None,
        Option(
            "how an answer without a label or unit is read",
            values={
                "finished": "finished and empty; as a label, the empty set ∅",
                "unfinished": "missing",
            },
            unset="`finished` if the export states that it was submitted or has a file for it, but "
            "missing where items have one label",
        ),
    ] = None


@dataclass(frozen=True, slots=True)
class EmptyAnswer:
    """An annotator's answer without a label or unit.

    label       the empty label that it would be, of the annotator's item
    layers      layers that it leaves empty: () if it is about units, None if the export does not
                say (every layer of labels in the source, except `answered`)
    several     for labels, whether the tool allows several; None if it does not say
    submitted   whether the export states that the annotator submitted it
    assignment  the annotator's assignment, unless other answers decide its state
    answered    layers of labels that the annotator did not leave empty
    """

    label: Label
    layers: tuple[str, ...] | None = None
    several: bool | None = None
    submitted: bool = True
    assignment: Assignment | None = None
    answered: frozenset[str] = frozenset()


@dataclass(slots=True)
class EmptyAnswers:
    """The empty answers of a source until all of it has been read."""

    _waiting: list[EmptyAnswer] = field(default_factory=list)
    _layers: dict[str, bool] = field(default_factory=dict)  # of labels → an item has several
    _of_file: dict[str, set[str]] = field(default_factory=dict)  # file → its layers of labels
    _partly: Counter[tuple[str, str, frozenset[str]]] = field(default_factory=Counter)

    def saw_labels(self, layer: str, file: str, *, several: bool) -> None:
        self._layers[layer] = self._layers.get(layer, False) or several
        self._of_file.setdefault(file, set()).add(layer)

    def add(self, answer: EmptyAnswer) -> None:
        self._waiting.append(answer)

    def decided_or_added(
        self, answer: EmptyAnswer, wanted: Reading | None, notes: SourceNotes
    ) -> Iterator[Record]:
        """Yield what an answer about units stands for; one about labels waits for the others."""
        if answer.layers == ():
            yield from self._decided(answer, wanted, notes)
        else:
            self.add(answer)

    def add_partly(self, label: Label, answered: frozenset[str], wanted: Reading | None) -> None:
        """Note that other questions about an item were answered than those on `answered`.

        label  the empty label that it would be, of the annotator's item
        """
        if wanted == "finished":
            self.add(EmptyAnswer(label, answered=answered))
        else:
            self._partly[label.source, label.annotator, answered] += 1

    def decided(self, wanted: Reading | None, notes: SourceNotes) -> Iterator[Record]:
        """Yield what the answers stand for, and forget them.

        wanted  value of the option `empty`; None for the rule, which adds to the `notes`
        """
        waiting, self._waiting = self._waiting, []
        for answer in waiting:
            yield from self._decided(answer, wanted, notes)
        yield from self._left_empty(wanted, notes)

    def _decided(
        self, answer: EmptyAnswer, wanted: Reading | None, notes: SourceNotes
    ) -> Iterator[Record]:
        finished = wanted == "finished" or (not wanted and answer.submitted)
        layers = [
            layer
            for layer in (self._layers if answer.layers is None else answer.layers)
            if layer not in answer.answered
            and (layer in self._layers or answer.several is not None)  # else it holds units
        ]
        sets = [one for one in layers if finished and (wanted or self._several(answer, one))]
        n_missing = len(layers) - len(sets) if layers else int(not finished)
        label, assignment = answer.label, answer.assignment
        if assignment is not None:
            state = State.FINISHED_EMPTY if finished else State.UNFINISHED
            yield replace(assignment, state=state)
        yield from (replace(label, layer=layer) for layer in sets)
        if assignment is not None and assignment.copy == Copy.COPY:
            return  # counted for its annotator
        if n_missing:
            yield Excluded(
                source=label.source,
                location=label.location,
                reason=ExclusionReason.EMPTY_ANSWER,
                n_rows=n_missing,
                table_name=Label.TABLE if layers else Unit.TABLE,
                document=label.document,
                annotator=label.annotator,
            )
        if not wanted:
            notes.n_empty_missing += bool(n_missing)
            notes.n_empty_finished += not n_missing
            if assignment is not None:
                notes.note_empty_document(label.annotator, label.document)

    def _left_empty(self, wanted: Reading | None, notes: SourceNotes) -> Iterator[Excluded]:
        """Count the optional questions that an annotator left empty beside others, as missing."""
        partly, self._partly = self._partly, Counter()
        for (file, annotator, answered), n in partly.items():
            if left := self._of_file.get(file, set()) - answered:
                notes.n_empty_missing += 0 if wanted else n
                reason = ExclusionReason.EMPTY_ANSWER
                yield Excluded(file, "", reason, n * len(left), Label.TABLE, annotator=annotator)

    def _several(self, answer: EmptyAnswer, layer: str) -> bool:
        return self._layers.get(layer, False) if answer.several is None else answer.several
