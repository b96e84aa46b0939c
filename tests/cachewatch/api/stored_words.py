"""Where a word is stored, in text or in bytes, over all tables of the product."""

from __future__ import annotations

from django.db import connection

_OURS = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"


def tables_with(word: str) -> list[str]:
    """The tables of which some row holds the word."""
    # Columns of bytes are told in hex.
    wanted = [f"%{word}%", f"%{word.encode().hex()}%"]
    found = []
    with connection.cursor() as cursor:
        cursor.execute(_OURS)
        for (table,) in cursor.fetchall():
            cursor.execute(f'SELECT count(*) FROM "{table}" t WHERE t::text LIKE ANY(%s)', [wanted])
            if cursor.fetchone()[0]:
                found.append(table)
    return found
