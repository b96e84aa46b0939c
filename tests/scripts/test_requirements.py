"""The compiled requirements: installed together, so they must agree, and be safe to install."""

import re
from collections import defaultdict

from tests.scripts.conftest import REQUIREMENTS, ROOT

PIN = re.compile(r"^([a-z0-9._-]+)==(\S+)(?: ; (.*?))?(?: \\)?$", re.MULTILINE)


def pins(name: str) -> dict[tuple[str, str], str]:
    """Version by (package, marker)."""
    text = (ROOT / f"requirements{name}.txt").read_text()
    return {(package, marker): version for package, version, marker in PIN.findall(text)}


def test_all_files_pin_the_same_version_of_a_package():
    versions = defaultdict(set)
    for name in REQUIREMENTS:
        for key, version in pins(name).items():
            versions[key].add(version)
    assert {key: found for key, found in versions.items() if len(found) > 1} == {}


def test_every_file_holds_what_the_product_itself_needs():
    product = pins("").keys()
    assert {name: sorted(product - pins(name).keys()) for name in REQUIREMENTS} == {
        name: [] for name in REQUIREMENTS
    }


def test_every_pin_has_a_hash():
    for name in REQUIREMENTS:
        text = (ROOT / f"requirements{name}.txt").read_text()
        blocks = re.split(r"^(?=[a-z])", text, flags=re.MULTILINE)[1:]
        assert [block.split()[0] for block in blocks if "--hash=sha256:" not in block] == []
