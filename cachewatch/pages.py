"""What is not the API: the page that loads the app, sign-in links, and whether pages can be served."""

from __future__ import annotations

import re
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth import login
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.middleware.csrf import get_token
from django.utils import timezone
from django.views.decorators.http import require_safe
from django.views.static import serve

from cachewatch.accounts.errors import LinkUnusable
from cachewatch.accounts.links import use_sign_in_link
from cachewatch.reachable import database_state

NOT_BUILT = "The pages are not built. Run `make setup`, then start cachewatch again.\n"
# Every address of the app, as frontend/src/app.tsx spells them.
PAGES = (
    "/",
    "/signin",
    "/series/:source/:project/*",
    "/key-plan/:source/:project/*",
    "/readouts",
    "/readouts/:id",
    "/evidence",
    "/evidence/:id",
    "/how",
    "/sources",
    "/sources/new",
    "/sources/runs/:id",
    "/settings",
)
_BACKEND = "django.contrib.auth.backends.ModelBackend"


def _pattern(page: str) -> str:
    """A page's address as a regular expression: `:name` is one part, `*` is any rest."""
    parts = [
        ".*" if part == "*" else "[^/]+" if part.startswith(":") else re.escape(part)
        for part in page.rstrip("/").split("/")
    ]
    return "/".join(parts).replace("/.*", "(?:/.*)?")


# The app's router takes any case and a slash at the end too.
_PAGE = re.compile(f"(?:{'|'.join(map(_pattern, PAGES))})/?", re.IGNORECASE | re.DOTALL)


@require_safe
def app_page(request: HttpRequest) -> HttpResponse:
    """The app's index.html for every address, with the CSRF cookie the app sends back.

    404 where no page has the address: the app says so itself, and the status to whoever reads none.
    """
    try:
        html = (settings.FRONTEND_DIST / "index.html").read_bytes()
    except OSError:
        return HttpResponse(NOT_BUILT, status=503, content_type="text/plain; charset=utf-8")
    get_token(request)
    # The file names the bundle's hashes; a stored copy would ask for files of an older build.
    return HttpResponse(html, status=_status(request), headers={"Cache-Control": "no-store"})


def _status(request: HttpRequest) -> int:
    """404 for no page of the app; 503 where it cannot be read who is signed in: the app then says
    so, and can try again."""
    if not _PAGE.fullmatch(request.path):
        return 404
    try:
        _ = request.user.is_authenticated
    except (OperationalError, InterfaceError):
        return 503
    return 200


@require_safe
def bundle_file(request: HttpRequest, path: str) -> HttpResponseBase:
    """A file of a bundle that was built after the start: WhiteNoise only knows the files of then."""
    return serve(request, path, document_root=str(settings.FRONTEND_DIST))


@require_safe
def sign_in(request: HttpRequest, secret: str) -> HttpResponse:
    """Sign in by a one-time link. Asking with HEAD, or fetching ahead, uses nothing up."""
    if request.method == "HEAD" or _is_prefetch(request):
        return HttpResponse(headers={"Cache-Control": "no-store"})
    try:
        user = use_sign_in_link(secret=secret, now=timezone.now())
    except LinkUnusable as error:
        return _to_sign_in_page(f"link-{error.problem}")
    login(request, user, backend=_BACKEND)
    return HttpResponseRedirect("/", headers={"Cache-Control": "no-store"})


def _is_prefetch(request: HttpRequest) -> bool:
    purpose = request.headers.get("Sec-Purpose", "") + request.headers.get("Purpose", "")
    return "prefetch" in purpose


def _to_sign_in_page(reason: str) -> HttpResponse:
    address = "/signin?" + urlencode({"reason": reason})
    return HttpResponseRedirect(address, headers={"Cache-Control": "no-store"})


@require_safe
def healthz(_request: HttpRequest) -> HttpResponse:
    """200 when pages can be served: the database answers and the bundle is there."""
    problems = []
    if database_state() != "ok":
        problems.append("the database does not answer")
    if not (settings.FRONTEND_DIST / "index.html").is_file():
        problems.append("the pages are not built: run `make setup`")
    return HttpResponse(
        "; ".join(problems) or "ok",
        status=503 if problems else 200,
        content_type="text/plain; charset=utf-8",
        headers={"Cache-Control": "no-store"},
    )


@require_safe
def robots(_request: HttpRequest) -> HttpResponse:
    """Nothing here is for search engines."""
    return HttpResponse("User-agent: *\nDisallow: /\n", content_type="text/plain")


@require_safe
def favicon(_request: HttpRequest) -> HttpResponse:
    """Where browsers that look at the root find the icon."""
    return HttpResponseRedirect(settings.STATIC_URL + "app/favicon.svg")
