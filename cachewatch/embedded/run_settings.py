"""What `cachewatch run` reads from the environment."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from cachewatch.environment import Environment
from cachewatch.environment_values import check

PROJECT_FOLDER = Path(__file__).resolve().parent.parent.parent


@dataclass(frozen=True)
class RunSettings:
    """The typed values of one start. `port` may be 0 here: any free one."""

    environment: Environment
    project_folder: Path
    local_folder: Path
    address: str
    port: int
    public_url: str | None
    web_threads: int
    worker_concurrency: int
    log_level: str
    demo_possible: bool

    @property
    def logs(self) -> Path:
        """The folder with one log file for each process."""
        return self.local_folder / "logs"


def read_settings(environment: Environment, project_folder: Path = PROJECT_FOLDER) -> RunSettings:
    """Read and check every value. Raises ConfigurationError naming the first bad one."""
    check(environment)
    # These are read by the processes that are started here, and must not fail there.
    environment.boolean("CACHEWATCH_DEBUG")
    environment.integer("CACHEWATCH_TRUSTED_PROXIES", low=0, high=10)
    for requests in ("ADDRESS", "CALLER", "COSTLY"):
        environment.integer(f"CACHEWATCH_{requests}_REQUESTS_PER_MINUTE", low=0, high=10**9)
    demo_allowed = environment.choice("CACHEWATCH_DEMO", ("auto", "off")) == "auto"
    return RunSettings(
        environment=environment,
        project_folder=project_folder,
        local_folder=(project_folder / environment.text("CACHEWATCH_LOCAL_DIR")).absolute(),
        address=environment.text("CACHEWATCH_BIND"),
        port=environment.integer("PORT", low=0, high=65535),
        public_url=environment.optional("CACHEWATCH_PUBLIC_URL"),
        web_threads=environment.integer("CACHEWATCH_WEB_THREADS", low=1, high=256),
        worker_concurrency=environment.integer("CACHEWATCH_WORKER_CONCURRENCY", low=1, high=256),
        log_level=environment.choice("CACHEWATCH_LOG_LEVEL", ("DEBUG", "INFO", "WARNING", "ERROR")),
        demo_possible=demo_allowed and environment.optional("OPENAI_ADMIN_KEY") is None,
    )
