"""docker-compose.yml against the compose specification and against the product's own variables.

compose-spec.json is the specification's own schema, unchanged (Apache License 2.0, beside it). No
container engine runs here.
"""

import json
import re
from pathlib import Path

import jsonschema
import pytest
import yaml

from cachewatch.environment import VARIABLES

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docker-compose.yml").read_text()
COMPOSE = yaml.safe_load(TEXT)
SERVICES = COMPOSE["services"]
OURS = ["prepare", "web", "worker", "beat"]
SECRETS = ["POSTGRES_PASSWORD"] + [
    variable.name
    for variable in VARIABLES
    if variable.kind == "secret" and variable.name.startswith("CACHEWATCH_")
]


def test_it_conforms_to_the_compose_specification():
    schema = json.loads((Path(__file__).parent / "compose-spec.json").read_text())
    jsonschema.Draft7Validator(schema).validate(COMPOSE)


def test_the_schema_would_notice_a_misspelt_key():
    schema = json.loads((Path(__file__).parent / "compose-spec.json").read_text())
    broken = COMPOSE | {"services": {"web": {"imagge": "cachewatch"}}}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft7Validator(schema).validate(broken)


def test_the_product_and_its_two_services_are_there():
    assert sorted(SERVICES) == sorted([*OURS, "postgres", "redis"])
    assert SERVICES["postgres"]["image"].startswith("postgres:")
    assert SERVICES["redis"]["image"].startswith("valkey/valkey:")


@pytest.mark.parametrize("name", OURS)
def test_each_process_of_the_product_runs_the_one_image_without_rights(name):
    service = SERVICES[name]
    assert (service["image"], service["build"]) == ("cachewatch", ".")
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert "user" not in service  # the image's own, which is not root


@pytest.mark.parametrize("name", SECRETS)
def test_a_secret_has_no_default_and_is_asked_for(name):
    uses = re.findall(rf"\$\{{{name}([^}}]*)\}}", TEXT)
    assert uses
    assert {use[:2] for use in uses} == {":?"}


def test_every_variable_handed_over_is_one_that_the_product_reads():
    known = {variable.name for variable in VARIABLES}
    for name in OURS:
        assert set(SERVICES[name]["environment"]) - known == set()
    asked = set(re.findall(r"\$\{(\w+)", TEXT))
    assert asked - known == {"POSTGRES_PASSWORD"}


def test_the_database_and_broker_addresses_name_services_of_this_file():
    environment = SERVICES["web"]["environment"]
    assert environment["DATABASE_URL"].split("@")[1] == "postgres:5432/cachewatch"
    assert environment["REDIS_URL"] == "redis://redis:6379/0"


@pytest.mark.parametrize("name", ["postgres", "redis", "web", "worker"])
def test_what_others_wait_for_has_a_health_check(name):
    assert SERVICES[name]["healthcheck"]["test"][0] in {"CMD", "CMD-SHELL"}


@pytest.mark.parametrize("name", ["web", "worker", "beat"])
def test_the_product_starts_once_the_database_is_prepared(name):
    conditions = {key: value["condition"] for key, value in SERVICES[name]["depends_on"].items()}
    assert conditions == {
        "postgres": "service_healthy",
        "redis": "service_healthy",
        "prepare": "service_completed_successfully",
    }


def test_the_data_lies_in_named_volumes():
    mounted = {
        mount.split(":")[0] for name in ("postgres", "redis") for mount in SERVICES[name]["volumes"]
    }
    assert mounted == set(COMPOSE["volumes"]) - {"uploads"}


def test_the_web_server_and_the_worker_share_the_folder_for_uploads():
    mounts = ["uploads:/app/.local/uploads"]
    assert {name: SERVICES[name].get("volumes") for name in OURS} == {
        "prepare": None,
        "web": mounts,
        "worker": mounts,
        "beat": None,
    }


def test_nothing_but_this_machine_reaches_the_web_server():
    assert [port for name in SERVICES for port in SERVICES[name].get("ports", [])] == [
        "127.0.0.1:8000:8000"
    ]
