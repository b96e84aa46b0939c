"""Every threshold of the analysis of requests: name, unit, default and source."""

from __future__ import annotations

from cachewatch.analysis.thresholds import GUIDE, PRACTICE, Threshold

REPORTS = "public reports that print cached tokens request by request"


def _fixed(name: str, label: str, unit: str, default: float, source: str = REPORTS) -> Threshold:
    return Threshold(name, label, unit, default, source)


# What a read is.
FULL_READ = _fixed("full_read", "Read over what was readable, from which it is full", "ratio", 0.85)
HIGH_READ = _fixed("high_read", "The same, from which a read shows a warm prefix", "ratio", 0.75)
LOW_READ = _fixed("low_read", "The same, up to which a read is next to nothing", "ratio", 0.10)
# Which requests belong together.
IDENTICAL_SPREAD = _fixed(
    "identical_spread", "Spread of inputs of one repeated body", "ratio", 0.01
)
SIMILAR_SPREAD = _fixed("similar_spread", "Spread of inputs of one template", "ratio", 0.10)
GROWING_STEPS = _fixed("growing_steps", "Steps of a conversation that do not shrink", "ratio", 0.8)
MIXED_STEPS = _fixed(
    "mixed_steps", "Steps that do not shrink, below which prompts repeat no history", "ratio", 0.6
)
MIXED_FROM = _fixed("mixed_from", "Steps that tell such prompts from chance", "steps", 10, PRACTICE)
SIDE_CALLS = _fixed(
    "side_calls", "Requests after a side call, by which its conversation goes on", "requests", 32
)
SHORTER = _fixed("shorter", "Input over that before, below which history was cut", "ratio", 0.7)
REPEATS = _fixed("repeats", "Requests per session or key that make it a lineage", "requests", 3)
PRESUMED_REQUESTS = _fixed(
    "presumed_requests", "Requests without any identity that are still compared", "requests", 20
)
PRESUMED_HIGH = _fixed("presumed_high", "Of those, requests that read nearly all", "share", 0.05)
# How much evidence a word needs.
MIN_LINKED = _fixed("min_linked", "Requests after the first of a lineage", "requests", 3)
SMALL_ARM = _fixed(
    "small_arm", "Requests of an arm below which n is small", "requests", 20, PRACTICE
)
MOST_ARMS = _fixed("most_arms", "Arms that can be compared", "arms", 200, PRACTICE)
CHANCE = _fixed("chance", "p below which chance is no explanation", "ratio", 0.05, PRACTICE)
STRICT_CHANCE = _fixed(
    "strict_chance", "The same where a limit was searched", "ratio", 0.01, PRACTICE
)
HEALTHY_SHARE = _fixed("healthy_share", "Read over readable without a finding", "share", 0.85)
CLEARLY_HEALTHY = _fixed("clearly_healthy", "The same whatever the rest is", "share", 0.98)
ISOLATED = _fixed(
    "isolated",
    "Missed over readable tokens of isolated misses, whatever the rest is",
    "share",
    0.01,
)
EXPLAINED = _fixed("explained", "Missed tokens that one cause explains", "share", 0.6, PRACTICE)
LEADS = _fixed("leads", "Requests that cannot be read, to say so first", "share", 0.2, PRACTICE)
MAJORITY = _fixed(
    "majority", "Requests below the minimum, to say so first", "share", 0.25, PRACTICE
)
ALWAYS_ZERO = _fixed("always_zero", "Requests that all read nothing", "requests", 5)
SUSPECT_ROWS = _fixed(
    "suspect_rows", "Requests with impossible counts, to say so first", "share", 0.05
)
# Changes: account, key, shape.
MISS_AFTER = _fixed("miss_after", "Misses after a change", "ratio", 0.5)
MISS_RATIO = _fixed("miss_ratio", "Misses without a change over those after one", "ratio", 0.5)
CHANGES = _fixed("changes", "Misses that follow a change", "requests", 3)
KEY_CHURN = _fixed("key_churn", "Distinct keys over requests", "ratio", 0.5)
KEY_CHURN_PLAIN = _fixed("key_churn_plain", "Distinct keys over requests, plainly", "ratio", 0.9)
RARE_FIRST_USES = _fixed(
    "rare_first_uses", "Missed first uses of a key, below which they cost little", "ratio", 0.05
)
RESTARTS = _fixed("restarts", "Restarts that agree with the misses", "requests", 3)
# Time.
LIFETIMES = tuple(
    _fixed(f"lifetime_{minutes}", "A lifetime to compare gaps with", "minutes", minutes, GUIDE)
    for minutes in (5, 10, 30, 60, 720, 1440)
)
IDLE_MISSES = _fixed("idle_misses", "Misses after a gap", "requests", 3)
IDLE_RATE = _fixed("idle_rate", "Misses after a gap over requests after one", "ratio", 0.6)
LONG_PAUSE = _fixed("long_pause", "A pause that few entries outlive", "minutes", 60, GUIDE)
BURST_GAP = _fixed("burst_gap", "Gap inside a burst", "seconds", 5, PRACTICE)
RACE_WINDOW = _fixed("race_window", "Time until a first call can be read", "seconds", 10, PRACTICE)
RACE_MISSES = _fixed("race_misses", "Misses at the start of bursts", "requests", 3)
RACE_RATE = _fixed("race_rate", "Misses at the start of bursts over requests there", "ratio", 0.7)
RACE_LATER = _fixed("race_later", "Misses later in bursts over requests there", "ratio", 0.3)
HOT_KEY = _fixed("hot_key", "Requests a minute under one key", "requests", 15, GUIDE)
HOT_REQUESTS = _fixed("hot_requests", "Requests in busy and in calm minutes", "requests", 5)
# Shapes of reads.
PLATEAU_ROWS = _fixed("plateau_rows", "Requests with the same read", "requests", 10)
PLATEAU_FEW = _fixed("plateau_few", "The same where the input grows much", "requests", 5)
PLATEAU_GROWTH = _fixed("plateau_growth", "Growth of the input that is much", "ratio", 2.0)
PLATEAU_SHARE = _fixed("plateau_share", "Misses with the same read", "share", 0.6)
WRITTEN = _fixed("written", "Input that is written", "share", 0.5)
WRITES_AGREE = _fixed("writes_agree", "Requests that write and do not read", "ratio", 0.8)
WRITES_ROWS = _fixed("writes_rows", "Requests that write and do not read", "requests", 5)
SAME_LEVEL = _fixed(
    "same_level", "Distance to an earlier read, from which it is another", "tokens", 128, GUIDE
)
REWRITES = _fixed("rewrites", "Returns to an earlier read", "requests", 2)
RARE_RETURNS = _fixed(
    "rare_returns", "Returns over open misses, below which they are chance", "ratio", 0.05
)
OLDER_TAIL = _fixed(
    "older_tail", "Tokens of an earlier request that its later read leaves out", "tokens", 1024
)
SHARED_READ = _fixed(
    "shared_read", "Lineages that miss and have a read that all of them share", "ratio", 0.5
)
REPLICAS = _fixed("replicas", "Warm machines that take turns", "requests", 3)
REPLICAS_AGREE = _fixed(
    "replicas_agree", "Requests that read the one so many turns ago", "ratio", 0.8
)
SIZE_ROWS = _fixed("size_rows", "Requests above and below a size", "requests", 5)
SIZE_AGREE = _fixed("size_agree", "Of those, misses above and reads below", "ratio", 0.8)
SIZE_AFTER = _fixed("size_after", "Smaller requests that hit after the first miss", "requests", 3)
# Scatter.
SCATTER_MISSES = _fixed("scatter_misses", "Requests that read next to nothing", "requests", 2)
SCATTER_RATE = _fixed("scatter_rate", "Misses over requests after the first", "ratio", 0.15)
SCATTER_PROOFS = _fixed("scatter_proofs", "Recoveries that make scatter likely", "requests", 2)
SCATTER_LIKELY = _fixed("scatter_likely", "Requests that make scatter likely", "requests", 6)
BEYOND = _fixed("beyond", "Read over readable, above which it is another prompt's", "ratio", 1.5)
SMALLER_MISSES = _fixed(
    "smaller_misses", "Misses that are smaller than hits, a sign of new conversations", "ratio", 0.8
)
APART = _fixed(
    "apart", "Distance of two distributions of sizes that are of different prompts", "ratio", 0.4
)
# Arms.
ARM_MISSES = _fixed("arm_misses", "Full reads of an arm that fails", "ratio", 0.1)
ARM_READS = _fixed("arm_reads", "Full reads of an arm that works", "ratio", 0.6)
ALTERNATING = _fixed(
    "alternating", "Changes of arm over those of perfect turns", "ratio", 0.75, PRACTICE
)
BLOCKED_RUNS = _fixed(
    "blocked_runs",
    "Runs of arms over those of chance, below which they are blocks",
    "ratio",
    0.5,
    PRACTICE,
)
NO_CHANGE = _fixed("no_change", "Difference of shares that is no change", "points", 0.05, PRACTICE)
IMBALANCE = _fixed("imbalance", "Input of one arm over another", "ratio", 1.2, PRACTICE)
SHUFFLES = _fixed("shuffles", "Shuffles of a permutation test", "shuffles", 2000, PRACTICE)
SHUFFLED_ROWS = _fixed("shuffled_rows", "Requests that are shuffled", "requests", 5000, PRACTICE)
ALL_PAIRS = _fixed("all_pairs", "Arms that are all compared with each other", "arms", 8, PRACTICE)
# Smaller limits of single rules.
MOSTLY_LEFT_OUT = _fixed(
    "mostly_left_out", "Requests left out, to say so before a cause", "share", 0.5, PRACTICE
)
FEW_PAIRS = _fixed(
    "few_pairs",
    "Comparisons, up to which one needs no reminder of the others",
    "comparisons",
    3,
    PRACTICE,
)
SHORTEST_CONVERSATION = _fixed(
    "shortest_conversation", "Requests of a conversation with a floor", "requests", 3
)
STEPS_AGREE = _fixed("steps_agree", "Reads that are multiples of a step", "ratio", 0.9)
STEPS_FEW = _fixed("steps_few", "Different reads that tell 384 mod 512 from chance", "reads", 3)
TWICE = _fixed("twice", "Requests per identity that repeats at all", "requests", 2)
GROWS_FROM = _fixed("grows_from", "Requests from which growth is no chance", "requests", 4)
ALL_BUT_FEW = _fixed("all_but_few", "Requests that carry an identity that is used", "ratio", 0.8)
TURNS = _fixed("turns", "Requests that show turns of machines", "requests", 2)
COVERED = _fixed(
    "covered", "Part of a prompt in which a match with an older call is chance", "ratio", 0.5
)
OTHERS_READ = _fixed(
    "others_read",
    "Requests that are not streamed and read, where streamed ones never do",
    "ratio",
    0.5,
)
FEWEST_MOVES = _fixed("fewest_moves", "Misses after a change of account", "requests", 2)
STAYS_PART = _fixed(
    "stays_part", "Requests without a change, below which none compares", "ratio", 0.1
)
STREAK = _fixed("streak", "Misses in a row that end a lineage", "requests", 3)
REWRITES_PART = _fixed("rewrites_part", "Open misses that one rewrite explains", "ratio", 0.5)
DISTINCT_LEVELS = _fixed(
    "distinct_levels", "Different reads among the drops; a floor is one and the same", "ratio", 0.67
)
PLATEAU_LEFT = _fixed("plateau_left", "Full reads between requests at the level", "ratio", 0.2)
PLATEAU_PLAIN = _fixed("plateau_plain", "Requests at the level, of a few", "ratio", 0.9)
UNCHANGED = _fixed("unchanged", "Requests of the same shape to compare with", "requests", 2)
STABLE_KEYS = _fixed("stable_keys", "Distinct keys over requests, of stable keys", "ratio", 0.2)
# Weight of missed tokens in the order of findings.
WEIGHTS = {
    "confirmed": _fixed("weight_confirmed", "Weight of a confirmed cause", "ratio", 1.0, PRACTICE),
    "likely": _fixed("weight_likely", "Weight of a likely cause", "ratio", 0.8, PRACTICE),
    "possible": _fixed("weight_possible", "Weight of a possible cause", "ratio", 0.4, PRACTICE),
}

_ONE = [value for value in list(globals().values()) if isinstance(value, Threshold)]
REQUEST_THRESHOLDS: tuple[Threshold, ...] = (*_ONE, *LIFETIMES, *WEIGHTS.values())
