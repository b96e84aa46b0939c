"""What counts as readable, as a miss, as cold by rule; and what is left out."""

from __future__ import annotations

import numpy as np
import pytest

from cachewatch.analysis.requests.analyse import analyse
from cachewatch.analysis.requests.findings import Cause
from cachewatch.analysis.requests.granularity import granularity_of
from cachewatch.analysis.requests.reads import reads_of
from cachewatch.analysis.requests.report import to_json
from cachewatch.analysis.requests.thresholds import REQUEST_THRESHOLDS
from cachewatch.analysis.thresholds import THRESHOLDS
from tests.cachewatch.analysis.requests.log_of import distinct, log_of

CAUSES = set(Cause.__args__)


def test_the_first_call_of_a_session_is_cold_by_rule():
    log = log_of([9000, 10000] * 2, [0, 8960] * 2, session=["a", "a", "b", "b"])
    reads = reads_of(log)
    assert reads.linked.tolist() == [False, True, False, True]
    assert reads.missed_tokens.sum() == 0


def test_readable_is_the_running_maximum_and_never_more_than_the_prompt():
    reads = reads_of(log_of([9000, 12000, 15000, 14000], [0, 8960, 0, 0], session=["s"] * 4))
    assert reads.readable.tolist() == [0, 9000, 12000, 14000]
    assert reads.missed_tokens.tolist() == [0, 0, 12000, 14000]


def test_a_near_zero_read_is_a_miss():
    reads = reads_of(log_of([90000, 93000, 94000, 95000], [0, 128, 92928, 256], session=["s"] * 4))
    assert reads.miss.tolist() == [False, True, False, True]


def test_after_history_was_cut_only_what_came_since_is_readable():
    sizes = [50000, 60000, 10000, 12000, 14000]
    reads = reads_of(log_of(sizes, [0, 49920, 0, 9984, 11904], session=["s"] * 5))
    assert reads.readable.tolist() == [0, 50000, 10000, 10000, 12000]


def test_a_side_call_between_long_prompts_cuts_nothing():
    sizes = [50000, 2000, 51000, 2000, 52000]
    reads = reads_of(log_of(sizes, [0, 0, 49920, 1920, 0], session=["s"] * 5))
    assert reads.readable.tolist() == [0, 0, 50000, 2000, 51000]


def test_templates_are_measured_by_the_largest_read_of_their_prefix():
    log = log_of([9000, 12000, 11000, 14000], [0, 3328, 3328, 0], prefix=["p"] * 4)
    assert reads_of(log).missed_tokens.tolist() == [0, 0, 0, 3328]


def test_the_providers_own_count_of_missed_tokens_is_taken():
    log = log_of(
        *([4020, 4020, 4061], [0, 4012, 0]),
        missed=[None, None, 4012],
        diagnostics=[None, "cache_hit", "tools_changed"],
        session=["s"] * 3,
    )
    found = analyse(log)
    assert found.missed_tokens.by_cause == {"request-shape-change": 4012}
    assert (found.verdict, found.findings[0].confidence) == ("request-shape-change", "confirmed")


@pytest.mark.parametrize(
    ("reason", "cause"),
    [
        ("model_changed", "request-shape-change"),
        ("reasoning_effort_changed", "request-shape-change"),
        ("service_tier_changed", "request-shape-change"),
        ("verbosity_changed", "request-shape-change"),
        ("text_format_changed", "request-shape-change"),
        ("tools_changed", "request-shape-change"),
        ("prompt_cache_key_changed", "key-churn"),
        ("context_compacted", "mid-history-divergence"),
        ("input_changed", "mid-history-divergence"),
    ],
)
def test_each_reason_of_the_provider_is_a_confirmed_cause(reason, cause):
    sizes = [10000 + 2000 * place for place in range(12)]
    reads, told = [0, *sizes[:-1]], ["cache_hit"] * 12
    reads[4], reads[8], told[4], told[8] = 0, 0, reason, reason
    found = analyse(log_of(sizes, reads, session=["s"] * 12, diagnostics=told))
    assert (found.verdict, found.findings[0].confidence) == (cause, "confirmed")
    assert found.findings[0].numbers[reason] == 2


def test_same_structure_that_still_misses_is_the_residue_and_rules_the_application_out():
    n = 12
    log = log_of(
        *(9000, [0, 8960, 0, 8960, 0, 0, 8960, 0, 0, 8960, 0, 8960]),
        key=distinct("k", n),
        diagnostics=["cache_hit"] * n,
    )
    found = analyse(log)
    assert found.verdict == "routing-scatter"
    assert found.findings[0].numbers["same_structure_still_missed"] == 6
    assert found.facts["same_structure_still_missed"] == 6


def test_batch_jobs_and_short_prompts_are_left_out_of_rates():
    log = log_of(
        [9000] * 6 + [500] * 2 + [9000] * 2,
        [0, *[8960] * 5] + [0] * 4,
        tier=["default"] * 8 + ["batch"] * 2,
    )
    found = analyse(log)
    assert found.verdict == "healthy"
    left_out = next(one for one in found.findings if one.cause == "ineligible")
    assert (left_out.numbers["below_minimum"], left_out.numbers["batch_requests"]) == (2, 2)


def test_a_request_without_a_cached_count_is_unknown_and_never_a_miss():
    found = analyse(log_of(9000, [0, 8960, None, 8960, 8960, 8960]))
    assert (found.verdict, found.missed_tokens.total) == ("healthy", 0)
    assert found.findings[-1].cause == "not-reported"


def test_requests_that_always_come_late_may_be_cold_for_that():
    found = analyse(log_of(9000, [0] * 12, seconds=2 * 3600, prefix=["p"] * 12))
    first = found.findings[0]
    assert (first.cause, first.confidence) == ("cold-after-idle", "possible")
    assert "no request comes in time" in first.does_not_prove


def test_one_pause_with_a_miss_is_no_cold_after_idle():
    log = log_of(9000, [0, 8960, 0, 8960, 8960], seconds=[0, 60, 4000, 4060, 4120])
    assert "cold-after-idle" not in {one.cause for one in analyse(log).findings}


def test_children_of_one_call_are_compared_over_their_prefix():
    log = log_of(
        [6319, 9100, 6400, 8800, 7000, 9900],
        [0, 0, 0, 0, 3584, 0],
        session=distinct("child", 6),
        key=distinct("key", 6),
        prefix=["p"] * 6,
    )
    found = analyse(log)
    assert (found.verdict, found.facts["lineage"]) == ("key-churn", "prefix")
    assert found.missed_tokens.total == 4 * 3584


def test_a_log_of_unreported_counts_is_not_reported():
    assert [one.cause for one in analyse(log_of(9000, [None] * 30)).findings] == ["not-reported"]


def test_an_empty_log_is_inconclusive():
    found = analyse(log_of([], []))
    assert (found.verdict, found.missed_tokens.total, found.floor) == ("inconclusive", 0, None)


@pytest.mark.parametrize(
    ("cached", "steps"),
    [
        ([10112, 12160, 0], "128"),
        ([384, 896, 1408, 2944], "384 mod 512"),
        ([10445], "exact"),
        ([0, 0], "none"),
    ],
)
def test_the_steps_of_reads_are_a_fingerprint(cached, steps):
    assert granularity_of(np.array(cached, dtype=float)) == steps


def test_the_json_has_exactly_the_keys_of_the_contract():
    log = log_of(9000, [0, 8960, 0, 0], arms={"arm": ["a", "a", "b", "b"]})
    document = to_json(analyse(log))
    assert list(document) == ["findings", "missed_tokens", "arms", "comparisons", "floor"]
    assert set(document["findings"][0]) == {
        *("cause", "confidence", "numbers", "statement", "does_not_prove")
    }
    assert {one["cause"] for one in document["findings"]} <= CAUSES
    assert set(document["missed_tokens"]) == {"total", "by_cause"}
    assert "unknown" in document["missed_tokens"]["by_cause"]
    assert list(document["arms"][0]) == [
        *("arm", "n", "zeros", "partial", "full", "input_tokens", "cached_tokens", "share"),
        "hit_interval",
    ]
    assert list(document["comparisons"][0]) == ["a", "b", "p", "method", "statement"]


def test_every_threshold_of_requests_has_a_name_a_unit_and_a_source():
    every = (*THRESHOLDS, *REQUEST_THRESHOLDS)
    assert len({one.name for one in every}) == len(every)
    assert all(one.label and one.unit and one.source for one in REQUEST_THRESHOLDS)


def test_a_batch_of_uneven_columns_is_refused():
    log = log_of(9000, [0, 8960])
    with pytest.raises(ValueError, match="cached_tokens: not as long as input_tokens"):
        type(log)(**{**vars(log), "cached_tokens": np.zeros(3)})
