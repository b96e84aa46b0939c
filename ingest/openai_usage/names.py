"""Names of projects and API keys: what usage calls proj_... and key_..., people call by a name."""

from __future__ import annotations

from typing import NamedTuple, TypeVar
from urllib.parse import quote

import msgspec

from ingest.openai_usage.connection import Connection
from ingest.openai_usage.errors import BadAnswer, KeyRejected, RateLimited, ScopeMissing, UsageError
from ingest.openai_usage.wire import ApiKeySent, ListPage, ProjectSent

PROJECTS_PATH = "/organization/projects"
ROWS_PER_PAGE = 100  # the most that the provider gives
MOST_PAGES = 1_000
Row = TypeVar("Row", ProjectSent, ApiKeySent)
Sent = TypeVar("Sent", ListPage, ProjectSent, ApiKeySent)
Params = tuple[tuple[str, str], ...]


class ProjectName(NamedTuple):
    """A project of the organization."""

    project_id: str
    name: str | None
    archived: bool


class ApiKeyName(NamedTuple):
    """The name of an API key. Never the key itself."""

    api_key_id: str
    project_id: str
    name: str | None


class NamesProblem(NamedTuple):
    """Names that could not be read."""

    project_id: str | None  # None: the list of projects itself
    code: str  # of the UsageError
    sentence: str


class OrganizationNames(NamedTuple):
    """All names that could be read, and what could not."""

    projects: list[ProjectName]
    api_keys: list[ApiKeyName]
    problems: list[NamesProblem]


def list_projects(connection: Connection) -> list[ProjectName]:
    """All projects, the archived ones too. Needs api.management.read. Raises UsageError."""
    rows = _list(
        connection, PROJECTS_PATH, (("include_archived", "true"),), ProjectSent, "projects"
    )
    return [ProjectName(row.id, row.name, row.status == "archived") for row in rows]


def list_api_keys(connection: Connection, project_id: str) -> list[ApiKeyName]:
    """All API keys of a project that is not archived. Needs api.management.read.

    Without `owner_project_access=any` the provider may leave out keys in use. Raises UsageError.
    """
    path = f"{PROJECTS_PATH}/{quote(project_id, safe='')}/api_keys"
    place = f"API keys of {project_id}"
    rows = _list(connection, path, (("owner_project_access", "any"),), ApiKeySent, place)
    return [ApiKeyName(row.id, project_id, row.name) for row in rows]


def read_names(connection: Connection) -> OrganizationNames:
    """Every name that can be had. Never raises UsageError: what fails is in `problems`.

    Keys of archived projects are not asked for: the provider refuses that. A project that fails
    does not stop the others; a key without the scope, or a rate limit, stops them all.
    """
    try:
        projects = list_projects(connection)
    except UsageError as error:
        return OrganizationNames([], [], [NamesProblem(None, error.code, error.sentence)])
    api_keys: list[ApiKeyName] = []
    problems: list[NamesProblem] = []
    for project in projects:
        if project.archived:
            continue
        try:
            api_keys += list_api_keys(connection, project.project_id)
        except UsageError as error:
            problems.append(NamesProblem(project.project_id, error.code, error.sentence))
            if isinstance(error, (KeyRejected, ScopeMissing, RateLimited)):
                break
    return OrganizationNames(projects, api_keys, problems)


def _list(
    connection: Connection, path: str, extra: Params, row_type: type[Row], place: str
) -> list[Row]:
    """All rows of a list endpoint, following `after` to the end."""
    rows: list[Row] = []
    after: str | None = None
    for number in range(1, MOST_PAGES + 1):
        params: list[tuple[str, str | int]] = [("limit", ROWS_PER_PAGE), *extra]
        if after is not None:
            params.append(("after", after))
        answer = connection.get(path, params)
        where = f"{place}, page {number}"
        page: ListPage = _decode(answer.body, ListPage, where)
        read: list[Row] = [
            _decode(raw, row_type, f"{where}, row {n}") for n, raw in enumerate(page.data, 1)
        ]
        rows += read
        if not page.has_more or not read:
            return rows
        following = page.last_id or read[-1].id
        if following == after:
            raise BadAnswer(where, "last_id repeats the cursor that the page was asked with")
        after = following
    raise BadAnswer(place, f"the list goes on after {MOST_PAGES:,} pages")


def _decode(body: bytes | msgspec.Raw, sent_type: type[Sent], where: str) -> Sent:
    try:
        return msgspec.json.decode(body, type=sent_type)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadAnswer(where, f"not what was asked for: {error}") from None
