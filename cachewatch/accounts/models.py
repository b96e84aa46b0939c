"""People, what they may do, and the tokens of other tools."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib.auth.models import AbstractUser, BaseUserManager
from django.db import models


class UserManager(BaseUserManager["User"]):
    """Makes users who sign in by e-mail address."""

    use_in_migrations = True

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> User:
        """A user with the address in lower case; without a password one can sign in by link only."""
        user = self.model(email=email.strip().lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> User:
        """An owner of the whole installation."""
        return self.create_user(
            email, password, **{"is_staff": True, "is_superuser": True} | fields
        )


class User(AbstractUser):
    """A person, known by e-mail address."""

    username = None  # type: ignore[assignment]
    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    email = models.EmailField(unique=True)
    name = models.CharField(max_length=200, blank=True, default="")
    shortcuts_on = models.BooleanField(default=True)

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar = []
    objects: ClassVar[UserManager] = UserManager()  # type: ignore[assignment]

    class Meta:
        app_label = "cachewatch"

    def __str__(self) -> str:
        return self.name or self.email


class Role(models.TextChoices):
    """What a member may do, from most to least."""

    OWNER = "owner", "Owner"
    ADMIN = "admin", "Admin"
    MEMBER = "member", "Member"
    READ_ONLY = "read-only", "Read only"


class Membership(models.Model):
    """A person's role on one source; without a source, on every source."""

    user = models.ForeignKey(User, models.CASCADE, related_name="memberships")
    source = models.ForeignKey("ingest.Source", models.CASCADE, null=True, related_name="+")
    role = models.CharField(max_length=16, choices=Role)
    created_at = models.DateTimeField()

    class Meta:
        app_label = "cachewatch"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["user", "source"], name="membership_unique", nulls_distinct=False
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.role}"


class SignInLink(models.Model):
    """A single-use link that signs one person in. Only its hash is stored."""

    user = models.ForeignKey(User, models.CASCADE, related_name="sign_in_links")
    token_hash = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    class Meta:
        app_label = "cachewatch"

    def __str__(self) -> str:
        return f"link for {self.user_id}"


class ApiToken(models.Model):
    """A token of another tool. Only its hash is stored; scopes: access.SCOPES."""

    name = models.CharField(max_length=200)
    user = models.ForeignKey(User, models.CASCADE, related_name="api_tokens")
    token_hash = models.CharField(max_length=64, unique=True)
    hint = models.CharField(max_length=16)
    scopes = models.JSONField(default=list)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True)
    last_used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        app_label = "cachewatch"

    def __str__(self) -> str:
        return self.name
