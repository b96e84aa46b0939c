"""The browser of the browser tests: Debian's Chromium."""

from __future__ import annotations

import os
import shutil

from project import run, say, stop

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def ensure() -> None:
    """Install Chromium by apt where root may; else say in one line what to install.

    Without one the browser tests are skipped aloud, or fail where CACHEWATCH_REQUIRE_BROWSER=1.
    """
    if any(shutil.which(name) for name in _NAMES):
        return
    if os.geteuid() == 0 and shutil.which("apt-get"):
        say("installing Chromium for the browser tests")
        env = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        wait = ["-o", "DPkg::Lock::Timeout=300"]
        run(["apt-get", "update", "-qq", *wait], env=env)
        run(["apt-get", "install", "-y", "-qq", *wait, "chromium"], env=env)
        return
    sentence = "the browser tests need Chromium: apt install chromium"
    if os.environ.get("CACHEWATCH_REQUIRE_BROWSER") == "1":
        stop(sentence)
    say(sentence)
