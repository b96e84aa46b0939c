"""The `celery` command, with pool processes that end at once when their worker is killed.

Celery's own pool processes finish the task at hand first, which after kill -9 of the product would
go on for minutes without a database. Tasks are safe to be killed midway.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import Any

from celery.__main__ import main
from celery.signals import worker_process_init

from cachewatch.embedded.processes import die_with_parent


@worker_process_init.connect
def _end_with_the_worker(**_arguments: Any) -> None:
    die_with_parent(signal.SIGKILL, os.getppid())


if __name__ == "__main__":
    sys.exit(main())
