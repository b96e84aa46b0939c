"""What adds up, what is written and not read, and the flags that say so."""

from __future__ import annotations

import pytest

from cachewatch.analysis.accounting import accounts_of, break_even, writes_not_read
from cachewatch.analysis.cache_generation import generation_of
from cachewatch.analysis.cells import cells_from_rows, whole_series_as_cells
from cachewatch.analysis.classify import classify
from cachewatch.analysis.controls.every import say
from cachewatch.analysis.deciding import deciding
from cachewatch.analysis.distance_words import distance_sentence
from cachewatch.analysis.explain import detail, sentence, short
from cachewatch.analysis.gather import evidence_of
from cachewatch.analysis.repairs.choose import repairs_for
from cachewatch.analysis.series import UsageColumns, batch_from_rows
from tests.cachewatch.analysis.series_of import DAY, SCATTER, batch_of

NAN = float("nan")


def cells_of(rows, settled=None):
    """Rows of (input, cached, written, uncached, written for 12 hours), an hour each."""
    tokens, cached, written, uncached, long = (list(column) for column in zip(*rows, strict=True))
    count = len(rows)
    return cells_from_rows(
        UsageColumns([0] * count, range(count), [1] * count, tokens, cached, written),
        [0],
        covered_hours=range(count),
        settled_until=count if settled is None else settled,
        uncached_tokens=uncached,
        long_write_tokens=long,
    )


def accounts(rows, model=None, settled=None):
    generations = [generation_of(model)] if model else None
    return accounts_of(cells_of(rows, settled), 1, generations)[0]


def suspicions(row, model=None):
    """What does not add up in one hour, without what does."""
    counts = accounts([(*row, NAN)], model).suspicions._asdict()
    return {name for name, count in counts.items() if count and name != "hours"}


def judged(parts, model="gpt-5.6-terra"):
    """The evidence of a week whose requests have these (input, cached, written, uncached) tokens."""
    requests = [DAY[hour % 24] for hour in range(168)]
    columns = [[load * part for load in requests] for part in parts]
    reading = {"covered_hours": range(168), "settled_until": 168}
    usage = UsageColumns([0] * 168, range(168), requests, *columns[:3])
    cells = cells_from_rows(usage, [0], **reading, uncached_tokens=columns[3])
    batch = batch_from_rows(usage, series_count=1, **reading)
    return evidence_of(classify(batch, cells=cells, models=[model]), 0)


def test_parts_that_add_up_are_no_suspects():
    found = accounts([(1000, 400, 100, 500, NAN), (5000, 1800, 200, 3000, NAN)])
    assert (found.parts_reported, found.suspect) == (2, False)
    assert (found.read_back, found.write_share) == (2200 / 300, 300 / 6000)


def test_more_cached_than_input_and_parts_that_differ_are_suspects():
    assert suspicions((1000, 1200, NAN, NAN)) == {"more_cached_than_input"}
    assert suspicions((1000, 400, 100, 700)) == {"parts_differ"}
    assert suspicions((1000, 400, 100, 501)) == set()  # a token of rounding


@pytest.mark.parametrize(
    "row", [(1000, 600, 600, NAN), (1000, 600, NAN, 600), (1000, NAN, 600, 600)]
)
def test_any_two_parts_that_together_exceed_the_input_are_suspects(row):
    assert suspicions(row) == {"parts_exceed"}
    assert suspicions((2000, *row[1:])) == set()


def test_writes_that_are_not_reported_are_none_where_none_are_billed():
    row = (1000, 400, NAN, 500)
    assert suspicions(row, "gpt-5.5") == {"parts_differ"}
    assert suspicions(row, "gpt-5.6-terra") == suspicions(row) == set()
    assert accounts([(*row[:3], 600, NAN)], "gpt-5.4").parts_reported == 1


def test_double_counting_is_told_by_the_tokens_that_are_too_many():
    assert suspicions((3000, 1000, 500, 1500 - 1000)) >= {"cached_twice_in_input"}
    assert suspicions((2000, 1000, 300, 1700)) >= {"cached_twice_in_parts"}
    assert suspicions((2300, 1000, 300, 700)) >= {"written_twice_in_input"}
    assert suspicions((2000, 1000, 300, 1000)) >= {"written_twice_in_parts"}


def test_an_hour_that_may_still_be_restated_is_no_suspect():
    rows = [(1000, 400, 100, 500, NAN), (1000, 1200, NAN, NAN, NAN)]
    assert not accounts(rows, settled=1).suspect
    assert accounts(rows).suspect


@pytest.mark.parametrize(
    ("parts", "model", "heading", "statement"),
    [
        (
            (2000, 8000, NAN, NAN),
            "gpt-5.5",
            "More tokens are reported as cached than as input",
            "168 hours with more cached than input tokens",
        ),
        (
            (2000, 1200, 1200, NAN),
            "gpt-5.6-terra",
            "Parts of the input are reported larger than the input",
            "168 hours with reported parts that together exceed the input",
        ),
        (
            (2000, 1500, NAN, 1000),
            "gpt-5.5",
            "The reported parts do not add up to the input",
            "168 hours whose parts do not add up to the input",
        ),
        (
            (3000, 1000, 500, 500),
            "gpt-5.6-terra",
            "The numbers fit if the input counts the cached tokens twice",
            (
                "168 hours whose parts do not add up to the input (168 of them fit if the input counts "
                "the cached tokens twice)"
            ),
        ),
    ],
)
def test_numbers_that_do_not_add_up_are_no_verdict(parts, model, heading, statement):
    found = judged(parts, model)
    assert (found.verdict, found.reason) == ("inconclusive", "accounting")
    assert (found.published_state, found.is_finding) == ("healthy", False)
    assert "accounting-suspect" in found.flags
    assert sentence(found) == f"{heading}: check the source's token semantics first"
    assert short(found) == "the usage does not add up"
    control = found.control("accounting")
    assert (control.status, say(control).statement) == (
        "fired",
        f"The usage does not add up: {statement}, with 100% of the input.",
    )
    assert detail(found).startswith(sentence(found))
    assert [distance_sentence(row) for row in deciding(found)] == [
        "input that does not add up: 100%, this verdict needs at least 5%"
    ]


@pytest.mark.parametrize(("odd_hours", "verdict"), [(1, "healthy"), (40, "inconclusive")])
def test_an_odd_hour_is_flagged_and_does_not_silence_a_week(odd_hours, verdict):
    requests = [1000 + 40 * (hour % 24) for hour in range(168)]
    tokens = [load * 2000 for load in requests]
    cached = [one * (2.0 if hour < odd_hours else 0.6) for hour, one in enumerate(tokens)]
    usage = UsageColumns([0] * 168, range(168), requests, tokens, cached, [NAN] * 168)
    reading = {"covered_hours": range(168), "settled_until": 168}
    batch = batch_from_rows(usage, series_count=1, **reading)
    cells = cells_from_rows(usage, [0], **reading, uncached_tokens=[NAN] * 168)
    found = evidence_of(classify(batch, cells=cells, models=["gpt-5.4"]), 0)
    assert found.verdict == verdict
    assert found.flags[-1:] == ("accounting-suspect",)
    assert found.control("accounting").status == "fired"
    steps = [one.key for one in repairs_for(found, "gpt-5.4")]
    assert ("token-semantics" in steps) == (verdict == "inconclusive")


@pytest.mark.parametrize(("times", "odd_part"), [(1.001, 1.0), (1.03, 1.0), (0.999, 0.0)])
def test_more_cached_than_input_counts_whatever_it_is_too_many(times, odd_part):
    rows = [(10_000, round(10_000 * times), NAN, NAN, NAN)] * 5
    assert accounts(rows).odd_part == odd_part


def test_numbers_that_do_not_add_up_rule_nothing_out():
    found = judged((2000, 8000, NAN, NAN), "gpt-5.5")
    assert {one.name: one.status for one in found.controls if one.status != "not_testable"} == {
        "accounting": "fired"
    }
    assert judged((2000, 100, 1900, 500)).flags == (
        "accounting-suspect",
    )  # written in vain, or not
    assert "writes-not-read" in judged((2000, 100, 1900, 0)).flags
    load = found.control("share-over-load")
    assert load.numbers == {"odd_hours": 168.0}
    assert say(load).statement == "Not tested: the usage does not add up."


def test_a_fall_in_numbers_that_do_not_add_up_is_no_accusation():
    requests = [DAY[hour % 24] for hour in range(168)]
    tokens = [load * 2000 for load in requests]
    cached = [load * (1440 - 0.32 * load) for load in requests]
    usage = UsageColumns([0] * 168, range(168), requests, tokens, cached, [NAN] * 168)
    reading = {"covered_hours": range(168), "settled_until": 168}
    batch = batch_from_rows(usage, series_count=1, **reading)
    verdicts = []
    for part in (0.0, 0.009, 0.02):
        rest = [t * (1 + part) - c for t, c in zip(tokens, cached, strict=True)]
        cells = cells_from_rows(usage, [0], **reading, uncached_tokens=rest)
        verdicts.append(evidence_of(classify(batch, cells=cells, models=["gpt-5.4"]), 0))
    fall = "load-correlated-misses"
    assert [one.verdict for one in verdicts] == [fall, fall, "inconclusive"]
    assert {one.published_state for one in verdicts} == {"load-correlated-misses"}


def test_what_is_not_reported_is_not_added_up():
    found = accounts([(1000, 400, NAN, 500, NAN), (1000, 400, NAN, NAN, NAN)])
    assert (found.parts_reported, found.read_back, found.suspect) == (0, None, False)
    (whole,) = accounts_of(whole_series_as_cells(batch_of(SCATTER)), 1)
    assert (whole.parts_reported, whole.written_12h) == (0, None)


@pytest.mark.parametrize(
    ("model", "long", "needed"),
    [
        ("gpt-5.6-terra", NAN, 0.2778),
        ("gpt-5.6-terra", 100.0, 1.6667),
        ("gpt-5.6-terra", 50.0, 0.9722),
        ("gpt-6.1-sol", NAN, 0.2632),
    ],
)
def test_a_write_pays_from_so_many_reads_on(model, long, needed):
    found = accounts([(1000, 400, 100, 500, long)])
    assert break_even(found, generation_of(model)) == pytest.approx(needed, abs=1e-4)


def test_writes_are_only_counted_where_they_are_billed():
    few_reads = accounts([(1000, 10, 400, 590, NAN)])
    assert writes_not_read(few_reads, generation_of("gpt-5.6-luna"))
    assert not writes_not_read(few_reads, generation_of("gpt-5.4"))
    assert not writes_not_read(accounts([(1000, 400, 100, 500, NAN)]), generation_of("gpt-5.6"))
