from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from toolmem.core import search_limits
from toolmem.core.search.doc import Doc
from toolmem.errors import LockedError, StorageError
from toolmem.store.index.exclusive import locked
from toolmem.store.semantic.vector_file import (
    Table,
    VectorFile,
    VectorGroup,
    read_vectors,
    write_vectors,
)
from toolmem.store.semantic.vectors import (
    VectorSource,
    are_computed,
    bring_up_to_date,
    current_vectors,
)

TEXTS = ["closes at two", "run the migrations", "rotate the logs", "ask Ada"]


def doc(number: int, body: str, **more) -> Doc:
    path = f"system/memory/m{number}.md"
    return Doc(f"m{number}", path, "system", "memory", "T", body=body, **more)


DOCS = [doc(number, text) for number, text in enumerate(TEXTS)]


class Vault:
    """A folder for local state, and how many passages were read for it."""

    def __init__(self, state, embedder):
        self.state = state
        self.kept = state / "index" / "vectors" / "kept"
        self.embedder = embedder
        self.read = 0

    def update(self, docs, content="00", **more) -> VectorFile:
        self.read = 0
        wanted = VectorSource(content, lambda: docs)
        return bring_up_to_date(self.state, self.embedder, wanted, self._tell, **more)

    def _tell(self, what, done, total):
        assert what == "computing vectors"
        self.read += 1
        assert done == self.read <= total


@pytest.fixture
def vault(tmp_path, embedder):
    return Vault(tmp_path / ".toolmem", embedder)


def same(one: VectorFile, other: VectorFile) -> bool:
    assert one.table is not None
    assert other.table is not None
    return (
        one[:3] == other[:3]
        and np.array_equal(one.vectors, other.vectors)
        and one.table[:2] == other.table[:2]
        and all(map(np.array_equal, one.table[2:], other.table[2:]))
    )


def test_vectors_are_computed_for_the_content_they_were_made_of(vault):
    source = VectorSource("00", lambda: DOCS)
    assert not are_computed(vault.state, "00")
    assert current_vectors(vault.state, vault.embedder, source) is None
    made = vault.update(DOCS)
    assert are_computed(vault.state, "00")
    assert not are_computed(vault.state, "01")
    found = current_vectors(vault.state, vault.embedder, source)
    assert found is not None
    assert same(found, made)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"toolmem-vectors-1",
        b"toolmem-vectors-1 0 9" + b"9" * 40 + b"\n{",
        b"x y 2\n{}",
    ],
)
def test_a_damaged_file_has_no_computed_vectors(vault, data):
    vault.kept.parent.mkdir(parents=True)
    vault.kept.write_bytes(data)
    assert not are_computed(vault.state, "00")


def test_every_passage_is_read_once(vault):
    first = vault.update(DOCS)
    assert vault.read == 4
    assert same(vault.update(DOCS, "01"), first._replace(content="01"))
    assert vault.read == 0


def test_documents_are_not_asked_for_while_nothing_changed(vault):
    first = vault.update(DOCS)

    def never():
        raise AssertionError("nothing has changed")

    wanted = VectorSource("00", never)
    assert same(bring_up_to_date(vault.state, vault.embedder, wanted), first)


def test_only_new_texts_are_read_and_the_order_does_not_matter(vault):
    vault.update(DOCS)
    changed = [*DOCS[:-1], doc(3, "ask Grace"), doc(4, "closes at two")]
    after = vault.update(changed[::-1], "01")
    assert vault.read == 1
    vault.kept.unlink()
    assert same(vault.update(changed, "01"), after)
    assert vault.read == 4  # two of the five read the same


def test_what_is_gone_leaves_nothing_behind(vault):
    vault.update(DOCS)
    vault.update(DOCS[:1], "01")
    data = vault.kept.read_bytes()
    vault.kept.unlink()
    vault.update(DOCS[:1], "01")
    assert vault.kept.read_bytes() == data


def test_another_model_reads_everything_anew(vault, embedder):
    vault.update(DOCS)
    vault.embedder = embedder._replace(stamp="another")
    assert vault.update(DOCS).stamp == "another"
    assert vault.read == 4


def test_a_vault_without_documents_has_vectors_of_nothing(vault):
    kept = vault.update([doc(0, "")._replace(title="")])
    assert len(kept.vectors) == 0
    assert kept.table is not None
    assert kept.table.keys == []
    found = read_vectors(vault.kept)
    assert found is not None
    assert same(found, kept)


def test_who_may_see_a_document_is_kept_with_it(vault):
    when = datetime(2026, 5, 7, tzinfo=UTC)
    one = doc(1, "x " * 450, private=True, tags=("a", "b"), topic="t", expires_at=when)
    table = vault.update([DOCS[0], one, DOCS[2]]).table
    assert table is not None
    assert table.keys == [("m0", DOCS[0].path), ("m1", one.path), ("m2", DOCS[2].path)]
    plain = VectorGroup("system", "memory", False, "", "", ())
    assert table.parts == [
        plain,
        VectorGroup("system", "memory", True, "t", "", ("a", "b")),
    ]
    assert table.codes.tolist() == [0, 1, 0]
    assert table.expires.tolist() == [2**63 - 1, 1778112000000000, 2**63 - 1]
    assert table.starts.tolist() == [0, 1, 3]


@pytest.mark.parametrize("damage", ["cut", "flip", "empty", "gone", "folder"])
def test_whatever_happens_to_the_file_it_is_made_anew(vault, damage):
    vault.update(DOCS)
    data = vault.kept.read_bytes()
    vault.kept.unlink()
    if damage == "folder":
        vault.kept.mkdir()
        with pytest.raises(StorageError):
            vault.update(DOCS)
        return
    if damage != "gone":
        flipped = data[:-100] + bytes([data[-100] ^ 8]) + data[-99:]
        damaged = {"cut": data[:-1], "flip": flipped, "empty": b""}[damage]
        vault.kept.write_bytes(damaged)
    vault.update(DOCS)
    assert vault.kept.read_bytes() == data


def test_what_was_read_before_an_interruption_is_not_read_again(vault, monkeypatch):
    monkeypatch.setattr(search_limits, "MEANING_STEP", 2)

    def stop(what, done, total):
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bring_up_to_date(
            vault.state, vault.embedder, VectorSource("00", lambda: DOCS), stop
        )
    wanted = VectorSource("00", lambda: DOCS)
    seen: list[tuple[int, int]] = []
    bring_up_to_date(
        vault.state,
        vault.embedder,
        wanted,
        lambda what, done, total: seen.append((done, total)),
    )
    assert seen == [(1, 2), (2, 2)]


def test_one_writer_at_a_time(vault):
    vault.update(DOCS)
    with locked(vault.kept.with_name("lock"), 0, "at it"):
        assert len(vault.update(DOCS).vectors) == 4  # reading needs no lock
        with pytest.raises(LockedError) as caught:
            vault.update(DOCS[:1], "01", wait=0)
    assert str(caught.value) == (
        "another toolmem is computing the vectors of this vault: try again, or search"
        " without the model"
    )


def test_a_link_in_the_place_of_the_folder_is_not_followed(vault, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (vault.state / "index").mkdir(parents=True)
    (vault.state / "index" / "vectors").symlink_to(elsewhere)
    with pytest.raises(StorageError):
        vault.update(DOCS)
    assert list(elsewhere.iterdir()) == []


@examples(60)
@given(st.binary(max_size=120))
def test_other_files_hold_nothing(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("v") / "kept"
    path.write_bytes(data)
    assert read_vectors(path) is None


_TEXT = st.text(st.characters(exclude_characters="\0"), max_size=6)
_PART = st.builds(
    VectorGroup, _TEXT, _TEXT, st.booleans(), _TEXT, _TEXT, st.tuples(_TEXT, _TEXT)
)


@examples(60)
@given(
    st.lists(st.tuples(_TEXT, _TEXT), min_size=1, max_size=5),
    st.lists(_PART, max_size=3),
    st.integers(1, 4),
)
def test_what_is_written_is_read(tmp_path_factory, keys, parts, dimension):
    count = len(keys)
    path = tmp_path_factory.mktemp("v") / "kept"
    numbers = np.arange(count)
    table = Table(keys, parts, numbers, numbers * 10**15, numbers)
    vectors = np.arange(count * dimension, dtype=np.int8).reshape(count, dimension)
    kept = VectorFile("stamp", "c0", bytes(range(16)) * count, vectors, table)
    write_vectors(path, kept)
    found = read_vectors(path)
    assert found is not None
    assert same(found, kept)
