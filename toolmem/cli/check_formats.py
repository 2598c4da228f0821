"""Problems of a vault in the forms in which code hosts show them on lines."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from toolmem import __version__
from toolmem.core.model import Problem

_SARIF = "https://json.schemastore.org/sarif-2.1.0.json"
_SEVERITIES = {"error": "major", "warning": "minor"}
_IN_TEXT = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_PROPERTY = _IN_TEXT | str.maketrans({":": "%3A", ",": "%2C"})


def github(problems: Iterable[Problem]) -> Iterator[str]:
    """Yield a workflow command of GitHub Actions for each problem."""
    for one in problems:
        line = f",line={one.line}" if one.line else ""
        path, code = one.path.translate(_IN_PROPERTY), one.code.translate(_IN_PROPERTY)
        where = f"file={path}{line},title={code}"
        level = {"note": "notice"}.get(one.severity, one.severity)
        yield f"::{level} {where}::{one.message.translate(_IN_TEXT)}"


def gitlab(problems: Iterable[Problem]) -> Iterator[str]:
    """Yield the lines of a report of GitLab's code quality."""
    yield from _lines([_finding(one) for one in problems])


def sarif(problems: Sequence[Problem]) -> Iterator[str]:
    """Yield the lines of a log in SARIF 2.1.0."""
    rules = [{"id": code} for code in sorted({one.code for one in problems})]
    driver = {"name": "toolmem", "version": __version__, "rules": rules}
    run = {"tool": {"driver": driver}, "results": [_result(one) for one in problems]}
    yield from _lines({"$schema": _SARIF, "version": "2.1.0", "runs": [run]})


FORMATS = {"github": github, "gitlab": gitlab, "sarif": sarif}


def _finding(one: Problem) -> dict[str, Any]:
    identity = "\0".join((one.path, one.code, one.message))
    return {
        "description": one.message,
        "check_name": one.code,
        "fingerprint": hashlib.sha256(identity.encode()).hexdigest(),
        "severity": _SEVERITIES.get(one.severity, "info"),
        "location": {"path": one.path, "lines": {"begin": one.line or 1}},
    }


def _result(one: Problem) -> dict[str, Any]:
    place = {
        "artifactLocation": {"uri": one.path},
        "region": {"startLine": one.line or 1},
    }
    return {
        "ruleId": one.code,
        "level": one.severity,
        "message": {"text": one.message},
        "locations": [{"physicalLocation": place}],
    }


def _lines(document: Any) -> Iterator[str]:
    yield from json.dumps(document, indent=2).splitlines()
