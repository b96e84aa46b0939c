#!/usr/bin/env python3
"""npm in frontend/ with the Node of this project: `python3 scripts/npm.py run test`."""

from __future__ import annotations

import sys

import frontend_build
import node
from project import only_one

if __name__ == "__main__":
    with only_one():
        frontend_build.ensure_packages()
        node.ensure()
    node.npm(sys.argv[1:])
