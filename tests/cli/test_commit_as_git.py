"""``commit`` and ``sync`` leave out the files that git itself would leave out."""

import subprocess

import pytest

RULE = "system/rules/shell/never-push-a0000001.toml"
TEXT = 'id = "a0000001"\ntool = "shell"\nrule = "never push"\npriority = "high"\n'
DOOR = "system/memory/door-a00001.md"
FACTS = "system/facts.md"


@pytest.fixture
def vault(world):
    world.vault("empty").write(RULE, TEXT).write(".gitignore", "/.toolmem/\n")
    world.write(FACTS, "## project\nport: 80\n").commit()
    return world


def committed(world):
    return world.git("show", "--name-only", "--format=", "HEAD").split()


@pytest.mark.parametrize("place", [".gitignore", ".git/info/exclude", "global"])
def test_what_git_ignores_is_not_committed(vault, place):
    if place == "global":
        vault.git("config", "core.excludesFile", f"{vault.root}/.git/mine")
        place = ".git/mine"
    vault.write(place, "/.toolmem/\nsecret-*\n")
    vault.write("system/memory/secret-a00002.md", "# Not for others\n")
    vault.write(DOOR, "# The door opens at nine\n")
    assert vault.call("commit", "system/memory/secret-a00002.md").code == 12
    assert vault.call("commit").code == 0
    assert DOOR in committed(vault)
    assert "system/memory/secret-a00002.md" not in vault.git("ls-files")


def test_a_clone_of_another_repository_in_the_folder_is_none_of_ours(vault):
    vault.git("init", "--quiet", "system/memory/other")
    vault.write("system/memory/other/facts.md", "# Theirs\n").write(
        DOOR, "# The door\n"
    )
    assert vault.call("commit", DOOR).code == 0
    assert committed(vault) == [DOOR]


def test_what_git_tracks_is_committed_though_a_pattern_ignores_it(vault):
    vault.write(".git/info/exclude", "*.toml\n")
    vault.write(RULE, TEXT.replace("push", "pull"))
    assert vault.call("commit").code == 0
    assert committed(vault) == [RULE]


@pytest.mark.parametrize("mark", ["--skip-worktree", "--assume-unchanged"])
def test_a_file_that_git_was_told_not_to_look_at_is_not_committed(vault, mark):
    vault.git("update-index", mark, RULE)
    vault.write(RULE, TEXT.replace("push", "pull")).write(DOOR, "# The door\n")
    assert vault.call("commit").code == 0
    assert committed(vault) == [DOOR]


def test_a_sparse_checkout_deletes_nothing(vault):
    vault.write("projects/p/facts.md", "## project\na: 1\n").commit()
    vault.git("sparse-checkout", "set", "system")
    assert not (vault.root / "projects").exists()
    vault.run("commit").stderr("toolmem: nothing to commit\n").exits(1)
    vault.write(DOOR, "# The door\n")
    assert vault.call("commit").code == 0
    assert committed(vault) == [DOOR]
    assert vault.git("status", "--porcelain") == ""
    assert "projects/p/facts.md" in vault.git("ls-tree", "-r", "--name-only", "HEAD")


def test_sync_takes_what_a_sparse_checkout_leaves_out_into_git_alone(
    vault, tmp_path_factory
):
    outside = tmp_path_factory.mktemp("outside")
    vault.write("projects/p/facts.md", "## project\na: 1\n").commit()
    remote, other = outside / "remote.git", outside / "other"
    vault.git("clone", "--quiet", "--bare", str(vault.root), str(remote))
    vault.git("remote", "add", "origin", str(remote))
    vault.git("fetch", "--quiet", "origin")
    vault.git("branch", "--quiet", "--set-upstream-to=origin/main")
    subprocess.run(["git", "clone", "-q", str(remote), str(other)], check=True)
    place = other / "projects/p/facts.md"
    place.write_text("## project\na: 2\n")
    for words in (["commit", "-qam", "two"], ["push", "-q"]):
        subprocess.run(["git", "-C", str(other), *words], check=True)
    vault.git("sparse-checkout", "set", "system")
    assert vault.call("sync").code == 0
    assert not (vault.root / "projects").exists()
    assert vault.git("status", "--porcelain") == ""
    assert vault.git("show", "HEAD:projects/p/facts.md") == "## project\na: 2\n"


@pytest.mark.parametrize(
    ("path", "text", "subject"),
    [
        (RULE, f"# a comment\n{TEXT}", "Change a rule of shell: never push"),
        (FACTS, "## project\nport: 80\n\nWe like it.\n", f"Change {FACTS}"),
        (FACTS, "<!-- ours -->\n## project\nport: 80\n", f"Change {FACTS}"),
        ("toolmem.toml", "schema = 1\n# mine\n", "Change toolmem.toml"),
        (RULE, f"{TEXT}updated_at = 2026-04-20T12:00:00Z\n", None),
    ],
)
def test_a_change_of_comments_prose_and_times_is_committed(vault, path, text, subject):
    vault.write(path, text)
    assert vault.call("commit").code == 0
    assert committed(vault) == [path]
    assert vault.git("status", "--porcelain") == ""
    if subject:
        assert vault.git("log", "-1", "--format=%s").strip() == subject


@pytest.mark.parametrize(
    ("setting", "attributes"),
    [("true", ""), ("input", ""), ("false", "*.toml text=auto\n*.md text eol=crlf\n")],
)
def test_line_ends_are_stored_as_git_stores_them(vault, setting, attributes):
    vault.git("config", "core.autocrlf", setting)
    if attributes:
        vault.write(".gitattributes", attributes).commit()
    changed = TEXT.replace("push", "pull")
    vault.write(RULE, changed.replace("\n", "\r\n"))
    vault.write(DOOR, "# The door\r\n\r\nOpens.\r\n")
    assert vault.call("commit").code == 0
    assert vault.git("show", f"HEAD:{RULE}") == changed
    assert vault.git("show", f"HEAD:{DOOR}") == "# The door\n\nOpens.\n"
    assert vault.git("diff", "--numstat", "HEAD~", "HEAD", "--", RULE) == (
        f"1\t1\t{RULE}\n"
    )
    assert vault.git("status", "--porcelain") == ""


def test_line_ends_that_are_stored_so_already_stay(vault):
    vault.write(RULE, TEXT.replace("\n", "\r\n")).commit()
    vault.git("config", "core.autocrlf", "true")
    changed = TEXT.replace("push", "pull").replace("\n", "\r\n")
    vault.write(RULE, changed)
    assert vault.call("commit").code == 0
    stored = subprocess.run(
        ["git", "-C", str(vault.root), "show", f"HEAD:{RULE}"],
        check=True,
        capture_output=True,
    )
    assert stored.stdout.decode() == changed


@pytest.mark.parametrize(
    ("command", "end"),
    [
        ("cherry-pick", "git cherry-pick --continue"),
        ("revert", "git revert --continue"),
        ("rebase", "git rebase --continue"),
        ("merge", "git commit"),
    ],
)
def test_git_ends_what_it_is_in_the_middle_of(vault, command, end):
    vault.git("switch", "--quiet", "--create", "side")
    vault.write("notes.txt", "side\n").commit("side")
    vault.git("switch", "--quiet", "main")
    vault.write("notes.txt", "main\n").commit("main")
    words = {"revert": ["revert", "side"], "rebase": ["rebase", "side"]}
    with pytest.raises(subprocess.CalledProcessError):
        vault.git(*words.get(command, [command, "side"]))
    vault.write(DOOR, "# The door\n")
    done = vault.call("commit")
    assert (done.code, done.stderr) == (
        13,
        f"toolmem: git is in the middle of a {command}: finish it with `{end}`\n",
    )
    assert vault.call("sync").stderr == done.stderr
