"""Generated vaults, and a model of what is in force in them that reads no file."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from hypothesis import strategies as st

NOW = datetime(2026, 4, 20, 12, tzinfo=UTC)
CHAINS = {
    "nobody": ("system",),
    "p": ("project:p", "system"),
    "p coding": ("project:p/coding", "project:p", "agent-type:coding", "system"),
    "q coding": ("project:q/coding", "project:q", "agent-type:coding", "system"),
    "p coding a": (
        *("agent:a", "project:p/coding", "project:p"),
        *("agent-type:coding", "system"),
    ),
}
"""The readers, by the words of their chains, narrowest first."""
FOLDERS = {
    "system": "system",
    "agent-type:coding": "agent-types/coding",
    "project:p": "projects/p",
    "project:q": "projects/q",
    "project:p/coding": "projects/p/overrides/coding",
    "agent:a": "agents/a",
}
ALIASES = {"ship": "deploy", "sh": "shell", "amend": "edit"}
"""Alias to the name of the manifest that has it."""
_SHELL = {"shell", "bash", "powershell", "terminal"}
FAMILIES = {"Bash": _SHELL, "edit": {"edit"}, "Write": {"write", "edit"}}
"""The tools, as keys, whose rules a call of a tool is subject to."""
TOOLS = ("Bash", "edit", "Write", "deploy", "ship")
_KEPT_FOR = ("bash", "shell", "sh", "edit", "amend", "write", "deploy", "ship", "_any")
_ASKER = """\
name = "asker"

[memory_access.semantic]
enabled = true
max_queries = 2
max_budget_tokens = 4000
"""
RANKS = {"critical": 0, "high": 1, "normal": 2}
_WEAKENING = {"enabled", "priority", "rule", "expires_at", "guard"}
WORDS = ("alpha", "beta")
"""Words that guards of the vaults are about."""
HOSTS = ("one.example.org", "two.example.org")
"""Hosts that the rules of the vaults forbid."""
VERDICTS = ("allow", "warn", "ask", "deny")


class File(NamedTuple):
    """One rule file; ``stated`` has its keys but the id."""

    id: str
    scope: str
    folder: str
    stated: Mapping[str, Any]

    @property
    def by_person(self) -> bool:
        return "agent" not in self.stated and self.stated["source"] == "user_explicit"


class Case(NamedTuple):
    """A vault: rule files, folders with a broken one, and facts by scope."""

    files: tuple[File, ...]
    broken: tuple[tuple[str, str], ...]
    facts: Mapping[tuple[str, str], str]

    def write(self, root: Path) -> None:
        """Write it into an empty folder."""
        _put(root, "toolmem.toml", "schema = 1\n")
        for name in sorted(set(ALIASES.values())):
            aliases = sorted(a for a, tool in ALIASES.items() if tool == name)
            _put(root, f"tools/{name}.toml", f"name = '{name}'\naliases = {aliases}\n")
        _put(root, "tools/asker.toml", _ASKER)
        for file in self.files:
            lines = [f'id = "{file.id}"']
            lines += [f"{key} = {_toml(value)}" for key, value in file.stated.items()]
            place = f"{FOLDERS[file.scope]}/rules/{file.folder}/r-{file.id}.toml"
            _put(root, place, "\n".join(lines) + "\n")
        for scope, folder in self.broken:
            place = f"{FOLDERS[scope]}/rules/{folder}/broken.toml"
            _put(root, place, 'id = "broken"\nrule = \n')
        for scope in FOLDERS:
            facts = [
                (key, v) for (where, key), v in self.facts.items() if where == scope
            ]
            if facts:
                text = "".join(f"{key}: {value}\n" for key, value in facts)
                _put(root, f"{FOLDERS[scope]}/facts.md", f"## project\n{text}")


class Expected(NamedTuple):
    """A rule in force."""

    id: str
    tool: str
    text: str
    priority: str


class Guarded(NamedTuple):
    """A rule in force, with the action of its guards for each word and host."""

    rule: Expected
    actions: Mapping[str, str]


def in_force(case: Case, reader: str) -> list[Expected]:
    """The rules in force for a reader, as section 3 of the design has it."""
    return [found.rule for found in _guarded(case, reader)]


def verdict(case: Case, reader: str, tool: str, named: Iterable[str]) -> str:
    """The guard's verdict on a call of a tool that names some words and hosts.

    The strictest guard of the tool's rules and of those for every tool decides; a
    critical rule that names a host of the call warns, and a broken file asks.
    """
    found = ["ask"] if broken_of(case, reader, tool) else []
    keys = _keys(tool) | {"_any"}
    for rule, actions in _guarded(case, reader):
        if canonical(rule.tool) in keys:
            found += [actions[name] for name in named if name in actions]
            hosts = [name for name in named if name in HOSTS and name in rule.text]
            found += ["warn"] if hosts and rule.priority == "critical" else []
    return max(found, key=VERDICTS.index, default="allow")


def _guarded(case: Case, reader: str) -> list[Guarded]:
    found: list[Guarded] = []
    for rule_id in sorted({file.id for file in case.files}):
        chain = CHAINS[reader][::-1]
        layers = sorted(
            (f for f in case.files if f.id == rule_id and f.scope in chain),
            key=lambda file: chain.index(file.scope),
        )
        found += _combined(layers)
    return found


def of_tool(rules: Iterable[Expected], tool: str) -> list[Expected]:
    """Those that are kept for a tool under any of its names, as they are listed."""
    keys = _keys(tool)
    found = [rule for rule in rules if canonical(rule.tool) in keys]
    return sorted(found, key=lambda rule: (RANKS[rule.priority], rule.id))


def applying_to(rules: Iterable[Expected], tool: str) -> list[Expected]:
    """Those of a tool and of every tool, as they are listed."""
    keys = {*_keys(tool), "_any"}
    found = [rule for rule in rules if canonical(rule.tool) in keys]
    return sorted(found, key=lambda rule: (RANKS[rule.priority], rule.id))


def broken_of(case: Case, reader: str, tool: str) -> list[str]:
    """The files that cannot be read in folders of a tool, under any of its names."""
    keys = _keys(tool)
    return sorted(
        f"{FOLDERS[scope]}/rules/{folder}/broken.toml"
        for scope, folder in case.broken
        if scope in CHAINS[reader] and canonical(folder) in keys
    )


def facts_in_force(case: Case, reader: str) -> set[str]:
    """The lines of facts in force: of each key that of the narrowest scope."""
    found: dict[str, str] = {}
    for scope in CHAINS[reader]:
        for (where, key), value in case.facts.items():
            if where == scope:
                found.setdefault(key, value)
    return {f"{key}: {value}" for key, value in found.items()}


def canonical(tool: str) -> str:
    """The name of the manifest that an alias is of, else the name."""
    return ALIASES.get(tool, tool)


def _keys(tool: str) -> set[str]:
    return set(map(canonical, FAMILIES.get(tool, {tool})))


def _combined(layers: list[File]) -> Iterator[Guarded]:
    base = next((at for at, file in enumerate(layers) if "rule" in file.stated), None)
    if base is None:
        return
    first = layers[base]
    state = {"tool": first.folder, "priority": "normal", **first.stated}
    if state["priority"] == "critical" and "agent" in first.stated:
        state["priority"] = "high"
    decreed = first.by_person and not first.scope.startswith("agent:")
    for file in layers[base + 1 :]:
        changes = {k: v for k, v in file.stated.items() if state.get(k, True) != v}
        weakens = bool(_WEAKENING & set(changes)) and state["priority"] == "critical"
        alien = file.scope.startswith("agent:") or not file.by_person
        refused = (decreed and alien) or not file.stated.get("reason")
        for key, value in changes.items():
            if key in _WEAKENING and not (weakens and refused):
                too_much = key == "priority" and "agent" in file.stated
                state[key] = "high" if too_much and value == "critical" else value
                raised = key == "priority" and value == "critical" and file.by_person
                decreed = decreed or raised
    expires = state.get("expires_at")
    if state.get("enabled", True) and (expires is None or expires > NOW):
        rule = Expected(first.id, state["tool"], state["rule"], state["priority"])
        stated = state.get("guard")
        if stated is None:
            yield Guarded(rule, {host: "deny" for host in HOSTS if host in rule.text})
        else:
            yield Guarded(rule, {_about(one): one["action"] for one in stated})


def _about(guard: Mapping[str, Any]) -> str:
    return str(guard.get("contains") or guard["host"])


def _put(root: Path, path: str, text: str) -> None:
    place = root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text)


def _toml(value: Any) -> str:
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    if isinstance(value, list):
        tables = (
            ", ".join(f"{key} = {_toml(one)}" for key, one in table.items())
            for table in value
        )
        return "[" + ", ".join(f"{{ {table} }}" for table in tables) + "]"
    return str(value).lower() if isinstance(value, bool) else f'"{value}"'


_TEXTS = st.sampled_from(
    ["gadget oil one", "gadget park two"]
    + [f"gadget one: never visit {host}" for host in HOSTS]
)
_GUARDS = st.lists(
    st.builds(
        lambda action, word: {"action": action, "contains": word},
        st.sampled_from(VERDICTS[1:]),
        st.sampled_from(WORDS),
    ),
    max_size=2,
    unique_by=lambda guard: guard["contains"],
)
_EXPIRY = st.sampled_from([NOW - timedelta(days=1), NOW + timedelta(days=1)])
_AUTHOR = st.sampled_from([{}, {}, {"agent": "a"}])


@st.composite
def _bases(draw: Any, number: int) -> File:
    author = draw(_AUTHOR)
    tool = draw(st.sampled_from(_KEPT_FOR))
    stated = {
        "tool": tool,
        "rule": draw(_TEXTS),
        "priority": draw(st.sampled_from(tuple(RANKS))),
        "source": "programmatic" if author else "user_explicit",
        **author,
    }
    if draw(st.booleans()):
        stated["expires_at"] = draw(_EXPIRY)
    if draw(st.integers(0, 4)) == 0:
        stated["enabled"] = False
    if draw(st.booleans()):
        stated["guard"] = draw(_GUARDS)
    scope = draw(st.sampled_from(tuple(FOLDERS)))
    return File(f"r{number}", scope, tool, stated)


@st.composite
def _overrides(draw: Any, base: File, scope: str) -> File:
    author = draw(_AUTHOR)
    stated = {"source": "programmatic" if author else "user_explicit", **author}
    stated |= draw(
        st.one_of(
            st.builds(lambda text: {"rule": f"{text} instead"}, _TEXTS),
            st.builds(lambda on: {"enabled": on}, st.booleans()),
            st.builds(lambda one: {"priority": one}, st.sampled_from(tuple(RANKS))),
            st.builds(lambda end: {"expires_at": end}, _EXPIRY),
            st.builds(lambda guards: {"guard": guards}, _GUARDS),
        )
    )
    if draw(st.booleans()):
        stated["reason"] = "it is so here"
    return File(base.id, scope, base.folder, stated)


@st.composite
def cases(draw: Any) -> Case:
    """Vaults with some rules, overrides of them, broken files and facts."""
    files: list[File] = []
    for number in range(draw(st.integers(1, 5))):
        base = draw(_bases(number))
        files.append(base)
        scopes = sorted(set(FOLDERS) - {base.scope})
        for scope in draw(st.lists(st.sampled_from(scopes), max_size=2, unique=True)):
            files.append(draw(_overrides(base, scope)))
    places = st.tuples(
        st.sampled_from(tuple(FOLDERS)), st.sampled_from(["sh", "ship", "amend"])
    )
    facts = st.dictionaries(
        st.tuples(st.sampled_from(tuple(FOLDERS)), st.sampled_from(["host", "port"])),
        st.sampled_from(["gadget-1", "gadget-2", "gadget-3"]),
        max_size=5,
    )
    broken = tuple(draw(st.lists(places, max_size=1)))
    return Case(tuple(files), broken, draw(facts))
