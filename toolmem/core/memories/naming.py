"""Derive the title, slug and id of a memory."""

import re
import unicodedata
from collections.abc import Container

from toolmem.core.secrets import detect
from toolmem.core.text.safetext import one_line
from toolmem.core.text.textlines import heading

_NOT_WORD = re.compile(r"[^a-z0-9]+")
_SLUG_CHARS = 60
_TITLE_CHARS = 80
_FALLBACK = "insight"
_SENTENCE = re.compile(r"(?<=[.!?])\s|(?<=[。！？])")


def title_of(text: str) -> str:
    """Return the first heading, else the first sentence, cut at a word."""
    for line in text.split("\n"):
        found = heading(line.strip())
        stated = found[1] if found else line.lstrip("-*+> \t")
        if stated.strip():
            first = (
                stated if found else _SENTENCE.split(one_line(stated), maxsplit=1)[0]
            )
            return _cut(one_line(first))
    return _FALLBACK


def without_title(body: str) -> str:
    """Remove a ``# `` heading at the beginning of a text."""
    first, _, rest = body.lstrip("\n").partition("\n")
    return rest.strip("\n") + "\n" if first.startswith("# ") else body


def _cut(title: str) -> str:
    bare = title if title.endswith("...") else title.rstrip(".")
    if len(bare) <= _TITLE_CHARS:
        return bare
    head = bare[:_TITLE_CHARS].rpartition(" ")[0] or bare[:_TITLE_CHARS]
    return head.rstrip(" ,;:-") + "…"


def slug_of(title: str) -> str:
    """Return ``oauth-2-0-token-refresh`` for ``OAuth 2.0 Token Refresh!``; at most 60
    long.

    Credentials are left out, even if a person insisted that there are none.
    """
    folded = unicodedata.normalize("NFKD", detect.redact(title).casefold())
    plain = folded.encode("ascii", "ignore").decode()
    slug = _NOT_WORD.sub("-", plain).strip("-")
    if len(slug) > _SLUG_CHARS:
        slug = slug[: _SLUG_CHARS + 1].rpartition("-")[0] or slug[:_SLUG_CHARS]
    return slug or _FALLBACK


def new_id(title: str, text: str, taken: Container[str]) -> str:
    """Return ``<slug>-<hash6>`` of the text, with a longer hash if that id exists."""
    import hashlib  # slow to import, and only new memories need it

    digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
    slug = slug_of(title)
    for size in range(6, len(digest) + 1):
        if f"{slug}-{digest[:size]}" not in taken:
            return f"{slug}-{digest[:size]}"
    number = 2
    while f"{slug}-{digest}-{number}" in taken:
        number += 1
    return f"{slug}-{digest}-{number}"
