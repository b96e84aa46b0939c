"""Rows become arrays: codes, order of time, no identity."""

from __future__ import annotations

import gc
import pickle

import numpy as np
import pytest

from cachewatch.evidence import arrays as limits
from cachewatch.evidence.arrays import MOST_ARM_COLUMNS, MOST_ARM_VALUES, RequestArrays
from cachewatch.evidence.columns import keyed_hash
from cachewatch.evidence.log import collect
from ingest.request_logs import LeftOut, LoggedRequest, Recognised, Rejected, SourceWarning

SECRET = b"a secret of the tests, 32 bytes.."[:32]


def row(**values):
    return LoggedRequest(where="log.jsonl, line 1", **values)


def arrays_of(*rows):
    arrays = RequestArrays(SECRET)
    for one in rows:
        arrays.add(one)
    return arrays.batch()


def test_not_reported_is_nan_or_minus_one_and_zero_stays_zero():
    batch = arrays_of(row(input_tokens=9000, cached_input_tokens=0), row(input_tokens=9000))
    assert batch.cached_tokens[0] == 0
    assert np.isnan(batch.cached_tokens[1])
    assert batch.session.tolist() == batch.key.tolist() == batch.streamed.tolist() == [-1, -1]
    assert batch.columns_present == {"input_tokens", "cached_input_tokens"}


def test_equal_identities_have_equal_codes_and_no_name():
    batch = arrays_of(*(row(session=name, account=name) for name in ("ann", "bob", "ann")))
    assert batch.session.tolist() == batch.account.tolist() == [0, 1, 0]
    assert batch.words_of("account") == ("account 1", "account 2")


def test_no_raw_identity_reaches_the_batch():
    secret_words = ["session-7f3a", "key-of-tenant", "me@example.org", "prefix-hash-9"]
    batch = arrays_of(
        row(
            session=secret_words[0],
            prompt_cache_key=secret_words[1],
            account=secret_words[2],
            prefix_hash=secret_words[3],
            request_id="request-id-1",
        )
    )
    gc.collect()
    stored = pickle.dumps(batch)
    assert not any(word.encode() in stored for word in [*secret_words, "request-id-1"])


def test_another_secret_gives_another_hash():
    assert keyed_hash(SECRET)("ann") == keyed_hash(SECRET)("ann")
    assert keyed_hash(SECRET)("ann") != keyed_hash(b"another")("ann")


def test_requests_are_in_order_of_time_where_each_has_one():
    rows = [row(time=30.0, input_tokens=3), row(time=10.0, input_tokens=1)]
    assert arrays_of(*rows).input_tokens.tolist() == [1, 3]
    assert arrays_of(*rows, row(input_tokens=2)).input_tokens.tolist() == [3, 1, 2]


def test_identities_are_numbered_by_time_however_a_file_is_ordered():
    rows = [
        row(time=float(place), account=account, session=account)
        for place, account in enumerate(["ann", None, "bob", "cy", "ann", "bob"])
    ]
    for order in ([0, 1, 2, 3, 4, 5], [5, 3, 1, 0, 4, 2], [3, 2, 1, 5, 4, 0]):
        batch = arrays_of(*(rows[place] for place in order))
        assert batch.account.tolist() == batch.session.tolist() == [0, -1, 1, 2, 0, 1]


def test_models_keep_their_names_and_streaming_is_known_or_not():
    batch = arrays_of(
        row(model="gpt-5.4", streamed=True),
        row(model="gpt-6", streamed=False),
        row(model="gpt-5.4"),
    )
    assert (batch.model.tolist(), batch.model_names) == ([0, 1, 0], ("gpt-5.4", "gpt-6"))
    assert batch.streamed.tolist() == [1, 0, -1]


def test_an_arm_that_begins_late_is_unknown_before():
    batch = arrays_of(row(), row(arms={"region": "eu"}), row(), row(arms={"region": "us"}))
    assert batch.arms["region"].tolist() == [-1, 0, -1, 1]
    assert batch.arm_names["region"] == ("eu", "us")


def test_a_column_with_too_many_values_is_no_arm():
    batch = arrays_of(*(row(arms={"trace": f"t{n}"}) for n in range(MOST_ARM_VALUES + 2)))
    assert batch.arms == {}


def test_columns_beyond_the_first_64_are_left_out_and_said():
    many = [row(arms={"region": "eu"})]
    many += [row(arms={f"c{n}": "x", "region": "us"}) for n in range(MOST_ARM_COLUMNS + 9)]
    log = collect(many)
    assert len(log.batch.arms) == MOST_ARM_COLUMNS
    assert log.batch.arms["region"].tolist() == [0] + [1] * (MOST_ARM_COLUMNS + 9)
    assert log.warnings == ["more than 64 columns that could be compared; left out: 10"]


def test_columns_that_were_dropped_make_no_room_for_others():
    rows = [row(arms={f"c{n // 70}": f"v{n}"}) for n in range(70 * (MOST_ARM_COLUMNS + 1))]
    log = collect(rows)
    assert log.batch.arms == {}
    assert log.warnings == ["more than 64 columns that could be compared; left out: 1"]


def test_models_beyond_the_limit_are_one_and_said(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(limits, "MOST_NAMES", 2)
    log = collect([row(model=name) for name in ("a", "b", "c", "a", "d")])
    assert log.batch.model.tolist() == [0, 1, 2, 0, 2]
    assert log.models == ("a", "b", "other")
    assert log.warnings == [
        'column model: more than 2 different values; further ones are counted together as "other"'
    ]


def test_an_empty_log_has_an_empty_batch():
    assert len(arrays_of()) == 0


def test_everything_a_log_tells_is_counted():
    log = collect(
        [
            Recognised("a.jsonl", "generic", "its rows have input_tokens"),
            row(input_tokens=9000, cached_input_tokens=8960, session="s", model="m"),
            row(input_tokens=9000),
            LeftOut("a.jsonl, line 3", "duplicate"),
            LeftOut("a.jsonl, line 4", "failed"),
            Rejected("a.jsonl, line 5", "not JSON"),
            SourceWarning("a.jsonl", "its times name no zone"),
        ]
    )
    assert log.formats == {"generic": "its rows have input_tokens"}
    assert (len(log.batch), log.duplicates, log.sessions, log.models) == (2, 1, 1, ("m",))
    assert log.reported_tokens == (8960, 9000)
    assert [one.why for one in log.rejected] == ["not JSON"]
    assert log.warnings == ["a.jsonl: its times name no zone"]
