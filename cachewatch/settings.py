"""Django settings, all in one file, from the environment; a bad value stops the start in words.

docs/configuration.md lists every variable; cachewatch/environment.py declares them.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import structlog

from cachewatch import environment_values as values
from cachewatch.environment import ConfigurationError, Environment
from cachewatch.logs import SecretFreeFormatter
from cachewatch.set_prices import overrides_of

BASE_DIR = Path(__file__).resolve().parent.parent
env = Environment()

LOCAL_DIR = BASE_DIR / env.text("CACHEWATCH_LOCAL_DIR")
PORT = env.integer("PORT", low=1, high=65535)
BIND = env.text("CACHEWATCH_BIND")
DEBUG = env.boolean("CACHEWATCH_DEBUG")
DEMO_ALLOWED = env.choice("CACHEWATCH_DEMO", ("auto", "off")) == "auto"
OWNER_EMAIL = values.owner_email(env)
OPENAI_ADMIN_KEY = env.optional("OPENAI_ADMIN_KEY")
USAGE_BASE_URL = values.usage_base_url(env)
SOURCE_NETWORKS = values.source_networks(env)
PRICE_OVERRIDES = overrides_of(env)
LOG_LEVEL = env.choice("CACHEWATCH_LOG_LEVEL", ("DEBUG", "INFO", "WARNING", "ERROR"))
ADDRESS_REQUESTS_PER_MINUTE = env.integer(
    "CACHEWATCH_ADDRESS_REQUESTS_PER_MINUTE", low=0, high=10**9
)
CALLER_REQUESTS_PER_MINUTE = env.integer("CACHEWATCH_CALLER_REQUESTS_PER_MINUTE", low=0, high=10**9)
COSTLY_REQUESTS_PER_MINUTE = env.integer("CACHEWATCH_COSTLY_REQUESTS_PER_MINUTE", low=0, high=10**9)
WEB_THREADS = env.integer("CACHEWATCH_WEB_THREADS", low=1, high=256)
WORKER_CONCURRENCY = env.integer("CACHEWATCH_WORKER_CONCURRENCY", low=1, high=256)


def _local_service(name: str) -> str:
    """An address as the running product wrote it down."""
    try:
        return str(json.loads((LOCAL_DIR / "services.json").read_text())[name])
    except (OSError, ValueError, KeyError):
        return ""


def _public_url() -> str:
    """Where people find the product: as the environment says, else as the running product says."""
    if env.is_set("CACHEWATCH_PUBLIC_URL") or env.is_set("PORT"):
        return values.public_url(env, PORT)
    return _local_service("public_url") or values.public_url(env, PORT)


def _secret(variable: str, file_name: str) -> str:
    """A secret from the environment, else the one generated under the local folder."""
    value = env.optional(variable)
    if value:
        return value
    try:
        return (LOCAL_DIR / "secrets" / file_name).read_text().strip()
    except OSError as error:
        raise ConfigurationError(
            f"{variable} is not set and {error.filename} cannot be read: start the product once"
            " with `make run`, which generates it, or set the CACHEWATCH_LOCAL_DIR that the product"
            " was started with, or the variable itself"
        ) from error


PUBLIC_URL = _public_url()
SECRET_KEY = _secret("CACHEWATCH_SECRET_KEY", "secret_key")
HASH_KEY = _secret("CACHEWATCH_HASH_KEY", "hash_key")
FIELD_KEYS = values.field_keys(_secret("CACHEWATCH_FIELD_KEYS", "field_keys"))

DATABASE_URL = env.optional("DATABASE_URL") or _local_service("database_url")
REDIS_URL = env.optional("REDIS_URL") or _local_service("redis_url")
if not DATABASE_URL or not REDIS_URL:
    raise ConfigurationError(
        "no database or broker: set DATABASE_URL and REDIS_URL, or start the product with"
        " `make run`, which brings its own"
    )
DATABASES = {"default": values.database_settings(DATABASE_URL)}
REDIS_URL = values.broker_address(REDIS_URL)
# kombu spells a Redis on a unix socket differently from redis-py.
CELERY_BROKER_URL = (
    REDIS_URL.replace("unix://", "redis+socket://", 1)
    if REDIS_URL.startswith("unix://")
    else REDIS_URL
)

# Health checks ask by the loopback address, whatever the public one is.
ALLOWED_HOSTS = sorted(
    {
        *env.items("CACHEWATCH_ALLOWED_HOSTS"),
        str(urlsplit(PUBLIC_URL).hostname),
        "127.0.0.1",
        "localhost",
    }
)
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL]
CSRF_FAILURE_VIEW = "cachewatch.middleware.csrf_failed"
_https = PUBLIC_URL.startswith("https://")
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = _https
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if _https else None
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
# Sent over TLS alone, for this host alone: hosts below it, and a browser's own list, are not ours to
# decide (W005, W021). The proxy that ends TLS redirects; tools beside us may speak plain HTTP (W008).
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if _https else 0
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W008", "security.W021"]
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "object-src": ["'none'"],
        "base-uri": ["'none'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
    }
}

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.headless",
    "csp",
    "django_structlog",
    "ninja",
    "ingest",
    "cachewatch",
]
MIDDLEWARE = [
    "csp.middleware.CSPMiddleware",
    "cachewatch.middleware.EdgeMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "cachewatch.middleware.AddressLimitMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "cachewatch.middleware.SignInBodyMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "cachewatch.middleware.RequestLogMiddleware",
]
ROOT_URLCONF = "cachewatch.urls"
WSGI_APPLICATION = "cachewatch.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

AUTH_USER_MODEL = "cachewatch.User"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
# Whose tries to sign in are counted together: the address that so many proxies saw.
ALLAUTH_TRUSTED_PROXY_COUNT = env.integer("CACHEWATCH_TRUSTED_PROXIES", low=0, high=10)
ACCOUNT_ADAPTER = "cachewatch.accounts.adapter.ClosedAccountAdapter"
# allauth's own figures, written down: tries to sign in by address, and failed ones by account too.
ACCOUNT_RATE_LIMITS = {"login": "30/m/ip", "login_failed": "10/m/ip,5/5m/key"}
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_EMAIL_NOTIFICATIONS = False
HEADLESS_ONLY = True
HEADLESS_CLIENTS = ("browser",)
HEADLESS_FRONTEND_URLS = {
    "account_signup": "/signin",
    "account_confirm_email": "/signin",
    "account_reset_password": "/signin",
    "account_reset_password_from_key": "/signin",
}

LANGUAGE_CODE = "en-us"
USE_I18N = False
USE_TZ = True
TIME_ZONE = "UTC"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

FRONTEND_DIST = BASE_DIR / "frontend" / "dist"
STATIC_URL = "/static/"
STATICFILES_DIRS = [("app", FRONTEND_DIST)] if FRONTEND_DIST.is_dir() else []
# The bundle's file names hold a hash, so finders can serve them without a collectstatic step.
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = DEBUG


def _is_hashed_asset(_path: str, url: str) -> bool:
    return url.startswith("/static/app/assets/")


WHITENOISE_IMMUTABLE_FILE_TEST = _is_hashed_asset

# cachewatch.middleware has made the id plain by then; logs and answers carry the same one.
DJANGO_STRUCTLOG_TRUST_UPSTREAM_REQUEST_ID = True

EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "cachewatch",
        # Nothing that is kept there is worth more of a request's time.
        "OPTIONS": {"socket_connect_timeout": 2, "socket_timeout": 2},
    }
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 4 * 1024 * 1024

_foreign = structlog.stdlib.ProcessorFormatter.wrap_for_formatter
_shared: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.format_exc_info,
]
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "()": SecretFreeFormatter,
            "processor": structlog.processors.LogfmtRenderer(
                key_order=["timestamp", "level", "logger", "event"], bool_as_flag=False
            ),
            "foreign_pre_chain": _shared,
        }
    },
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": LOG_LEVEL},
    "loggers": {
        # httpx logs every request line at INFO; the runs table says the same in words.
        "httpx": {"level": "WARNING"},
        "httpcore": {"level": "WARNING"},
        # Without handlers of their own, so that every line is written by the formatter above.
        "django": {"level": LOG_LEVEL},
        "django.server": {"propagate": True},
        "gunicorn.error": {"propagate": True},
    },
}
structlog.configure(
    processors=[*_shared, _foreign],
    logger_factory=structlog.stdlib.LoggerFactory(),
    cache_logger_on_first_use="pytest" not in sys.modules,
)
