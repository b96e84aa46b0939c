"""Every address of the product."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("_allauth/", include("allauth.headless.urls")),
    path("admin/", admin.site.urls),
]
