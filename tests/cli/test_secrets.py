"""A credential is refused where it would be kept, and found where it is."""

import json

import pytest

from tests.hooks.players import Claude

TOKEN = "ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
REST = (
    "do not store secrets in a vault; write where the secret is stored instead "
    "(use --allow-secret if it is not one)"
)


@pytest.fixture
def vault(world):
    return world.vault("empty")


WRITES = {
    "rule add": (["rule", "add", "x", f"use {TOKEN}"], "the rule", "character 5"),
    "evidence": (
        ["rule", "add", "x", "a rule", "--evidence", TOKEN],
        "the evidence",
        "character 1",
    ),
    "fact set": (["fact", "set", "key", TOKEN], "the fact", "character 6"),
    "memory save": (
        ["memory", "save", f"# Deploying\n\nThe key is {TOKEN}, they say."],
        "the memory",
        "line 3, character 12",
    ),
}


@pytest.mark.parametrize("name", WRITES)
def test_a_text_with_a_credential_is_refused_with_kind_and_place(vault, name):
    command, what, place = WRITES[name]
    before = vault.files()
    vault.run(*command).exits(2)
    vault.stderr(
        f"toolmem: {what} contains a secret (GitHub token) at {place}: {REST}\n"
    )
    vault.settle()
    assert vault.files() == before
    done = vault.call(*command, "--json")
    assert json.loads(done.stderr)["code"] == "secret"
    assert vault.call(*command, "--allow-secret").code == 0
    assert any(TOKEN.encode() in data for data in vault.files().values())


@pytest.mark.parametrize(
    "change",
    [
        ["rule", "edit", "00000001", "--text", f"use {TOKEN}"],
        ["rule", "edit", "00000001", "--evidence", TOKEN],
        ["rule", "override", "00000001", "--scope", "project:x", "--text", TOKEN],
        [
            *("rule", "override", "00000001", "--scope", "project:x", "--disable"),
            *("--reason", TOKEN),
        ],
    ],
)
def test_a_change_with_a_credential_is_refused(vault, change):
    vault.call("rule", "add", "x", "a rule")
    before = vault.files()
    assert vault.call(*change).code == 2
    assert vault.files() == before
    assert vault.call(*change, "--allow-secret").code == 0


def test_an_editor_is_no_way_round(vault, monkeypatch, tmp_path):
    vault.call("rule", "add", "x", "a rule")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setenv("EDITOR", f"sed -i 's/a rule/use {TOKEN}/'")
    done = vault.call("rule", "edit", "00000001")
    assert (done.code, "GitHub token" in done.stderr) == (2, True)
    assert vault.call("rule", "edit", "00000001", "--allow-secret").code == 0
    monkeypatch.setenv("EDITOR", "sed -i s/use.ghp/take=ghp/")
    assert vault.call("rule", "edit", "00000001").code == 0  # it is no new secret


def test_check_finds_credentials_in_every_file(vault):
    vault.write("system/facts.md", f"## project\nkey: {TOKEN}\n")
    vault.write("system/memory/note.md", f"# Note\n\nIt is {TOKEN}\n")
    vault.write("README.md", f"{TOKEN}\n")
    vault.write("archive/old.toml", f'x = "{TOKEN}"\n')
    found = [
        f"{path}: secret a secret (GitHub token) at column {column}"
        for path, column in (
            ("README.md:1", 1),
            ("archive/old.toml:1", 6),
            ("system/facts.md:2", 6),
            ("system/memory/note.md:3", 7),
        )
    ]
    vault.run("check", "--secrets").exits(1).stdout("\n".join(found) + "\n")
    vault.settle()
    assert TOKEN not in vault.call("check", "--secrets", "--json").stdout


def test_check_finds_what_was_deleted_in_history(vault):
    vault.write("system/facts.md", f"## project\nkey: {TOKEN}\n")
    commit = vault.commit("a slip")
    vault.git("checkout", "--quiet", "-b", "other")
    vault.write("system/facts.md", "## project\nkey: elsewhere\n")
    vault.commit("mended")
    vault.run("check", "--secrets").stdout("")
    vault.run("check", "--secrets", "--history").exits(1).stdout(
        "system/facts.md:2: secret-in-history a secret (GitHub token) at column 6, "
        f"since commit {commit[:8]}\n"
    )


def test_check_looks_into_the_vaults_own_part_of_a_repository(world):
    world.write("elsewhere.txt", f"{TOKEN}\n")
    world.write("vault/toolmem.toml", "schema = 1\n")
    world.write("vault/system/facts.md", f"## project\nkey: {TOKEN}\n")
    commit = world.commit()
    world.write("vault/system/facts.md", "")
    world.run("check", "--secrets", "--history", "--vault", "vault").exits(1).stdout(
        "system/facts.md:2: secret-in-history a secret (GitHub token) at column 6, "
        f"since commit {commit[:8]}\n"
    )


def test_history_needs_git_and_secrets(vault):
    vault.run("check", "--history").exits(2)
    vault.stderr("toolmem: --history needs --secrets\n")
    vault.run("check", "--secrets", "--history").exits(12)
    vault.stderr("toolmem: /world is not in a git repository\n")


def test_an_empty_repository_has_no_history(vault):
    vault.git("init", "--quiet")
    vault.run("check", "--secrets", "--history").stdout("")


WORD = "hunter2" + "Zx9Qw7"
PLAIN = [
    f"Never commit the password {WORD} to git.",
    f"Always log in with the passphrase {WORD} when you deploy.",
    f"From now on never use the token {WORD} again.",
    f"Never paste {WORD}, which is my password, into a chat.",
    f"Never call https://ci.test/build?token={WORD} by hand.",
    f"Always log in with password {WORD}!",
    f"Always run `docker login -u me -p {WORD}` first.",
]


@pytest.mark.parametrize("text", PLAIN)
@pytest.mark.parametrize(
    "command",
    [
        ["rule", "add", "git"],
        ["rule", "add", "git", "never so", "--evidence"],
        ["rule", "add", "git", "never so", "--tag"],
        ["fact", "set", "note"],
        ["memory", "save"],
        ["memory", "save", "A note", "--topic"],
        ["memory", "save", "A note", "--tag"],
        ["memory", "save", "A note", "--source-task"],
    ],
    ids=" ".join,
)
def test_a_credential_in_a_plain_sentence_is_kept_nowhere(vault, command, text):
    before = vault.files()
    done = vault.call(*command, text)
    assert (done.code, WORD in done.stdout + done.stderr) == (2, False)
    assert vault.files() == before


@pytest.mark.parametrize("text", PLAIN)
def test_a_decree_with_a_credential_is_kept_and_shown_nowhere(vault, text):
    lines = [
        {"role": "user", "content": text},
        {"role": "assistant", "content": "I will not."},
    ]
    transcript = "\n".join(map(json.dumps, lines))
    done = vault.call("capture", "-", "--json", stdin=transcript)
    assert (done.code, WORD in done.stdout + done.stderr) == (0, False)
    event = {"session_id": "s", "prompt": text, "cwd": str(vault.root)}
    event |= {"hook_event_name": "UserPromptSubmit"}
    hook = Claude(vault.root).run("prompt", json.dumps(event))
    said = hook.stdout.decode() + hook.stderr
    assert (hook.code, WORD in said) == (0, False)
    everything = vault.root.rglob("*")
    kept = [p for p in everything if p.is_file() and WORD.encode() in p.read_bytes()]
    named = [
        path for path in vault.root.rglob("*") if WORD.lower() in str(path).lower()
    ]
    assert (kept, named) == ([], [])
