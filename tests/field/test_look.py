"""`accordeur look` says what a file is, and the command that it prints runs unchanged."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

import accordeur as acc
from tests.flows.in_process import found, said

CASES = Path(__file__).parent / "cases"
FOUND = {  # files → value of the command that `look` prints
    "final_and_agree_columns/checked.csv": 0.4198,
    "frame_with_its_index/codes.csv": 0.8204,
    "headerless_wide/ratings.csv": 0.6601,
    "one_hot_columns_of_named_annotators/feelings.csv": 0.5938,  # the first question
    "qualtrics_three_headers/survey.csv": 0.1111,
    "shown_text_as_label/full_report.csv": 0.1250,
    "test_questions_and_tainted_workers/f123.csv": 0.0748,
    "two_id_columns_of_numbers/lines.csv": 0.7040,
    "wide_index_column/codes.csv": 0.6774,
}


def command_for(*files: Path) -> list[str]:
    code, output = said("look", *files)
    assert code == 0, output
    line = next(one for one in output.splitlines() if one.startswith("accordeur "))
    return shlex.split(line)[1:]


@pytest.mark.parametrize(("name", "value"), FOUND.items())
def test_the_command_to_copy_gives_the_right_value(name, value):
    measured = ("--replicates", "0", "--measure", "krippendorff_alpha", "--json")
    code, output = said(*command_for(CASES / name), *measured)
    assert code == 0, output
    assert json.loads(output)["results"][0]["value"] == pytest.approx(value, abs=5e-5)


def test_units_of_a_qda_tool_with_a_file_per_coder():
    folder = CASES / "gamma_hint_of_labels"
    command = command_for(folder / "ana.csv", folder / "ben.csv")
    assert command[0] == "gamma"
    assert command[3:7] == ["--start", "index1", "--end", "index2"]
    code, output = said(*command, "--replicates", "0", "--json")
    assert code == 0, output
    assert json.loads(output)["results"][0]["n_items"] == 12


def test_the_first_sheet_that_is_no_table_is_passed_over():
    command = command_for(CASES / "readme_sheet_first" / "letters.xlsx")
    assert command[-2:] == ["--option", "sheet=codes"]


def test_the_key_of_two_columns_is_found_without_a_name():
    command = command_for(CASES / "long_table_of_several_questions" / "scores.csv")
    columns = ["--item", "sentence,quality", "--annotator", "judge", "--label", "score"]
    assert command[2:] == [*columns, "--by", "quality"]  # a value for each question


def test_python_and_campaign_files():
    path = CASES / "two_id_columns_of_numbers" / "lines.csv"
    seen = acc.look(path)
    assert "an item is page + line" in repr(seen)
    labels = acc.read(path, format=seen.format, options=seen.options).labels
    assert labels.num_rows == 40
    assert 'options = { layout = "wide" }' in seen.to_toml()
    assert seen.to_dict()["layers"][0]["annotators"] == {"ana": 20, "ben": 20}


def test_columns_that_hold_different_things_are_not_guessed_to_be_annotators(tmp_path):
    path = tmp_path / "sums.csv"
    rows = (f"{'gpt' if k % 2 else 'llama'},sum {k // 3},{k % 7 + 20},{k % 2},1" for k in range(40))
    path.write_text("\n".join(["model,question,answer,correct,clear", *rows]), encoding="utf-8")
    code, output = said("look", path)
    assert code == 2
    assert "its columns hold different things" in output


def test_a_judge_beside_humans_is_checked_by_the_command_to_copy(tmp_path):
    path = tmp_path / "wide.csv"
    rows = (f"{k},{k % 2},{k % 2},{k % 3 % 2}" for k in range(40))
    path.write_text("\n".join(["item,ann,ben,gpt", *rows]), encoding="utf-8")
    [*_, command] = said("look", path)[1].splitlines()
    assert command == f"accordeur judge {path} --judge gpt --human ann --human ben"
    assert "whether gpt may replace" in said(*command.split()[1:])[1]


def test_labels_that_an_annotator_repeats_are_passes(tmp_path):
    path = tmp_path / "grades.csv"
    rows = [f"{k},{who},{(k + n) % 3}" for k in range(9) for who in "ab" for n in range(2)]
    path.write_text("\n".join(["item,rater,rating", *rows]), encoding="utf-8")
    assert command_for(path)[-2:] == ["--option", "repeats=pass"]


def test_numbers_may_be_ratings_and_both_commands_run(tmp_path):
    path = tmp_path / "essays.csv"
    rows = (f"e{k},{k % 5 + 1},{max(1, (k % 5 + 1) - k % 3 // 2)}" for k in range(30))
    path.write_text("\n".join(["essay,R1,R2", *rows]), encoding="utf-8")
    [*_, as_ratings, command] = said("look", path)[1].splitlines()
    alpha = found(*shlex.split(command)[1:])["results"][0]["value"]
    [_, _, words] = as_ratings.partition("ratings or ranks: accordeur ")
    nominal, *others = found(*shlex.split(words))["scales"]
    assert nominal["value"] == pytest.approx(alpha)
    assert all(one["value"] > alpha for one in others)
