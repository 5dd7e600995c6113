"""`accordeur agree`: values of tables of labels, however they are laid out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.flows.command_line import accordeur, results

T1 = [[71, 13, 23], [8, 69, 15], [7, 8, 18840]]  # Fort, François & Ghribi 2010; rows A2


@pytest.fixture(scope="module")
def table_1(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tables") / "t1.csv"
    lines, names = ["item,annotator,label"], ("Former", "New", "Rien")
    item = 0
    for second, row in zip(names, T1, strict=True):
        for first, n in zip(names, row, strict=True):
            for _ in range(n):
                lines += [f"{item},A1,{first}", f"{item},A2,{second}"]
                item += 1
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_the_published_values_of_two_annotators(table_1: Path) -> None:
    """Fort, François & Ghribi 2010 (TALN), table of sparse annotations."""
    found = results("agree", table_1, "--replicates", "0")
    assert found["percent_agreement"]["value"] == pytest.approx(0.996116, abs=5e-7)
    assert found["bennett_s"]["value"] == pytest.approx(0.994174, abs=5e-7)
    assert found["scott_pi"]["value"] == pytest.approx(0.801199, abs=5e-7)
    assert found["scott_pi"]["p_e"] == pytest.approx(0.980464, abs=5e-7)
    assert found["cohen_kappa"]["value"] == pytest.approx(0.801206, abs=5e-7)


def test_columns_of_other_names_are_named_and_the_message_says_how(tmp_path: Path) -> None:
    rows = ["1,anna,x,d1", "1,ben,x,d1", "2,anna,y,d1", "2,ben,x,d2", "3,anna,y,d2", "3,ben,y,d2"]
    other, plain = tmp_path / "other.csv", tmp_path / "plain.csv"
    other.write_text("\n".join(["question,worker_id,rating,page", *rows]), encoding="utf-8")
    plain.write_text("\n".join(["item,annotator,label,document", *rows]), encoding="utf-8")
    names = ["--item", "question", "--annotator", "worker_id", "--label", "rating"]
    names += ["--document", "page"]
    for command in ("agree", "resample"):
        assert results(command, other, *names) == results(command, plain)
    against = accordeur("agree", other, *names, "--against", other, "--replicates", "10")
    assert against.returncode == 0, against.stderr
    unnamed = accordeur("agree", other)
    assert unnamed.returncode == 2
    assert "Found: question, worker_id, rating, page" in unnamed.stderr
    assert "`--item question --annotator worker_id --label rating`" in unnamed.stderr
    wrong = accordeur("agree", other, *names[:4], "--label", "ratings")
    assert wrong.returncode == 2
    assert "label = 'ratings', but the columns are question, worker_id, rating" in wrong.stderr


def test_a_table_of_a_column_an_annotator_is_told_by_a_flag(tmp_path: Path) -> None:
    eyes, plain = tmp_path / "eyes.csv", tmp_path / "plain.csv"
    eyes.write_text("left,right\n1,1\n2,1\n2,2\n", encoding="utf-8")
    plain.write_text("rater1,rater2\n1,1\n2,1\n2,2\n", encoding="utf-8")
    assert (
        "`--wide` if every column except the item is one annotator's labels"
        in accordeur("agree", eyes).stderr
    )
    values = [
        {measure: row["value"] for measure, row in results(*arguments).items()}
        for arguments in (("agree", eyes, "--wide"), ("agree", plain))
    ]
    assert values[0] == values[1]
    against = accordeur("agree", eyes, "--wide", "--against", eyes, "--replicates", "10")
    assert against.returncode == 0, against.stderr


def test_who_is_there_is_told_where_nobody_can_be_compared(tmp_path: Path) -> None:
    for name, row in (("one", "d1,anna,1,3"), ("two", "d2,ben,1,3")):
        text = f"document,annotator,start,end\n{row}\n"
        (tmp_path / f"{name}.csv").write_text(text, encoding="utf-8")
    alone = accordeur("gamma", tmp_path / "one.csv")
    assert "(annotator found: 'anna'): give one export per annotator" in alone.stderr
    twice = accordeur("gamma", tmp_path / "one.csv", tmp_path / "one.csv")
    assert "one.csv: the same file or folder is given twice" in twice.stderr
    apart = accordeur("gamma", tmp_path / "one.csv", tmp_path / "two.csv")
    assert (
        "(annotators found: 'anna', 'ben'): each document was annotated by one annotator"
        in apart.stderr
    )


def test_a_table_without_a_header_is_read_with_the_columns_that_are_given(tmp_path: Path) -> None:
    path = tmp_path / "bare.csv"
    path.write_text("a,1,x,x\nb,1,x,x\na,2,y,y\nb,2,y,y\n", encoding="utf-8")
    assert "`--option columns=item,annotator,label,column4`" in accordeur("agree", path).stderr
    found = results("agree", path, "--option", "columns=annotator,item,label,gold")
    assert found["percent_agreement"]["value"] == 1
    assert found["percent_agreement"]["n_items"] == 2


def test_a_result_has_everything_that_was_promised(table_1: Path) -> None:
    row = results("agree", table_1, "--measure", "krippendorff_alpha")["krippendorff_alpha"]
    assert {"measure", "value", "interval", "reason", "p_o", "p_e", "n_items", "n_annotators",
            "signature"} <= row.keys()  # fmt: skip
    lower, upper = row["interval"]
    assert lower < row["value"] < upper
    assert (row["n_items"], row["n_annotators"]) == (19054, 2)
    assert row["signature"].startswith("krippendorff_alpha|distance:nominal|")
    assert "seed:0" in row["signature"]
    assert "version:" in row["signature"]


def test_undefined_is_null_with_a_reason(tmp_path: Path) -> None:
    path = tmp_path / "one.csv"
    path.write_text("item,annotator,label\n1,a,x\n1,b,x\n2,a,x\n2,b,x\n", encoding="utf-8")
    row = results("agree", path)["krippendorff_alpha"]
    assert row["value"] is None
    assert row["reason"] == "single category used"


def test_a_single_category_is_said_and_ac1_shown(tmp_path: Path) -> None:
    path = tmp_path / "one.csv"
    rows = [f"{i},{who},x" for i in range(10) for who in "ab"]
    path.write_text("item,annotator,label\n" + "\n".join(rows) + "\n", encoding="utf-8")
    found = results("agree", path, "--measure", "krippendorff_alpha")
    assert found["krippendorff_alpha"]["value"] is None
    assert found["gwet_ac1"]["value"] == 1
    assert found["krippendorff_alpha"]["interval"] == [None, None]
    assert (
        found["krippendorff_alpha"]["detail"]["interval_reason"] == "the coefficient is undefined"
    )
    lower, upper = found["gwet_ac1"]["interval"]
    assert lower < upper == 1
    told = " ".join(accordeur("agree", path).stdout.split())
    assert "All labels are “x”, so κ, π and α cannot be estimated" in told
    assert "without width" not in told


def test_distances_change_the_value(tmp_path: Path) -> None:
    """Two annotators 0..9 / 1..9,9 (Mathet & Widlöcher): α nominal .0447, interval .9469."""
    path = tmp_path / "scale.csv"
    rows = [f"{i},a,{i}\n{i},b,{min(i + 1, 9)}" for i in range(10)]
    path.write_text("item,annotator,label\n" + "\n".join(rows) + "\n", encoding="utf-8")
    nominal = results("agree", path)["krippendorff_alpha"]["value"]
    interval = results("agree", path, "--distance", "interval")["krippendorff_alpha"]["value"]
    assert nominal == pytest.approx(0.0447, abs=5e-5)
    assert interval == pytest.approx(0.9469, abs=5e-5)


def test_names_have_the_order_that_the_user_gives_not_the_alphabets(tmp_path: Path) -> None:
    labels = [("low", "low"), ("low", "middle"), ("middle", "high"), ("high", "high")]
    rank = {"low": "1", "middle": "2", "high": "3"}
    named, numbered = tmp_path / "named.csv", tmp_path / "numbered.csv"
    for path, written in ((named, str), (numbered, rank.__getitem__)):
        rows = [f"{i},a,{written(x)}\n{i},b,{written(y)}" for i, (x, y) in enumerate(labels)]
        path.write_text("item,annotator,label\n" + "\n".join(rows) + "\n", encoding="utf-8")
    rejected = accordeur("agree", named, "--distance", "ordinal")
    assert rejected.returncode == 2
    assert "needs the order of the categories" in rejected.stderr
    ordinal = ("--distance", "ordinal", "--replicates", "0")
    ordered = results("agree", named, *ordinal, "--categories", "low,middle,high")
    expected = results("agree", numbered, *ordinal)
    assert ordered["krippendorff_alpha"]["value"] == expected["krippendorff_alpha"]["value"]
    assert accordeur("resample", named, "--ties", "nearest_mean").returncode == 2


def test_rows_that_stand_for_several_items(tmp_path: Path) -> None:
    table = tmp_path / "patterns.csv"
    table.write_text("rater_1,rater_2,n\na,a,6\na,b,3\nb,b,1\n", encoding="utf-8")
    done = accordeur("agree", table, "--count", "n", "--measure", "percent_agreement", "--json")
    (found,) = json.loads(done.stdout)["results"]
    assert (found["value"], found["n_items"]) == (0.7, 10)
    rejected = accordeur("agree", table, "--count", "n", "--against", table)
    assert rejected.returncode == 2
    assert "remove --against" in rejected.stderr


def test_resampling_shows_what_a_prevalent_category_hides(tmp_path: Path):
    """Of 40 tokens two are names for two of three annotators; the 38 others change nothing."""
    rows = [
        f"t{i},{name},{'name' if i < 2 and name != 'cat' else 'O'}"
        for i in range(40)
        for name in ("ann", "ben", "cat")
    ]
    path = tmp_path / "tokens.csv"
    path.write_text("\n".join(["item,annotator,label", *rows]) + "\n", encoding="utf-8")
    done = accordeur("resample", path, "--replicates", "0")
    assert done.returncode == 0, done.stderr
    assert "M(k) without O" in done.stdout
    first = next(line for line in done.stdout.splitlines() if line.startswith("│ 1"))
    assert "0.017" in first  # of all tokens
    assert "0.333" in first  # of the names


def test_a_label_is_printed_as_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "emoji.csv"
    path.write_text(
        "item,annotator,label\n1,anna,:heart:\n1,ben,[b]\n2,anna,[b]\n2,ben,:heart:\n",
        encoding="utf-8",
    )
    said = accordeur("agree", path, "--replicates", "0", "--by", "category").stdout
    assert ":heart:" in said
    assert "[b]" in said


def test_measures_may_stand_in_one_option(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text("item,annotator,label\n1,a,x\n1,b,x\n2,a,y\n2,b,x\n", encoding="utf-8")
    ways = (
        ("--measure", "cohen_kappa, scott_pi"),
        ("--measure", "cohen_kappa", "--measure", "scott_pi"),
    )
    for way in ways:
        done = accordeur("agree", path, "--replicates", "0", "--json", *way)
        rows = json.loads(done.stdout)["results"]
        assert [row["measure"] for row in rows] == ["cohen_kappa", "scott_pi"]
