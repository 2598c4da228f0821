"""Guards that older versions derived and stored in rule files, with ``derived = true``.

They are ignored where they follow from the text of the rule, as it is derived now or
was by an older version. One that a person edited is an explicit guard.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from toolmem.core.guard import derive
from toolmem.core.model import Scope
from toolmem.core.rules.rule_file import RuleFile, parse_rule_file
from toolmem.core.text.safetext import one_line

_MARK = "derived"
_SHOWN = ("note", "match", "not_match", _MARK)
_AROUND = "'\"`“”‘’.,;:()<>"


def read_rule(text: str, *, path: str, scope: Scope, folder_tool: str) -> RuleFile:
    """Read a rule file with its explicit guards; errors are ``parse_rule_file``'s."""
    file = parse_rule_file(text, path=path, scope=scope, folder_tool=folder_tool)
    changes = without_stored(file.stated, folder_tool)
    if not changes:
        return file
    stated = {**file.stated, **changes}
    return file._replace(stated={k: v for k, v in stated.items() if v is not None})


def without_stored(table: Mapping[str, Any], folder_tool: str) -> dict[str, Any]:
    """Return the change that leaves only explicit guards in a rule file's table."""
    guards = table.get("guard")
    if not isinstance(guards, list) or not all(isinstance(one, dict) for one in guards):
        return {}
    if not any(_MARK in guard for guard in guards):
        return {}
    text = one_line(str(table.get("rule", "")))
    tool = str(table.get("tool", folder_tool))
    now = [_tests(derived) for derived in derive.derive_guards(text, tool)]
    kept = [
        {key: value for key, value in guard.items() if key != _MARK}
        for guard in guards
        if guard.get(_MARK) is not True
        or (_tests(guard) not in now and not _was_derived(guard, text))
    ]
    return {"guard": kept or None}


def _tests(table: Mapping[str, Any]) -> dict[str, Any]:
    tests = {key: value for key, value in table.items() if key not in _SHOWN}
    return tests | {"note": "note" in table}


def _was_derived(table: Mapping[str, Any], text: str) -> bool:
    """Return True if an older version derived a guard from a text.

    It denied, or asked with a note. Its tests are made of words of the text; if its
    examples have further ones, a person widened the tests.
    """
    action = table.get("action", "deny")
    if action == "warn" or ("note" in table) != (action == "ask"):
        return False
    tests = {key: value for key, value in table.items() if key not in (*_SHOWN, *_FORM)}
    tested = [one.casefold() for one in _texts(tests)]
    of_tests = set(" ".join(tested).split())
    of_examples = set(" ".join(_texts(table.get("match"))).casefold().split())
    whole = text.casefold()
    words = {word.strip(_AROUND) for word in whole.split()}
    return (
        bool(tested)
        and all(_has_words(whole, said) for said in tested)
        and not (of_examples - of_tests) & words
    )


def _has_words(text: str, words: str) -> bool:
    """Return whether a text has the words, not as parts of longer ones."""
    at = text.find(words)
    while at >= 0:
        around = text[:at][-1:], text[at + len(words) :][:1]
        edges = words[:1], words[-1:]
        if not any(
            a.isalnum() and b.isalnum() for a, b in zip(around, edges, strict=True)
        ):
            return True
        at = text.find(words, at + 1)
    return False


_FORM = ("action", "operation", "unless")


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _texts(inner)
