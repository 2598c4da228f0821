"""Guards that older versions stored in rule files: ignored, or a person's own."""

from collections.abc import Mapping

import pytest

from toolmem.core.formats.toml_edit import toml_document
from toolmem.core.guard.derivation.stored import read_rule
from toolmem.core.guard.derive import derive_guards
from toolmem.core.model import SYSTEM

SENTENCES = (
    "never use sudo",
    "never force-push",
    "never commit to main",
    "never push to main without a review",
    "never read .env",
    "never edit files outside the repo",
    "never delete anything in ~/notes",
    "never drop tables",
    "never email sarah@example.com",
    "never run `terraform apply` without `-var-file`",
    "don't use npm/yarn, use bun",
)


def explicit(text: str, *guards: Mapping[str, object]) -> object:
    """The guards of a file with these tables, as they are read."""
    table = {"id": "x", "tool": "shell", "rule": text, "guard": list(guards)}
    path = "system/rules/shell/x.toml"
    source = toml_document(table)
    file = read_rule(source, path=path, scope=SYSTEM, folder_tool="shell")
    return file.stated.get("guard")


@pytest.mark.parametrize("text", SENTENCES)
def test_what_the_text_derives_is_ignored(text):
    shown = {"derived": True, "match": ["anything"], "not_match": ["other"]}
    derived = derive_guards(text, "shell")
    assert explicit(text, *({**one, **shown} for one in derived)) is None
    own = {"action": "ask", "contains": "own"}
    stored = [{**one, "derived": True} for one in derived]
    assert explicit(text, *stored, own) == [own]


@pytest.mark.parametrize(
    ("text", "guard"),
    [
        (
            "never email Sarah at sarah@example.com",
            {"action": "deny", "contains": "sarah@example.com"},
        ),
        (
            "Never run `git add .` or `-A`",
            {
                "action": "deny",
                "command": [["git", "add", "."], ["git", "add", ".", "-A"]],
            },
        ),
        (
            "never run terraform apply in production",
            {
                "action": "deny",
                "command": ["terraform", "apply"],
                "match": ["terraform apply", "cd app && terraform apply"],
            },
        ),
        (
            "never email a@x.com unless I say so",
            {"action": "ask", "contains": "a@x.com", "note": "unless I say so"},
        ),
        ("never use sudo or doas", {"action": "deny", "command": ["sudo"]}),
    ],
)  # fmt: skip
def test_what_an_older_version_derived_is_ignored(text, guard):
    assert explicit(text, {**guard, "derived": True}) is None


EDITED = (
    {"action": "deny", "command": ["doas"]},
    {"action": "warn", "command": ["sudo"]},
    {"action": "ask", "command": ["sudo"]},
    {"action": "deny", "command": ["sudo"], "note": "ask Ada"},
    {"action": "deny", "command": [["sudo"], ["doas"]]},
    {"action": "deny", "contains": "su"*9},
)  # fmt: skip


@pytest.mark.parametrize("guard", EDITED)
def test_what_a_person_edited_is_explicit(guard):
    assert explicit("never use sudo", {**guard, "derived": True}) == [guard]
    assert explicit("never use sudo", {**guard, "derived": False}) == [guard]


def test_a_guard_that_was_widened_is_explicit():
    guard = {
        "action": "deny",
        "command": ["terraform"],
        "match": ["terraform apply", "cd app && terraform apply"],
    }
    stored = {**guard, "derived": True}
    assert explicit("never run terraform apply", stored) == [guard]
