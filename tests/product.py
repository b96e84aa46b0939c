"""The whole product as its user starts it, for the tests that drive it from outside."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from cachewatch.embedded.locks import holders

ROOT = Path(__file__).resolve().parent.parent


def _age_rank(pid: int) -> tuple[int, int]:
    """Older processes first: ids begin anew once the highest was given."""
    try:
        after_command = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1]
    except (FileNotFoundError, ProcessLookupError):
        return 0, pid
    return int(after_command.split()[19]), pid  # field 22: its start, in ticks since boot


class Product:
    """One `cachewatch run` on a local folder of its own, on any free port."""

    def __init__(self, local_folder: Path, **variables: str) -> None:
        self.local_folder = local_folder
        kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        ours = {
            "CACHEWATCH_LOCAL_DIR": str(local_folder),
            "PORT": "0",
            "CACHEWATCH_DEMO": "off",
            "CACHEWATCH_SOURCE_NETWORKS": "127.0.0.1",  # where the tests' own usage APIs listen
        }
        self.process = subprocess.Popen(
            [sys.executable, "-m", "cachewatch.cli", "run"],
            cwd=ROOT,
            env=kept | ours | variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,  # a process group of its own, so that all of it can be killed
        )
        self.said = ""
        self.sign_in_link = ""

    def wait_until_open(self) -> str:
        """Read until the line that tells the address; the address without its path."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said += line
            found = re.match(r"Open ((http://127\.0\.0\.1:\d+)/signin/\S+)", line)
            if found:
                self.sign_in_link = found.group(1)
                return found.group(2)
        raise AssertionError(f"it ended with {self.process.wait()}:\n{self.said}")

    def wait_for_end(self) -> int:
        """The exit status; what it said before is in `said`."""
        assert self.process.stdout is not None
        self.said += self.process.stdout.read()
        return self.process.wait(60)

    def database(self) -> str:
        return str(json.loads((self.local_folder / "services.json").read_text())["database_url"])

    def children(self) -> list[int]:
        """The processes that the product started and theirs, oldest first; its own id is not among
        them.
        """
        found = set(holders(self.local_folder / "children.lock"))
        for name in ("pg18.lock", "valkey.lock"):
            found |= set(holders(self.local_folder / name))
        return sorted(found - {self.process.pid}, key=_age_rank)

    def pid_of(self, *words: str) -> int:
        """The oldest of its processes whose command line holds the words; 0 without one."""
        for pid in self.children():
            try:
                command = Path(f"/proc/{pid}/cmdline").read_bytes().decode()
            except (FileNotFoundError, ProcessLookupError):
                continue
            if all(word in command for word in words):
                return pid
        return 0

    def kill_group(self, *, each: bool = False) -> None:
        """kill -9 of its process group. Its processes, in sessions of their own, end by themselves;
        `each` kills every one of them too, at the same moment.
        """
        children = self.children() if each else []
        os.killpg(self.process.pid, signal.SIGKILL)
        for pid in children:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait()
        if self.process.stdout:
            self.process.stdout.close()

    def log(self, name: str) -> str:
        """What one of its processes wrote to its log so far."""
        path = self.local_folder / "logs" / f"{name}.log"
        return path.read_text(errors="replace") if path.exists() else ""

    def stop(self) -> None:
        """End it as Ctrl-C would; killed where that takes longer than it may."""
        self.process.terminate()
        try:
            self.process.wait(40)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        if self.process.stdout:
            self.process.stdout.close()
