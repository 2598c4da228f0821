"""An index that is damaged, locked or blocked: the answer is right, with a remark."""

import os
import shutil
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.search.library import doc
from tests.examples import examples
from tests.store.index.shelf import EVERYTHING, Shelf, load
from toolmem.core.search.doc import words_of
from toolmem.core.search.meaning import word_similarity
from toolmem.core.search.meaning.word_vectors import WordVectors
from toolmem.errors import LockedError, NoVaultError
from toolmem.store.index import codec
from toolmem.store.index.engine import BrokenIndexError, EngineGuard
from toolmem.store.index.generation import VERSION as _VERSION
from toolmem.store.index.generation import Generations, read_generation
from toolmem.store.index.index import Index
from toolmem.store.index.snapshot import IndexedCandidate
from toolmem.store.index.source import DocumentSource
from toolmem.store.index.word_table import open_table

ASKED = "token refresh"
VERSION = f"{_VERSION}-en"


@pytest.fixture
def shelf(tmp_path):
    made = Shelf(tmp_path, age=10)
    for number in range(30):
        made.say(f"{number:02}.json", f"token {'refresh ' * (number % 4)}{number}")
    made.search(ASKED)
    (made.root / "07.json").unlink()
    made.search(ASKED)  # leaves a segment with a deleted document
    return made


def cut(data):
    return data[: len(data) // 2]


def flip(data):
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 0x55]) + data[middle + 1 :]


DAMAGE = {
    "missing": None,
    "empty": lambda data: b"",
    "cut": cut,
    "last byte gone": lambda data: data[:-1],
    "zeros": lambda data: bytes(len(data)),
    "one byte flipped": flip,
    "garbage": lambda data: b"\xff\x00garbage" * 50,
}


KINDS = (
    ".term .idx .pos .store .fast .fieldnorm .del meta.json .managed.json "
    "manifest current"
).split()


def file_of(shelf, kind):
    (found,) = (
        path
        for path in shelf.state.rglob("*")
        if path.name.endswith(kind) and path.is_file()
    )
    return found


def put(path, data):
    """Another file in the place of this one.

    What is cut in place ends the process that has it mapped: no index of this
    test, but one that another thread has open, could be read once more.
    """
    other = path.with_name("damaged.other")
    other.write_bytes(data)
    other.replace(path)


@pytest.mark.one_of(3)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("damage", DAMAGE)
def test_every_file_of_the_index_may_be_damaged(shelf, damage, kind):
    expected = shelf.scan(ASKED)
    path, change = file_of(shelf, kind), DAMAGE[damage]
    if change is None:
        path.unlink()
    else:
        put(path, change(path.read_bytes()))
    assert shelf.search(ASKED) == expected
    assert shelf.remarks() == ()
    assert shelf.search(ASKED) == expected
    assert shelf.index.verify() == ()


@pytest.mark.parametrize("suffix", [".term", ".idx", ".store", ".fast", ".del"])
def test_a_flipped_byte_that_no_stamp_shows_is_found_by_its_checksum(shelf, suffix):
    path = file_of(shelf, suffix)
    found = path.stat()
    put(path, flip(path.read_bytes()))
    os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns))
    assert f"{path.name}: the checksum is wrong" in shelf.index.verify()
    assert shelf.index.rebuild().state == "fresh"
    assert shelf.index.verify() == ()


@pytest.mark.parametrize("name", ["current", "g1/manifest", "g1/checked"])
def test_a_link_to_a_device_is_not_read(shelf, name):
    shelf.max_age = 60
    place = shelf.state / "index" / VERSION / name
    place.unlink(missing_ok=True)
    place.symlink_to("/dev/zero")
    assert shelf.search(ASKED) == shelf.scan(ASKED)
    assert shelf.remarks() == ()


@pytest.mark.parametrize("name", ["current.tmp", "g1/manifest.tmp", "g1/checked.tmp"])
def test_a_link_in_place_of_a_temporary_file_is_not_followed(shelf, tmp_path, name):
    mine = tmp_path / "mine.txt"
    mine.write_text("mine")
    shelf.max_age = 60
    (shelf.state / "index" / VERSION / name).symlink_to(mine)
    shelf.say("new.json", "token refresh")
    assert shelf.search(ASKED) == shelf.scan(ASKED)
    shelf.index.rebuild()
    assert mine.read_text() == "mine"


def test_damage_is_said_once(shelf):
    file_of(shelf, ".term").unlink()
    (remark,) = shelf.remarks()
    assert remark.startswith("the search index was damaged (")
    assert remark.endswith(") and is rebuilt")
    assert shelf.remarks() == ()


@pytest.mark.parametrize("copy", [shutil.copy, shutil.copy2])
def test_an_index_copied_with_its_vault_is_rebuilt_without_a_remark(
    shelf, tmp_path_factory, copy
):
    root = tmp_path_factory.mktemp("copy") / "vault"
    shutil.copytree(shelf.root, root, copy_function=copy)
    copied = Shelf(root, age=10)
    assert copied.remarks() == ()
    assert copied.search(ASKED) == copied.scan(ASKED)
    assert copied.index.status().state == "fresh"


@pytest.mark.parametrize("name", ["g1", "g1/tantivy", "g1/manifest"])
def test_an_index_of_which_a_part_was_removed_is_rebuilt_without_a_remark(shelf, name):
    place = shelf.state / "index" / VERSION / name
    place.rename(shelf.state / "elsewhere")
    assert shelf.remarks() == ()
    assert shelf.search(ASKED) == shelf.scan(ASKED)


def test_an_index_removed_during_a_search_is_rebuilt_without_a_remark(shelf):
    remarks = []

    def ask(opened):
        remarks.append(opened.remarks)
        if len(remarks) == 1:
            shutil.rmtree(shelf.state / "index")
            raise BrokenIndexError("a file is gone")

    shelf.index.answer(ask)
    assert remarks == [(), ()]


def test_an_index_brought_from_elsewhere_is_not_believed(shelf, tmp_path_factory):
    other = Shelf(tmp_path_factory.mktemp("other"), age=10)
    other.say("ghost.json", "token of another vault")
    other.search(ASKED)
    shutil.rmtree(shelf.state)
    shutil.copytree(other.state, shelf.state)
    assert shelf.search(ASKED) == shelf.scan(ASKED)


def test_another_version_keeps_its_own(shelf):
    (shelf.state / "index" / "v0").mkdir()
    (shelf.state / "index" / "v0" / "current").write_text("g7")
    shutil.rmtree(shelf.state / "index" / VERSION)
    assert shelf.search(ASKED) == shelf.scan(ASKED)
    assert (shelf.state / "index" / "v0" / "current").read_text() == "g7"


@pytest.mark.parametrize("pointer", ["", "g", "g99", "../..", "g1/../g1", "\0", "ü"])
def test_a_pointer_that_leads_nowhere_is_replaced(shelf, pointer):
    (shelf.state / "index" / VERSION / "current").write_bytes(pointer.encode())
    assert shelf.search(ASKED) == shelf.scan(ASKED)
    assert shelf.index.status().state == "fresh"


@pytest.mark.parametrize(
    "place", [".toolmem", ".toolmem/index", f".toolmem/index/{VERSION}"]
)
@pytest.mark.parametrize("what", ["file", "link"])
def test_what_is_in_the_way_is_left_alone(shelf, tmp_path_factory, place, what):
    shutil.rmtree(shelf.state)
    path = shelf.root / place
    path.parent.mkdir(parents=True, exist_ok=True)
    target = tmp_path_factory.mktemp("precious")
    (target / "g1").mkdir()
    if what == "file":
        path.write_text("mine")
    else:
        path.symlink_to(target)
    assert shelf.search(ASKED) == shelf.scan(ASKED)
    first, last = shelf.remarks()
    assert first.startswith("the search index cannot be used (")
    assert last == "every file was read instead"
    assert [p.name for p in target.iterdir()] == ["g1"]
    assert what == "link" or path.read_text() == "mine"


def test_while_another_one_writes_the_files_are_read(shelf):
    shelf.say("new.json", "token refresh now")
    generations = Generations(shelf.state, "en")
    with generations.lock(0):
        assert shelf.search(ASKED) == shelf.scan(ASKED)
        assert shelf.remarks() == (
            "the search index cannot be used"
            " (another toolmem is building the search index)",
            "every file was read instead",
        )
        with pytest.raises(LockedError):
            shelf.index.rebuild()
    assert shelf.remarks() == ()
    assert shelf.ids("now") == ["new.json"]


def test_what_was_just_indexed_is_asked_while_another_one_writes(tmp_path):
    shelf = Shelf(tmp_path)
    shelf.say("a.json", "alpha token")
    shelf.search("token")
    with Generations(shelf.state, "en").lock(0):
        assert shelf.ids("alpha") == ["a.json"]
        assert shelf.remarks() == ()
        shelf.say("a.json", "omega token")
        assert shelf.search("omega") == shelf.scan("omega")
        assert len(shelf.remarks()) == 2


def test_a_change_that_no_stamp_shows_is_seen_while_another_one_writes(tmp_path):
    shelf = Shelf(tmp_path)
    shelf.say("a.json", "alpha")
    listing = shelf.listing()
    source = DocumentSource(
        lambda: listing, lambda path: (shelf.root / path).read_bytes(), load
    )
    index = Index(shelf.state, source, wait=0)

    def count(opened):
        return opened.corpus(EVERYTHING).frequency("omega")

    assert index.answer(count) == 0
    shelf.say("a.json", "omega")
    with Generations(shelf.state, "en").lock(0):
        assert index.answer(count) == 1


def test_a_build_that_was_killed_leaves_nothing_behind(shelf):
    folder = shelf.state / "index" / VERSION
    (folder / "g9" / "tantivy").mkdir(parents=True)
    (folder / "current.tmp").write_text("g9")
    status = shelf.index.rebuild()
    assert status.state == "fresh"
    assert [path.name for path in folder.glob("g*")] == ["g2"]


def test_a_commit_without_its_manifest_is_noticed(shelf):
    folder = Generations(shelf.state, "en").current()
    assert folder
    manifest = (folder / "manifest").read_bytes()
    shelf.say("ghost.json", "token of a ghost")
    shelf.search(ASKED)
    (folder / "manifest").write_bytes(manifest)
    (shelf.root / "ghost.json").unlink()
    with pytest.raises(BrokenIndexError):
        read_generation(folder)
    assert shelf.ids("ghost") == []


def test_a_vault_that_is_gone_empties_no_index(shelf):
    state = shelf.root.parent / "kept"
    shelf.state.rename(state)
    shutil.rmtree(shelf.root)
    with pytest.raises(NoVaultError):
        shelf.search(ASKED)
    shelf.root.mkdir()
    state.rename(shelf.state)
    assert shelf.index.status().documents == 29


def stored_document():
    stored = doc(1, title="Wien", body="größe der Stadt " * 30, tags=("a", "b"))
    vectors = word_similarity.vectors_of(open_table(), stored)
    words = words_of(stored)
    marks = codec.marks_of(words.text.split())
    return codec.encode(stored, words, marks, vectors)


def read(encoded):
    with EngineGuard():
        found = IndexedCandidate(encoded)
        assert found.doc
        assert found.words
        for vector in found.vectors:
            WordVectors.cosine([1.0], vector)


@pytest.mark.parametrize("end", [b"", b"x", b"xy", b"\x02\0\x03", b"\xff\xff\xff"])
def test_a_document_with_a_damaged_end_is_a_broken_index(end):
    """Where the disk fails, no stamp of a file changes."""
    read(stored_document())
    whole = stored_document() if len(end) == 3 else b""
    with pytest.raises(BrokenIndexError):
        read(whole[: len(whole) - len(end)] + end)


@given(st.data())
@examples(400)
def test_a_damaged_document_is_a_broken_index_or_another_document(data):
    encoded = bytearray(stored_document())
    places = st.integers(0, len(encoded) - 1)
    for at in data.draw(st.lists(places, min_size=1, max_size=3)):
        encoded[at] = data.draw(st.integers(0, 255))
    end = data.draw(st.one_of(st.just(len(encoded)), places))
    with suppress(BrokenIndexError):
        read(bytes(encoded[:end]))


def test_a_panic_is_a_broken_index_and_a_stop_is_not():
    class PanicException(BaseException):
        pass

    with pytest.raises(BrokenIndexError), EngineGuard():
        raise PanicException("index out of bounds")
    with pytest.raises(KeyboardInterrupt), EngineGuard():
        raise KeyboardInterrupt
