"""The environment is read loudly, and its documentation is the code's own table."""

import ast
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


# Names of others; OPENAI_BASE_URL is read only to say that it is ignored.
NOT_OURS = {"DJANGO_SETTINGS_MODULE", "OPENAI_BASE_URL", "PATH", "SSL_CERT_DIR", "SSL_CERT_FILE"}


def names_read(source: str) -> set[str]:
    """Every literal name that code takes out of an environment."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        name: ast.expr | None = None
        if isinstance(node, ast.Subscript) and is_environment(node.value):
            name = node.slice
        elif isinstance(node, ast.Compare) and is_environment(node.comparators[0]):
            name = node.left
        elif isinstance(node, ast.Call) and node.args and reads_environment(node.func):
            name = node.args[0]
        if isinstance(name, ast.Constant) and isinstance(name.value, str):
            found.add(name.value)
    return found


def is_environment(node: ast.expr) -> bool:
    return ast.unparse(node) in {"os.environ", "environ"}


def reads_environment(function: ast.expr) -> bool:
    if isinstance(function, ast.Name):
        return function.id in {"getenv", "_secret"}
    if not isinstance(function, ast.Attribute):
        return False
    of = ast.unparse(function.value)
    if of.split(".")[-1] in {"environ", "env", "environment", "os"} or of.startswith(
        "Environment("
    ):
        return function.attr in {"get", "pop", "setdefault", "getenv"} | TYPED_READS
    return False


TYPED_READS = {"optional", "text", "integer", "boolean", "choice", "items"}


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("os.environ['A']", "A"),
        ("os.environ.get('A', '')", "A"),
        ("os.getenv('A')", "A"),
        ("'A' in os.environ", "A"),
        ("env.integer('A', low=1, high=2)", "A"),
        ("Environment().optional('A')", "A"),
    ],
)
def test_a_read_of_the_environment_is_seen_in_every_spelling(source: str, name: str):
    assert names_read(source) == {name}


def test_every_variable_that_the_code_reads_is_declared_and_every_declared_one_is_read():
    files = [path for part in ("cachewatch", "ingest") for path in (ROOT / part).rglob("*.py")]
    read = set().union(*(names_read(path.read_text()) for path in files))
    assert read - NOT_OURS == {variable.name for variable in VARIABLES}


def test_a_value_of_the_wrong_kind_is_named_with_its_limits():
    with pytest.raises(ConfigurationError, match="PORT is '80a'; it must be a whole number from 1"):
        Environment({"PORT": "80a"}).integer("PORT", low=1, high=65535)
    with pytest.raises(ConfigurationError, match="PORT is '70000'"):
        Environment({"PORT": "70000"}).integer("PORT", low=1, high=65535)
    with pytest.raises(ConfigurationError, match="PORT is '²'"):
        Environment({"PORT": "²"}).integer("PORT", low=1, high=65535)
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
