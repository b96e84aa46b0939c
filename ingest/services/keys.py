"""Admin keys: stored encrypted, or named by a variable; opened only to make a client."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from hmac import compare_digest
from ipaddress import ip_network

from django.conf import settings

from ingest import secrets
from ingest.models import Source
from ingest.openai_usage.client import UsageClient
from ingest.openai_usage.reach import guarded_transport
from ingest.services.errors import KeyMissing, KeyUnreadable, SourceError, SourceIsPushed

# The only variable that a source may name: no source can ask for another secret.
KEY_VARIABLE = "OPENAI_ADMIN_KEY"
# What put_key and rotate_key set.
KEY_FIELDS = ("key_encrypted", "key_variable", "key_hint")
_THIS_MACHINE = (ip_network("127.0.0.0/8"), ip_network("::1/128"))

ClientOf = Callable[[Source], UsageClient]


class KeyState(StrEnum):
    """What is known of a source's key without asking the provider."""

    OK = "ok"
    UNREADABLE = "unreadable"
    MISSING = "missing"
    VARIABLE = "variable"
    NONE = "none"  # others push to the source: it needs no key


def client_of(source: Source) -> UsageClient:
    """A client that reads this source. Raises KeyMissing, KeyUnreadable or SourceIsPushed."""
    key = admin_key(source)
    if source.kind == Source.Kind.DEMO:  # its address is set by the start of the product alone
        return UsageClient(
            base_url=source.base_url,
            admin_key=key,
            transport=guarded_transport(source.base_url, _THIS_MACHINE),
        )
    return client_for(base_url=source.base_url, admin_key=key)


def client_for(*, base_url: str, admin_key: str) -> UsageClient:
    """A client that goes no further than the operator allows: to public addresses, the networks of
    CACHEWATCH_SOURCE_NETWORKS and CACHEWATCH_USAGE_BASE_URL, wherever that leads.

    Raises UsageError where no request can be made of such a key or address.
    """
    named = base_url == settings.USAGE_BASE_URL
    transport = None if named else guarded_transport(base_url, settings.SOURCE_NETWORKS)
    return UsageClient(base_url=base_url, admin_key=admin_key, transport=transport)


def admin_key(source: Source) -> str:
    """The source's key in the clear: hand it to a client, never to a log.

    Raises KeyMissing or KeyUnreadable; SourceIsPushed where no provider is read.
    """
    refuse_pushed(source)
    if source.key_variable:
        return _key_of_variable(source.key_variable)
    if source.key_encrypted is None:
        raise KeyMissing("no key is stored, enter one")
    try:
        return secrets.decrypt(source.key_encrypted)
    except secrets.SecretUnreadableError as error:
        raise KeyUnreadable("key unreadable, enter it again") from error


def refuse_pushed(source: Source) -> None:
    """Raise SourceIsPushed where no provider is read for the source."""
    if source.is_pushed:
        raise SourceIsPushed(
            f"{source.name} is pushed to: it has no key, and no provider is read for it"
        )


def key_state(source: Source) -> KeyState:
    """Whether there is a key, and whether it can be opened."""
    if source.is_pushed:
        return KeyState.NONE
    try:
        admin_key(source)
    except KeyMissing:
        return KeyState.MISSING
    except KeyUnreadable:
        return KeyState.UNREADABLE
    return KeyState.VARIABLE if source.key_variable else KeyState.OK


def has_key(source: Source, key: str) -> bool:
    """Whether the source reads with this key; False where its own is missing or unreadable."""
    try:
        return compare_digest(admin_key(source).encode(), key.strip().encode())
    except SourceError:
        return False


def put_key(source: Source, key: str) -> None:
    """Set the key on the source, encrypted, with its last four characters as a hint. Not saved."""
    source.key_encrypted = secrets.encrypt(key.strip())
    source.key_hint = f"...{key.strip()[-4:]}"
    source.key_variable = ""


def rotate_key(source: Source) -> None:
    """Write the stored key under the newest field key, where it can be opened. Not saved."""
    if source.key_encrypted is None:
        return
    try:
        source.key_encrypted = secrets.rotate(source.key_encrypted)
    except secrets.SecretUnreadableError:
        return


def _key_of_variable(name: str) -> str:
    key = str(getattr(settings, name, None) or "") if name == KEY_VARIABLE else ""
    if not key:
        raise KeyMissing(f"{name} is not set where cachewatch runs; set it, or enter a key")
    return key
