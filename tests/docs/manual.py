"""Generate ``man toolmem`` from the command tree, settings and errors."""

import json
from collections.abc import Iterator

from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

from tests.agents.table import AGENTS, TRIED
from tests.agents.told import TOLD
from tests.docs.roff import (
    bold,
    example,
    italic,
    page,
    paragraph,
    prose,
    section,
    subsection,
    tagged,
)
from toolmem import __version__
from toolmem.api.access import NAMES
from toolmem.api.operations.arguments import ARGUMENTS
from toolmem.cli.examples import EXAMPLES
from toolmem.core.agents.registry import agent_of, hooked
from toolmem.errors import ToolmemError
from toolmem.store.files.settings import SETTINGS

_VAULT = f"{bold('--vault')} {italic('FOLDER')}"
_EVERYWHERE = ("vault", "version", "help", "as_json", *NAMES)
_GENERAL = {key: one for key, one in ARGUMENTS.items() if " " not in key}
"""Arguments that mean the same in every command: described once."""
_EXITS = {
    0: "Done.",
    1: "The answer is no: `guard` denies the call, `--check` found a difference, "
    "`check` or `doctor` found a problem, an example of `rule test` failed, something "
    "is due, or there was nothing to commit, undo or import.",
    3: "A bug in toolmem; standard error names the log to report.",
    20: "`toolmem guard`: ask the user first.",
    130: "Interrupted.",
}
_ENVIRONMENT = {
    "NO_COLOR, CLICOLOR_FORCE, CLICOLOR": "No colour if the first is set or the last "
    "is 0, as with `TERM=dumb`; colour in pipes, too, if the second is not 0.",
    "VISUAL, EDITOR": "The editor of `rule edit` and `memory edit`.",
    "SOURCE_DATE_EPOCH": "The time to use instead of the clock, in seconds since "
    "1970: for "
    "scripts that need reproducible output.",
    "XDG_CONFIG_HOME": "The folder of `toolmem/config.toml`, instead of ~/.config.",
    "XDG_STATE_HOME": "The folder of `toolmem/`, the user's local state, instead of "
    "~/.local/state.",
    "XDG_DATA_HOME": "The folder of `toolmem/vault`, the vault that `init --user` "
    "makes, instead of ~/.local/share.",
}
_FILES = {
    "toolmem.toml": "Marks a folder as a vault and contains its settings.",
    ".toolmem.toml": "In a project folder: a pointer with `vault`, "
    "`project` and `agent_type`.",
    "~/.config/toolmem/config.toml": "The user's own settings.",
    ".toolmem/": "In the vault: local state, ignored by git; deleting it loses no "
    "rule, fact or memory.",
    "~/.local/state/toolmem/": "Local state of the user. `crash.log` has details of "
    "internal errors, for a bug report.",
}
_DESCRIPTION = (
    "toolmem keeps what AI agents learn about their tools in a vault: a folder of "
    "TOML rules and markdown facts, guidance and memories that is an ordinary git "
    "repository. `toolmem prompt` prints the part that applies to an agent. "
    "The format of the vault is in `toolmem-vault`(5).",
    "Answers go to standard output, remarks to standard error. A command works on "
    "the vault of `--vault`, else of $TOOLMEM_VAULT, else on the first "
    "`toolmem.toml` or `.toolmem.toml` in or above the working folder, else on the "
    "user's "
    "default vault. Unless the user trusts a vault that was found above the working "
    "folder (`toolmem trust`), the rules of the user's own vault stay in force, too: "
    "VAULTS IN FORCE in `toolmem-vault`(5).",
)
_OUTPUT = (
    "With `--json` a command prints one JSON document: keys in snake_case, times in "
    "RFC 3339. Within a major version keys are only added, so ignore "
    "unknown keys. A failure is then one JSON object on standard error, "
    "with `code` (in brackets under EXIT STATUS) and `message`; what is not there has "
    "`found`: false, too.",
    "A date that is typed is a day of the local time zone: `--since` is its beginning, "
    "`--until` its end, `--expires` the midnight after it. Times "
    "are shown in local time, with its offset; files and JSON have them in UTC.",
    "`prompt` prints the same bytes for the same vault, flags and unexpired items.",
    "On a terminal tables have heads, and priorities, verdicts and files stand out. "
    "Neither a pipe nor a file gets heads or colour.",
)


_SERVERS = (
    "`rpc` and `mcp` talk over standard input and output, one JSON-RPC 2.0 message a "
    "line, until the input ends. What their flags and the environment name as project, "
    "agent type and agent applies to every request; with `--read-only` none can change "
    "anything. Requests are answered in order, and each reads the current "
    "state of the vault.",
    "A server keeps the search index open, and checks every file at each request.",
    "A method of `rpc` is a command's words with a dot between them (`rule.add`), its "
    "params are the command's options and arguments (`agent_type`), its result is what "
    "`--json` prints; a `project`, `agent_type` or `agent` among the params narrows "
    "the request. There are also `memory.tool_rule_put`, `_get`, `_list` and "
    "`_delete`, `memory.tool_rules_for_prompt`, `memory.tool_rules_json`, and "
    "`rpc.discover`, which describes them all. Error codes are those of JSON-RPC for "
    "an invalid request, -32001 for an operation that the launch does not allow, and "
    "otherwise -32000 minus the exit "
    "status below; `data` has its `code`. Remarks are in `remarks`, next to "
    "`result`.",
    "Configure `toolmem mcp` with `claude mcp add toolmem -- toolmem mcp`, "
    "`codex mcp add toolmem -- toolmem mcp` or `gemini mcp add toolmem toolmem mcp`. "
    "A file .mcp.json in the project with "
    '`{"mcpServers": {"toolmem": {"command": "toolmem", "args": ["mcp"]}}}` '
    "works for Claude Code and Copilot CLI, which ask before they use it; "
    ".cursor/mcp.json has the same form. OpenCode takes, in opencode.json, "
    '`{"mcp": {"toolmem": {"type": "local", "command": ["toolmem", "mcp"]}}}`.',
    "`mcp` needs the extra `mcp` of the package. What a model writes is marked as an "
    "agent's (`mcp`, where none is named), its rules are at most high, and the scopes "
    "of other agents are not accessible.",
)

_AGENTS = (
    "`toolmem agent install` adds hooks to an agent's settings and tries them on "
    "sample events; `toolmem agent test` repeats that, `toolmem agent uninstall` "
    "restores the "
    "settings. Where toolmem is neither on PATH nor where it was installed then, no "
    "call is checked, and the user reads so at the start of a session (in Codex, "
    "Copilot and OpenCode with the first message, in Cursor the model alone). Copilot "
    "shows what hooks say as progress. Codex runs the hooks once "
    "you trust the folder and review them with /hooks, Gemini CLI and Copilot once you "
    "trust the folder; `toolmem agent status` says what is missing. Cursor's hooks "
    "follow its documentation and goose's its source: neither was tried with the "
    "program itself. In Cline a denied call ends the run. "
    "goose reads the block in .goosehints, as its hooks cannot give it. Continue's cn "
    "(1.5.47) runs no hooks: it reads the block in .continue/rules, and its calls are "
    "not checked.",
    "There are no hooks for Amp, Auggie, Crush, Kilo and aider, and their calls are "
    "not checked: `toolmem export agents-md` writes the block for those that read "
    "AGENTS.md.",
    "The prompt block is given once: Claude Code, Codex, Cursor and droid get it at "
    "the start of a session, Gemini CLI, Qwen Code and Copilot with a message, "
    "OpenCode in its system prompt, Cline with the results of the first call. A "
    "resumed session gets what has changed in rules, facts and guidance. The block is "
    "made again after each event by which the model loses it: see below.",
    "On Linux the hooks of tool calls ask a helper first, a process of the session "
    "that has loaded toolmem; `--no-warm` leaves it out. Any other hook of the session "
    "starts it if it is missing, with default signals and only the variables that "
    "toolmem reads. It judges calls and records them in local state: it writes no "
    "vault, captures nothing and runs no program. What would take more, a call that "
    "names toolmem and every other event are left to the hook itself. It ends with the "
    "session, after 10 minutes without an event, when a file of toolmem or Python "
    "changes, and with `toolmem agent install` and `toolmem agent uninstall`.",
    "The helper answers a process only if that has its user, groups, capabilities, "
    "seccomp state, no-new-privileges, security label, root folder, namespaces, umask "
    "and those variables, as /proc shows them; for any other the hook runs as without "
    "it. A Landlock sandbox does not show there, and limits of resources are not "
    "compared. The socket is in toolmem/helpers below $XDG_RUNTIME_DIR, else below "
    "$XDG_STATE_HOME or ~/.local/state, in a folder that only the user can enter; "
    "programs of the user that can replace it can also change the hooks. If the answer "
    "is not there in 0.5 s the hook runs without it, and after two such answers for a "
    "minute without asking. Hooks find the client by links in ~/.local/state/toolmem. "
    "`toolmem agent status` and `toolmem doctor` say whether a helper answers.",
)


def manual(program: TyperGroup) -> str:
    """The manual page as roff."""
    return page("toolmem", 1, __version__, _sections(program))


def leaves(
    tree: TyperGroup, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], TyperCommand]]:
    """Every command that is not hidden, with the words that call it, by name."""
    for name, command in sorted(tree.commands.items()):
        if isinstance(command, TyperGroup):
            yield from leaves(command, (*path, name))
        elif isinstance(command, TyperCommand) and not command.hidden:
            yield (*path, name), command


def _sections(program: TyperGroup) -> Iterator[str]:
    yield section("Name")
    yield prose(f"toolmem - {_lower(program.help or '')}")
    yield section("Synopsis")
    yield f"{bold('toolmem')} [{_VAULT}] {italic('COMMAND')}"
    yield section("Description")
    for text in _DESCRIPTION:
        yield from paragraph(text)
    yield section("Options")
    yield from tagged(
        _VAULT,
        "The vault to work on; before or after the command.",
    )
    yield from tagged(f"{bold('-V')}, {bold('--version')}", "Print the version.")
    yield from tagged(f"{bold('-h')}, {bold('--help')}", "Print the help of a command.")
    yield from paragraph(
        "What answers takes `--project`, `--agent-type`, `--agent` and `--json`. "
        "These options mean the same in every command that has them:"
    )
    yield from _general(program)
    yield section("Commands")
    yield from paragraph("An argument is described with the first command that has it.")
    described: set[str] = set()
    for words, command in leaves(program):
        yield from _command(words, command, described)
    yield section("Output")
    for text in _OUTPUT:
        yield from paragraph(text)
    yield section("Agents")
    yield from _agents()
    yield section("Servers")
    for text in _SERVERS:
        yield from paragraph(text)
    yield section("Settings")
    yield from _settings()
    yield section("Exit status")
    yield from _exit_status()
    yield section("Environment")
    yield from _environment()
    yield section("Files")
    for name, text in _FILES.items():
        yield from tagged(italic(name), text)
    yield section("See also")
    yield f"{bold('toolmem-vault')}(5), {bold('git')}(1)"


def _command(
    words: tuple[str, ...], command: TyperCommand, described: set[str]
) -> Iterator[str]:
    options = [
        p
        for p in command.params
        if isinstance(p, TyperOption) and p.name not in _EVERYWHERE and not p.hidden
    ]
    arguments = [p for p in command.params if isinstance(p, TyperArgument)]
    usage = [bold(f"toolmem {' '.join(words)}"), *map(_argument, arguments)]
    usage += [_option(option) for option in options if option.required]
    general = [option for option in options if _is_general(option)]
    usage += [f"[{_option(option)}]" for option in general if not option.required]
    yield subsection(" ".join(usage))
    yield prose(command.help or "")
    for argument in arguments:
        about = f"{argument.metavar} {argument.help}"
        if not _is_general(argument) and about not in described:
            described.add(about)
            yield from tagged(italic(argument.metavar or ""), argument.help or "")
    for option in options:
        if option not in general:
            yield from tagged(_option(option), f"{option.help or ''}{_default(option)}")
    if lines := EXAMPLES.get(" ".join(words)):
        yield from example(lines)


def _is_general(parameter: TyperArgument | TyperOption) -> bool:
    """Return True for an argument that is described under Options."""
    general = _GENERAL.get(parameter.name or "")
    return general is not None and general.help == parameter.help


def _general(program: TyperGroup) -> Iterator[str]:
    """Describe arguments that mean the same in every command, once."""
    seen: dict[str, TyperOption] = {}
    for _, command in leaves(program):
        for one in command.params:
            if isinstance(one, TyperOption) and one.name != "vault":
                seen.setdefault(one.name or "", one)
    for name, one in sorted(seen.items()):
        if name in _GENERAL:
            yield from tagged(_option(one), _GENERAL[name].help)


def _argument(argument: TyperArgument) -> str:
    name = italic(argument.metavar or "")
    return name if argument.required else f"[{name}]"


def _option(option: TyperOption) -> str:
    names = ", ".join(map(bold, (*option.opts, *option.secondary_opts)))
    return names if option.is_flag else f"{names} {italic(option.metavar or '')}"


def _default(option: TyperOption) -> str:
    default = option.default
    return f" (default: {default})" if default and isinstance(default, str) else ""


def _agents() -> Iterator[str]:
    for text in _AGENTS:
        yield from paragraph(text)
    yield from paragraph("Events after which the block is made and given again:")
    given_again: dict[str, list[str]] = {}
    for agent in hooked():
        events = agent_of(agent).lost_after
        more = ("a transcript with the conversation replaced",) * (agent == "gemini")
        given_again.setdefault(", ".join((*events, *more)) or "none", []).append(agent)
    for events_of, agents in given_again.items():
        yield from tagged(", ".join(agents), events_of)
    yield from paragraph(
        "Hooks get these reports of a command that fails, of one that passes, and of "
        "the end of a turn. Where that is not answered, what is due goes to the model "
        "with the next message or not at all; an outcome that is not known is reported "
        "once and never denied twice:"
    )
    for agent, told in TOLD.items():
        failed = told.failure or "no event"
        end = "is answered" if told.stop_answered else "is not answered"
        ids = "" if told.call_ids else "; calls have no ids"
        parts = f"fails: {failed}; passes: {told.success}; {told.stop} {end}{ids}"
        yield from tagged(agent, parts)
    tried = json.loads(TRIED.read_text(encoding="utf-8"))
    versions = tried["versions"]
    yield from paragraph(
        "`make agents` runs real agents against a scripted model. Tried last: "
        + ", ".join(f"{agent} {number}" for agent, number in versions.items())
        + ". These behaviours were observed:"
    )
    rows: dict[str, list[str]] = {}
    for name, agents in tried["held"].items():
        rest = [agent for agent in agents if agent not in AGENTS[:5]]
        everyone = len(agents) - len(rest) == 5
        where = ", ".join(("the first five", *rest) if everyone else agents)
        rows.setdefault(where or "none", []).append(name)
    for where, names in rows.items():
        yield from tagged(where, f"{'; '.join(names)}.")


def _settings() -> Iterator[str]:
    yield from paragraph(
        "The first of these that sets a value is used: a flag, the environment, "
        "`.toolmem.toml`, the vault's `toolmem.toml`, the user's config.toml. "
        "`toolmem settings` shows each value and where it comes from. A vault is "
        "written by other people: it can set only the settings that say so, and none "
        "that "
        "runs a program."
    )
    places = {
        "vault": "toolmem.toml",
        "pointer": ".toolmem.toml",
        "user": "config.toml",
    }
    for setting in SETTINGS:
        where = [f"`{places[place]}`" for place in setting.where]
        if setting.env:
            where.append(f"${setting.env}")
        value = setting.default
        written = str(value).lower() if isinstance(value, bool) else value
        default = "" if value is None else f" Default: {written}."
        text = f"{setting.doc}{default} Set in: {', '.join(where)}."
        yield from tagged(bold(setting.name), text)


def _exit_status() -> Iterator[str]:
    yield from paragraph("New codes may be added: treat an unknown code as a failure.")
    texts_of: dict[int, list[str]] = {code: [text] for code, text in _EXITS.items()}
    for error in sorted(_kinds(ToolmemError), key=lambda e: e.code):
        text = " ".join((error.__doc__ or "").split("\n\n")[0].split())
        texts_of.setdefault(error.exit_code, []).append(f"{text} [{error.code}]")
    for code, texts in sorted(texts_of.items()):
        yield from tagged(bold(str(code)), *texts)


def _kinds(error: type[ToolmemError]) -> Iterator[type[ToolmemError]]:
    """Every kind of failure that has a code of its own."""
    for kind in error.__subclasses__():
        if kind.code != error.code:
            yield kind
        yield from _kinds(kind)


def _environment() -> Iterator[str]:
    yield from paragraph("Those of settings are under SETTINGS.")
    for name, text in _ENVIRONMENT.items():
        yield from tagged(bold(name), text)


def _lower(text: str) -> str:
    """Return a sentence in the form of the NAME section."""
    return text[:1].lower() + text[1:].rstrip(".")
