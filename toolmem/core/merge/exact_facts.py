"""Change a file of facts until it says exactly what a merge decided."""

from collections.abc import Iterator, Mapping

from toolmem.core.facts.edit import add_facts, delete_facts, set_fact
from toolmem.core.facts.parse import parse_facts
from toolmem.errors import InvalidFileError, ToolmemError

Name = tuple[str, str]
"""Namespace and key of a fact."""
Facts = Mapping[Name, str]

_MOST_READ = 2_000_000
"""Characters that are read again for changes made one by one."""


def facts_of(text: str) -> dict[Name, str]:
    """Return the facts in effect in a text."""
    return {(f.namespace, f.key): f.value for f in parse_facts(text).facts}


def made_to_say(text: str, wanted: Facts, path: str) -> str:
    """Return the text, changed until its facts are exactly these.

    Raises ``InvalidFileError`` if they cannot be written.
    """
    said = facts_of(text)
    if said == wanted:
        return text
    try:
        text = delete_facts(text, said.keys() - wanted.keys(), path=path)
        text = _with_values(_with_missing(text, wanted, path), wanted, path)
    except InvalidFileError:
        raise
    except ToolmemError as error:
        raise InvalidFileError(path, 0, f"cannot be merged: {error}") from error
    if facts_of(text) != wanted:
        raise InvalidFileError(
            path, 0, "the merged facts would be read back differently"
        )
    return text


def _with_missing(text: str, wanted: Facts, path: str) -> str:
    """Add the facts that are missing, a namespace at a time where that is possible."""
    said = facts_of(text)
    missing: dict[str, dict[str, str]] = {}
    for (namespace, key), value in sorted(wanted.items()):
        if (namespace, key) not in said:
            missing.setdefault(namespace, {})[key] = value
    read = 0
    for namespace, values in missing.items():
        read = _read_again(read, text, path)
        try:
            text = add_facts(text, namespace, values, path=path)
        except InvalidFileError:
            continue  # each may have a place of its own
    return text


def _with_values(text: str, wanted: Facts, path: str) -> str:
    read = 0
    for (namespace, key), value in _other(facts_of(text), wanted):
        read = _read_again(read, text, path)
        text = set_fact(text, namespace, key, value, path=path)
    return text


def _other(said: Facts, wanted: Facts) -> Iterator[tuple[Name, str]]:
    for name, value in sorted(wanted.items()):
        if said.get(name) != value:
            yield name, value


def _read_again(read: int, text: str, path: str) -> int:
    """Return the characters read with one more reading of the text."""
    if read and read + len(text) > _MOST_READ:
        message = "too many facts change their place for a merge: merge it by hand"
        raise InvalidFileError(path, 0, message)
    return read + len(text)
