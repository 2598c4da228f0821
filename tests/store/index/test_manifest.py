"""The manifest as bytes."""

from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from toolmem.store.index.listing import FileListing
from toolmem.store.index.manifest import (
    BadManifestError,
    IndexManifest,
    from_bytes,
    paths_to_bytes,
    stamps_to_bytes,
    to_bytes,
)

_PATHS = st.lists(st.text("ab/\udcff\n é", min_size=1), max_size=5, unique=True)


@st.composite
def manifests(draw):
    paths = draw(_PATHS)
    stamps = array(
        "q", [draw(st.integers(-(2**63), 2**63 - 1)) for _ in range(4 * len(paths))]
    )
    return IndexManifest(
        paths_to_bytes(paths),
        stamps_to_bytes(stamps),
        draw(st.binary(min_size=8 * len(paths), max_size=8 * len(paths))),
        racy=tuple(range(0, len(paths), 2)),
        problems=tuple((path, "why") for path in paths),
        engine={"meta.json": (1, 2, 3)},
    )


@examples(100)
@given(manifests())
def test_it_reads_as_it_was_written(manifest):
    assert from_bytes(to_bytes(manifest)) == manifest
    assert len(manifest.path_list()) == len(manifest.problems)


@examples(100)
@given(manifests(), st.integers(0, 10_000), st.integers(1, 255))
def test_no_byte_of_it_can_change_unnoticed(manifest, at, by):
    data = bytearray(to_bytes(manifest))
    data[at % len(data)] ^= by
    with pytest.raises(BadManifestError):
        from_bytes(bytes(data))


@examples(100)
@given(st.binary(max_size=80))
def test_other_bytes_are_no_manifest(data):
    with pytest.raises(BadManifestError):
        from_bytes(data)


def test_it_matches_the_listing_that_it_was_made_of():
    listing = FileListing(["a", "b"], array("q", range(8)))
    manifest = IndexManifest(
        paths_to_bytes(["a", "b"]), stamps_to_bytes(listing.stamps)
    )
    assert manifest.matches(listing)
    assert not manifest.matches(listing._replace(paths=["a", "c"]))
    assert not manifest.matches(listing._replace(stamps=array("q", range(1, 9))))
