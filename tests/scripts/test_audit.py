"""`make audit`: silence is no good news; what was not looked up is said."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from tests.scripts.conftest import ROOT

UNREACHABLE = "no source of advisories is reachable from here"
SKIPPED = {"skip_reason": "Dependency not found and could not be audited"}
GOOD: dict[str, Any] = {"name": "celery", "version": "5.7.0", "vulns": []}
BAD = {"name": "django", "version": "5.2.0", "vulns": [{"id": "PYSEC-1"}, {"id": "PYSEC-2"}]}
NPM_GOOD = {"vulnerabilities": {}, "metadata": {}}


@pytest.fixture
def audit(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(ROOT / "scripts")
    before = set(sys.modules)
    import audit

    yield audit
    for name in set(sys.modules) - before:
        del sys.modules[name]


def run(
    audit: Any, monkeypatch: pytest.MonkeyPatch, capsys: Any, python: Any, npm: Any
) -> tuple[int, list[str]]:
    monkeypatch.setattr(audit, "_pip_audit", lambda: python)
    monkeypatch.setattr(audit, "_npm_audit", lambda: npm)
    return audit.main(), capsys.readouterr().out.splitlines()


@pytest.mark.parametrize(
    ("python", "npm", "status", "said"),
    [
        (
            {"dependencies": [GOOD]},
            NPM_GOOD,
            0,
            ["Python: no known vulnerability", "npm: no known vulnerability"],
        ),
        (
            {"dependencies": [GOOD, BAD]},
            {"vulnerabilities": {"vite": {"severity": "high"}}},
            1,
            ["Python: django 5.2.0: PYSEC-1, PYSEC-2", "npm: vite: high"],
        ),
        (
            {"dependencies": [GOOD, {"name": "amqp", **SKIPPED}]},
            NPM_GOOD,
            2,
            [
                "Python: not audited: 1 skipped: amqp",
                "npm: no known vulnerability",
            ],
        ),
        (
            {"dependencies": [{"name": "amqp", **SKIPPED}]},
            {"message": "405 Method Not Allowed"},
            2,
            [f"Python: not audited: {UNREACHABLE}", f"npm: not audited: {UNREACHABLE}"],
        ),
        (
            None,
            None,
            2,
            [
                "Python: not audited: pip-audit told nothing",
                f"npm: not audited: {UNREACHABLE}",
            ],
        ),
        (
            {"dependencies": [BAD]},
            {"message": "405"},
            1,
            ["Python: django 5.2.0: PYSEC-1, PYSEC-2", f"npm: not audited: {UNREACHABLE}"],
        ),
    ],
)
def test_the_status_says_clean_vulnerable_or_not_known(
    audit: Any,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    python: Any,
    npm: Any,
    status: int,
    said: list[str],
) -> None:
    assert run(audit, monkeypatch, capsys, python, npm) == (status, said)
