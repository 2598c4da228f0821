"""Operations that a person does to one rule, fact or memory, and how they show.

Each is done by either of two people (0 and 1), with values of their own.
"""

import tomllib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from tests.world import START, World

Files = Mapping[str, bytes]
"""Files of a vault, by path."""
RULE = "projects/app/rules/shell/never-push-a0000001.toml"
RETIRED_RULE = "archive/projects/app/rules/shell/never-pull-a0000002.toml"
FACTS = "projects/app/facts.md"
MEMORY = "projects/app/memory/door-a00001.md"
ORIGINAL = "projects/app/memory/door-a00001.txt"
RETIRED_MEMORY = "archive/projects/app/memory/gate-a00002.md"
BASE = {
    "toolmem.toml": "schema = 1\n",
    ".gitignore": "/.toolmem/\n",
    RULE: (
        'id = "a0000001"\ntool = "shell"\nrule = "never push"\npriority = "high"\n'
        'source = "user_explicit"\ntags = ["git"]\n'
        "created_at = 2026-01-01T00:00:00Z\nexpires_at = 2030-01-01T00:00:00Z\n"
        'evidence = "a mail"\nreason = "releases"\n'
    ),
    RETIRED_RULE: (
        'id = "a0000002"\ntool = "shell"\nrule = "never pull"\npriority = "high"\n'
        'created_at = 2026-01-01T00:00:00Z\nreason = "old"\n'
        "archived_at = 2026-02-01T00:00:00Z\n"
    ),
    FACTS: "# Facts\n\nOf the app.\n\n## project\n\nport: 80\nhost: local\n",
    MEMORY: (
        "---\ntags: [door]\ntopic: doors\nkind: insight\nimportance: 0.5\n"
        "created: 2026-01-01T00:00:00Z\noriginal: door-a00001.txt\n---\n"
        "# The door\n\nIt is red.\n\nIt opens at nine.\n"
    ),
    ORIGINAL: "The door, as it was told at length.\n",
    RETIRED_MEMORY: (
        "---\ntags: [gate]\ncreated: 2026-01-01T00:00:00Z\n"
        "archived_at: 2026-02-01T00:00:00Z\nreason: walled up\n---\n"
        "# The gate\n\nIt is green.\n"
    ),
}


class Operation(NamedTuple):
    """Something that a person does, and whether files show that it was done."""

    do: Callable[[World, int], object]
    shows: Callable[[Files, int], object]


Word = str | tuple[str, str]
"""A word of a command; of two, each person has one."""


def _run(*words: Word) -> Callable[[World, int], None]:
    def do(world: World, who: int) -> None:
        done = world.call(*(_of(word, who) for word in words))
        assert done.code == 0, done

    return do


def _of(word: Word, who: int) -> str:
    return word if isinstance(word, str) else word[who]


def _edit(path: str, was: str, now: Word) -> Callable[[World, int], None]:
    def do(world: World, who: int) -> None:
        text = world.read(path)
        assert was in text
        world.write(path, text.replace(was, _of(now, who)))

    return do


def _rename(path: str, to: Word) -> Callable[[World, int], None]:
    def do(world: World, who: int) -> None:
        (world.root / _of(to, who)).parent.mkdir(parents=True, exist_ok=True)
        world.git("mv", path, _of(to, who))

    return do


def _is_archived(path: str) -> bool:
    return path.startswith("archive/")


def rules(files: Files, rule_id: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield path and keys of the files of a rule, overrides included."""
    for path, data in files.items():
        if "/rules/" in path:
            table = tomllib.loads(data.decode())
            if table["id"] == rule_id:
                yield path, table


def _rule(key: str, value: Any) -> Callable[[Files, int], bool]:
    """Return a test for a key of the rule; of two values, each person has one."""

    def shows(files: Files, who: int) -> bool:
        wanted = value[who] if isinstance(value, tuple) else value
        return any(
            table.get(key) == wanted
            for _, table in rules(files, "a0000001")
            if "tool" in table
        )

    return shows


def _override(key: str, value: Any) -> Callable[[Files, int], bool]:
    def shows(files: Files, who: int) -> bool:
        wanted = value[who] if isinstance(value, tuple) else value
        return any(
            table.get(key) == wanted
            for _, table in rules(files, "a0000001")
            if "tool" not in table
        )

    return shows


def _at(begin: Word, end: Word = "") -> Callable[[Files, int], bool]:
    """Return a test for a path that begins and ends so, in the archive or not."""

    def shows(files: Files, who: int) -> bool:
        names = (path.removeprefix("archive/") for path in files)
        return any(
            name.startswith(_of(begin, who)) and name.endswith(_of(end, who))
            for name in names
        )

    return shows


def _retired(path_end: str) -> Callable[[Files, int], bool]:
    def shows(files: Files, _: int) -> bool:
        paths = [path for path in files if path.endswith(path_end)]
        return bool(paths) and all(map(_is_archived, paths))

    return shows


def _in_use(part: str) -> Callable[[Files, int], bool]:
    return lambda files, _: any(
        part in path and not _is_archived(path) for path in files
    )


def _unused(part: str, text: str = "") -> Callable[[Files, int], bool]:
    return lambda files, _: (
        not any(
            part in path and not _is_archived(path) and text.encode() in data
            for path, data in files.items()
        )
    )


def _says(part: str, *texts: Word) -> Callable[[Files, int], bool]:
    """Return a test for a file with a part in its path that has all of the texts."""

    def shows(files: Files, who: int) -> bool:
        return any(
            part in path and all(_of(text, who).encode() in data for text in texts)
            for path, data in files.items()
        )

    return shows


TYPES = ("coding", "review")
R, M = "a0000001", "door-a00001"
FRIDAY = ("never push on Friday", "never push on Sunday")
RULE_NAME, NAMES = (
    "never-push-a0000001.toml",
    ("do-not-push-a0000001.toml", "push-a0000001.toml"),
)
SHELL = "projects/app/rules/shell"
_PIN = '\n[[guard]]\naction = "ask"\ncommand = ["git", "{}"]\n'
RULES = {
    "add": Operation(
        _run(
            "rule",
            "add",
            "shell",
            ("never pull", "never fetch"),
            "--scope",
            "project:app",
            "--id",
            ("b0000001", "b0000002"),
        ),
        _at(SHELL, ("b0000001.toml", "b0000002.toml")),
    ),
    "add the same id": Operation(
        _run(
            "rule",
            "add",
            "shell",
            ("never sleep", "never wake"),
            "--scope",
            "project:app",
            "--id",
            "b0000003",
        ),
        _says("b0000003", ("never sleep", "never wake")),
    ),
    "text": Operation(_run("rule", "edit", R, "--text", FRIDAY), _rule("rule", FRIDAY)),
    "priority": Operation(
        _run("rule", "edit", R, "-p", ("critical", "normal")),
        _rule("priority", ("critical", "normal")),
    ),
    "tag": Operation(
        _run("rule", "edit", R, "--tag", ("one", "two")),
        lambda files, who: any(
            ("one", "two")[who] in table.get("tags", ()) for _, table in rules(files, R)
        ),
    ),
    "expire": Operation(
        _run("rule", "edit", R, "--expires", ("2031-01-01", "2029-01-01")),
        lambda files, who: any(
            table.get("expires_at", START).year == (2031, 2029)[who]
            for _, table in rules(files, R)
        ),
    ),
    "never expire": Operation(
        _run("rule", "edit", R, "--expires", "never"), _rule("expires_at", None)
    ),
    "evidence": Operation(
        _run("rule", "edit", R, "--evidence", ("a call", "a chat")),
        lambda files, _: any(
            table.get("evidence") in ("a call", "a chat")
            for _, table in rules(files, R)
        ),
    ),
    "reason": Operation(
        _run("rule", "edit", R, "--reason", ("a test", "a trial")),
        lambda files, _: any(
            table.get("reason") in ("a test", "a trial") for _, table in rules(files, R)
        ),
    ),
    "comment": Operation(
        _edit(
            RULE,
            'tool = "shell"\n',
            ('# one\ntool = "shell"\n', '# two\ntool = "shell"\n'),
        ),
        _says(R, ("# one", "# two")),
    ),
    "pin a guard": Operation(
        _edit(
            RULE,
            'reason = "releases"\n',
            (
                'reason = "releases"\n' + _PIN.format("push"),
                'reason = "releases"\n' + _PIN.format("send"),
            ),
        ),
        _says(R, ('"git", "push"', '"git", "send"')),
    ),
    "move wider": Operation(
        _run("rule", "move", R, "--scope", "system"),
        _at("system/rules", "a0000001.toml"),
    ),
    "move narrower": Operation(
        _run(
            "rule", "move", R, "--scope", ("project:app/coding", "project:app/review")
        ),
        _at(
            ("projects/app/overrides/coding", "projects/app/overrides/review"),
            "a0000001.toml",
        ),
    ),
    "move aside": Operation(
        _run("rule", "move", R, "--scope", ("project:lib", "project:web")),
        _at(("projects/lib", "projects/web"), "a0000001.toml"),
    ),
    "move to a type": Operation(
        _run("rule", "move", R, "--scope", ("agent-type:coding", "agent-type:review")),
        lambda files, who: any(
            _at(part, "a0000001.toml")(files, who) for part in ("agent-types", "system")
        ),
    ),
    "rename": Operation(
        _rename(RULE, (f"{SHELL}/{NAMES[0]}", f"{SHELL}/{NAMES[1]}")),
        _at("", (f"/{NAMES[0]}", f"/{NAMES[1]}")),
    ),
    "archive": Operation(
        _run("rule", "archive", R, "--reason", ("gone", "over")),
        _retired("-a0000001.toml"),
    ),
    "delete": Operation(_run("rule", "delete", R), _unused("a0000001", "tool =")),
    "disable below": Operation(
        _run("rule", "override", R, "--scope", "project:app/coding", "--disable"),
        _override("enabled", False),
    ),
    "override below": Operation(
        _run("rule", "override", R, "--scope", "project:app/coding", "--text", FRIDAY),
        _override("rule", FRIDAY),
    ),
}
Q = "a0000002"
RETIRED_RULES = {
    "restore": Operation(_run("restore", Q), _in_use("a0000002.toml")),
    "delete": Operation(
        lambda world, _: (world.root / RETIRED_RULE).unlink(),
        lambda files, _: not any(Q in path for path in files),
    ),
    "edit": Operation(
        _edit(RETIRED_RULE, "never pull", ("never pull twice", "never pull once")),
        _says(Q, ("never pull twice", "never pull once")),
    ),
    "rename": Operation(
        _rename(
            RETIRED_RULE,
            (f"archive/{SHELL}/pull-{Q}.toml", f"archive/{SHELL}/no-pull-{Q}.toml"),
        ),
        _at("", (f"/pull-{Q}.toml", f"/no-pull-{Q}.toml")),
    ),
}


def _set(
    key: Word, value: Word, scope: str = "project:app"
) -> Callable[[World, int], None]:
    return _run("fact", "set", key, value, "--scope", scope)


def _moved_fact(to: Word) -> Callable[[World, int], None]:
    def do(world: World, who: int) -> None:
        _run("fact", "delete", "port", "--scope", "project:app")(world, who)
        _run("fact", "set", "port", "80", "--scope", _of(to, who))(world, who)

    return do


def _renamed_fact(world: World, who: int) -> None:
    _edit(FACTS, "port: 80", ("door: 80", "gate: 80"))(world, who)


FACTS_ = {
    "add": Operation(
        _set(("city", "team"), "x"), _says("facts.md", ("city: x", "team: x"))
    ),
    "add the same key": Operation(
        _set("town", ("A", "B")), _says("facts.md", ("town: A", "town: B"))
    ),
    "set": Operation(
        _set("port", ("81", "82")), _says("facts.md", ("port: 81", "port: 82"))
    ),
    "set another": Operation(
        _set("host", ("a", "b")), _says("facts.md", ("host: a", "host: b"))
    ),
    "prose": Operation(
        _edit(FACTS, "Of the app.", ("Of it.", "Of ours.")),
        _says("facts.md", ("Of it.", "Of ours.")),
    ),
    "delete": Operation(
        _run("fact", "delete", "port", "--scope", "project:app"),
        _unused("app/facts.md", "port:"),
    ),
    "move wider": Operation(
        _moved_fact("system"), _says("system/facts.md", "port: 80")
    ),
    "move narrower": Operation(
        _moved_fact(("project:app/coding", "project:app/review")),
        lambda files, who: _says(f"{('coding', 'review')[who]}/facts.md", "port: 80")(
            files, who
        ),
    ),
    "rename the key": Operation(
        _renamed_fact, _says("facts.md", ("door: 80", "gate: 80"))
    ),
    "rename the file": Operation(
        _rename(FACTS, ("projects/lib/facts.md", "projects/web/facts.md")),
        _at(("projects/lib/facts.md", "projects/web/facts.md")),
    ),
    "delete the file": Operation(
        lambda world, _: (world.root / FACTS).unlink(),
        _unused("app/facts.md", "host: local"),
    ),
    "override": Operation(
        _set("port", ("83", "84"), "project:app/coding"),
        _says("coding/facts.md", ("port: 83", "port: 84")),
    ),
}
MEMORIES = {
    "add": Operation(
        _run(
            "memory",
            "save",
            ("Cats sleep by day", "Rain falls in May"),
            "--project",
            "app",
        ),
        _says("app/memory", ("Cats sleep", "Rain falls")),
    ),
    "text": Operation(
        _edit(MEMORY, "at nine", ("at eight", "at ten")),
        _says("-a00001", ("at eight", "at ten")),
    ),
    "more text": Operation(
        _edit(MEMORY, "It is red.", ("It is big.", "It is old.")),
        _says("-a00001", ("It is big.", "It is old.")),
    ),
    "tag": Operation(
        _run("memory", "edit", M, "--tag", ("one", "two")),
        _says("-a00001", ("one", "two")),
    ),
    "topic": Operation(
        _run("memory", "edit", M, "--topic", ("gates", "walls")),
        _says("-a00001", ("topic: gates", "topic: walls")),
    ),
    "kind": Operation(
        _run("memory", "edit", M, "--kind", ("fact", "skill")),
        _says("-a00001", ("kind: fact", "kind: skill")),
    ),
    "importance": Operation(
        _run("memory", "edit", M, "--importance", ("0.7", "0.9")),
        lambda files, _: (
            _says("-a00001", "importance: 0.7")(files, 0)
            or _says("-a00001", "importance: 0.9")(files, 0)
        ),
    ),
    "private": Operation(
        _run("memory", "edit", M, ("--private", "--private")),
        _says("-a00001", "private: true"),
    ),
    "expire": Operation(
        _run("memory", "edit", M, "--expires", ("2031-01-01", "2032-01-01")),
        lambda files, _: (
            _says("-a00001", "2031")(files, 0) or _says("-a00001", "2032")(files, 0)
        ),
    ),
    "move wider": Operation(
        _run("memory", "move", M, "--scope", "system"), _at("system", "-a00001.md")
    ),
    "move narrower": Operation(
        _run(
            "memory", "move", M, "--scope", ("project:app/coding", "project:app/review")
        ),
        _at(
            ("projects/app/overrides/coding", "projects/app/overrides/review"),
            "-a00001.md",
        ),
    ),
    "move aside": Operation(
        _run("memory", "move", M, "--scope", ("project:lib", "project:web")),
        _at(("projects/lib", "projects/web"), "-a00001.md"),
    ),
    "rename": Operation(
        _rename(
            MEMORY,
            (
                "projects/app/memory/gate-a00001.md",
                "projects/app/memory/wall-a00001.md",
            ),
        ),
        _at("", ("/gate-a00001.md", "/wall-a00001.md")),
    ),
    "archive": Operation(
        _run("memory", "archive", M, "--reason", ("gone", "over")),
        _retired("-a00001.md"),
    ),
    "delete": Operation(_run("memory", "delete", M), _unused("-a00001.md")),
}
G = "gate-a00002"
RETIRED_MEMORIES = {
    "restore": Operation(_run("restore", G), _in_use("-a00002")),
    "delete": Operation(
        lambda world, _: (world.root / RETIRED_MEMORY).unlink(),
        lambda files, _: not any("-a00002" in path for path in files),
    ),
    "edit": Operation(
        _edit(RETIRED_MEMORY, "is green", ("is blue", "is grey")),
        _says("-a00002", ("is blue", "is grey")),
    ),
    "rename": Operation(
        _rename(
            RETIRED_MEMORY,
            (
                "archive/projects/app/memory/bar-a00002.md",
                "archive/projects/app/memory/bolt-a00002.md",
            ),
        ),
        _at("", ("/bar-a00002.md", "/bolt-a00002.md")),
    ),
}
ITEMS = {
    "rule": RULES,
    "retired rule": RETIRED_RULES,
    "fact": FACTS_,
    "memory": MEMORIES,
    "retired memory": RETIRED_MEMORIES,
}
