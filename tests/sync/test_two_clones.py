"""Two clones of a vault live on, with git as people have it, and end the same.

No line of either side is lost, nothing that git ignores is published, ``check`` is
content or names a conflict, and both prompts end equal.
"""

import json
import random
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    rule,
    run_state_machine_as_test,
)

from tests.examples import examples
from tests.sync.checked import defects
from tests.world import Done, World

FACTS = "projects/p/facts.md"
GUIDANCE = "system/guidance/asking.md"
RULE = "system/rules/shell/never-push-a0000001.toml"
SETTINGS = "toolmem.toml"
MEMORIES = ("door-a00001", "gate-a00002", "wall-a00003")
SCOPES = ("system", "project:p", "agent-type:coding")
CHAIN = ("--project", "p", "--agent-type", "coding")
FILES = {
    SETTINGS: "schema = 1\n\n[access]\nrelevance = 50\n",
    "tools/shell.toml": 'name = "shell"\naliases = ["bash"]\n',
    FACTS: "# Facts\n\nFirst words.\n\n## project\nport: 80\n\n```\nhost: code\n```\n",
    GUIDANCE: "Ask first.\n\nThen act.\n",
    RULE: 'id = "a0000001"\ntool = "shell"\nrule = "never push"\npriority = "high"\n',
    **{
        f"projects/p/memory/{name}.md": f"---\ntags: [p]\n---\n# {name}\n\nSome text.\n"
        for name in MEMORIES
    },
}
WHO = st.sampled_from("ab")
_WORD = re.compile(r"\b[ab]\d+word\b")


class TwoClones(RuleBasedStateMachine):
    """Ada's and Bob's clones; ``words`` are lines that must not get lost."""

    @initialize(seed=st.integers(0, 1 << 16), crlf=st.booleans())
    def begin(self, seed: int, crlf: bool) -> None:
        self.random = random.Random(seed)
        self.top = Path(tempfile.mkdtemp())
        first = World(self.top / "first")
        for path, text in FILES.items():
            first.write(path, text)
        first.write(".gitignore", "/.toolmem/\nprivate-*\n").commit("a vault")
        remote = self.top / "remote.git"
        first.git("clone", "--quiet", "--bare", str(first.root), str(remote))
        self.worlds = {}
        for name in "ab":
            world = self.worlds[name] = World(self.top / name)
            command = ["git", "clone", "--quiet", str(remote), str(world.root)]
            subprocess.run(command, check=True, capture_output=True)
            world.git("config", "core.editor", "true")
            self.call(world, "git", "install")
        if crlf:
            self.worlds["b"].git("config", "core.autocrlf", "true")
        self.words: set[str] = set()
        self.number = 0

    def teardown(self) -> None:
        if hasattr(self, "top"):
            try:
                self.settle_down()
            finally:
                shutil.rmtree(self.top)

    def call(self, world: World, *words: str) -> Done:
        done = world.call(*words)
        assert "bug in toolmem" not in done.stderr, done
        return done

    def must(self, world: World, *words: str) -> str:
        done = self.call(world, *words)
        assert done.code == 0, done
        return done.stdout

    def word(self, who: str) -> str:
        self.number += 1
        return f"{who}{self.number}word"

    def change(self, who: str, path: str, was: str, now: str) -> None:
        """Replace a text in a file that a clone has, with its line ends."""
        world = self.worlds[who]
        place = world.root / path
        if place.is_file():
            text = world.read(path)
            end = "\r\n" if "\r\n" in text else "\n"
            was, now = was.replace("\n", end), now.replace("\n", end)
            if was in text:
                world.write(path, text.replace(was, now, 1))
                self.words |= set(_WORD.findall(now))

    def forget(self, text: str) -> None:
        """Forget words that a person deliberately removed."""
        self.words = {word for word in self.words if word not in text}

    # What people do

    @rule(who=WHO, place=st.sampled_from(["prose", "code", "guidance", "comment"]))
    def add_a_line(self, who: str, place: str) -> None:
        path, was = {
            "prose": (FACTS, "First words.\n"),
            "code": (FACTS, "host: code\n"),
            "guidance": (GUIDANCE, "Then act.\n"),
            "comment": (RULE, 'tool = "shell"\n'),
        }[place]
        line = {"comment": "# {}\n", "code": "{}: code\n"}.get(place, "The {}.\n")
        if (self.worlds[who].root / path).is_file():
            self.change(who, path, was, was + line.format(self.word(who)))

    @rule(who=WHO, name=st.sampled_from(MEMORIES))
    def edit_a_memory(self, who: str, name: str) -> None:
        world = self.worlds[who]
        for path in sorted(world.files()):
            if path.endswith(f"{name}.md") and not path.startswith("archive/"):
                line = f"Some text.\n\nMore of {self.word(who)}.\n"
                self.change(who, path, "Some text.\n", line)
                return

    @rule(who=WHO)
    def reword_the_prose(self, who: str) -> None:
        world = self.worlds[who]
        if not (world.root / FACTS).is_file():
            return
        text = world.read(FACTS)
        line = next(ln for ln in text.split("\n") if ln.startswith("First words."))
        now = f"First words. Now {self.word(who)}."
        self.forget(line)
        self.change(who, FACTS, line.rstrip("\r"), now)

    @rule(who=WHO, key=st.sampled_from(["port", "city", "team"]))
    def set_a_fact(self, who: str, key: str) -> None:
        value = str(self.random.randrange(5))
        self.must(self.worlds[who], "fact", "set", key, value, "--project", "p")

    @rule(who=WHO, limit=st.integers(1, 4))
    def change_a_setting(self, who: str, limit: int) -> None:
        self.change(who, SETTINGS, "relevance = 50", f"relevance = {limit}")

    @rule(who=WHO, name=st.sampled_from(MEMORIES))
    def retire(self, who: str, name: str) -> None:
        self.call(self.worlds[who], "memory", "archive", name, "--reason", "old")

    @rule(who=WHO, name=st.sampled_from(MEMORIES), scope=st.sampled_from(SCOPES))
    def promote(self, who: str, name: str, scope: str) -> None:
        self.call(self.worlds[who], "memory", "move", name, "--scope", scope)

    @rule(who=WHO, name=st.sampled_from(MEMORIES))
    def restore(self, who: str, name: str) -> None:
        self.call(self.worlds[who], "restore", name)

    @rule(who=WHO, name=st.sampled_from(MEMORIES))
    def delete(self, who: str, name: str) -> None:
        held = self.worlds[who].files()
        texts = (data.decode() for path, data in held.items() if name in path)
        self.forget("".join(texts))
        self.call(self.worlds[who], "memory", "delete", name)

    @rule(who=WHO)
    def keep_something_private(self, who: str) -> None:
        path = "projects/p/memory/private-note.md"
        self.worlds[who].write(path, "# Nothing for others\n")

    @rule(who=WHO)
    def leave_out_a_folder(self, who: str) -> None:
        self.commit(who)
        self.worlds[who].git("sparse-checkout", "set", "projects", "tools")

    @rule(who=WHO)
    def have_it_all_again(self, who: str) -> None:
        self.commit(who)
        self.worlds[who].git("sparse-checkout", "disable")

    # What they share

    @rule(who=WHO)
    def commit(self, who: str) -> None:
        done = self.call(self.worlds[who], "commit")
        assert done.code in (0, 1), done

    @rule(who=WHO)
    def sync(self, who: str) -> None:
        world = self.worlds[who]
        self.commit(who)
        done = self.call(world, "sync")
        assert done.code in (0, 1), done
        if done.code:
            self.resolve(world)
            self.commit(who)
            self.must(world, "sync")

    @rule(who=WHO, how=st.sampled_from(["merge", "rebase", "cherry-pick"]))
    def use_git(self, who: str, how: str) -> None:
        world = self.worlds[who]
        self.commit(who)
        world.git("fetch", "--quiet")
        if not world.git("rev-list", "HEAD..origin/main").strip():
            return
        parents = world.git("rev-list", "--parents", "-n1", "origin/main").split()
        if how == "cherry-pick" and len(parents) > 2:
            return  # a merge is no change of one side
        try:
            world.git(how, "origin/main")
        except subprocess.CalledProcessError:
            self.end_of(world, how)

    def end_of(self, world: World, how: str) -> None:
        for _ in range(20):
            if not self.is_busy(world):
                return
            if world.git("ls-files", "--unmerged"):  # else it comes to nothing
                self.resolve(world)
            assert not world.git("ls-files", "--unmerged"), self.call(world, "resolve")
            staged = world.git("diff", "--cached", "--name-only", "HEAD")
            try:
                if how == "merge":
                    world.git("commit", "--quiet", "--no-edit")
                else:
                    world.git(how, "--continue" if staged else "--skip")
            except subprocess.CalledProcessError:
                assert world.git("ls-files", "--unmerged")
        raise AssertionError(f"{how} does not end")

    def is_busy(self, world: World) -> bool:
        folder = world.root / ".git"
        names = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "rebase-merge", "rebase-apply")
        return any((folder / name).exists() for name in names)

    def resolve(self, world: World) -> None:
        """Settle everything, so that no text is lost."""
        assert self.call(world, "check").code == 1
        self.call(world, "resolve")
        for path, key, ours in self.opened(world):
            if key.startswith("text:"):
                side = "both"
            else:
                side = "theirs" if ours == "deleted" else "ours"
            # 1 where others of the file are open still
            done = self.call(world, "resolve", path, "--key", key, "--take", side)
            assert done.code in (0, 1), done
        assert self.opened(world) == []

    def opened(self, world: World) -> list[tuple[str, str, str]]:
        document = json.loads(self.call(world, "resolve", "--json").stdout)
        found = [(one["path"], one["key"], one["ours"]) for one in document["open"]]
        return found[::-1]  # from the last, so that numbers of stretches stay

    # How it ends

    def settle_down(self) -> None:
        for who in "ab":
            self.worlds[who].git("sparse-checkout", "disable")
        for who in "aba":
            self.sync(who)
        ada, bob = self.worlds["a"], self.worlds["b"]
        published = ada.git("ls-tree", "-r", "--name-only", "origin/main")
        assert "private-" not in published
        texts = "\n".join(
            data.decode().replace("\r\n", "\n") for data in ada.files().values()
        )
        assert {word for word in self.words if word not in texts} == set()
        for world in (ada, bob):
            assert defects(world) == []
            assert world.git("status", "--porcelain") == ""
        assert ada.git("rev-parse", "HEAD^{tree}") == bob.git(
            "rev-parse", "HEAD^{tree}"
        )
        prompts = [self.must(world, "prompt", *CHAIN) for world in (ada, bob)]
        assert prompts[0] == prompts[1]


def test_two_clones_end_the_same():
    few = settings(examples(10), max_examples=2, stateful_step_count=6)
    run_state_machine_as_test(TwoClones, settings=few)


@pytest.mark.soak
def test_and_so_they_do_for_long():
    run_state_machine_as_test(TwoClones, settings=examples(100, stateful_step_count=30))
