"""The manifest as bytes."""

from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from toolmem.store.index.listing import FileListing, FolderListing
from toolmem.store.index.manifest import (
    BadManifestError,
    IndexManifest,
    manifest_from_bytes,
    manifest_to_bytes,
)

_NAMES = st.lists(st.text("ab\udcff\n é", min_size=1), max_size=3, unique=True)
_PATHS = st.lists(st.text("ab/\udcff\n é"), max_size=3, unique=True)
_BYTES = st.binary(max_size=64)


def names_as_bytes(names):
    return b"".join(n.encode("utf-8", "surrogateescape") + b"\0" for n in names)


@st.composite
def manifests(draw):
    folders, hashes = {}, {}
    for path in draw(_PATHS):
        names = draw(_NAMES)
        stamps = draw(
            st.lists(st.binary(min_size=32, max_size=32), max_size=3).map(b"".join)
        )
        folders[path] = FolderListing(
            path,
            names_as_bytes(names),
            stamps,
            draw(st.sampled_from([b"", bytes(range(32))])),
            names_as_bytes(draw(_NAMES)),
        )
        hashes[path] = draw(_BYTES)
    return IndexManifest(
        folders,
        hashes,
        racy=tuple(folders),
        problems=tuple((path, "why") for path in folders),
        engine={"meta.json": (1, 2, 3)},
        device=draw(st.integers(-1, 9)),
    )


@examples(100)
@given(manifests())
def test_it_reads_as_it_was_written(manifest):
    assert manifest_from_bytes(manifest_to_bytes(manifest)) == manifest


@examples(100)
@given(manifests(), st.integers(0, 10_000), st.integers(1, 255))
def test_no_byte_of_it_can_change_unnoticed(manifest, at, by):
    data = bytearray(manifest_to_bytes(manifest))
    data[at % len(data)] ^= by
    with pytest.raises(BadManifestError):
        manifest_from_bytes(bytes(data))


@examples(100)
@given(st.binary(max_size=80))
def test_other_bytes_are_no_manifest(data):
    with pytest.raises(BadManifestError):
        manifest_from_bytes(data)


def test_it_matches_the_listing_that_it_was_made_of():
    stamps = array("q", range(12))
    paths = ["a", "d/b", "d/c"]
    manifest = IndexManifest({f.path: f for f in FileListing(paths, stamps).folders})
    assert manifest.file_count == 3
    assert manifest.matches(FileListing(paths, stamps))
    assert not manifest.matches(FileListing(["a", "d/b", "d/x"], stamps))
    assert not manifest.matches(FileListing(paths, array("q", range(1, 13))))
    assert not manifest.matches(FileListing(paths[:1], stamps))
    assert not manifest.matches(FileListing([*paths, "e/f"], array("q", range(16))))
