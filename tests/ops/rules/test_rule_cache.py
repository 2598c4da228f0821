"""Cached rule files are as those that are parsed, whatever happened to either."""

import os
import shutil
import time
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.ops.rules import test_compiled as compiled
from tests.world import World
from toolmem.core.rules.table_text import from_text, to_text
from toolmem.ops.prompt.build import PromptRequest, build_prompt
from toolmem.store.files import layout
from toolmem.store.files.settings import state_folder
from toolmem.store.guards import rule_cache
from toolmem.store.guards.guard_file import name_of
from toolmem.store.vault import rule_files
from toolmem.store.vault.vault import RecordingTree, Vault, blob_id

STRANGE = (
    'id = "{id}"\ntool = "{tool}"\nrule = "never {program}"\nat = 2026-01-02\n'
    "[x]\nwhen = 07:32:00\nlist = [1.5, true, [2026-01-02T03:04:05Z]]\n",
    'id = "{id}"\nrule = "a \\u00e9 {program}"\nexpires_at = 2026-01-02T03:04:05Z\n',
    'id = "{id}"\nenabled = false\nreason = "{program}"\n',
    'id = "{id}"\ntool = "{tool}"\n<<<<<<< a\nrule = "x"\n=======\n>>>>>>> b\n',
    'rule = "{program}"\n',
    "{program} = \n",
)
TEXT = st.builds(
    lambda form, **values: str(form.format(**values)),
    st.sampled_from([compiled.RULE, compiled.WORDS, *STRANGE]),
    id=compiled.NAMES,
    tool=compiled.TOOLS,
    action=st.sampled_from(["deny", "warn"]),
    program=st.sampled_from(["git", "npm"]),
)


def link_folder(root: Path, place: str, _text: str) -> None:
    folder = (root / place).parent
    if not folder.is_symlink():
        shutil.rmtree(folder, ignore_errors=True)
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.symlink_to(root)


def drop_folder(root: Path, place: str, _text: str) -> None:
    folder = (root / place).parent
    if folder.is_symlink():
        folder.unlink()
    else:
        shutil.rmtree(folder, ignore_errors=True)


def cache_file(root: Path) -> Path:
    return state_folder() / rule_cache.KIND / name_of(compiled.opened(root).root)


def damage(root: Path, _place: str, text: str) -> None:
    path = cache_file(root)
    if path.exists():
        data = bytearray(path.read_bytes())
        data[len(text) * 7919 % len(data)] ^= 1
        path.write_bytes(bytes(data))


EDITS = (
    compiled.edit_in_place,
    compiled.edit_in_place,
    compiled.edit_and_hide,
    compiled.replace,
    compiled.delete,
    compiled.go_back_in_time,
    compiled.rename,
    compiled.rename_folder,
    link_folder,
    drop_folder,
    damage,
)


@pytest.fixture
def cached(monkeypatch):
    """Caches also of small vaults."""
    monkeypatch.setattr(rule_cache, "_LEAST_FILES", 0)


def load(root: Path) -> Vault:
    """Load the rules of all scopes as if they had been still for long."""
    later = time.time_ns() + 10_000_000_000
    vault = compiled.opened(root, {"vault": str(root), "project": "p"})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("time.time_ns", lambda: later)
        rule_files.load_rule_files(vault, layout.all_scopes(vault.tree))
    return vault


def same_as_parsing(root: Path) -> None:
    """Compare files, blocks and receipts of a vault with those without a cache."""
    vault = compiled.opened(root, {"vault": str(root), "project": "p"})
    for scopes in (tuple(layout.all_scopes(vault.tree)), vault.chain):
        wanted = rule_files.read_rule_texts(rule_files.load_rule_texts(vault, scopes))
        assert rule_files.load_rule_files(vault.fresh(), scopes) == wanted
    blocks = [build_prompt(vault.fresh(), PromptRequest())]
    path = cache_file(root)
    data = path.read_bytes() if path.exists() else b""
    path.unlink(missing_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rule_cache, "_LEAST_FILES", 1 << 30)
        blocks.append(build_prompt(vault.fresh(), PromptRequest()))
    if data:
        path.write_bytes(data)
    first, second = ((one.text, one.rules, one.files) for one in blocks)
    assert first == second


@pytest.mark.usefixtures("cached")
@examples(15)
@given(st.lists(st.tuples(st.sampled_from(EDITS), compiled.PLACE, TEXT), max_size=8))
def test_no_edit_leaves_an_old_rule(tmp_path_factory, edits):
    root = tmp_path_factory.mktemp("vault")
    World(root).vault("empty")
    for edit, place, text in edits:
        compiled.wait_for_the_clock(root)
        try:
            edit(root, place, text)
        except OSError:
            continue  # a file or link is in the place of a folder
        load(root)
        same_as_parsing(root)


@pytest.fixture
def vault(tmp_path) -> Path:
    root: Path = tmp_path / "vault"
    World(root).vault("empty")
    compiled.edit_in_place(root, compiled.PLACES[0], compiled.DENY)
    return root


@pytest.mark.usefixtures("cached")
def test_files_that_did_not_change_are_not_opened(vault, monkeypatch):
    load(vault)
    seen = compiled.opened(vault)
    monkeypatch.setattr(RecordingTree, "read_all", None)
    found = rule_files.load_rule_files(seen, seen.chain)
    assert [file.id for file in found.files] == ["a1"]


@pytest.mark.usefixtures("cached")
def test_of_changed_files_only_their_folders_are_read(vault, monkeypatch):
    compiled.edit_in_place(vault, compiled.PLACES[2], compiled.DENY)
    load(vault)
    compiled.edit_in_place(vault, compiled.PLACES[2], compiled.ALLOW)
    read: list[str] = []
    read_all = RecordingTree.read_all

    def noted(tree, folder, *given):
        read.append(folder)
        return read_all(tree, folder, *given)

    monkeypatch.setattr(RecordingTree, "read_all", noted)
    load(vault)
    assert read == ["system/rules/npm"]


def test_a_small_vault_has_no_cache(vault):
    load(vault)
    assert not cache_file(vault).exists()


@pytest.mark.usefixtures("cached")
def test_a_receipt_names_files_that_were_not_read(vault):
    seen = load(vault)
    again = compiled.opened(vault)
    rule_files.load_rule_files(again, again.chain)
    data = (vault / compiled.PLACES[0]).read_bytes()
    assert again.tree.versions() == [(compiled.PLACES[0], blob_id(data))]
    assert seen.tree.versions() == again.tree.versions()


@pytest.mark.usefixtures("cached")
def test_the_cache_is_private_and_outside_the_vault(vault):
    before = sorted(vault.rglob("*"))
    load(vault)
    assert sorted(vault.rglob("*")) == before
    assert cache_file(vault).stat().st_mode & 0o777 == 0o600
    os.chmod(cache_file(vault), 0)  # noqa: PTH101 -- a mode that no one may read
    same_as_parsing(vault)


VALUES = st.recursive(
    st.text() | st.booleans() | st.integers() | st.floats(allow_nan=False)
    | st.datetimes(timezones=st.none() | st.just(UTC)) | st.dates() | st.times(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)  # fmt: skip


@examples(200)
@given(st.dictionaries(st.text(), VALUES))
def test_every_table_is_restored(table):
    found = from_text(to_text(table))
    assert found == table
    assert list(found) == list(table)
    moments = {"a": datetime(2026, 1, 2, tzinfo=UTC), "b": date(2026, 1, 2)}
    assert from_text(to_text(moments)) == moments
