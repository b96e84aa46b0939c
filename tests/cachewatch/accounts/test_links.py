"""One-time sign-in links."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from cachewatch.accounts.errors import LinkUnusable
from cachewatch.accounts.links import make_sign_in_link, use_sign_in_link
from cachewatch.accounts.models import SignInLink, User
from cachewatch.accounts.tokens import secret_hash

NOW = datetime(2026, 11, 26, 13, 0, tzinfo=UTC)


def secret_of(url: str) -> str:
    return url.rpartition("/")[2]


def problem_of(secret: str, now: datetime) -> str:
    with pytest.raises(LinkUnusable) as caught:
        use_sign_in_link(secret=secret, now=now)
    return caught.value.problem


def test_a_link_signs_its_person_in_once(bob: User) -> None:
    secret = secret_of(make_sign_in_link(user=bob, now=NOW).url)
    assert use_sign_in_link(secret=secret, now=NOW) == bob
    assert problem_of(secret, NOW) == "used"


def test_a_link_is_good_until_24_hours_are_over(bob: User) -> None:
    link = make_sign_in_link(user=bob, now=NOW)
    assert link.expires_at == NOW + timedelta(hours=24)
    assert problem_of(secret_of(link.url), NOW + timedelta(hours=24)) == "expired"
    last_moment = NOW + timedelta(hours=24) - timedelta(microseconds=1)
    assert use_sign_in_link(secret=secret_of(link.url), now=last_moment) == bob


def test_a_link_that_nobody_made_is_unknown(db: None) -> None:
    assert problem_of("made-up", NOW) == "unknown"


def test_a_link_of_somebody_who_was_removed_is_unknown(bob: User) -> None:
    secret = secret_of(make_sign_in_link(user=bob, now=NOW).url)
    User.objects.update(is_active=False)
    assert problem_of(secret, NOW) == "unknown"


def test_only_a_keyed_hash_of_the_secret_is_stored(bob: User) -> None:
    secret = secret_of(make_sign_in_link(user=bob, now=NOW).url)
    row = SignInLink.objects.get()
    assert row.token_hash == secret_hash(secret)
    assert secret not in {str(value) for value in SignInLink.objects.values_list().get()}


def test_a_new_link_leaves_unused_ones_good_and_clears_the_others(bob: User) -> None:
    first = secret_of(make_sign_in_link(user=bob, now=NOW).url)
    second = secret_of(make_sign_in_link(user=bob, now=NOW).url)
    assert use_sign_in_link(secret=second, now=NOW) == bob
    make_sign_in_link(user=bob, now=NOW)
    assert SignInLink.objects.count() == 2
    assert use_sign_in_link(secret=first, now=NOW) == bob
