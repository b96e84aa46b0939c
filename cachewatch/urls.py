"""Every address of the product."""

from django.contrib import admin
from django.urls import include, path, re_path

from cachewatch import pages
from cachewatch.api import evidence_files, key_plan_files, otlp, page_files, readout_files
from cachewatch.api.api import api
from cachewatch.api.errors import no_such_address

handler500 = "cachewatch.middleware.failed"
urlpatterns = [
    path("healthz", pages.healthz),
    path("api/v1/", api.urls),
    re_path(r"^api/", no_such_address),
    path("otlp/v1/traces", otlp.traces),
    path("otlp/v1/logs", otlp.logs),
    re_path(r"^otlp/", otlp.other_signals),
    # Signing in and out is all that is wanted of allauth: nobody signs up or gets e-mail here.
    re_path(r"^_allauth/(?!browser/v1/(?:config|auth/(?:login|session))$)", no_such_address),
    path("_allauth/", include("allauth.headless.urls")),
    path("admin/", admin.site.urls),
    path("signin/<str:secret>", pages.sign_in),
    path("robots.txt", pages.robots),
    path("favicon.ico", pages.favicon),
    re_path(r"^series\.(?P<suffix>csv|json)$", page_files.series_file),
    re_path(r"^sources\.(?P<suffix>csv|json)$", page_files.runs_file),
    re_path(r"^readouts\.(?P<suffix>csv|json)$", readout_files.readouts_file),
    path("readouts/<int:readout_id>.csv", readout_files.readout_file, {"suffix": "csv"}),
    path("readouts/<int:readout_id>.json", readout_files.readout_file, {"suffix": "json"}),
    re_path(r"^evidence\.(?P<suffix>csv|json)$", evidence_files.evidence_list_file),
    path("evidence/<int:import_id>.json", evidence_files.evidence_file),
    re_path(
        r"^series/(?P<source>[^/]+)/(?P<project>[^/]+)/(?P<model>.+)\.(?P<suffix>csv|json)$",
        page_files.hours_file,
    ),
    re_path(
        r"^key-plan/(?P<source>[^/]+)/(?P<project>[^/]+)/(?P<model>.+)\.json$",
        key_plan_files.key_plan_file,
    ),
    path("static/app/<path:path>", pages.bundle_file),
    # Every other address is a page of the app, which says itself what it does not know.
    re_path(r"^(?!static/|_allauth/|admin/).*$", pages.app_page),
]
