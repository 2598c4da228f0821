"""The manifest as bytes."""

from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from toolmem.store.index.listing import STAMP_BYTES, FileListing, FolderListing
from toolmem.store.index.manifest import (
    BadManifestError,
    IndexManifest,
    manifest_pieces,
    read_manifest,
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
            st.lists(st.binary(min_size=28, max_size=28), max_size=3).map(b"".join)
        )
        folders[path] = FolderListing(
            path,
            names_as_bytes(names),
            stamps,
            draw(st.sampled_from([b"", bytes(range(28))])),
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


def manifest_to_bytes(manifest):
    return b"".join(manifest_pieces(manifest))


def manifest_from_bytes(data):
    return read_manifest(BytesIO(data))


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


@examples(100)
@given(manifests(), st.binary(min_size=1, max_size=3))
def test_bytes_after_it_are_noticed(manifest, more):
    with pytest.raises(BadManifestError):
        manifest_from_bytes(manifest_to_bytes(manifest) + more)


@examples(100)
@given(manifests(), st.integers(0, 10_000))
def test_half_of_it_is_no_manifest(manifest, end):
    data = manifest_to_bytes(manifest)
    with pytest.raises(BadManifestError):
        manifest_from_bytes(data[: end % len(data)])


def listing(*folders):
    """A listing of folders with these names and stamps."""
    return FileListing(
        [
            FolderListing(path, names_as_bytes(names), b"".join(stamps))
            for path, names, stamps in folders
        ],
        (),
        0,
    )


def test_it_matches_the_listing_that_it_was_made_of():
    one, two, three = (bytes([n] * STAMP_BYTES) for n in range(3))
    top, deep = ("", ["a"], [one]), ("d", ["b", "c"], [two, three])
    manifest = IndexManifest({f.path: f for f in listing(top, deep).folders})
    assert manifest.file_count == 3
    assert manifest.matches(listing(top, deep))
    assert not manifest.matches(listing(top, ("d", ["b", "x"], [two, three])))
    assert not manifest.matches(listing(top, ("d", ["b", "c"], [two, two])))
    assert not manifest.matches(listing(("", ["a"], [two]), deep))
    assert not manifest.matches(listing(top))
    assert not manifest.matches(listing(top, deep, ("e", ["f"], [one])))
