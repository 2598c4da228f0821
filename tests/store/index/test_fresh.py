"""Files that are read again, and stamps that are not trusted."""

import os
import threading

import pytest

from tests.core.search.library import NOW, doc
from tests.store.index.shelf import Shelf, load
from toolmem.core.search.corpus import View
from toolmem.errors import NoVaultError
from toolmem.store.index import engine
from toolmem.store.index.generation import VERSION as _VERSION
from toolmem.store.index.index import Index
from toolmem.store.index.listing import FileListing, split_stamps, stamps_of_files, walk
from toolmem.store.index.source import DocumentSource

VERSION = f"{_VERSION}-en"


@pytest.fixture
def shelf(tmp_path):
    made = Shelf(tmp_path, age=10)
    made.say("a.json", "alpha token")
    made.say("b.json", "beta token")
    made.search("token")
    made.read.clear()
    return made


def manifest(shelf):
    return shelf.state / "index" / VERSION / "g1" / "manifest"


def test_with_nothing_changed_nothing_is_read_or_written(shelf):
    before = {p: p.stat().st_mtime_ns for p in shelf.state.rglob("*") if p.is_file()}
    shelf.search("token")
    after = {p: p.stat().st_mtime_ns for p in shelf.state.rglob("*") if p.is_file()}
    assert shelf.read == []
    assert after == before


@pytest.mark.parametrize("step", [1, 2, 3, 100])
def test_files_are_indexed_in_steps_and_all_of_them(tmp_path, step, monkeypatch):
    monkeypatch.setattr(engine, "_STEP", step)
    shelf = Shelf(tmp_path)
    for number in range(7):
        shelf.say(f"{number}.json", f"token {'fire ' * number}")
    assert sorted(shelf.ids("token")) == [f"{number}.json" for number in range(7)]
    assert len(shelf.read) == 7


def test_only_what_changed_is_read(shelf):
    shelf.say("b.json", "gamma")
    assert shelf.ids("gamma token") == ["b.json", "a.json"]
    assert shelf.read == ["b.json"]


def test_a_file_that_was_only_touched_is_not_indexed_again(shelf):
    engine = shelf.state / "index" / VERSION / "g1" / "tantivy" / "meta.json"
    before = engine.stat().st_mtime_ns
    os.utime(shelf.root / "a.json", (1, 1))
    shelf.search("token")
    assert shelf.read == ["a.json"]
    assert engine.stat().st_mtime_ns == before
    shelf.search("token")
    assert shelf.read == ["a.json"]


def test_an_edit_that_hides_behind_its_old_time_is_seen(shelf):
    file = shelf.root / "a.json"
    before = file.stat()
    file.write_bytes(file.read_bytes().replace(b"alpha", b"omega"))
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert shelf.ids("omega") == ["a.json"]


def frozen(shelf, listing):
    """The index with stamps that say nothing new."""
    source = DocumentSource(
        lambda: listing,
        lambda path: (shelf.root / path).read_bytes(),
        load,
    )
    return Index(shelf.state, source)


@pytest.mark.parametrize("young", [True, False])
def test_a_file_as_young_as_the_index_is_compared_by_content(tmp_path, young):
    """Its stamp could stay the same through a change within one tick."""
    shelf = Shelf(tmp_path, age=0 if young else 10)
    shelf.say("a.json", "alpha")
    listing = shelf.listing()
    index = frozen(shelf, listing)

    def documents(opened):
        corpus = opened.corpus(View(NOW))
        return corpus.frequency("alpha"), corpus.frequency("omega")

    assert index.answer(documents) == (1, 0)
    shelf.say("a.json", "omega")
    assert index.answer(documents) == ((0, 1) if young else (1, 0))


def test_a_file_from_the_future_is_compared_by_content(tmp_path):
    shelf = Shelf(tmp_path, age=-86_400)
    shelf.say("a.json", "alpha")
    shelf.search("alpha")
    shelf.read.clear()
    shelf.search("alpha")
    assert shelf.read == ["a.json"]


def test_young_files_are_settled_by_the_next_search_after_a_while(tmp_path):
    shelf = Shelf(tmp_path)
    shelf.say("a.json", "alpha")
    shelf.search("alpha")
    shelf.age = 10
    shelf.search("alpha")
    shelf.read.clear()
    shelf.search("alpha")
    assert shelf.read == []


def test_what_cannot_be_read_is_told_and_found_again_when_mended(shelf):
    (shelf.root / "a.json").write_text("{")
    problems = shelf.index.answer(lambda opened: opened.problems)
    assert problems == (("a.json", "a.json:1: not JSON"),)
    assert shelf.index.answer(lambda opened: opened.problems) == problems
    assert shelf.ids("token") == ["b.json"]
    shelf.say("a.json", "alpha token")
    assert shelf.index.answer(lambda opened: opened.problems) == ()
    assert shelf.ids("alpha") == ["a.json"]


def test_a_file_that_goes_while_it_is_read_is_gone(shelf):
    listing = shelf.listing()
    (shelf.root / "a.json").unlink()
    folder = listing.folders[0]
    more = folder.stamps + split_stamps(folder.stamps)[0]
    listed = folder._replace(names=folder.names + b"c.json\0", stamps=more)
    index = frozen(shelf, FileListing([listed], (), listing.taken))
    found = index.answer(lambda opened: opened.corpus(View(NOW)).totals().documents)
    assert found == 2  # a.json looks as it did; c.json never was
    assert shelf.ids("token") == ["b.json"]


def test_a_folder_that_cannot_be_listed_keeps_what_is_known(shelf):
    shelf.say("deep/c.json", "gamma token")
    assert len(shelf.ids("token")) == 3
    seen = shelf.listing()
    kept = [folder for folder in seen.folders if folder.path != "deep"]
    hidden = FileListing(kept, ("deep",), seen.taken)
    found = frozen(shelf, hidden).answer(
        lambda opened: opened.corpus(View(NOW)).totals().documents
    )
    assert found == 3


def test_many_deleted_documents_are_cleared_away(tmp_path):
    shelf = Shelf(tmp_path, age=10)
    shelf.write("many.json", *(doc(n, body=f"token {n}") for n in range(1100)))
    shelf.say("kept.json", "token")
    shelf.search("token")
    shelf.write("many.json", doc(0, body="word"))
    assert shelf.ids("token") == ["kept.json"]
    assert shelf.index.status().folder.endswith("g2")


def test_searches_at_once_agree(tmp_path):
    shelf = Shelf(tmp_path, wait=30)
    for number in range(50):
        shelf.say(f"{number}.json", f"token {number}")
    expected = shelf.scan("token 7")
    answers = []

    def work(number):
        if number == 2:
            shelf.index.rebuild()
        answers.append((shelf.search("token 7"), shelf.remarks()))

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [(expected, ())] * 4


@pytest.mark.parametrize(
    "name",
    [
        "-rf.json",
        "new\nline.json",
        "\udcff.json",
        "\u202e.json",
        "é.json",
        "e\u0301.json",
    ],
)
def test_odd_names_are_indexed_replaced_and_removed(shelf, name):
    shelf.say(name, "gamma token")
    assert shelf.search("gamma") == shelf.scan("gamma")
    shelf.say(name, "delta token")
    assert shelf.search("gamma delta") == shelf.scan("gamma delta")
    (shelf.root / name).unlink()
    assert len(shelf.ids("token")) == 2


def test_long_and_odd_fields_are_kept(shelf):
    odd = doc(
        1,
        id="i" * 9_000,
        scope="project:ü p",
        title="NUL \0 and \x1f",
        tags=("a\x1fb", "\0", "t" * 9_000),
        topic="\udcff",
        body="epsilon \udcff " + "x" * 70_000,
    )
    shelf.write("odd.json", odd)
    assert shelf.search("epsilon") == shelf.scan("epsilon")
    assert shelf.ids("epsilon") == ["i" * 9_000]


def test_the_status_tells_what_there_is(tmp_path):
    shelf = Shelf(tmp_path, age=10)
    assert shelf.index.status().state == "missing"
    assert shelf.index.verify() == ()
    shelf.write("a.json", doc(1), doc(2))
    shelf.search("token")
    found = shelf.index.status()
    assert (found.state, found.documents, found.files) == ("fresh", 2, 1)
    assert found.bytes > 0
    shelf.say("b.json", "more")
    assert shelf.index.status().state == "stale"
    (shelf.state / "index" / VERSION / "g1" / "manifest").unlink()
    assert shelf.index.status().state == "broken"


def test_a_walk_lists_regular_files_in_a_fixed_order(tmp_path):
    for path in ("b.md", "a.md", "d/c.md", "d/e/f.md", ".git/g.md", "x.txt"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("x")
    (tmp_path / "link.md").symlink_to("a.md")
    (tmp_path / "loop").symlink_to(".")
    os.mkfifo(tmp_path / "pipe.md")

    def wanted(path):
        return path.endswith(".md")

    found = walk(tmp_path, wanted, lambda path: not path.startswith("."))
    assert found.paths == ["a.md", "b.md", "d/c.md", "d/e/f.md"]
    stamps = [
        stamp for folder in found.folders for stamp in split_stamps(folder.stamps)
    ]
    files = [(tmp_path / path).lstat() for path in found.paths]
    assert stamps == [stamps_of_files([file]) for file in files]
    with pytest.raises(NoVaultError):
        walk(tmp_path / "none", wanted, wanted)


def test_the_best_are_found_where_the_only_document_of_a_scope_was_deleted(tmp_path):
    shelf = Shelf(tmp_path, age=10)
    many = (
        doc(n, path="a.json", body=f"token {'word ' * (n % 50)}") for n in range(300)
    )
    shelf.write("a.json", *many)
    shelf.write("b.json", doc(300, path="b.json", scope="project:p", body="token"))
    shelf.search("token")
    (shelf.root / "b.json").unlink()
    assert shelf.search("token") == shelf.scan("token")
