"""Names: projects, their API keys, the admin keys."""

from __future__ import annotations

from collections.abc import Sequence

from ingest.simulator.query import Query
from ingest.simulator.refusal import refused
from ingest.simulator.story import ApiKey, Project
from ingest.simulator.world import World

SECONDS_PER_HOUR = 3600
AGE_HOURS = 400 * 24  # of projects and keys at the anchor
DEFAULT_LIMIT, LONGEST_LIST = 20, 100
LIST_OF_ADMIN_KEYS = 1000

Row = dict[str, object]


def projects(world: World, query: Query) -> Row:
    """GET /organization/projects: active ones, and archived ones when asked for."""
    archived = bool(query.boolean("include_archived"))
    rows = [
        _project(world, project)
        for project, _ in world.projects()
        if archived or project.archived_at is None
    ]
    return _listed(rows, query, LONGEST_LIST)


def project(world: World, project_id: str) -> Row:
    """GET /organization/projects/{id}; raises RefusedError (404)."""
    return _project(world, _found(world, project_id)[0])


def api_keys(world: World, project_id: str, query: Query) -> Row:
    """GET /organization/projects/{id}/api_keys; 404 unknown, 400 archived.

    Without owner_project_access only keys whose owner still has access are listed.
    """
    found, keys = _found(world, project_id)
    if found.archived_at is not None:
        raise refused(400, f"Project '{project_id}' is archived.", param="project_id")
    access = query.one_of("owner_project_access", ("active", "inactive", "any"), "active")
    rows = [_api_key(world, key) for key in keys if access in ("any", key.owner_access)]
    return _listed(rows, query, LONGEST_LIST)


def admin_keys(world: World, query: Query) -> Row:
    """GET /organization/admin_api_keys."""
    rows = [_admin_key(world, number) for number in (1, 2)]
    if query.one_of("order", ("asc", "desc"), "asc") == "desc":
        rows.reverse()
    return _listed(rows, query, LIST_OF_ADMIN_KEYS)


def _listed(rows: list[Row], query: Query, longest: int) -> Row:
    limit, after = query.limit(DEFAULT_LIMIT, longest), query.text("after")
    ids = [row["id"] for row in rows]
    if after is not None and after not in ids and not query.lenient:
        raise refused(400, f"No item with id '{after[:40]}' found.", param="after")
    begin = ids.index(after) + 1 if after in ids else 0
    shown = rows[begin : begin + limit]
    return {
        "object": "list",
        "data": shown,
        "first_id": shown[0]["id"] if shown else None,
        "last_id": shown[-1]["id"] if shown else None,
        "has_more": begin + limit < len(rows),
    }


def _found(world: World, project_id: str) -> tuple[Project, Sequence[ApiKey]]:
    for one, keys in world.projects():
        if one.id == project_id:
            return one, keys
    raise refused(404, f"Project '{project_id[:80]}' not found.", param="project_id")


def _seconds(world: World, hours: int) -> int:
    return (world.anchor_hour + hours) * SECONDS_PER_HOUR


def _project(world: World, one: Project) -> Row:
    archived = one.archived_at is not None
    return {
        "id": one.id,
        "object": "organization.project",
        "name": one.name,
        "created_at": _seconds(world, -AGE_HOURS),
        "archived_at": None if one.archived_at is None else _seconds(world, one.archived_at),
        "status": "archived" if archived else "active",
        "external_key_id": None,
    }


def _api_key(world: World, key: ApiKey) -> Row:
    created = _seconds(world, -AGE_HOURS)
    if key.user is None:
        account = {
            "id": f"svc_acct_{key.id.removeprefix('key_')}",
            "name": key.name,
            "created_at": created,
            "role": "member",
        }
        owner: Row = {"type": "service_account", "service_account": account}
    else:
        person = key.user.removeprefix("user_")
        owner = {
            "type": "user",
            "user": {
                "id": key.user,
                "name": person,
                "email": f"{person.lower()}@example.com",
                "role": "member",
                "created_at": created,
            },
        }
    return {
        "object": "organization.project.api_key",
        "id": key.id,
        "name": key.name,
        "redacted_value": f"sk-...{key.id[-4:]}",
        "created_at": created,
        "last_used_at": None,
        "owner_project_access": key.owner_access,
        "owner": owner,
    }


def _admin_key(world: World, number: int) -> Row:
    created = _seconds(world, -AGE_HOURS + number)
    return {
        "object": "organization.admin_api_key",
        "id": f"key_admin{number}",
        "name": f"admin key {number}",
        "redacted_value": f"sk-admin...{number}",
        "created_at": created,
        "expires_at": None,
        "last_used_at": None,
        "owner": {
            "type": "user",
            "object": "organization.user",
            "id": "user_ottoHansen",
            "name": "ottoHansen",
            "created_at": created,
            "role": "owner",
        },
    }
