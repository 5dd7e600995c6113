# ruff: noqa: S608 – the texts are constant, and a query can read the file only
"""Public shapes of preferences between systems, each with its query, for `accordeur rank`.

A query gives item, annotator, left, right and outcome. Tables with columns of usual names, such as
the votes of an arena, need none.
"""

from __future__ import annotations

from pathlib import Path

from .known_shapes import Shape
from .shape_of_file import known_shape

# Of a table `ranked` with a row for each answer, item, annotator, system and place (1: best).
_PAIRS = """
select a.item, a.annotator, a.system as "left", b.system as "right", case
    when a.place < b.place then 'left' when a.place > b.place then 'right' else 'tie' end as outcome
from ranked a join ranked b on a.answer = b.answer and a.system < b.system
order by a.answer, a.system, b.system"""

PREFERENCES = (
    Shape(
        "label-studio",
        "Label Studio pairwise comparisons",
        "records",
        ("data", "annotations[].result[].value.selected"),
        """select task as item, coalesce(one -> 'completed_by' ->> 'email',
    one -> 'completed_by' ->> 'id', one ->> 'completed_by') as annotator, data.*,
    answer -> 'value' ->> 'selected' as outcome
from (select task, data, one, unnest((one -> 'result')::JSON[]) as answer
    from (select id as task, data, unnest(to_json(annotations)::JSON[]) as one from source)
    where coalesce(one ->> 'was_cancelled', 'false') = 'false')
where answer ->> 'type' = 'pairwise'""",
        "preferences",
        "The fields of the tasks are columns: name those of the systems with --left and --right.",
    ),
    Shape(
        "argilla",
        "Argilla rankings",
        "records",
        ("id", "responses.*[].value[].rank"),
        """with ranked as (
    select item, annotator, row_number() over () as answer, unnest(ranks) ->> 'value' as system,
        (unnest(ranks) ->> 'rank')::INTEGER as place
    from (select id as item, one ->> 'user_id' as annotator, (one -> 'value')::JSON[] as ranks
        from (select id, unnest(question.value) as one from (
            select id, unnest(map_entries(to_json(responses)::MAP(VARCHAR, JSON[]))) as question
            from source))
        where ((one -> 'value') -> 0) ->> 'rank' is not null
            and coalesce(one ->> 'status', 'submitted') = 'submitted')) """
        + _PAIRS,
        "preferences",
        "A system is a value of the question: if it is a place of a text, name the texts' systems.",
    ),
    Shape(
        "appraise",
        "WMT rankings (Appraise)",
        "table",
        ("srcIndex", "judgeId", "system1Id", "system2Id", "system1rank", "system2rank"),
        """with ranked as (
    select item, annotator, answer, one.system, one.place::INTEGER as place
    from (select srcIndex as item, judgeId as annotator, row_number() over () as answer, unnest(["""
        + ", ".join(f"{{system: system{n}Id, place: system{n}rank}}" for n in range(1, 6))
        + """]) as one from source)
    where one.place::INTEGER > 0) """
        + _PAIRS,
        "preferences",
    ),
    Shape(
        "mqm",
        "MQM errors",
        "table",
        ("system", "doc", "seg_id", "rater", "category", "severity"),
        """with ranked as (
    select doc || '/' || seg_id as item, rater as annotator, system,
        dense_rank() over (order by doc, seg_id, rater) as answer, sum(case
            when lower(category) like 'non-translation%' then 25
            when lower(category) like 'fluency/punctuation%' and lower(severity) = 'minor' then 0.1
            when lower(severity) = 'critical' then 25 when lower(severity) = 'major' then 5
            when lower(severity) = 'minor' then 1 else 0 end) as place
    from source group by doc, seg_id, rater, system) """
        + _PAIRS,
        "preferences",
        "Errors weigh 25 (critical, non-translation), 5 (major), 1 (minor), 0.1 (minor "
        "punctuation): Freitag et al. 2021.",
    ),
    Shape(
        "pandalm",
        "PandaLM",
        "records",
        ("idx", "cmp_key", "response1", "annotator1"),
        """select "instruction" || chr(10) || coalesce("input", '') as item, annotator,
    string_split(cmp_key, '_')[1] as "left", string_split(cmp_key, '_')[2] as "right",
    case vote when 1 then 'left' when 2 then 'right' else 'tie' end as outcome
from (unpivot source on columns('^annotator[0-9]+$') into name annotator value vote)""",
        "preferences",
    ),
    Shape(
        "lmsys",
        "votes with a column for each outcome",
        "table",
        ("model_a", "model_b", "winner_model_a", "winner_model_b", "winner_tie"),
        """select prompt as item, model_a as "left", model_b as "right", case
    when winner_model_a = '1' then 'left' when winner_model_b = '1' then 'right' else 'tie'
    end as outcome
from source""",
        "preferences",
        "The file names no raters.",
    ),
)


def preference_shape(path: Path) -> Shape | None:
    """Return the shape of preferences that a file has by its beginning; None for others."""
    return known_shape(path, PREFERENCES)
