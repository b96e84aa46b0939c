"""The OpenAPI document: what generated clients and the docs page rely on."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any, get_args

import jsonschema
import pytest
from django.contrib.staticfiles import finders
from django.core.management import call_command
from django.test import Client

from cachewatch.analysis.hours import TIMELINE_STATES
from cachewatch.analysis.readouts.result import STATES
from cachewatch.analysis.verdict_codes import VERDICTS
from cachewatch.api import readouts
from cachewatch.api.api import api
from cachewatch.api.finding_shapes import (
    ActivityAction,
    FindingState,
    StateByPeople,
    StepState,
)
from cachewatch.api.marker_shapes import (
    Mode,
    NewParticulars,
    Particulars,
    ReadoutState,
    Retention,
)
from cachewatch.api.series import SortKey
from cachewatch.api.series_shapes import HourState
from cachewatch.api.shapes import VerdictCode
from cachewatch.rollouts.kinds import MARKER_WORDS, MarkerKind
from cachewatch.rollouts.particulars import FIELD_NAMES, MODES, RETENTIONS
from cachewatch.rollouts.queries import READOUT_SORTS
from cachewatch.verdicts.browse import SORT_KEYS
from cachewatch.worklist.models import Activity, Finding, StepMark
from cachewatch.worklist.services.changing import BY_PEOPLE
from tests.cachewatch.api.operation_ids import OPERATION_IDS

DOCUMENT: dict[str, Any] = json.loads(
    json.dumps(api.get_openapi_schema(path_prefix="/api/v1/"), default=str)
)
SHAPES: dict[str, Any] = DOCUMENT["components"]["schemas"]
OPERATIONS = [operation for methods in DOCUMENT["paths"].values() for operation in methods.values()]
EXPORTED = Path(__file__).parents[3] / "frontend" / "openapi.json"


def test_the_exported_document_is_the_one_that_is_served(client: Client, tmp_path: Path) -> None:
    served = client.get("/api/v1/openapi.json")
    assert served.status_code == 200
    assert served.json() == json.loads(EXPORTED.read_text())
    call_command(
        "export_openapi_schema",
        api="cachewatch.api.api.api",
        sort_keys=True,
        indent=2,
        output=str(tmp_path / "openapi.json"),
    )
    assert (tmp_path / "openapi.json").read_text() == EXPORTED.read_text(), "run `make schema`"


def test_every_operation_has_an_id_of_its_own_a_summary_and_a_description() -> None:
    ids = Counter(operation["operationId"] for operation in OPERATIONS)
    assert max(ids.values()) == 1
    assert all(re.fullmatch(r"[a-z]+(_[a-z]+)*", name) for name in ids)
    assert all(operation["summary"] and operation["description"] for operation in OPERATIONS)


def test_operation_ids_are_the_names_that_clients_know() -> None:
    assert {operation["operationId"] for operation in OPERATIONS} == OPERATION_IDS


def test_every_operation_fails_in_the_one_error_shape() -> None:
    problem = {"$ref": "#/components/schemas/Problem"}
    assert all(
        operation["responses"]["default"]["content"]["application/json"]["schema"] == problem
        for operation in OPERATIONS
    )


def test_every_operation_but_health_needs_a_session_or_a_token() -> None:
    schemes = [{"TokenAuth": []}, {"SessionAuth": []}]
    open_ones = [one["operationId"] for one in OPERATIONS if one.get("security") != schemes]
    assert open_ones == ["get_health"]


# What stands beside the rows of a page.
_BESIDE_ITEMS = {"ReadoutPage": ["states"], "EvidencePage": ["import_into", "formats"]}


def test_there_is_one_page_shape_and_each_list_names_its_own_items() -> None:
    pages = {name: shape for name, shape in SHAPES.items() if name.endswith("Page")}
    assert len(pages) == 15
    items = set()
    for name, shape in pages.items():
        more = _BESIDE_ITEMS.get(name, [])
        assert list(shape["properties"]) == ["items", "total", "limit", "offset", *more]
        assert shape["required"] == list(shape["properties"])
        items.add(shape["properties"]["items"]["items"]["$ref"])
    assert len(items) == len(pages)


def test_what_takes_limit_and_offset_answers_a_page_and_nothing_else_does() -> None:
    paged, pages = set(), set()
    for operation in OPERATIONS:
        taken = {one["name"] for one in operation.get("parameters", []) if one["in"] == "query"}
        if {"limit", "offset"} & taken:
            assert {"limit", "offset"} <= taken
            paged.add(operation["operationId"])
        answer = json.dumps(operation["responses"].get("200", {}))
        if re.search(r'schemas/\w+Page"', answer):
            pages.add(operation["operationId"])
    assert paged == pages


def answered_shapes() -> set[str]:
    """The names of every shape that an answer holds, at any depth."""
    found: set[str] = set()
    waiting = [
        name
        for operation in OPERATIONS
        for name in re.findall(r"schemas/(\w+)", json.dumps(operation["responses"]))
    ]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += re.findall(r"schemas/(\w+)", json.dumps(SHAPES[name]))
    return found


def test_no_field_of_an_answer_is_optional() -> None:
    for name in answered_shapes():
        shape = SHAPES[name]
        assert set(shape.get("required", [])) == set(shape["properties"]), name


def test_every_answered_list_item_has_an_example() -> None:
    pages = [shape for name, shape in SHAPES.items() if name.endswith("Page")]
    names = [page["properties"]["items"]["items"]["$ref"].rpartition("/")[2] for page in pages]
    assert [name for name in names if not SHAPES[name].get("examples")] == []


@pytest.mark.parametrize("name", [name for name, shape in SHAPES.items() if "examples" in shape])
def test_every_example_fits_its_shape(name: str) -> None:
    schema = {"$ref": f"#/components/schemas/{name}", "components": DOCUMENT["components"]}
    for example in SHAPES[name]["examples"]:
        jsonschema.Draft202012Validator(schema).validate(example)
        assert set(example) == set(SHAPES[name]["properties"])


def test_the_names_in_the_contract_are_those_of_the_analysis() -> None:
    assert set(get_args(VerdictCode)) == set(VERDICTS)
    assert set(get_args(HourState)) == set(TIMELINE_STATES)
    assert set(get_args(ReadoutState)) == set(STATES)
    assert set(get_args(MarkerKind)) == set(MARKER_WORDS)
    assert get_args(Mode) == MODES
    assert get_args(Retention) == RETENTIONS
    assert set(Particulars.model_fields) == set(FIELD_NAMES) == set(NewParticulars.model_fields)
    assert set(get_args(FindingState)) == set(Finding.State.values)
    assert set(get_args(StateByPeople)) == set(BY_PEOPLE)
    assert set(get_args(StepState)) == set(StepMark.State.values)
    assert set(get_args(ActivityAction)) == set(Activity.Action.values)
    for offered, known in ((SortKey, SORT_KEYS), (readouts.SortKey, READOUT_SORTS)):
        both_ways = {f"{sign}{key}" for key in known for sign in ("", "-")}
        assert set(get_args(offered)) == both_ways | {""}


def test_the_docs_page_loads_nothing_from_elsewhere(client: Client) -> None:
    answer = client.get("/api/v1/docs")
    html = answer.content.decode()
    assert answer.status_code == 200
    assert "https://" not in html
    assert "http://" not in html
    loaded = re.findall(r'(?:src|href)="/static/([^"]+)"', html)
    assert len(loaded) == 5
    assert all(finders.find(path) for path in loaded)
    policy = answer["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "script-src" not in policy
    assert '"validatorUrl": null' in html


def test_every_time_is_rfc_3339_with_z(client: Client) -> None:
    times = re.findall(r'"(\d{4}-\d\d-\d\dT[^"]*)"', json.dumps(SHAPES))
    assert times
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", time) for time in times)
