"""Public reports with per-request numbers, as logs, by the number of the report in the case file."""

from __future__ import annotations

from typing import NamedTuple

from cachewatch.analysis.requests.batch import RequestBatch
from cachewatch.analysis.requests.findings import Cause
from tests.cachewatch.analysis.requests.log_of import distinct, log_of
from tests.cachewatch.analysis.requests.made_logs import (
    account_rotation,
    after_pauses,
    before_and_after,
    blocks,
    by_region,
    spend_by_reason,
    steps,
    there_and_back,
    through_a_proxy,
)


class Case(NamedTuple):
    name: str
    log: RequestBatch
    verdict: Cause
    arms: tuple[str, ...] = ()


HEADLINE = (
    [269330, 269925, 272000, 273706, 274956, 278878, 279558],
    [237056, 16896, 256512, 16896, 0, 0, 6656],
)
NO_HEADER_IN = [11762, 15793, 19655, 26814, 32044, 68906, 69250, 69645]
NO_HEADER = (
    [*NO_HEADER_IN, 109076, 114346, 122780, 129098, 133408],
    [0] * 8 + [14848, 0, 0, 68096, 18944],
)
SESSION_ID = (
    [11759, 15788, 19677, 28010, 49251, 64532, 65904, 66543, 122463],
    [0, 10752, 14848, 18944, 27136, 48640, 64000, 65024, 66048],
)
NO_POOL_HEADER = (
    [11700, 18126, 26972, 35113, 68182, 119042, 162838, 163434],
    [0] * 6 + [34304, 162304],
)
POOL_PAIR = (
    [11697, 15720, 18109, 22224, 35432, 44562, 94669, 100251],
    [0, 10752, 14848, 17920, 22016, 35328, 43520, 93696],
)
KEY_ONLY, NEITHER = [0, 0, 0, 0, 26368], [0] * 5
WITH_SESSION_ID = [0, 26368, 26368, 26368, 26368]
MATRIX = ["key only"] * 5 + ["neither"] * 5 + ["session id"] * 5 + ["both"] * 5
PINGS_A = [0] * 5 + [10112] + [0] * 6 + [12160, 0, 12160, 0]
PINGS_B = [0] * 5 + [10112] + [0] * 4 + [12160] + [0] * 6
ONE_BODY = [2432, 4992, 2432, 18304, 5504, 5504, 2432, 2432]
EFFORTS = ["high"] * 3 + ["low"] * 3 + ["high"] * 3


def _fresh_keys(n: int) -> dict[str, list[str]]:
    return {"key": distinct("key", n), "session": distinct("thread", n)}


GROWING_WRITES = steps(3423, 69290, 18)
PINNED_WRITES = [600_000.0 + 37_000 * place % 150_000 for place in range(89)]
FROM_TOOLS = steps(9000, 150000, 200)
LUNA = steps(12000, 90000, 17)
SLEEP = steps(15868, 159490, 10)

CASES: tuple[Case, ...] = (
    Case("1 headline", log_of(*HEADLINE), "routing-scatter"),
    Case(
        "1 headline and recovery",
        log_of([*HEADLINE[0], 404570], [*HEADLINE[1], 393728]),
        "routing-scatter",
    ),
    Case("1 no header", log_of(*NO_HEADER), "routing-scatter"),
    Case("1 session id", log_of(*SESSION_ID), "healthy"),
    Case("1 no pool header", log_of(*NO_POOL_HEADER), "routing-scatter"),
    Case("1 pool pair", log_of(*POOL_PAIR), "healthy"),
    Case("1 key only", log_of(27027, KEY_ONLY), "routing-scatter"),
    Case("1 session id, one body", log_of(27027, WITH_SESSION_ID), "healthy"),
    Case(
        "1 matrix",
        log_of(27027, KEY_ONLY + NEITHER + WITH_SESSION_ID * 2, arms={"headers": MATRIX}),
        *("routing-scatter", ("headers",)),
    ),
    Case("2 A with keys", log_of(12400, PINGS_A, seconds=40, **_fresh_keys(16)), "key-churn"),
    Case("2 B with keys", log_of(12400, PINGS_B, seconds=40, **_fresh_keys(17)), "key-churn"),
    Case("2 A", log_of(12400, PINGS_A, seconds=40), "routing-scatter"),
    Case("2 B", log_of(12400, PINGS_B, seconds=40), "routing-scatter"),
    Case("2 control", log_of(12366, [0, 0, 12160, 0], seconds=17), "routing-scatter"),
    Case(
        "2 control with keys",
        log_of(12366, [0, 0, 12160, 0], seconds=17, key=distinct("key", 4)),
        "key-churn",
    ),
    Case("3 long session", log_of(steps(20000, 239600, 171), [0] * 171), "not-reported"),
    Case("3 short session", log_of(steps(60000, 199600, 5), [0] * 5), "not-reported"),
    Case("5 one body", log_of(18362, ONE_BODY), "inconclusive"),
    Case(
        "5 one body with keys",
        log_of(18362, ONE_BODY, key=[None, None, "k", "k", "j", "k", "k", "k"]),
        "inconclusive",
    ),
    Case("6 plateau", log_of(steps(206240, 207059, 12), [2432] * 12), "plateau"),
    Case(
        "7 plateau over models and keys",
        log_of(
            *(FROM_TOOLS, [0] + [4608] * 199),
            session=["s"] * 200,
            model=["gpt-5.4"] * 120 + ["gpt-5.5"] * 80,
            key=["a"] * 70 + ["b"] * 70 + ["c"] * 60,
        ),
        "plateau",
    ),
    Case(
        "8 zero streak",
        log_of([68026, 74311, 74371, 74371], [64000, 0, 0, 0], key=["k"] * 4),
        "inconclusive",
    ),
    Case("9 regions", by_region(), "routing-scatter", ("region",)),
    Case("10 breakpoint", log_of(LUNA, [0] + [10445] * 16, model=["gpt-5.6-luna"] * 17), "plateau"),
    Case("11 timestamp", log_of(steps(27000, 377000, 87), [24576] * 87), "plateau"),
    Case(
        "12 writes",
        log_of(LUNA, [0] * 17, writes=[size - 40 for size in LUNA], model=["gpt-5.6-sol"] * 17),
        "writes-without-reads",
    ),
    Case("13 load balancer", log_of(26710, [0] * 500 + [23552] + [0] * 540), "routing-scatter"),
    Case(
        "13 with a probe",
        log_of(
            *(26710, [0] * 1041 + [0, 26550]),
            arms={"arm": ["production"] * 1041 + ["one server twice"] * 2},
        ),
        "routing-scatter",
    ),
    Case("13 uuid key", log_of(26710, [0] * 60, key=distinct("uuid", 60)), "key-churn"),
    Case("14 there and back", there_and_back(), "routing-scatter", ("affinity",)),
    Case("17 accounts", account_rotation(), "account-switch"),
    Case("20 before and after", before_and_after(), "routing-scatter"),
    Case("22 proxy", through_a_proxy(), "gateway-arm", ("via", "model")),
    Case("23 children", log_of(6319, [0] * 3, **_fresh_keys(3)), "key-churn"),
    Case(
        "23 children, then the parent's key",
        log_of(
            *(6319, [0, 0, 0, 0, 4992, 4992]),
            key=[*distinct("child", 3), "parent", "parent", "parent"],
            session=distinct("thread", 6),
        ),
        "key-churn",
    ),
    Case("23 forks", log_of(6319, [0, 0, 0, 0, 3584], **_fresh_keys(5)), "key-churn"),
    Case(
        "26 effort",
        log_of(
            *(steps(20000, 36000, 9), [0, 19968, 21888, 0, 25984, 27904, 23936, 32000, 33920]),
            effort=EFFORTS,
            session=["s"] * 9,
        ),
        "request-shape-change",
    ),
    Case(
        "27 checkpoints",
        log_of([27400, 29300, *[5500] * 6, 26700], [0, 6700, *[0] * 6, 24900]),
        "inconclusive",
    ),
    Case("29 healthy", log_of(SLEEP, [15744, *blocks([s * 0.99 for s in SLEEP[1:]])]), "healthy"),
    Case("29 two replicas", log_of([10000, 20000, 30000, 40000], [0, 0, 9984, 19968]), "healthy"),
    Case("29 separate threads", log_of(11749, [6528, 6400], **_fresh_keys(2)), "key-churn"),
    Case("30 below the minimum", log_of([87, 3772, 3948, 4111], [0, 0, 0, 3840]), "ineligible"),
    Case(
        "30 frozen read, growing writes",
        log_of([42322 + size for size in GROWING_WRITES], [42272] * 18, writes=GROWING_WRITES),
        "plateau",
    ),
    Case(
        "30 pinned read, large writes",
        log_of([29_542 + size for size in PINNED_WRITES], [29_542] * 89, writes=PINNED_WRITES),
        "writes-without-reads",
    ),
    Case("30 batch job", log_of(3000, [0] * 138, tier=["batch"] * 138), "ineligible"),
    Case("30 pauses", after_pauses(), "cold-after-idle"),
    Case(
        "30 one pause",
        log_of([374000, 374500, 377800], [0, 372687, 0], seconds=[0, 612, 1032]),
        "inconclusive",
    ),
    Case("31 spend by reason", spend_by_reason(), "cold-after-idle"),
    Case("34 mixed up", log_of(79000, [327000] * 20), "accounting-suspect"),
    *(
        Case(f"34 {percent:g} %", log_of(10_000, [percent * 100.0] * 20), "accounting-suspect")
        for percent in (1207.2, 878, 3000)
    ),
    Case("34 read counted once", log_of(170_236.23, [167_791.45] * 100), "healthy"),
    Case(
        "34 invented zeros of short prompts",
        log_of(1536, [0, 1408] * 20, streamed=[1, 0] * 20),
        "not-reported",
    ),
    Case(
        "34 invented zeros",
        log_of(6144, [0, 5888] * 20, streamed=[1, 0] * 20),
        "not-reported",
    ),
)
