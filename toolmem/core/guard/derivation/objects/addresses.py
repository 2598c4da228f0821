"""Derive guards from addresses, hosts and pages that a ban names."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

_MAIL = r"(?<![\w.+-])[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,8}[A-Za-z]{2,24}\b"
_URL = r"(?i)\bhttps?://([^\s/<>\"'`,;)]+)(/[^\s<>\"'`,;)]*)?"
_ZONE = r"(?:com|org|net|io|dev|ai|app|edu|gov|internal|local|corp|lan|cloud|example)\b"
_HOST = rf"(?i)(?<![\w@./-])(?:[a-z0-9-]{{1,63}}\.){{1,8}}{_ZONE}(?![\w/-]|\.\w)"
_MENTIONS = r"(?i)\b(?:mention|link|cite|refer|quot|writ|say|talk about|discuss)\w*"
SENDS = (
    r"(?i)\s*(?:(?:ever|again|please|directly|also|to|in|on)\s+)*(?:e-?mail|mail|send"
    r"|sent"
    r"|messag|contact|notif|b?cc\b|forward|repl(?:y|ies)|invit|respond|reach|text|ping"
    r"|writ\w+\s+(?:\w+\s+){0,3}to\b|shar\w+\s+(?:\w+\s+){0,6}with\b)"
)
"""Verbs of sending something to someone, at the start of a ban."""
_FETCHES = (
    r"(?i)\s*(?:ever\s+)?(?:fetch|download|load|get|pull|scrap|crawl|curl|read|request)"
)
_BUCKET = r"\b(?:s3|gs|gcs|r2|oss|az|abfss?)://[^\s<>\"'`,;)]+"
_CLOUDS = [
    [name]
    for name in "aws gsutil gcloud az s3cmd rclone s5cmd mc azcopy ossutil".split()
]
"""Programs that work on the buckets of a store."""
_SOURCES = ("from ", "by ", "as ", "like ", "from: ")


def addresses_in(text: str) -> Iterator[dict[str, Any]]:
    """Yield the tests for the addresses in a forbidden clause."""
    mails = [m[0] for m in re.finditer(_MAIL, text) if _is_target(text, m)]
    if mails:
        yield {"recipient" if re.match(SENDS, text) else "contains": one_or_list(mails)}
    key = "contains" if re.search(_MENTIONS, text) else "host"
    hosts, pages = [], []
    for url in re.finditer(_URL, text):
        page = (url[2] or "").rstrip(".")
        if len(page) > 1:
            pages.append(url[1] + page)
        else:
            hosts.append(url[1].rstrip("."))
    without = without_addresses(text, hosts=False)
    fetched = re.match(_FETCHES, text) is not None
    hosts += [
        m[0] for m in re.finditer(_HOST, without) if fetched or _is_target(without, m)
    ]
    buckets = [m[0].rstrip("/.") for m in re.finditer(_BUCKET, text)]
    if buckets:
        named = "|".join(map(re.escape, buckets))
        yield {"command": _CLOUDS, "regex": rf"({named})(/|$)"}
    if pages:
        yield {"contains": one_or_list(pages)}
    if hosts:
        yield {key: one_or_list(hosts)}


def address_texts(text: str) -> list[str]:
    """Return the addresses in a text."""
    return [match[0] for match in _addresses(text)]


def addresses_end(text: str) -> int:
    """Return the end of the last address in a text."""
    return max((match.end() for match in _addresses(text)), default=0)


def _addresses(text: str) -> Iterator[re.Match[str]]:
    for pattern in (_MAIL, _URL, _HOST, _BUCKET):
        yield from re.finditer(pattern, text)


def without_addresses(text: str, *, hosts: bool = True) -> str:
    """Remove addresses, which look like paths, from a clause."""
    bare = re.sub(_URL, " ", re.sub(_MAIL, " ", text))
    return re.sub(_HOST, " ", bare) if hosts else bare


def one_or_list(texts: Sequence[str]) -> str | list[str]:
    """Return the texts in the form of a guard's alternatives."""
    unique = list(dict.fromkeys(texts))
    return unique[0] if len(unique) == 1 else unique


def _is_target(text: str, match: re.Match[str]) -> bool:
    return not text[: match.start()].lower().endswith(_SOURCES)
