"""Answers that look only at what changed are those of looking at everything."""

import hashlib
import os
import shutil
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from tests.examples import examples
from tests.world import START
from toolmem.core.visibility import Audience
from toolmem.ops.doctor.check import check_vault
from toolmem.store.files.tree import DiskTree
from toolmem.store.git.diff import History
from toolmem.store.git.repo import Repo
from toolmem.store.vault.discover import find_vault
from toolmem.store.vault.vault import Vault
from toolmem.store.vault.worktree import differing, is_ours

_FOLDERS = ("system", "projects/p", "projects/P", "agents/a%20b", "archive/system")
_NAMES = ("memory/one", "memory/two", "memory/sub/one", "memory/-rf", "memory/häuser")
_PATHS = st.one_of(
    st.builds("{}/{}.md".format, st.sampled_from(_FOLDERS), st.sampled_from(_NAMES)),
    st.builds(
        "{}/rules/{}.toml".format,
        st.sampled_from(_FOLDERS),
        st.sampled_from(["shell/a", "shell/b", "mail/a", "stray", "_any/c"]),
    ),
    st.sampled_from(["tools/shell.toml", "tools/x.toml", "system/facts.md"]),
    st.sampled_from(["system/profile.md", "system/guidance/g.md", "README.md"]),
    st.sampled_from([".gitignore", "system/memory/picture.png"]),
)
_TEXTS = st.sampled_from(
    [
        "# Kiln\n\nThe kiln is hot.\n",
        "---\ncontested_with: [two]\n---\n# Kiln\n",
        "---\ncontested_with: two\ntags: {x\n---\n# Kiln\n",
        "---\nprivate: true\n---\n# Kiln\n",
        "# Kiln\n\n<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n",
        "# Ki\u200bln\n\nzero width\n",
        'id = "a0000001"\ntool = "shell"\nrule = "never push"\npriority = "critical"\n',
        'id = "a0000001"\nenabled = false\nreason = "old"\n',
        'id = "a0000002"\ntool = "mail"\nrule = "ask"\nexpires_at = 2020-01-01\n',
        'rule = "no id"\nunknown = 1\n',
        "schema = 1\n",
        "## project\nport: 80\nport: 81\n",
        "/.toolmem/\nsub/\n",
        'aliases = ["bash", "x"]\n',
        "",
    ]
)


class Life(RuleBasedStateMachine):
    """A vault that is edited by hand and by git."""

    @initialize()
    def begin(self) -> None:
        self.root = Path(tempfile.mkdtemp()) / "vault"
        self.write("toolmem.toml", "schema = 1\n")
        self.write("system/memory/one.md", "# Kiln\n")
        self.write(".gitignore", "/.toolmem/\n")
        self.git("init", "--quiet", "--initial-branch=a")
        self.commit()
        self.git("branch", "b")

    def teardown(self) -> None:
        shutil.rmtree(self.root.parent)

    def git(self, *words: str, check: bool = True) -> bytes:
        return subprocess.run(
            ["git", *words], cwd=self.root, check=check, capture_output=True
        ).stdout

    def file(self, path: str) -> Path | None:
        file = self.root / path
        return file if file.is_file() else None

    def write(self, path: str, text: str) -> None:
        file = self.root / path
        if not any(parent.is_file() for parent in file.parents):
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)

    @rule(path=_PATHS, text=_TEXTS)
    def add(self, path, text) -> None:
        self.write(path, text)

    @rule(path=_PATHS)
    def edit_in_place_to_the_same_size(self, path) -> None:
        if file := self.file(path):
            with file.open("r+b") as opened:
                data = opened.read().swapcase()
                opened.seek(0)
                opened.write(data)

    @rule(path=_PATHS)
    def convert_line_ends(self, path) -> None:
        if file := self.file(path):
            data = file.read_bytes().replace(b"\r\n", b"\n")
            file.write_bytes(data.replace(b"\n", b"\r\n"))

    @rule(path=_PATHS)
    def delete(self, path) -> None:
        (self.root / path).unlink(missing_ok=True)

    @rule(path=_PATHS, to=_PATHS)
    def rename(self, path, to) -> None:
        if (file := self.file(path)) and (self.root / to).parent.is_dir():
            file.replace(self.root / to)

    @rule(path=_PATHS, mode=st.sampled_from([0o644, 0o755]))
    def chmod(self, path, mode) -> None:
        if file := self.file(path):
            file.chmod(mode)

    @rule(path=_PATHS, years=st.sampled_from([-10, 10]))
    def touch(self, path, years) -> None:
        if file := self.file(path):
            moment = file.stat().st_mtime + years * 366 * 86_400
            os.utime(file, (moment, moment))

    @rule(path=_PATHS, to=st.sampled_from(["one.md", "nowhere", "/etc"]))
    def link(self, path, to) -> None:
        if file := self.file(path):
            file.unlink()
            file.symlink_to(to)

    @rule(path=_PATHS, to=st.sampled_from(["FIFO", "folder", "Twin"]))
    def put_another_kind_next_to_it(self, path, to) -> None:
        place = self.root / path
        if place.parent.is_dir() and not (place.parent / to).exists():
            make = {"FIFO": os.mkfifo, "folder": os.mkdir, "Twin": os.mkdir}
            make[to](place.parent / to)
            if to == "Twin":
                self.write(f"{path.rpartition('/')[0]}/twin", "x")

    @rule(folder=st.sampled_from(_FOLDERS), to=st.sampled_from(["archive", "system/x"]))
    def move_a_folder(self, folder, to) -> None:
        place = self.root / to / "moved"
        if (self.root / folder).is_dir() and not place.exists():
            place.parent.mkdir(parents=True, exist_ok=True)
            with suppress(OSError):
                (self.root / folder).rename(place)

    @rule(path=_PATHS)
    def stage(self, path) -> None:
        self.git("add", "--force", "--", path, check=False)

    @rule(path=_PATHS)
    def unstage(self, path) -> None:
        self.git("rm", "--quiet", "--cached", "--", path, check=False)

    @rule(path=_PATHS, mark=st.sampled_from(["assume-unchanged", "skip-worktree"]))
    def pass_over(self, path, mark) -> None:
        self.git("update-index", f"--{mark}", "--", path, check=False)

    @rule()
    def refresh(self) -> None:
        self.git("status")

    @rule()
    def commit(self) -> None:
        self.git("add", "--all", check=False)  # fails for a repository inside
        self.git("commit", "--quiet", "--allow-empty", "--message=more")

    @rule(branch=st.sampled_from("ab"))
    def checkout(self, branch) -> None:
        self.git("checkout", "--quiet", "--force", branch, check=False)

    @rule()
    def clone_a_repository_into_it(self) -> None:
        if not (self.root / "system/memory/inner").exists():
            self.git("init", "--quiet", "system/memory/inner")
            self.write("system/memory/inner/theirs.md", "# Theirs\n")

    @rule()
    def copy(self) -> None:
        """As from elsewhere: other inodes and times."""
        copy = self.root.with_name("copy")
        pipes = shutil.ignore_patterns("FIFO")
        shutil.copytree(self.root, copy, symlinks=True, ignore=pipes)
        shutil.rmtree(self.root)
        copy.rename(self.root)

    def vault(self, audience: Audience = Audience.PERSON) -> Vault:
        found = find_vault({"vault": str(self.root)}, self.root)
        return Vault.open(found, START, audience)

    @invariant()
    def the_differences_are_those_of_every_byte(self) -> None:
        if not hasattr(self, "root") or not self.file("toolmem.toml"):
            return
        with History(Repo(self.root)) as history:
            tree = history.snapshot("HEAD").tree
            found = differing(self.vault(), history, tree)
        disk = DiskTree(self.root)
        listed = [(one.path, one.before, one.content(disk)) for one in found]
        assert listed == self._differences()

    @invariant()
    def whatever_is_in_it_can_be_checked(self) -> None:
        if hasattr(self, "root") and self.file("toolmem.toml"):
            for audience in Audience:
                check_vault(self.vault(audience))

    def _differences(self) -> list[tuple[str, str, bytes | None]]:
        """Read every file and compare it with the last commit."""
        listed = self.git("ls-tree", "-r", "-z", "HEAD").decode().split("\0")[:-1]
        fields = [
            (*one.partition("\t")[0].split(), one.partition("\t")[2]) for one in listed
        ]
        known = {path: (mode, blob) for mode, _, blob, path in fields}
        marks = self.git("ls-files", "-v", "-z").decode().split("\0")[:-1]
        unseen = {one[2:] for one in marks if one[0].islower() or one[0] == "S"}
        paths = [path for path in sorted(self._files()) if path not in unseen]
        fresh = [path for path in paths if path not in known and is_ours(path)]
        ignored = self._ignored(fresh)
        found: list[tuple[str, str, bytes | None]] = []
        for path in (path for path in paths if path in known or path in fresh):
            blob = known.get(path, ("", ""))[1]
            data = (self.root / path).read_bytes()
            same = blob in (_blob(data), _blob(data.replace(b"\r\n", b"\n")))
            if not same and path not in ignored:
                found.append((path, blob, data))
        for path, (mode, blob) in known.items():
            if path not in {*paths, *unseen} and mode != "120000":
                found.append((path, blob, None))
        return sorted(found, key=lambda one: one[0])

    def _files(self) -> list[str]:
        found = []
        for folder, inner, names in os.walk(self.root):
            inner[:] = [name for name in inner if name not in (".git", ".toolmem")]
            paths = (Path(folder, name) for name in names)
            found += [p for p in paths if p.is_file() and not p.is_symlink()]
        return [path.relative_to(self.root).as_posix() for path in found]

    def _ignored(self, paths: list[str]) -> list[str]:
        if not paths:
            return []
        words = ("check-ignore", "-z", "--", *(f"./{path}" for path in paths))
        listed = self.git(*words, check=False).decode().split("\0")[:-1]
        return [path.removeprefix("./") for path in listed]


def _blob(data: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()


def test_looking_at_what_changed_says_what_looking_at_everything_says():
    run_state_machine_as_test(Life, settings=examples(5, stateful_step_count=12))


@pytest.mark.soak
def test_and_so_it_does_for_long():
    run_state_machine_as_test(Life, settings=examples(60, stateful_step_count=40))
