"""A message that repeats a long text of a file is shortened in a moment, and keeps no secret."""

from __future__ import annotations

import time

import pytest

from accordeur.data.sentences import LONGEST, shorten

N = 200_000


@pytest.mark.parametrize(
    "text", ["x" * N, "x:/" * N, "x@" * N, "s3://" * N, "a " * N, "s3://a?b " * N, "a:/b@" * N]
)
def test_a_long_text_is_shortened_in_a_moment(text: str) -> None:
    begun = time.process_time()
    short = shorten(f"campaign.{text}: not permitted, see https://example.org/errors?key=1")
    assert time.process_time() - begun < 5
    assert len(short) <= LONGEST


@pytest.mark.parametrize("n", [10, 5_000, 10_000, N])
def test_no_login_and_no_query_of_a_long_line_is_kept(n: int) -> None:
    url = "s3://key:word@bucket/a.csv?token=abc"
    for line in (f"{url} {'x' * n}", f"{'x' * n} {url}", f"{'a ' * n}{url} {'b ' * n}", url * n):
        short = shorten(f"not found: {line} (no such file)")
        assert "word" not in short
        assert "token" not in short
