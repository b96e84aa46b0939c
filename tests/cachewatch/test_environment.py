"""The environment is read loudly, and its documentation is the code's own table."""

from pathlib import Path

import pytest

from cachewatch.environment import VARIABLES, ConfigurationError, Environment

ROOT = Path(__file__).resolve().parents[2]


def test_the_documented_table_is_the_declared_table():
    rows = [
        line.split(" | ", 3)
        for line in (ROOT / "docs/configuration.md").read_text().splitlines()
        if line.startswith("| `")
    ]
    documented = [
        (row[0].strip("| `"), row[1], row[2].strip("` "), row[3].removesuffix(" |")) for row in rows
    ]
    assert documented == [(v.name, v.kind, v.default or "", v.meaning) for v in VARIABLES]


def test_every_variable_that_settings_reads_is_declared():
    source = (ROOT / "cachewatch/settings.py").read_text()
    used = {v.name for v in VARIABLES if f'"{v.name}"' in source}
    assert used == {v.name for v in VARIABLES}


def test_a_value_of_the_wrong_kind_is_named_with_its_limits():
    with pytest.raises(ConfigurationError, match="PORT is '80a'; it must be a whole number from 1"):
        Environment({"PORT": "80a"}).integer("PORT", low=1, high=65535)
    with pytest.raises(ConfigurationError, match="PORT is '70000'"):
        Environment({"PORT": "70000"}).integer("PORT", low=1, high=65535)
    with pytest.raises(ConfigurationError, match="CACHEWATCH_DEBUG is 'maybe'"):
        Environment({"CACHEWATCH_DEBUG": "maybe"}).boolean("CACHEWATCH_DEBUG")
    with pytest.raises(ConfigurationError, match="must be one of auto, off"):
        Environment({"CACHEWATCH_DEMO": "on"}).choice("CACHEWATCH_DEMO", ("auto", "off"))


def test_a_secret_comes_from_the_variable_or_from_its_file_but_not_from_both(tmp_path):
    secret = tmp_path / "key"
    secret.write_text("from-file\n")
    assert Environment({"OPENAI_ADMIN_KEY": "plain"}).optional("OPENAI_ADMIN_KEY") == "plain"
    from_file = Environment({"OPENAI_ADMIN_KEY_FILE": str(secret)})
    assert from_file.optional("OPENAI_ADMIN_KEY") == "from-file"
    both = Environment({"OPENAI_ADMIN_KEY": "plain", "OPENAI_ADMIN_KEY_FILE": str(secret)})
    with pytest.raises(ConfigurationError, match="OPENAI_ADMIN_KEY_FILE are both set"):
        both.optional("OPENAI_ADMIN_KEY")


def test_a_secret_file_that_is_missing_or_empty_is_named(tmp_path):
    missing = Environment({"CACHEWATCH_HASH_KEY_FILE": str(tmp_path / "none")})
    with pytest.raises(ConfigurationError, match="which cannot be read"):
        missing.optional("CACHEWATCH_HASH_KEY")
    empty = tmp_path / "empty"
    empty.write_text(" \n")
    with pytest.raises(ConfigurationError, match="which is empty"):
        Environment({"CACHEWATCH_HASH_KEY_FILE": str(empty)}).optional("CACHEWATCH_HASH_KEY")


def test_an_unset_variable_without_a_default_is_asked_for_by_name():
    with pytest.raises(ConfigurationError, match="CACHEWATCH_SECRET_KEY is not set"):
        Environment({}).text("CACHEWATCH_SECRET_KEY")


def test_a_list_drops_its_empty_parts():
    values = Environment({"CACHEWATCH_ALLOWED_HOSTS": "a.example, ,b.example,"})
    assert values.items("CACHEWATCH_ALLOWED_HOSTS") == ["a.example", "b.example"]
