"""What is answered while the database is down: 503 and a sentence, whoever asks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest

ASK = """
import json, sys, django
django.setup()
from pathlib import Path
from django.conf import settings
from django.test import Client
settings.FRONTEND_DIST = Path(sys.argv[1])
answers = {}
here = {"Host": "127.0.0.1"}
token = here | {"Authorization": "Bearer cw_x"}
for path in ("/", "/api/v1/me", "/api/v1/health", "/api/v1/series", "/admin/"):
    for who, headers in (("session", here), ("token", token)):
        client = Client(raise_request_exception=False, headers=headers)
        if who == "session":
            client.cookies[settings.SESSION_COOKIE_NAME] = "a" * 32
        answer = client.get(path)
        answers[f"{who} {path}"] = [answer.status_code, answer.content.decode()]
print(json.dumps(answers))
"""


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Status and body of each address, from a process whose database does not answer."""
    dist = tmp_path_factory.mktemp("dist")
    (dist / "index.html").write_text("the app")
    nowhere = {
        "DATABASE_URL": "postgres://nobody@127.0.0.1:1/nothing",
        "DJANGO_SETTINGS_MODULE": "cachewatch.settings",
    }
    done = subprocess.run(
        [sys.executable, "-c", ASK, str(dist)],
        env=os.environ | nowhere,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout.splitlines()[-1]))


@pytest.mark.parametrize("who", ["session", "token"])
@pytest.mark.parametrize("path", ["/api/v1/me", "/api/v1/series"])
def test_the_api_says_that_the_database_does_not_answer(
    answers: dict[str, Any], who: str, path: str
) -> None:
    status, body = answers[f"{who} {path}"]
    error = json.loads(body)["error"]
    assert (status, error["code"], error["message"]) == (
        503,
        "database_unreachable",
        "The database does not answer; try again in a moment.",
    )


def test_the_page_of_somebody_signed_in_is_the_app_with_503(answers: dict[str, Any]) -> None:
    assert answers["session /"] == [503, "the app"]
    assert answers["token /"] == [200, "the app"]  # nobody is signed in, so nothing is asked


@pytest.mark.parametrize("who", ["session", "token"])
def test_health_names_the_part_that_fails(answers: dict[str, Any], who: str) -> None:
    status, body = answers[f"{who} /api/v1/health"]
    assert status == 200
    assert (json.loads(body)["status"], json.loads(body)["database"]) == ("degraded", "failed")


def test_other_pages_say_it_in_a_sentence(answers: dict[str, Any]) -> None:
    assert answers["session /admin/"] == [
        503,
        "The database does not answer; try again in a moment.\n",
    ]
