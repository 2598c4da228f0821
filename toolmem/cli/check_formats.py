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
    for problem in problems:
        line = f",line={problem.line}" if problem.line else ""
        path, code = (
            problem.path.translate(_IN_PROPERTY),
            problem.code.translate(_IN_PROPERTY),
        )
        where = f"file={path}{line},title={code}"
        level = {"note": "notice"}.get(problem.severity, problem.severity)
        yield f"::{level} {where}::{problem.message.translate(_IN_TEXT)}"


def gitlab(problems: Iterable[Problem]) -> Iterator[str]:
    """Yield the lines of a report of GitLab's code quality."""
    yield from _lines([_finding(problem) for problem in problems])


def sarif(problems: Sequence[Problem]) -> Iterator[str]:
    """Yield the lines of a log in SARIF 2.1.0."""
    rules = [{"id": code} for code in sorted({problem.code for problem in problems})]
    driver = {"name": "toolmem", "version": __version__, "rules": rules}
    run = {
        "tool": {"driver": driver},
        "results": [_result(problem) for problem in problems],
    }
    yield from _lines({"$schema": _SARIF, "version": "2.1.0", "runs": [run]})


FORMATS = {"github": github, "gitlab": gitlab, "sarif": sarif}


def _finding(problem: Problem) -> dict[str, Any]:
    identity = "\0".join((problem.path, problem.code, problem.message))
    return {
        "description": problem.message,
        "check_name": problem.code,
        "fingerprint": hashlib.sha256(identity.encode()).hexdigest(),
        "severity": _SEVERITIES.get(problem.severity, "info"),
        "location": {"path": problem.path, "lines": {"begin": problem.line or 1}},
    }


def _result(problem: Problem) -> dict[str, Any]:
    place = {
        "artifactLocation": {"uri": problem.path},
        "region": {"startLine": problem.line or 1},
    }
    return {
        "ruleId": problem.code,
        "level": problem.severity,
        "message": {"text": problem.message},
        "locations": [{"physicalLocation": place}],
    }


def _lines(document: Any) -> Iterator[str]:
    yield from json.dumps(document, indent=2).splitlines()
