"""A bad address, key or e-mail address stops the start in one sentence that holds no secret."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cachewatch.environment import ConfigurationError, Environment
from cachewatch.environment_values import broker_address, check, database_settings, public_url

ROOT = Path(__file__).resolve().parents[2]
GOOD_KEY = "dGVzdC1maWVsZC1rZXktb2Ytbm8tdmFsdWUtMTIzNDU="
BAD = {
    "CACHEWATCH_FIELD_KEYS": ["nonsense-hunter2", f"{GOOD_KEY},hunter2", ",", "hunter2\u00e9"],
    "CACHEWATCH_PUBLIC_URL": [
        "cachewatch.example.com",
        "ftp://cachewatch.example.com",
        "https://",
        "https://cachewatch.example.com/below",
        "https://me:hunter2@cachewatch.example.com",
        "https://cachewatch.example.com:port",
    ],
    "DATABASE_URL": [
        "mysql://u:hunter2@host/name",
        "postgresql://u:hunter2/x@host:5432/name",
        "postgresql://u:12/hunter2@host:5432/name",
        "postgresql://u:hunter2#x@host:5432/name",
        "postgresql://u:1?hunter2@host:5432/name",
        "postgresql://u:hunter2@host:five/name",
        "postgresql://u:hunter2@host",
        "hunter2",
    ],
    "REDIS_URL": [
        "http://host",
        "redis://:hunter2/x@host:6379/0",
        "redis://:1/hunter2@host:6379/0",
        "redis://:hunter2#x@host:6379/0",
        "redis://host:6379/first",
    ],
    "CACHEWATCH_OWNER_EMAIL": ["owner", "owner@", "a b@example.org"],
    "CACHEWATCH_USAGE_BASE_URL": [
        "usage.example/v1",
        "http://usage.example/v1",
        "https://me:hunter2@usage.example/v1",
        "https://2130706433/v1",
    ],
    "CACHEWATCH_SOURCE_NETWORKS": ["10.0.0.0/33", "10.20.0.1/16", "10.0.0.0/8, intranet"],
}
CASES = [(name, value) for name, values in BAD.items() for value in values]


@pytest.mark.parametrize(("name", "value"), CASES)
def test_a_bad_value_is_refused_by_name_and_no_secret_is_repeated(name: str, value: str):
    with pytest.raises(ConfigurationError) as caught:
        check(Environment({name: value}))
    assert str(caught.value).startswith(name)
    assert "hunter2" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_good_values_pass():
    check(
        Environment(
            {
                "CACHEWATCH_FIELD_KEYS": f"{GOOD_KEY}, {GOOD_KEY}",
                "CACHEWATCH_PUBLIC_URL": "https://cachewatch.example.com:8443/",
                "DATABASE_URL": "postgresql://u:p%2Fw@host:5432/name?sslmode=require",
                "REDIS_URL": "unix:///run/valkey.sock?db=1",
                "CACHEWATCH_OWNER_EMAIL": "owner@localhost",
                "CACHEWATCH_USAGE_BASE_URL": "http://127.0.0.1:4010/v1",
                "CACHEWATCH_SOURCE_NETWORKS": "10.20.0.0/16, 127.0.0.1,, ::1",
            }
        )
    )
    check(Environment({}))


def test_the_parts_of_a_database_address_are_decoded():
    found = database_settings("postgres://u%40x:p%2Fw@host:5432/na%20me?sslmode=require")
    assert [found[name] for name in ("USER", "PASSWORD", "HOST", "PORT", "NAME")] == [
        "u@x",
        "p/w",
        "host",
        "5432",
        "na me",
    ]
    assert found["OPTIONS"] == {"sslmode": "require"}
    by_socket = database_settings("postgresql://u@/name?host=%2Frun%2Fpg")
    assert (by_socket["HOST"], by_socket["OPTIONS"]) == ("/run/pg", {})


def test_the_broker_and_the_public_address_keep_what_was_given():
    assert broker_address("rediss://:p%2Fw@host:6379/2") == "rediss://:p%2Fw@host:6379/2"
    assert public_url(Environment({}), 8123) == "http://127.0.0.1:8123"
    given = Environment({"CACHEWATCH_PUBLIC_URL": " https://cachewatch.example.com/ "})
    assert public_url(given, 8000) == "https://cachewatch.example.com"


@pytest.mark.parametrize(
    ("name", "value"),
    [("CACHEWATCH_FIELD_KEYS", "hunter2"), ("DATABASE_URL", "postgresql://u:hunter2/x@h:5/n")],
)
@pytest.mark.parametrize("command", ["run", "signin-link"])
def test_a_start_with_a_bad_value_ends_in_one_line(
    tmp_path: Path, command: str, name: str, value: str
):
    done = subprocess.run(
        [sys.executable, "-m", "cachewatch.cli", command, *(["x"] if command != "run" else [])],
        cwd=ROOT,
        env=os.environ | {"CACHEWATCH_LOCAL_DIR": str(tmp_path / "local"), name: value},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith(f"cachewatch: {name}")
    assert done.stderr.count("\n") == 1
    assert "hunter2" not in done.stdout + done.stderr
    assert not (tmp_path / "local").exists()
