"""The lint of a planned key: what is refused, what is warned of, and at which rate."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cachewatch.analysis.cache_key import cache_key
from cachewatch.analysis.key_plan import (
    GRANULARITIES,
    USED_ONCE,
    Granularity,
    KeyPlan,
    PeakLoad,
    lint_key,
    rate_per_key,
)
from cachewatch.analysis.key_text import real_id_in

ROUTED, ACCOUNTED = "gpt-5.4", "gpt-5.6-terra"
PER_MINUTE = PeakLoad(60.0, by_minute=True, quiet_requests_per_hour=120.0)
UNKNOWN = PeakLoad(None)


def codes(plan: KeyPlan, load: PeakLoad = PER_MINUTE, model: str | None = ROUTED) -> list[str]:
    return [note.code for note in lint_key(plan, load, model).notes]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("chat-mira@example.org", "an e-mail address"),
        ("rag-3f2b8c1e-77aa-4d3b-9f00-0123456789ab", "a UUID"),
        ("3F2B8C1E77AA4D3B9F000123456789AB", "a UUID"),
        ("edge-10.20.30.40", "an IP address"),
        ("rag-org-A1b2C3d4E5f6G7h8", "an id of the provider"),
        ("user_8412", "the id of a user, a customer or a session"),
        ("support-customer-77", "the id of a user, a customer or a session"),
        ("tenant:42/rag", "the id of a user, a customer or a session"),
        ("sms +44 20 7946 0958", "a telephone number"),
        ("rag-8841203321", "a long number"),
        ("rag-20269919", "a long number"),
        ("rag-9f86d081884c7d65", "a generated id"),
        ("rag-a1Bc2De3Fg4Hi5Jk6", "a generated id"),
        ("rag-{mira@example.org}", "an e-mail address"),
        ("rag-<user_8412>", "the id of a user, a customer or a session"),
        ("rag-${3f2b8c1e-77aa-4d3b-9f00-0123456789ab}", "a UUID"),
        ("rag-%(tenant42)s", "the id of a user, a customer or a session"),
        ("u:4711", "the id of a user, a customer or a session"),
        ("sk-proj-abcdefghijklmnopqrstuvwxyz", "a secret key"),
        ("rag-ghp_abcdefghijklmnopqrstuvwxyz", "a secret key"),
        ("4111 1111 1111 1111", "a card number"),
        ("rag-4111111111111111", "a card number"),
        ("cus_9s6XKzkNRiz8i3", "an id of the provider"),
        ("acct_1A2b3C4d5E6f", "an id of the provider"),
        ("org-AbXcYdQeRfTgWhK1", "an id of the provider"),
        ("mira%40example.org", "an e-mail address"),
        ("mira%2540example.org", "an e-mail address"),
        ("mira\uff20example.org", "an e-mail address"),
        ("rag:bWlyYUBleGFtcGxlLm9yZw", "an e-mail address"),
    ],
)
def test_what_looks_like_a_real_id_is_refused(text: str, what: str) -> None:
    assert real_id_in(text) == what
    found = lint_key(KeyPlan("template", text), PER_MINUTE, ROUTED)
    assert found.refused
    assert found.notes[0].code == "real-id"
    assert found.notes[0].field == "key"
    assert found.notes[0].sentence == (
        f"This holds what looks like {what}. Write its shape, such as `rag-answer-{{tenant}}`; "
        "real ids are not stored here."
    )


@pytest.mark.parametrize(
    "text",
    [
        "rag-answer",
        "rag-answer-v3",
        "rag-answer-{tenant_id}",
        "tenant-{tenant}-doc-<document>",
        "user-{user_id}",
        "conv:${CONVERSATION}",
        "bucket-%d",
        "rag-{}-{0}-%(tenant_id)s",
        "rag-<document 2>",
        "rag-2026-11-19",
        "rag-20261119",
        "gpt-5.4-support-prompt",
        "internationalisation-prompts",
        "shard-03",
        "user-prompt-v2",
        "invoice-summary-v3",
        "rag:docs:v2",
        "run-nightly-summaries-v2",
        "call-transcript-summaries-2026",
        "prod-internationalisation2",
        "sk-internationalisation",
        "in-TenantDocumentsV2",
        "discount-50%25-offers",
        "4111-1111-1111-1112-slots",
        "a" * 64,
    ],
)
def test_a_name_a_version_a_date_and_a_shape_are_no_ids(text: str) -> None:
    assert real_id_in(text) is None
    assert not lint_key(KeyPlan("template", text), PER_MINUTE, ROUTED).refused


@given(st.text(), st.text(), st.integers(0, 9999))
def test_a_key_that_cache_key_made_holds_hashes_alone_and_is_accepted(
    system: str, unit: str, shards: int
) -> None:
    key = cache_key(f"a{system}", None, unit, shards)
    assert real_id_in(key) is None
    assert not lint_key(KeyPlan("template", key), PER_MINUTE, ROUTED).refused


@pytest.mark.parametrize(
    "text",
    [
        "cw1-0123456789abcdef0123456789abcdef0",
        "cw1-0123456789abcdef0123456789abcde",
        "cw1-0123456789ABCDEF0123456789ABCDEF",
        "cw2-0123456789abcdef0123456789abcdef",
        "rag-cw1-0123456789abcdef0123456789abcdef",
        "cw1-0123456789abcdef0123456789abcdef-03",
        "cw1-0123456789abcdef0123456789abcdef-user_8412",
        "cw1-0123456789abcdef0123456789abcdef-123456",
    ],
)
def test_what_only_resembles_such_a_key_is_refused_as_before(text: str) -> None:
    assert real_id_in(text) is not None
    assert lint_key(KeyPlan("template", text), PER_MINUTE, ROUTED).refused


@pytest.mark.parametrize(
    "text", ["rag\nanswer", "rag\u202eanswer", "\u200b", "rag-\ufeff", "rag\u3164v3", "rag\t"]
)
def test_a_key_of_characters_that_cannot_be_seen_is_refused(text: str) -> None:
    (note, *_others) = lint_key(KeyPlan("template", text), PER_MINUTE, ROUTED).notes
    assert (note.code, note.severity, note.field) == ("unseen", "refused", "key")
    assert note.sentence.startswith("This holds a line break or a character that cannot be seen.")


def test_a_key_has_one_to_sixty_four_characters() -> None:
    assert "too-long" not in codes(KeyPlan("template", "k" * 64))
    found = lint_key(KeyPlan("template", "k" * 65), PER_MINUTE, ROUTED)
    assert [note.sentence for note in found.notes if note.code == "too-long"] == [
        "A key has at most 64 characters; this one has 65."
    ]
    assert codes(KeyPlan("template", " "))[0] == "empty"


@pytest.mark.parametrize("granularity", sorted(USED_ONCE))
def test_a_key_that_is_used_once_scatters_like_no_key(granularity: Granularity) -> None:
    found = lint_key(KeyPlan(granularity), PER_MINUTE, ROUTED)
    assert found.requests_per_minute_per_key == 1.0
    assert [note.code for note in found.notes] == ["scatters"]
    assert found.notes[0].sentence == (
        f"A key per {granularity} scatters like no key: it is used once, so no later request can "
        "be sent to where its prefix is."
    )


def test_more_than_fifteen_requests_a_minute_under_one_key_are_warned_of() -> None:
    assert "rate-above-limit" not in codes(KeyPlan("template"), PeakLoad(15.0, by_minute=True))
    found = lint_key(KeyPlan("template", shards=2), PER_MINUTE, ROUTED)
    assert found.requests_per_minute_per_key == 30.0
    assert found.notes[0].sentence == (
        "30 requests a minute per key in 1 of 100 minutes; about 15 fit, over all prefixes under "
        "the key. Where the key carries many prefixes, a finer key or shards keep them together; "
        "where it carries one hot prefix, shards repair nothing."
    )


def test_hourly_numbers_are_a_lower_bound_and_say_so() -> None:
    found = lint_key(KeyPlan("template"), PeakLoad(6.25), ROUTED)
    assert [note.code for note in found.notes] == ["rate-at-least"]
    assert found.notes[0].sentence == (
        "At least 6.2 requests a minute per key at peak, from hourly numbers; minutes may show "
        "more."
    )


def test_a_tenants_key_has_no_rate_until_the_tenants_at_peak_are_known() -> None:
    found = lint_key(KeyPlan("tenant-document"), PER_MINUTE, ROUTED)
    assert found.requests_per_minute_per_key is None
    assert [note.code for note in found.notes] == ["rate-unknown"]
    assert rate_per_key(KeyPlan("tenant-document", units_at_peak=12), PER_MINUTE) == 5.0


def test_an_unknown_load_gives_no_rate() -> None:
    found = lint_key(KeyPlan("template"), UNKNOWN, ROUTED)
    assert found.requests_per_minute_per_key is None
    assert found.notes[0].sentence == (
        "Requests a minute per key are N/A; no hour of this series reports its requests. About 15 "
        "a minute fit under one key."
    )


def test_shards_that_one_key_does_not_need_are_warned_of() -> None:
    assert codes(KeyPlan("template", shards=3), PeakLoad(12.0, by_minute=True)) == [
        "shards-not-needed"
    ]


def test_shards_that_quiet_hours_do_not_keep_warm_are_warned_of() -> None:
    cold = PeakLoad(60.0, by_minute=True, quiet_requests_per_hour=12.0)
    found = lint_key(KeyPlan("template", shards=4), cold, "gpt-4o")
    assert found.notes[-1].sentence == (
        "In quiet hours each key would have 0.2 requests in the 5 minutes that an entry lives; 3 "
        "keep it warm."
    )


def test_units_at_peak_say_nothing_of_quiet_hours() -> None:
    busy = PeakLoad(600.0, by_minute=True, quiet_requests_per_hour=600.0)
    assert codes(KeyPlan("conversation", shards=2, units_at_peak=400), busy, "gpt-4o") == [
        "shards-not-needed"
    ]
    quiet = PeakLoad(600.0, by_minute=True, quiet_requests_per_hour=60.0)
    found = lint_key(KeyPlan("tenant-document", shards=2, units_at_peak=20), quiet, "gpt-4o")
    assert found.notes[-1].sentence == (
        "In quiet hours each key would have at most 2.5 requests in the 5 minutes that an entry "
        "lives; 3 keep it warm."
    )


def test_there_is_at_least_one_shard() -> None:
    assert lint_key(KeyPlan("template", shards=0), PER_MINUTE, ROUTED).refused


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (ACCOUNTED, "For this model (GPT-5.6 and later) a key does not improve routing: it sep"),
        (None, "For this model (its generation is not known) a key may not improve routing: since"),
        ("in-house-model", "a key may not improve routing: since GPT-5.6 it separates"),
    ],
)
def test_from_gpt_5_6_a_key_separates_accounting_and_nothing_speaks_of_overflow(
    model: str | None, words: str
) -> None:
    assert codes(KeyPlan("template"), PER_MINUTE, model) == ["accounting-only"]
    assert words in lint_key(KeyPlan("template"), PER_MINUTE, model).notes[0].sentence


@given(
    st.sampled_from(GRANULARITIES),
    st.integers(1, 50),
    st.one_of(st.none(), st.integers(1, 1000)),
    st.one_of(st.none(), st.floats(0, 1e5)),
)
def test_more_shards_never_raise_the_rate_of_a_key(
    granularity: Granularity, shards: int, units: int | None, rate: float | None
) -> None:
    one, many = (
        rate_per_key(KeyPlan(granularity, None, number, units), PeakLoad(rate))
        for number in (1, shards)
    )
    assert (one is None) == (many is None)
    if one is not None and many is not None:
        assert many <= one
