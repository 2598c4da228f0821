"""Which tools a decree is about.

1. Tools that the text names, by name or alias (see ``naming``).
2. Else tools with the purpose that the text speaks of (see ``meaning``): what
   the verb means by itself (*email*), the noun of a means (*in the browser*),
   the object, what the verb means in general (*edit*), what stands aside.
3. Else the one tool whose name begins with the verb (*play*: ``play_music``), or
   the one all of whose name is spoken of (*thermostat*: ``set_thermostat``).
4. Else, where the text only points ("never do that"), the one call of the turn.

A purpose that no tool has falls back to a broader one (*commit* to the shell).
Of several tools with one purpose those are taken whose action is spoken of.
"""

from collections.abc import Sequence
from itertools import pairwise

from toolmem.core.capture.catalogue import FALLBACK, GENERAL, PURPOSES
from toolmem.core.capture.meaning import Meaning
from toolmem.core.capture.naming import ToolWords, named, parts_of, server_of
from toolmem.core.capture.smallwords import word_set
from toolmem.core.capture.stems import stem

__all__ = ["ToolWords", "choose_tools"]

_PRIMARY = word_set("create send post navigate run execute update write edit put")
_GIT = word_set("git run execute cli command tool")
_GENERAL_PARTS = word_set("file tool run get multi mcp a the api do code web")
_SETTING = word_set("set get do the a")
"""What names of tools begin with when the thing that follows says it all."""
_COMMON = (
    _PRIMARY | _GENERAL_PARTS | _SETTING
    | word_set("list search find read view delete remove add make check test query")
    | word_set("page commit push pull merge branch issue comment review user data")
)  # fmt: skip
"""Parts of names that are no thing by themselves."""
_ACTS = {
    "open": "create", "file": "create", "raise": "create", "submit": "create",
    "make": "create", "schedule": "create", "book": "create", "append": "add",
    "go": "navigate", "visit": "navigate", "browse": "navigate", "remove": "delete",
}  # fmt: skip


def choose_tools(
    text: str, available: Sequence[ToolWords], called: Sequence[str]
) -> tuple[str, ...]:
    """The names of the tools that a rule is about; none: it is about any tool.

    ``called`` are the calls of the turn; what is called is available.
    """
    known = {name for tool in available for name in (tool.name, *tool.aliases)}
    more = dict.fromkeys(name for name in called if name not in known)
    tools = (*available, *map(ToolWords, more))
    meaning = Meaning(text)
    found = _of_server(meaning, _named(meaning, tools))
    if found:
        found += _serving(meaning, meaning.beside(), tools)
    found = found or _by_verbs(meaning, tools) or _meant(meaning, tools)
    found = found or _by_first_word(meaning, tools) or _by_parts(meaning, tools)
    found = found or _by_thing(meaning, tools)
    if not found and meaning.quoted:
        return choose_tools(meaning.quoted, available, called)
    if not found and len(set(called)) == 1 and meaning.points():
        return (_canonical(called[0], available),)
    return tuple(dict.fromkeys(tool.name for tool in found))


def _canonical(name: str, available: Sequence[ToolWords]) -> str:
    return next((tool.name for tool in available if name in tool.aliases), name)


def _named(meaning: Meaning, tools: Sequence[ToolWords]) -> list[ToolWords]:
    """The tools that are named; a name within a longer one does not count."""
    counted = [(named(tool, meaning.text, meaning.tokens), tool) for tool in tools]
    longest = max((count for count, _ in counted), default=0)
    whole = [tool for count, tool in counted if count and count == longest]
    parts = {part for tool in whole for part in parts_of(tool.name)}
    return [
        tool
        for count, tool in counted
        if count and (count == longest or not parts >= set(parts_of(tool.name)))
    ]


def _by_verbs(meaning: Meaning, tools: Sequence[ToolWords]) -> list[ToolWords]:
    """The tools whose manifest lists a verb that the text has."""
    stems = set(meaning.stems)
    return [
        tool for tool in tools if stems & {stem(verb.lower()) for verb in tool.verbs}
    ]


def _by_first_word(meaning: Meaning, tools: Sequence[ToolWords]) -> list[ToolWords]:
    """The one tool whose name begins with a verb that is ruled: ``play_music``."""
    ruled = set(meaning.verbs()) - set(GENERAL)
    begun = [
        tool
        for tool in tools
        if len(parts := parts_of(tool.name)) > 1 and stem(parts[0]) in ruled
    ]
    return begun if len(begun) == 1 else []


def _by_parts(meaning: Meaning, tools: Sequence[ToolWords]) -> list[ToolWords]:
    """The one tool all of whose name is spoken of: ``plot_chart``."""
    said = set(meaning.stems)
    spoken = [
        tool
        for tool in tools
        if (own := {stem(part) for part in parts_of(tool.name)} - _SETTING)
        and own <= said
        and not own <= _GENERAL_PARTS | _PRIMARY
    ]
    return spoken if len(spoken) == 1 else []


def _by_thing(meaning: Meaning, tools: Sequence[ToolWords]) -> list[ToolWords]:
    """The one tool with the name of a thing that is spoken of: ``door_lock``."""
    said = set(meaning.stems) - meaning.unmeant() - set(GENERAL) - _COMMON
    spoken = [
        tool
        for tool in tools
        if len(parts := parts_of(tool.name)) > 1
        and said & {stem(part) for part in parts}
    ]
    return spoken if len(spoken) == 1 else []


def _serving(
    meaning: Meaning, keys: Sequence[str], tools: Sequence[ToolWords]
) -> list[ToolWords]:
    """The tools that have one of these purposes themselves."""
    found: list[ToolWords] = []
    for key in dict.fromkeys(keys):
        serving = [tool for tool in tools if key in _purposes(tool)]
        found += _acting(meaning, serving) if serving else []
    return found


def _meant(meaning: Meaning, tools: Sequence[ToolWords]) -> list[ToolWords]:
    """The tools with the first purpose that any of them has."""
    purposes = {tool.name: _purposes(tool) for tool in tools}
    for tier in meaning.tiers():
        found: list[ToolWords] = []
        for key in dict.fromkeys(tier):
            for stand_in in FALLBACK.get(key, (key,)):
                serving = [tool for tool in tools if stand_in in purposes[tool.name]]
                if serving:
                    found += _acting(meaning, serving)
                    break
        if found:
            return _of_server(meaning, found)
    return []


def _purposes(tool: ToolWords) -> frozenset[str]:
    """What a tool is for, by the words of its name and of its aliases."""
    parts = parts_of(tool.name)
    words = {*parts, *(stem(part) for part in parts)}
    words |= {f"{a}_{b}" for a, b in pairwise(parts)}
    for alias in tool.aliases:
        words |= set(parts_of(alias))
    keys = {purpose.key for purpose in PURPOSES if purpose.names & words}
    if set(parts) <= _GIT and "git" in parts:
        keys.add("git")  # one tool for all that git does
    if not keys:
        server = set(server_of(tool.name))
        keys = {purpose.key for purpose in PURPOSES if purpose.names & server}
    return frozenset(keys)


def _acting(meaning: Meaning, tools: Sequence[ToolWords]) -> list[ToolWords]:
    """Of tools with one purpose, those whose action the text speaks of."""
    if len(tools) == 1:
        return list(tools)
    said = {_ACTS.get(word, word) for word in meaning.stems}
    scored = []
    for tool in tools:
        acts = {_ACTS.get(stem(part), stem(part)) for part in parts_of(tool.name)}
        missing = acts - said - _PRIMARY - _GENERAL_PARTS
        scored.append(
            (len(acts & said) - 0.5 * len(missing), bool(acts & _PRIMARY), tool)
        )
    best = max((score, primary) for score, primary, _ in scored)
    return [tool for score, primary, tool in scored if (score, primary) == best]


def _of_server(meaning: Meaning, tools: list[ToolWords]) -> list[ToolWords]:
    """Only the tools of a server that the text names, if it names one."""
    said = set(meaning.stems)
    return [tool for tool in tools if said & set(server_of(tool.name))] or tools
