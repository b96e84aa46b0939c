"""Each public report that prints rows gets the verdict that its thread or matrix confirmed."""

from __future__ import annotations

import pytest

from cachewatch.analysis.requests.analyse import analyse
from tests.cachewatch.analysis.requests.cases import (
    CASES,
    KEY_ONLY,
    MATRIX,
    NEITHER,
    WITH_SESSION_ID,
)
from tests.cachewatch.analysis.requests.log_of import distinct, log_of

BY_NAME = {case.name: case for case in CASES}


def found(name):
    case = BY_NAME[name]
    return analyse(case.log, case.arms)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_report_with_rows_gets_its_verdict(case):
    assert analyse(case.log, case.arms).verdict == case.verdict


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_missed_tokens_add_up_with_an_explicit_unknown(case):
    missed = analyse(case.log, case.arms).missed_tokens
    assert missed.total == sum(missed.by_cause.values()) + missed.unknown


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_finding_says_what_it_does_not_prove(case):
    for finding in analyse(case.log, case.arms).findings:
        assert finding.statement.endswith(".")
        assert finding.does_not_prove.strip()


@pytest.mark.parametrize("name", ["1 headline", "1 headline and recovery", "1 no header"])
def test_a_prefix_that_comes_back_is_never_called_unstable(name):
    causes = {finding.cause for finding in found(name).findings}
    assert not causes & {"plateau", "mid-history-divergence"}


@pytest.mark.parametrize("name", ["2 A", "2 B", "2 control", "1 headline"])
def test_without_a_key_column_scatter_says_check_keys_first(name):
    first = found(name).findings[0]
    assert "check keys first" in first.statement
    assert "count the distinct keys" in first.does_not_prove


def test_with_a_key_column_scatter_does_not_ask_for_it():
    log = log_of(12400, [0, 0, 12160, 0, 0, 12160, 0, 12160, 0], key=["k"] * 9)
    first = analyse(log).findings[0]
    assert (first.cause, first.numbers["distinct_keys"]) == ("routing-scatter", 1)
    assert "check keys first" not in first.statement


def test_a_fresh_key_per_run_counts_keys_and_runs():
    numbers = found("2 A with keys").findings[0].numbers
    assert (numbers["distinct_keys"], numbers["requests_with_key"]) == (16, 16)
    assert (numbers["first_uses"], numbers["misses_at_first_use"]) == (15, 13)


def test_the_matrix_gives_the_win_to_the_session_id_and_not_to_the_key():
    arms = {arm.label: arm for arm in found("1 matrix").arms}
    assert [round(arms[name].share * 100, 2) for name in dict.fromkeys(MATRIX)] == [
        *(19.51, 0.0, 78.05, 78.05)
    ]
    assert [(arm.n, arm.zeros, arm.partial, arm.full) for arm in arms.values()] == [
        *((5, 4, 0, 1), (5, 5, 0, 0), (5, 1, 0, 4), (5, 1, 0, 4))
    ]


def test_a_header_that_is_there_or_not_decides_over_both_keys():
    log = log_of(
        *(27027, KEY_ONLY + NEITHER + WITH_SESSION_ID * 2),
        arms={"session_id": ["absent"] * 10 + ["present"] * 10},
    )
    result = analyse(log, ("session_id",))
    comparison = result.comparisons[0]
    assert round(comparison.p, 4) == 0.0055
    assert comparison.statement.startswith("present reads higher (+68.3 points)")
    assert "n is small" in comparison.statement
    assert "arms do not alternate" in comparison.statement
    assert (result.verdict, result.findings[0].confidence) == ("routing-scatter", "likely")


def test_there_and_back_confirms_scatter():
    result = found("14 there and back")
    assert result.comparisons[0].layout == "A/B/A"
    assert result.findings[0].confidence == "confirmed"


def test_a_probe_of_one_server_proves_the_prefix_that_production_misses():
    first = found("13 with a probe").findings[0]
    assert first.numbers["proven_by_another_arm"] == 1040
    assert "another arm reads the same prefix" in first.statement


def test_a_proxy_is_accused_for_one_model_only():
    result = found("22 proxy")
    numbers = result.findings[0].numbers
    assert (numbers["model"], numbers["arm"], numbers["against"]) == (
        "gpt-5.2",
        "litellm",
        "direct",
    )
    assert round(numbers["p"], 3) == 0.048
    assert result.findings[0].confidence == "likely"
    by_pair = {(one.a, one.b): one for one in result.comparisons}
    assert round(by_pair["via litellm, model gpt-5.2", "via direct, model gpt-5.2"].p, 3) == 0.048
    assert by_pair["via litellm, model gpt-5.1", "via direct, model gpt-5.1"].p == 1.0


def test_one_full_read_in_four_shows_its_interval():
    log = log_of(18362, [2432, 18304, 5504, 2432], arms={"arm": ["K"] * 4}, key=["k"] * 4)
    arm = analyse(log, ("arm",)).arms[0]
    assert [round(end, 2) for end in arm.hit_interval] == [0.05, 0.70]


def test_a_breakpoint_prompt_cache_is_told_by_its_exact_reads():
    first = found("10 breakpoint").findings[0]
    assert (first.numbers["offset_tokens"], first.numbers["granularity"]) == (10445, "exact")
    assert "breakpoint" in first.statement


def test_a_plateau_names_its_offset():
    first = found("11 timestamp").findings[0]
    assert first.numbers["offset_tokens"] == 24576
    assert first.numbers["requests"] == 87
    assert "read exactly 24,576 tokens" in first.statement


def test_two_replicas_are_a_note_and_no_fault():
    first = found("29 two replicas").findings[0]
    assert (first.cause, first.numbers["replicas"]) == ("healthy", 2)
    assert "2 lineages" in first.statement


def test_a_zero_streak_names_both_candidates_and_the_columns_that_would_tell():
    first = found("8 zero streak").findings[0]
    assert first.numbers["zero_streak"] is True
    assert "another machine or eviction" in first.statement
    assert "account" in first.does_not_prove


def test_as_many_misses_as_restarts_is_a_key_of_each_process():
    reads = ([0] + [8960] * 6) * 29
    keys = [key for key in distinct("process", 29) for _ in range(7)]
    first = analyse(log_of(9000, reads, key=keys, prefix=["p"] * len(keys))).findings[0]
    assert (first.cause, first.numbers["restart_rule"]) == ("key-churn", True)
    assert (first.numbers["distinct_keys"], first.numbers["misses_at_first_use"]) == (29, 28)


def test_the_near_zero_floor_of_a_new_account_is_a_miss():
    numbers = found("17 accounts").findings[0].numbers
    assert numbers["misses_without_change"] == 0
    assert numbers["misses_after_change"] == numbers["changes"]
    assert numbers["previous_on_another_account"] == numbers["changes"]


def test_causes_are_sorted_by_what_they_cost_and_not_by_how_often_they_come():
    result = found("31 spend by reason")
    first, second = result.findings[:2]
    assert (len(BY_NAME["31 spend by reason"].log), first.cause) == (1981, "cold-after-idle")
    assert (first.numbers["misses_after_gap"], second.numbers["requests"]) == (74, 29)
    # 3.7 % of the requests are most of the money; the report has $741 of the $958 of these reasons.
    assert round(first.numbers["of_missed_tokens"], 2) == 0.79
    assert first.numbers["missed_tokens"] > second.numbers["missed_tokens"]
    assert first.numbers["gap_minutes"] < 60


def test_shares_above_100_percent_are_told_as_the_source_counts_them():
    numbers = found("34 mixed up").findings[0].numbers
    assert round(numbers["cached_tokens"] / numbers["input_tokens"], 2) == 4.14
    assert [one.cause for one in found("34 3000 %").findings] == ["accounting-suspect"]
