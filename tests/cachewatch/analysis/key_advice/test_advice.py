"""Whether a key helps: by generation first, then by what repeats, then by the busy minute."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cachewatch.analysis.key_advice.advice import KeysSent, LoadFall, Traffic, advise
from cachewatch.analysis.key_advice.load import Load
from cachewatch.analysis.key_advice.plan import heading
from cachewatch.analysis.key_advice.shards import ONE, shards_for
from cachewatch.analysis.key_advice.thresholds import KEY_ADVICE_THRESHOLDS
from cachewatch.analysis.key_advice.units import UnitFacts
from cachewatch.analysis.key_plan import PeakLoad

TEMPLATE = UnitFacts("template", 1, 1.0, 60.0, True)
TENANTS = UnitFacts("tenant-document", 12, 0.9, 6.0, True)
CONVERSATIONS = UnitFacts("conversation", 40, 0.9, 3.0, True)


def load(rate=60.0, *, by_minute=True, quiet=400.0, busiest=80.0, after_idle=0.1):
    return Load(PeakLoad(rate, by_minute, quiet), busiest if by_minute else None, after_idle)


def traffic(**given):
    values = {
        "model": "gpt-4o",  # its entries live 5 minutes
        "day": date(2026, 11, 20),
        "load": load(),
        "units": (TEMPLATE,),
        "requests": 50_000,
        "prefixes": 12,
        "mean_input_tokens": 7000.0,
    }
    return Traffic(**values | given)


def advised(unit=None, **given):
    return advise(traffic(**given), unit)


def test_many_prefixes_over_the_limit_are_spread_over_a_range_of_shards():
    advice = advised()
    assert (advice.helps, advice.unit) == ("yes", "template")
    assert tuple(advice.shards) == (4, 6, 4, 11)
    assert "4 shards carry 99 of 100 minutes, 6 every one" in advice.reasons[1]


def test_quiet_hours_limit_the_shards():
    advice = advised(load=load(quiet=80.0))
    assert tuple(advice.shards) == (2, 2, 4, 2)
    assert "keep only 2 warm" in advice.reasons[1]


@pytest.mark.parametrize("model", ["gpt-5.6-terra", "gpt-6.1-sol", "gpt-6.2-astra"])
def test_no_key_is_advised_where_it_does_not_improve_routing(model):
    advice = advised(model=model, keys_sent=KeysSent(50, 40, 60))
    assert (advice.helps, advice.unit, advice.shards) == ("no", None, None)
    assert "explicit breakpoint" in advice.reasons[0]
    assert "find out who sends them" in advice.reasons[1]
    assert not any("routing" in reason for reason in advice.reasons[1:])


def test_an_unknown_model_gets_no_confident_advice():
    assert (advised(model=None).helps, advised(model="mistral-9").unit) == ("unknown", None)


def test_the_finest_unit_that_repeats_and_holds_the_long_part_is_taken():
    units = (CONVERSATIONS, TENANTS, TEMPLATE)
    assert advised(units=units).unit == "conversation"
    short = CONVERSATIONS._replace(holds_long_part=False)
    assert advised(units=(short, TENANTS, TEMPLATE)).unit == "tenant-document"
    rare = TENANTS._replace(repeating_share=0.2)
    assert advised(units=(short, rare, TEMPLATE)).unit == "template"


def test_a_finer_unit_is_never_sharded():
    advice = advised(units=(CONVERSATIONS._replace(requests_per_minute=30.0), TEMPLATE))
    assert (advice.helps, advice.shards) == ("yes", None)
    assert "shards repair nothing there" in advice.reasons[1]


def test_a_unit_of_which_nothing_is_known_is_not_said_to_repeat():
    advice = advised("conversation")
    assert (advice.helps, advice.unit, advice.shards) == ("unknown", "conversation", None)
    assert "helps where conversations repeat" in advice.reasons[0]
    assert advice.reasons[1] == (
        "Whether a conversation repeats within the lifetime is not known here."
    )


def test_a_unit_that_is_asked_for_against_the_numbers_does_not_help():
    rare = CONVERSATIONS._replace(repeating_share=0.1)
    advice = advised("conversation", units=(rare, TEMPLATE))
    assert (advice.helps, advice.unit) == ("no", "conversation")
    (reason,) = advice.reasons
    assert reason == (
        "Of conversations, 10% come 3 times within the 5 minutes that an entry lives, or they do not "
        "share the long part: such a key finds little."
    )


def test_a_load_that_fits_is_not_called_overflow():
    advice = advised(load=load(12.0, busiest=20.0))
    assert (advice.helps, advice.shards) == ("little", ONE)
    assert "misses have another cause" in advice.reasons[0]


def test_one_hot_prefix_needs_neither_key_nor_shards():
    advice = advised(prefixes=1)
    assert (advice.helps, advice.unit, advice.shards) == ("no", None, None)


def test_prefixes_that_expire_between_their_calls_get_neither_key_nor_shards():
    advice = advised(prefixes=1100)
    assert (advice.helps, advice.unit, advice.shards) == ("no", None, None)
    assert advice.reasons[0].startswith(
        "Spread evenly, each of 1,100 prefixes comes 0.5 times in the 10 minutes that an entry lives, "
        "even when it is busy: they expire between their calls, and neither a key nor shards repair that."
    )
    assert "each of 610 prefixes comes 0.98 times in" in advised(prefixes=610).reasons[0]
    assert advised(prefixes=600).helps == "yes"
    assert advised(prefixes=1100, sampled=True).helps == "yes"


def test_shards_are_conditional_where_the_number_of_prefixes_is_not_known():
    advice = advised(prefixes=None)
    assert (advice.helps, advice.shards.low) == ("unknown", 4)
    assert advice.by_prefixes
    assert "How many prefixes they have is not known here" in advice.reasons[0]
    assert advice.reasons[-1] == ONLY_MANY


ONLY_MANY = (
    "Shards help only where they carry many prefixes (tenants, documents): one hot prefix warms a few "
    "machines and then hits. Prefixes that come less often than once while an entry lives expire, "
    "with or without shards."
)


@pytest.mark.parametrize(
    "told",
    [
        {},
        {"prefixes": None},
        {"prefixes": None, "load": load(by_minute=False)},
        {"prefixes": None, "keys_sent": KeysSent(100, 98, 100)},
        {"load": load(quiet=80.0)},
    ],
)
def test_where_shards_are_proposed_one_hot_prefix_is_always_spoken_of(told):
    advice = advised(**told)
    assert advice.shards.needed == 4
    assert ONLY_MANY in advice.reasons
    assert advice.by_prefixes == ("prefixes" in told)


def test_one_prefix_does_not_fit_a_fall_with_load_that_was_measured():
    fall = LoadFall(0.83, 0.31)
    assert advised(prefixes=1, fall=fall).reasons[-1] == (
        "A single prefix does not fit what was measured: the cached share falls from 83% in quiet "
        "hours to 31% in busy ones. Either there are more prefixes, or it is not routing."
    )
    for told in ({"prefixes": 12, "fall": fall}, {"prefixes": 1}):
        assert not any("does not fit what was" in one for one in advised(**told).reasons)


def test_workers_that_start_at_once_get_no_shards():
    advice = advised(load=load(900.0, after_idle=0.95), prefixes=None)
    assert (advice.helps, advice.unit) == ("no", None)
    assert "Make one call first" in advice.reasons[0]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"load": load(after_idle=0.9)}, "right after an idle one"),
        ({"fan_out": True}, "The cached share falls as it does when workers start together"),
        ({"fan_out": True, "load": load(by_minute=False)}, "so keys and shards do not help"),
        ({"fan_out": True, "keys_sent": KeysSent(50, 45, 60)}, "Make one call first, wait"),
    ],
)
def test_workers_that_start_together_are_told_first_that_one_call_helps_and_no_key(given, said):
    advice = advised(**given)
    assert (advice.helps, advice.unit, advice.shards, advice.race) == ("no", None, None, True)
    assert heading(advice) == (
        "Make one call first: keys and shards do not help workers that start together"
    )
    assert said in advice.reasons[0]
    assert not any("prewarm" in reason for reason in advice.reasons)


def test_a_unit_that_is_asked_for_beside_a_fan_out_is_planned_without_shards():
    advice = advised("template", fan_out=True)
    assert (advice.helps, advice.unit, advice.shards) == ("no", "template", ONE)
    assert heading(advice).endswith("; the plan is for a key per template")


def test_a_fan_out_from_gpt_5_6_on_is_told_of_prewarm_and_of_what_a_key_does():
    first, second = advised(model="gpt-5.6-terra", fan_out=True).reasons
    assert "or a request with the option prewarm" in first
    assert "routing" not in first
    assert second.startswith("For this model (GPT-5.6 and later) a key does not improve routing")


def test_keys_that_are_used_once_are_the_fault_whatever_the_load():
    advice = advised(load=load(3.0), keys_sent=KeysSent(100, 98, 100))
    assert advice.helps == "yes"
    assert "used once" in advice.reasons[0]


def test_what_does_not_repeat_gets_no_key():
    rare = TEMPLATE._replace(repeating_share=0.1)
    advice = advised(units=(rare,))
    assert (advice.helps, advice.unit) == ("no", None)
    assert "10% of requests of the template" in advice.reasons[0]


def test_a_few_requests_say_nothing():
    advice = advised(requests=19)
    assert (advice.helps, advice.unit) == ("unknown", None)
    assert advice.reasons[0].startswith("Only 19 requests: too few")


def test_keys_that_are_sent_already_are_told():
    assert (
        "40 of 60 requests carry a key already, 4 different ones"
        in (advised(keys_sent=KeysSent(40, 4, 60)).reasons[1])
    )


def test_prompts_below_the_minimum_get_no_key():
    assert advised(mean_input_tokens=600.0).helps == "no"


def test_hours_alone_never_say_yes():
    advice = advised(load=load(40.0, by_minute=False), prefixes=None)
    assert (advice.helps, tuple(advice.shards)) == ("unknown", (3, None, 3, 11))
    assert "At least 3 shards" in advice.reasons[1]
    assert advised(load=Load(PeakLoad(None))).helps == "unknown"


rates = st.floats(0, 10_000)


@given(rates, st.none() | rates, st.none() | rates, st.floats(5, 60), st.booleans())
def test_there_are_never_more_shards_than_needed_or_than_quiet_hours_keep_warm(
    rate, busiest, quiet, lifetime, by_minute
):
    found = shards_for(Load(PeakLoad(rate, by_minute, quiet), busiest), lifetime)
    assert 1 <= found.low <= found.needed
    assert found.high is None or found.low <= found.high
    assert found.needed == 1 or (found.needed - 1) * 15 < rate <= found.needed * 15
    if found.kept_warm is not None:
        assert found.low <= found.kept_warm
        assert found.high is None or found.high <= found.kept_warm


def test_every_threshold_has_a_name_a_unit_and_a_source():
    assert len({one.name for one in KEY_ADVICE_THRESHOLDS}) == len(KEY_ADVICE_THRESHOLDS)
    assert all(one.label and one.unit and one.source for one in KEY_ADVICE_THRESHOLDS)
