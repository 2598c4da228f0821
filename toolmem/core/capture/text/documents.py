"""Find documents inside a message: mails, READMEs, configuration, chat logs, manuals.

They are pasted without a fence and are not the user's own words, so they are masked."""

import re
from collections.abc import Sequence

from toolmem.core.capture.text.lists import word_list
from toolmem.core.capture.text.words import word_set

_HEADER = re.compile(r"(?:From|To|Subject|Cc|Sent|Date): \S")
_GREETING = re.compile(r"(?:Hi|Hello|Hey|Dear) [\w ]{1,30},?$")
_CLOSING = re.compile(
    r"(?:(?:Best|Kind|Warm)?(?: regards| wishes)?|Regards|Cheers|Sincerely|Yours"
    r"|Best),?$",
    re.IGNORECASE,
)
_README = word_list("documents readme")
_LEGAL = ("terms of service", "terms of use", "privacy policy", "license agreement")
_MANUAL = word_set("NAME SYNOPSIS DESCRIPTION OPTIONS EXAMPLES AUTHOR")
_CONFIG = re.compile(r"\s*(?:- )?[\w./\"-]+:(?: \S.*)?$|\s*-\s+\S+$|\s*#")
_CONFIG_KEY = re.compile(r"\s*(?:- )?[a-z][\w.-]*:(?:\s|$)")
_SPEAKER = re.compile(
    r"(?:\[[\d:. APM]+\] ?)?<?([A-Za-z][\w.]{0,19})>?(?: \d\d?:\d\d.*$|: )"
)
_STAMPED = re.compile(r"[A-Z]\w+ \d\d?:\d\d(?: ?[AP]M)?$")
_ROLES = word_list("documents roles")
_REQUEST = re.compile(
    r"(?:(?:please|pls|can you|could you|would you) )*(?:summari[sz]e|translate|explain"
    r"|proofread|rephrase|paraphrase|rewrite|review|answer|improve|polish|shorten"
    r"|reply to|respond to|analy[sz]e"
    r"|what (?:do you think|does|did|is)|why does|classify|tl;?dr)\b.*"
    r"\b(?:this|these|it|that|they|following|below|above)\b",
    re.IGNORECASE,
)
_REQUEST_CHARS = 100


def document_lines(lines: Sequence[str]) -> list[bool]:
    """Return for each line whether it is part of a document."""
    marked = [False] * len(lines)
    for start, end in (
        *_mail(lines),
        *_headed(lines),
        *_manual(lines),
        *_chat(lines),
        *_config(lines),
        *_requested(lines),
    ):
        marked[start:end] = [True] * (end - start)
    return marked


_Spans = list[tuple[int, int]]


def _mail(lines: Sequence[str]) -> _Spans:
    headers = [at for at, line in enumerate(lines) if _HEADER.match(line)]
    if len(headers) >= 2 and headers[1] - headers[0] <= 2:
        return [(headers[0], len(lines))]
    opens = [at for at, line in enumerate(lines) if _GREETING.match(line.strip())]
    ends = [
        at
        for at, line in enumerate(lines)
        if line.strip() and _CLOSING.match(line.strip())
    ]
    if opens and ends and ends[-1] > opens[0] + 1:
        return [(opens[0], min(ends[-1] + 3, len(lines)))]
    return []


def _headed(lines: Sequence[str]) -> _Spans:
    """Find a README from its first heading, a legal text from its title."""
    headings = [
        at for at, line in enumerate(lines) if line.startswith("#") and " " in line[:8]
    ]
    titles = {lines[at].strip("# ").lower() for at in headings}
    if len(headings) >= 2 and titles & _README:
        return [(headings[0], len(lines))]
    for at, line in enumerate(lines[:20]):
        if line.strip("# ").lower() in _LEGAL:
            return [(at, len(lines))]
        if "handoff" in line.lower() and line.startswith("#"):
            return [(at, len(lines))]
    return []


def _manual(lines: Sequence[str]) -> _Spans:
    titles = [at for at, line in enumerate(lines) if line.strip() in _MANUAL]
    page = next((at for at in titles if lines[at].strip() == "NAME"), None)
    return [] if page is None else [(max(0, page - 2), len(lines))]


def _chat(lines: Sequence[str]) -> _Spans:
    speakers = [
        (at, speaker[1].lower())
        for at, line in enumerate(lines)
        if (speaker := _SPEAKER.match(line))
    ]
    names = [name for _, name in speakers]
    several = len(set(names)) >= 2
    again = len(set(names)) < len(names) or set(names) <= _ROLES
    stamped = sum(bool(_STAMPED.match(line)) for line in lines) >= 2
    if not (several and (again or stamped)):
        return []
    spans: _Spans = []
    for at, _ in speakers:
        if not spans or at >= spans[-1][1]:
            spans.append((at, _paragraph_end(lines, at)))
    return spans


def _paragraph_end(lines: Sequence[str], at: int) -> int:
    while at < len(lines) and lines[at].strip():
        at += 1
    return at


def _config(lines: Sequence[str]) -> _Spans:
    """Find runs of three or more lines of YAML or the like, one of them indented."""
    spans: _Spans = []
    start = 0
    for at in range(len(lines) + 1):
        if at < len(lines) and _CONFIG.match(lines[at]):
            continue
        run = lines[start:at]
        keys = sum(bool(_CONFIG_KEY.match(line)) for line in run)
        nested = any(line[:1] in (" ", "\t") for line in run)
        if len(run) >= 3 and nested and 2 * keys >= len(run):
            spans.append((start, at))
        start = at + 1
    return spans


def _requested(lines: Sequence[str]) -> _Spans:
    """Find the text that a short request ("summarise this", "explain it") refers to."""
    filled = [at for at, line in enumerate(lines) if line.strip()]
    if len(filled) < 3:
        return []
    first, last = filled[0], filled[-1]
    if (
        _is_request(lines[first])
        and first + 1 < len(lines)
        and not lines[first + 1].strip()
    ):
        return [(first + 1, len(lines))]
    if _is_request(lines[last]):
        return [(0, last)]
    return []


def _is_request(line: str) -> bool:
    return len(line) <= _REQUEST_CHARS and bool(_REQUEST.match(line.strip()))
