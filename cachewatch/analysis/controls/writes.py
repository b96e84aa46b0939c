"""Written but not read: does writing to the prompt cache cost more than reading it back saves?"""

from __future__ import annotations

from cachewatch.analysis.accounting import break_even, writes_not_read
from cachewatch.analysis.case import Case
from cachewatch.analysis.controls.control import FIRED, NOT_TESTABLE, RULED_OUT, Control, Said
from cachewatch.analysis.figures import percent

NAME = "writes-not-read"


def judge(case: Case) -> Control:
    """Only where writes are billed and reported."""
    accounts, generation = case.accounts, case.generation
    read_back = accounts.read_back
    if not generation.bills_writes or read_back is None:
        return Control(NAME, NOT_TESTABLE, {"bills_writes": float(generation.bills_writes)})
    numbers = {
        "bills_writes": 1.0,
        "read_back": read_back,
        "break_even": break_even(accounts, generation),
        "write_share": accounts.write_share,
    }
    return Control(NAME, FIRED if writes_not_read(accounts, generation) else RULED_OUT, numbers)


def say(control: Control) -> Said:
    """In words."""
    n = control.numbers
    if control.status == NOT_TESTABLE:
        why = "no tokens written to the prompt cache are reported"
        if not n["bills_writes"]:
            why = "writing to the prompt cache is free for this model"
        return Said(f"Not a question here: {why}.", "A model from GPT-5.6 on.")
    return Said(
        f"{n['read_back'] or 0:.2f} tokens are read for each one written "
        f"({percent(n['write_share'] or 0)} of the input); below {n['break_even'] or 0:.2f} writing "
        "costs more than it saves.",
        f"{n['break_even'] or 0:.2f} tokens read for each one written.",
    )
