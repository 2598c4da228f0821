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
        ("No quiero que lances `make publish`, nunca.", "ask"),
        ("Pas de `git rebase`, c'est clair ?", None),
        ("Pas de `git rebase`.", "deny"),
        ("没有确认就不能运行 `helm rollback`。", "ask"),
        ("勝手に `npm update` するのはなしで。", "ask"),
        ("Nutze `uv add`, nicht `pip install`.", "deny"),
        ("Vergiss nicht, `make lint` laufen zu lassen.", None),
        ("Ich habe `make docs` nie benutzt.", None),
        ("there is no `make lint` here", None),
    ],
)
def test_a_quoted_command_that_is_forbidden_is_guarded(text, action):
    found = [one["action"] for one in derived_guards(text, "shell")]
    assert found == ([action] if action else [])


def test_of_two_commands_the_one_in_the_clause_of_the_ban_is_guarded():
    texts = [
        "Nutze `uv add`, nicht `pip install`.",
        "请用 `uv add`，不要用 `pip install`",
    ]
    found = [derived_guards(text, "shell")[0]["command"] for text in texts]
    assert found == [["pip", "install"]] * 2
