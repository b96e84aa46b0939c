"""The version is the same wherever it is said."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

from cachewatch import __version__

ROOT = Path(__file__).parents[2]


def test_the_packages_and_the_newest_entry_of_the_changelog_are_of_one_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    pages = json.loads((ROOT / "frontend" / "package.json").read_text("utf-8"))
    newest = re.search(r"^## (\S+)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M)
    assert newest is not None
    assert {project["version"], pages["version"], newest[1]} == {__version__}
