"""Prompts that a user of a client can choose."""

from collections.abc import Mapping
from typing import NamedTuple

from toolmem.api.vault import Vault
from toolmem.errors import UsageError
from toolmem.servers import resources
from toolmem.servers.tool_calls import call_tool
from toolmem.servers.tool_table import BY_NAME


class UserPrompt(NamedTuple):
    """A prompt; its arguments are names with descriptions, needed or not."""

    name: str
    about: str
    arguments: tuple[tuple[str, str, bool], ...]


_PROJECT = ("project", "the project's name", False)
PROMPTS = (
    UserPrompt(
        "block",
        "What to know about a project: rules, facts, guidance",
        (_PROJECT, ("task", "adds memories about it", False)),
    ),
    UserPrompt(
        "rules_in_force",
        "Every rule in force, of one tool or of all",
        (_PROJECT, ("tool", "a tool's name", False)),
    ),
    UserPrompt(
        "what_do_you_know",
        "What the vault has about something",
        (_PROJECT, ("about", "words to search for", True)),
    ),
)


def prompt_text(vault: Vault, name: str, given: Mapping[str, str]) -> str:
    """Return the text of a prompt.

    Raises ``UsageError`` for an unknown one, and for arguments that it does not have.
    """
    prompt = next((known for known in PROMPTS if known.name == name), None)
    if prompt is None:
        names = ", ".join(repr(known.name) for known in PROMPTS)
        raise UsageError(f"no prompt {name!r}: there are {names}")
    arguments = [argument for argument, _, _ in prompt.arguments]
    for argument in given:
        if argument not in arguments:
            raise UsageError(f"no argument {argument!r} ({', '.join(arguments)})")
    narrow = vault.narrowed(project=given.get("project", ""))
    if name == "block":
        return resources.block_text(narrow, given.get("task", ""))
    if name == "rules_in_force":
        return resources.rules_text(narrow, given.get("tool", ""))
    about = given.get("about", "")
    if not about.strip():
        raise UsageError("the argument 'about' has no words to search for")
    answer = call_tool(narrow, BY_NAME["memory_recall"], {"query": about})
    return f"What do you know about {about}? The vault has:\n\n" + "\n".join(
        part["text"] for part in answer["content"]
    )
