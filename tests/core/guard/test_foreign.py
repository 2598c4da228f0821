"""Bans of quoted commands in other languages than English."""

import pytest

from toolmem.core.guard.derivation.stated import derived_guards


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("Führe niemals `git push --force` aus.", "deny"),
        ("Nunca ejecutes `docker compose down`.", "deny"),
        ("禁止使用 `git push --force`。", "deny"),
        ("Bitte nie `npm install` ohne meine Freigabe.", "ask"),
        ("`terraform apply` は本番では使わないでください。", "ask"),
        ("Est-ce qu'il ne faut jamais lancer `terraform apply` ?", None),
        ("Benutze `pnpm install`.", None),
    ],
)
def test_a_quoted_command_that_is_forbidden_is_guarded(text, action):
    found = [one["action"] for one in derived_guards(text, "shell")]
    assert found == ([action] if action else [])
