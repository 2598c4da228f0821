"""A commit whose changes are counted one after the other has the counts of all."""

import subprocess
import tracemalloc
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.world import START
from toolmem.core import limits
from toolmem.core.changes.summary import counted, summary
from toolmem.core.visibility import Audience
from toolmem.ops.history.log import LogEntry, _VisibleCommits, vault_log
from toolmem.store.git.diff import History
from toolmem.store.git.log import steps
from toolmem.store.git.repo import Repo
from toolmem.store.vault.discover import find_vault
from toolmem.store.vault.vault import Vault

_PATHS = st.sampled_from(
    [
        "system/memory/one.md",
        "system/memory/two.md",
        "projects/p/memory/one.md",
        "archive/system/memory/two.md",
        "system/rules/shell/a.toml",
        "system/rules/shell/b.toml",
        "projects/p/rules/mail/a.toml",
        "system/facts.md",
        "projects/p/facts.md",
        "system/guidance/g.md",
        "tools/shell.toml",
        "picture.png",
    ]
)
_TEXTS = st.sampled_from(
    [
        "# Kiln\n\nThe kiln is hot.\n",
        "---\nreason: over\n---\n# Kiln\n\nThe kiln is hot.\n",
        "---\nprivate: true\n---\n# Kiln\n\nThe kiln is hot.\n",
        "---\nprivate: false\n---\n# Kiln\n",
        "---\ntopic: a\nconflict: {topic: b}\n---\n# Oven\n",
        "---\ntags: {x\n---\n# Oven\n",
        'id = "a0000001"\ntool = "shell"\nrule = "never push"\npriority = "critical"\n',
        'id = "a0000001"\nenabled = false\nreason = "old"\n',
        'id = "a0000002"\ntool = "mail"\nrule = "ask"\n',
        "## project\nport: 80\nhost: a\n",
        "## project\nport: 81\nport: 82\n",
        "",
    ]
)
_COMMITS = st.lists(
    st.dictionaries(_PATHS, st.one_of(_TEXTS, st.none()), max_size=6),
    min_size=1,
    max_size=5,
)


def _git(root: Path, *words: str) -> None:
    subprocess.run(["git", *words], cwd=root, check=True, capture_output=True)


def _edit(root: Path, files: dict[str, str | None]) -> None:
    for path, text in files.items():
        place = root / path
        if text is None:
            place.unlink(missing_ok=True)
        else:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)


def _in_full(entry: LogEntry) -> LogEntry:
    files = {(change.item.path, counted(change)) for change in entry.changes}
    return entry._replace(changes=(), counts=summary(what for _, what in files))


@examples(30)
@given(_COMMITS, st.dictionaries(_PATHS, _TEXTS, max_size=3), st.booleans())
def test_counting_says_what_a_comparison_of_all_says(commits, today, merges):
    with TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "toolmem.toml").write_text("schema = 1\n")
        _git(root, "init", "--quiet", "--initial-branch=a")
        for number, files in enumerate(commits):
            _edit(root, files)
            _git(root, "add", "--all")
            _git(root, "commit", "--quiet", "--allow-empty", f"-m{number}")
        if merges:
            _git(
                root,
                "merge",
                "--quiet",
                "-sours",
                "--no-ff",
                "--allow-unrelated",
                _orphan(root),
                "-mmerge",
            )
            _edit(root, {"system/memory/one.md": "# Evil\n", "system/facts.md": None})
            _git(root, "add", "--all")
            _git(root, "commit", "--quiet", "--amend", "--allow-empty", "-mmerge")
        _edit(root, today)
        _compare(root)


def _orphan(root: Path) -> str:
    """A commit without a parent, of the same files."""
    tree = subprocess.check_output(["git", "rev-parse", "HEAD^{tree}"], cwd=root)
    made = subprocess.check_output(
        ["git", "commit-tree", tree.decode().strip(), "-mother"], cwd=root
    )
    return made.decode().strip()


def _vault(root: Path) -> Vault:
    found = find_vault({"vault": str(root)}, root)
    return Vault.open(found, START, audience=Audience.AGENT)


def _compare(root: Path) -> None:
    vault = _vault(root)
    repo = Repo(root)
    before, limits.LOG_FILES = limits.LOG_FILES, 0
    try:
        with History(repo) as history:
            seen = _VisibleCommits(vault)
            quick = [seen.summarised(history, step) for step in steps(repo)]
            full = [
                _in_full(seen.event(history, step.commit, tuple(step.touched)))
                for step in steps(repo)
            ]
    finally:
        limits.LOG_FILES = before
    assert quick == full


def test_long_texts_are_not_kept(tmp_path):
    root = tmp_path / "vault"
    (root / "system/memory").mkdir(parents=True)
    (root / "toolmem.toml").write_text("schema = 1\n")
    text = "---\ntopic: a\n---\n# Title\n\n" + "word " * 4_000
    for number in range(600):
        (root / f"system/memory/lesson-{number:06d}.md").write_text(f"{text}{number}")
    _git(root, "init", "--quiet")
    _git(root, "add", "--all")
    _git(root, "commit", "--quiet", "-mx")
    tracemalloc.start()
    [entry] = vault_log(_vault(root))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert sum(one.files for one in entry.counts) == 601
    assert peak < 600 * len(text) / 2
