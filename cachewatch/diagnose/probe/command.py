"""`cachewatch probe`: the door. Exit status 0 done or only shown, 2 could not run, or not to the end.

Nothing is sent without --yes.
"""

from __future__ import annotations

import argparse
import secrets
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from cachewatch.diagnose.probe.options import read_options
from cachewatch.diagnose.reading import ReadingError
from cachewatch.diagnose.terminal import COULD_NOT_RUN, Terminal, print_report
from cachewatch.environment import Environment
from cachewatch.set_prices import overrides_of
from ingest.openai_usage.errors import UsageError

if TYPE_CHECKING:
    from cachewatch.analysis.cache_probe.calls import Call, Trial
    from cachewatch.analysis.cache_probe.reads import Read
    from ingest.openai_usage.responses import ResponsesClient

DONE = 0
NONCE_BYTES = 8
TERMINAL = Terminal("cachewatch probe")
_NO_KEY = "OPENAI_API_KEY is not set: set it to a key of a project that may call the model"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command. Every failure is one line on standard error and status 2."""
    return TERMINAL.run(argv, read_options, _run, lambda options: options.model)


def _run(options: argparse.Namespace) -> int:
    from cachewatch.analysis.cache_generation import generation_of
    from cachewatch.analysis.cache_probe.calls import Trial, arm_for
    from cachewatch.diagnose.probe.cost import budget_of, cost_of
    from cachewatch.diagnose.probe.report import document, dollars, plan_text, result_text
    from cachewatch.price_overrides import book_with

    today = datetime.now(UTC).date()
    generation = generation_of(options.model, today)
    trial = Trial(
        options.model,
        ("plain", options.arm or arm_for(generation)),
        options.static_tokens,
        options.rounds,
    )
    rates = book_with(overrides_of(Environment())).rates(options.model, None, None, today)
    budget = budget_of(trial, rates)
    plan = plan_text(trial, budget, rates, options.pause, options.base_url)
    if not options.yes:
        shown = f"{plan}\nnothing was sent; --yes sends it"
        print_report(document(trial, budget, generation, None, None) if options.json else shown)
        return DONE
    for line in plan.splitlines():
        TERMINAL.say(line)
    reads = _sent(options, trial)
    usd = cost_of(reads, rates)
    print_report(
        document(trial, budget, generation, reads, usd)
        if options.json
        else result_text(trial, reads, generation, dollars(usd))
    )
    return DONE if len(reads) == trial.calls else COULD_NOT_RUN


def _sent(options: argparse.Namespace, trial: Trial) -> list[Read]:
    """The answers. A failure or an interrupt after the first ends the trial with what there is.

    Raises ReadingError where there is no key, and for a failure of the first request.
    """
    from cachewatch.analysis.cache_probe.calls import calls_of
    from ingest.openai_usage.responses import ResponsesClient

    key = Environment().optional("OPENAI_API_KEY")
    if not key:
        raise ReadingError(_NO_KEY)
    nonces = [secrets.token_hex(NONCE_BYTES) for _ in range(trial.rounds * len(trial.arms))]
    reads: list[Read] = []
    try:
        with ResponsesClient(base_url=options.base_url, api_key=key) as client:
            for number, call in enumerate(calls_of(trial, nonces)):
                if number:
                    time.sleep(options.pause)
                reads.append(_read(client, call))
                TERMINAL.say(f"request {number + 1} of {trial.calls}: {call.arm}, {call.step}")
    except UsageError as error:
        if not reads:
            raise ReadingError(error.sentence) from error
        TERMINAL.say(f"ended after {len(reads)} of {trial.calls} requests: {error.sentence}")
    except KeyboardInterrupt:
        if not reads:
            raise
        TERMINAL.say(f"interrupted after {len(reads)} of {trial.calls} requests")
    return reads


def _read(client: ResponsesClient, call: Call) -> Read:
    from cachewatch.analysis.cache_probe.reads import Read

    usage = client.create(call.body)
    return Read(
        *(call.round, call.arm, call.step, usage.input_tokens),
        *(usage.cached_tokens, usage.write_tokens, usage.seconds),
    )


if __name__ == "__main__":
    sys.exit(main())
