"""Names of projects and API keys: what usage calls proj_... and key_..., people call by a name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeVar
from urllib.parse import quote

import msgspec

from ingest.openai_usage.connection import Connection
from ingest.openai_usage.errors import BadAnswer, KeyRejected, RateLimited, ScopeMissing, UsageError
from ingest.openai_usage.json_text import decoded
from ingest.openai_usage.plain_text import plain_text
from ingest.openai_usage.repetition import new_cursor
from ingest.openai_usage.salvage import kind
from ingest.openai_usage.wire import LONGEST_NAME, ApiKeySent, ListPage, ProjectSent

PROJECTS_PATH = "/organization/projects"
ROWS_PER_PAGE = 100  # the most that the provider gives
MOST_PAGES = 1_000
Row = TypeVar("Row", ProjectSent, ApiKeySent)
Sent = TypeVar("Sent", ListPage, ProjectSent, ApiKeySent)
Params = tuple[tuple[str, str], ...]


class ProjectName(NamedTuple):
    """A project of the organization."""

    project_id: str
    name: str | None  # at most LONGEST_NAME characters, all printable; None: not given, or no text
    archived: bool


class ApiKeyName(NamedTuple):
    """The name of an API key. Never the key itself."""

    api_key_id: str
    project_id: str
    name: str | None  # as of a project


class NamesProblem(NamedTuple):
    """Names that could not be read."""

    project_id: str | None  # None: the list of projects, or a row of it
    code: str  # of the UsageError
    sentence: str


class OrganizationNames(NamedTuple):
    """All names that could be read, and what could not."""

    projects: list[ProjectName]
    api_keys: list[ApiKeyName]
    problems: list[NamesProblem]


def list_projects(connection: Connection) -> tuple[list[ProjectName], list[NamesProblem]]:
    """All projects, the archived ones too, and a problem for each row that is none.

    A project given twice is as the last row says.
    Needs api.management.read. Raises UsageError.
    """
    rows, unreadable = _list(
        connection, PROJECTS_PATH, (("include_archived", "true"),), ProjectSent, "projects"
    )
    projects = {
        row.id: ProjectName(row.id, _name(row.name), row.status == "archived") for row in rows
    }
    problems = [_problem(None, error) for error in unreadable]
    problems += [_problem(row.id, error) for row, error in _without_name(rows, "projects")]
    return list(projects.values()), problems


def list_api_keys(
    connection: Connection, project_id: str
) -> tuple[list[ApiKeyName], list[NamesProblem]]:
    """All API keys of a project that is not archived, and a problem for each row that is none.

    Needs api.management.read. Without `owner_project_access=any` the provider may leave out keys
    in use. Raises UsageError.
    """
    path = f"{PROJECTS_PATH}/{quote(project_id, safe='')}/api_keys"
    place = f"API keys of {project_id}"
    rows, unreadable = _list(
        connection, path, (("owner_project_access", "any"),), ApiKeySent, place
    )
    keys = {row.id: ApiKeyName(row.id, project_id, _name(row.name)) for row in rows}
    unreadable += [error for _, error in _without_name(rows, place)]
    return list(keys.values()), [_problem(project_id, error) for error in unreadable]


def read_names(connection: Connection) -> OrganizationNames:
    """Every name that can be had. Never raises UsageError: what fails is in `problems`.

    Keys of archived projects are not asked for: the provider refuses that. A row or a project that
    fails does not stop the others; a key without the scope, or a rate limit, stops them all.
    """
    try:
        projects, problems = list_projects(connection)
    except UsageError as error:
        return OrganizationNames([], [], [_problem(None, error)])
    api_keys: list[ApiKeyName] = []
    for project in projects:
        if project.archived:
            continue
        try:
            keys, unreadable = list_api_keys(connection, project.project_id)
            api_keys += keys
            problems += unreadable
        except UsageError as error:
            problems.append(_problem(project.project_id, error))
            if isinstance(error, (KeyRejected, ScopeMissing, RateLimited)):
                break
    return OrganizationNames(projects, api_keys, problems)


def _list(
    connection: Connection, path: str, extra: Params, row_type: type[Row], place: str
) -> tuple[list[Row], list[BadAnswer]]:
    """All rows of a list endpoint, following `after` to the end, and why others are no rows."""
    rows: list[Row] = []
    unreadable: list[BadAnswer] = []
    cursors: set[str] = set()
    params: list[tuple[str, str | int]] = [("limit", ROWS_PER_PAGE), *extra]
    for number in range(1, MOST_PAGES + 1):
        answer = connection.get(path, params)
        where = f"{place}, page {number}"
        page: ListPage = _converted(answer.body, ListPage, where)
        read = _read_rows(page, row_type, where, unreadable)
        rows += read
        if not page.has_more or not page.data:
            return rows, unreadable
        after = _next_cursor(page, read, cursors, where)
        params = [("limit", ROWS_PER_PAGE), *extra, ("after", after)]
    raise BadAnswer(place, f"the list goes on after {MOST_PAGES:,} pages")


def _read_rows(
    page: ListPage, row_type: type[Row], where: str, unreadable: list[BadAnswer]
) -> list[Row]:
    """The rows of a page that can be read; why others cannot is added to `unreadable`."""
    read: list[Row] = []
    for number, item in enumerate(page.data, 1):
        try:
            row = _converted(item, row_type, f"{where}, row {number}")
            _check_id(row.id, f"{where}, row {number}")
        except BadAnswer as error:
            unreadable.append(error)
        else:
            read.append(row)
    return read


def _check_id(sent: str, place: str) -> None:
    """An id is compared with those in usage, so that it can neither be cut nor cleaned."""
    if not sent or plain_text(sent) != sent:
        raise BadAnswer(place, "its id is empty, or holds characters that cannot be printed")


def _without_name(rows: Sequence[Row], place: str) -> Iterator[tuple[Row, BadAnswer]]:
    """The rows whose name is no text, and the words for it; their ids are of use all the same."""
    for row in rows:
        if not isinstance(row.name, str | None):
            reason = f"the name of {row.id} is {kind(row.name)}, not a text"
            yield row, BadAnswer(place, reason)


def _name(sent: object) -> str | None:
    """A name as it can be shown and stored; None for what is no text."""
    return plain_text(sent)[:LONGEST_NAME] if isinstance(sent, str) else None


def _next_cursor(page: ListPage, read: Sequence[Row], cursors: set[str], where: str) -> str:
    """Where the next page begins, noted in `cursors`. Raises BadAnswer where it cannot be had."""
    cursor = page.last_id or _sent_id(page.data[-1]) or (read[-1].id if read else None)
    if cursor is None:
        raise BadAnswer(
            where, "has_more is true, but neither last_id nor a row says where to go on"
        )
    new_cursor(cursor, cursors, where, "last_id")
    return cursor


def _sent_id(row: object) -> str | None:
    """The id of a row as it was sent, also of one that is of no other use."""
    sent = row.get("id") if isinstance(row, dict) else None
    return sent if isinstance(sent, str) else None


def _problem(project_id: str | None, error: UsageError) -> NamesProblem:
    return NamesProblem(project_id, error.code, error.sentence)


def _converted(document: object, sent_type: type[Sent], where: str) -> Sent:
    """A decoded value as what it should be; a body is decoded first. Raises BadAnswer."""
    try:
        return msgspec.convert(
            decoded(document) if isinstance(document, bytes) else document, sent_type
        )
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadAnswer(where, f"not what was asked for: {error}") from None
