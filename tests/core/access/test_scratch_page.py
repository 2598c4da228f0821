"""Entries of the scratch page: values accepted, corrected and refused, and statuses."""

from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.secrets.samples import ALNUM, token
from toolmem.core.access.scratch_page import (
    STATUSES,
    TYPES,
    EntryFilter,
    ScratchEntry,
    as_of,
    edited,
    item_of,
    matches,
    read_entry,
)
from toolmem.errors import UsageError

NOW = datetime(2026, 4, 20, 12, 0, tzinfo=UTC)
DAY = timedelta(days=1)


def read(**document):
    return read_entry({"content": "x", **document}, NOW, source="me")


def entry(**changes):
    new, _ = read()
    made = ScratchEntry(
        id="01", **new._asdict(), created_at=NOW, updated_at=NOW, agent="a", project=""
    )
    return made._replace(**changes)


def test_the_least_that_an_entry_needs_gets_the_usual_rest():
    new, warnings = read(type="risk_alert", content="Fraud", source="fraud_detector")
    assert new._asdict() == {
        "type": "risk_alert",
        "content": "Fraud",
        "source": "fraud_detector",
        "expires_at": NOW + 7 * DAY,
        "owner": "agent",
        "status": "active",
        "confidence": 0.5,
        "context": {},
        "tags": (),
        "metadata": {},
    }
    assert warnings == ()


def test_what_is_null_is_the_usual():
    given = dict.fromkeys(
        ("type", "owner", "status", "confidence", "context", "tags", "metadata")
    )
    times = dict.fromkeys(("expires_at", "ttl_minutes", "ttl_days", "source"))
    assert read(**given, **times) == read()
    assert read()[0].type == "observation"
    assert read()[0].source == "me"


@pytest.mark.parametrize("kind", TYPES)
def test_every_type_of_the_registry_is_one(kind):
    assert read(type=kind)[0].type == kind


def test_a_type_that_is_not_registered_is_refused_and_can_be_registered():
    with pytest.raises(UsageError) as error:
        read(type="risk_alart")
    assert str(error.value).startswith(
        "no type 'risk_alart'; did you mean 'risk_alert'? (pend"
    )
    document = {"content": "x", "type": "rumour"}
    assert read_entry(document, NOW, source="", types=("rumour",))[0].type == "rumour"


@pytest.mark.parametrize("content", ["", "  \n\t", None])
def test_an_entry_has_content(content):
    with pytest.raises(UsageError) as error:
        read(content=content)
    assert str(error.value) == "content: must not be blank"


@pytest.mark.parametrize(
    ("given", "kept", "warned"),
    [
        (0, 0.0, ()),
        (1, 1.0, ()),
        (0.123456789, 0.123456789, ()),
        (1.5, 1.0, ("confidence: 1.5 was clamped to 1",)),
        (-0.1, 0.0, ("confidence: -0.1 was clamped to 0",)),
        (float("inf"), 1.0, ("confidence: inf was clamped to 1",)),
        (float("nan"), 0.5, ("confidence: nan is not a number: using 0.5",)),
        ("high", 0.5, ("confidence: 'high' is not a number: using 0.5",)),
        (True, 0.5, ("confidence: True is not a number: using 0.5",)),
        (10**400, 1.0, (f"confidence: 1{'0' * 39} was clamped to 1",)),
    ],
    ids=lambda value: str(value)[:20],
)
def test_a_confidence_lies_between_0_and_1_or_is_clamped(given, kept, warned):
    new, warnings = read(confidence=given)
    assert (new.confidence, warnings) == (kept, warned)


@pytest.mark.parametrize(
    ("given", "left"),
    [
        ({"ttl_minutes": 1}, timedelta(minutes=1)),
        ({"ttl_minutes": 10080}, 7 * DAY),
        ({"ttl_minutes": 0}, timedelta()),
        ({"ttl_days": 30}, 30 * DAY),
        ({"ttl_days": 0.5}, DAY / 2),
        ({"ttl": "30m"}, timedelta(minutes=30)),
        ({"ttl": "0"}, timedelta()),
        ({"expires_at": "2026-04-20T12:00:01Z"}, timedelta(seconds=1)),
        ({"expires_at": datetime(2026, 4, 21, 12)}, DAY),  # noqa: DTZ001
        ({"ttl": "1h", "ttl_days": 3}, timedelta(hours=1)),
    ],
)
def test_a_time_to_live_may_be_given_in_several_ways(given, left):
    new, warnings = read(**given)
    assert (new.expires_at - NOW, warnings) == (left, ())


@pytest.mark.parametrize(
    "given",
    [
        {"ttl_minutes": -1},
        {"ttl_days": 10**9},
        {"ttl_days": 10**400},
        {"ttl_days": float("nan")},
        {"ttl_days": float("inf")},
        {"ttl_days": "7"},
        {"ttl_days": True},
        {"ttl": "soon"},
        {"ttl": 7},
        {"ttl": "99999y"},
        {"expires_at": "2026-04-20T11:59:59Z"},
        {"expires_at": "9999-12-31T23:59:59-23:59"},
        {"expires_at": "never"},
        {"expires_at": 5},
    ],
    ids=str,
)
def test_one_that_is_none_is_the_usual_with_a_warning(given):
    [(key, value)] = given.items()
    new, warnings = read(**given)
    assert new.expires_at == NOW + 7 * DAY
    assert warnings == (f"{key}: {value!r:.40} is not a time to live; using 7 days",)


@pytest.mark.parametrize(
    ("document", "told"),
    [
        ({"content": 5}, "content: expected a string, found 5"),
        ({"content": "x" * 65537}, "content: 65537 characters, more than 65536"),
        ({"tags": "security"}, "tags: expected a list of strings, found 'security'"),
        ({"tags": [1]}, "tags: expected a list of strings, found [1]"),
        (
            {"tags": [str(n) for n in range(51)]},
            "tags: 51 of them, more than the 50 that are allowed",
        ),
        ({"tags": ["x" * 201]}, f"tags: '{'x' * 40}'… is longer than 200"),
        ({"metadata": [1]}, "metadata: expected a table, found [1]"),
        (
            {"metadata": {"a": "x" * 16384}},
            "metadata: 16393 characters as JSON, more than 16384",
        ),
        (
            {"status": "done"},
            "no status 'done' (active, pending_review, resolved, archived)",
        ),
    ],
)
def test_what_cannot_be_kept_is_refused_with_its_place(document, told):
    with pytest.raises(UsageError) as error:
        read(**document)
    assert str(error.value) == told


def test_a_table_nested_without_end_is_refused():
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(UsageError, match="metadata: cannot be stored: "):
        read(metadata={"a": deep})


def test_a_key_that_an_entry_does_not_have_is_told():
    assert read(id="x", colour="red")[1] == (
        "id: not a key of an entry; ignored",
        "colour: not a key of an entry; ignored",
    )


def test_long_content_and_odd_characters_are_kept_as_they_are():
    for content in (
        "x" * 10_000,
        "„Ünïcode“ 漢字 👩‍👩‍👧 🇩🇪 \t\n 'quotes\" \\ <b>",
        "a\x1bb",
    ):
        assert read(content=content)[0].content == content


def test_tags_stand_once_each_in_their_order():
    assert read(tags=["b", " a ", "b", ""])[0].tags == ("b", "a")


def test_no_credential_gets_onto_the_page():
    sample = token(("ghp_",), ALNUM, 36)(Random(7))
    held, warnings = read(
        content=f"it is {sample}",
        source=sample,
        tags=[sample],
        metadata={"note": sample, "in": {"deeper": [sample]}, sample: 1},
        context={"goal": sample},
    )
    assert "ghp_" not in str(held)
    assert held.content == "it is [redacted]"
    assert held.metadata["in"] == {"deeper": ["[redacted]"]}
    assert "content: contains a secret, which was redacted" in warnings


def test_a_value_beside_a_telling_key_is_looked_at_with_it():
    held, _ = read(metadata={"password": "Zk3!9xQp#77aLm", "page": "Zk3"})
    assert held.metadata == {"password": "[redacted]", "page": "Zk3"}


@pytest.mark.parametrize("before", STATUSES)
@pytest.mark.parametrize("after", STATUSES)
def test_a_status_goes_forward_and_never_back(before, after):
    held = entry(status=before)
    if STATUSES.index(after) >= STATUSES.index(before):
        assert edited(held, {"status": after}, NOW)[0].status == after
        return
    with pytest.raises(UsageError) as error:
        edited(held, {"status": after}, NOW)
    assert str(error.value) == (
        f"01 is {before}: it cannot go back to {after} (the order is active, "
        "pending_review, resolved, archived)"
    )


def test_the_whole_way_of_an_entry():
    held = entry()
    for days, status in enumerate(STATUSES):
        held, _ = edited(held, {"status": status}, NOW + days * DAY)
    assert (held.status, held.created_at) == ("archived", NOW)
    assert held.updated_at == NOW + 3 * DAY


def test_what_changes_changes_and_the_rest_stays():
    later = NOW + DAY
    changes = {
        "content": "new",
        "metadata": {"key": "new_value"},
        "confidence": 0.95,
        "tags": ["t"],
        "context": {"goal_id": "g"},
        "type": "reminder",
        "owner": "user",
        "ttl_days": 2,
    }
    after, warnings = edited(entry(), changes, later)
    wanted = {k: v for k, v in changes.items() if k != "ttl_days"} | {"tags": ("t",)}
    expires = {"expires_at": later + 2 * DAY, "updated_at": later}
    assert after == entry(**wanted, **expires)
    assert warnings == ()


def test_an_edit_that_changes_nothing_is_none():
    assert edited(entry(), {"content": "x", "owner": None}, NOW + DAY)[0] == entry()


@pytest.mark.parametrize("key", ["id", "created_at", "updated_at", "agent", "source"])
def test_some_things_of_an_entry_never_change(key):
    with pytest.raises(UsageError) as error:
        edited(entry(), {key: "2025-01-01"}, NOW)
    assert str(error.value) == f"the {key} of an entry cannot change"


def test_an_entry_is_visible_up_to_its_expiry_and_gone_at_it():
    held = entry(expires_at=NOW + timedelta(minutes=1))
    seen = [as_of(held, NOW + timedelta(seconds=s)) is not None for s in (0, 30, 59)]
    assert seen == [True, True, True]
    assert [as_of(held, NOW + timedelta(seconds=s)) for s in (60, 61)] == [None, None]
    assert as_of(entry(expires_at=NOW), NOW) is None


def test_what_is_resolved_is_archived_in_a_week_and_forgotten_in_90_days():
    held = entry(status="resolved", expires_at=NOW)
    assert as_of(held, NOW + 7 * DAY - timedelta(seconds=1)) == held
    archived = held._replace(status="archived", updated_at=NOW + 7 * DAY)
    assert as_of(held, NOW + 7 * DAY) == archived
    assert as_of(held, NOW + 97 * DAY - timedelta(seconds=1)) == archived
    assert as_of(held, NOW + 97 * DAY) is None


@pytest.mark.parametrize(
    ("wanted", "fits"),
    [
        ({}, True),
        ({"type": "observation"}, True),
        ({"type": "observatio"}, False),
        ({"status": "active"}, True),
        ({"status": "resolved"}, False),
        ({"owner": "user"}, False),
        ({"source": "me"}, True),
        ({"tags": ("security",)}, True),
        ({"tags": ("Security",)}, False),
        ({"tags": ("secur",)}, False),
        ({"tags": ("security", "fraud")}, True),
        ({"tags": ("security", "wine")}, False),
        ({"confidence": 0.5}, True),
        ({"confidence": 0.51}, False),
        ({"context": (("goal_id", "7"),)}, True),
        ({"context": (("goal_id", "8"),)}, False),
        ({"context": (("user_id", ""),)}, False),
        ({"type": "observation", "status": "active", "tags": ("fraud",)}, True),
        ({"type": "observation", "status": "resolved", "tags": ("fraud",)}, False),
    ],
)
def test_a_filter_is_exact_and_all_of_it_must_hold(wanted, fits):
    held = entry(tags=("security", "fraud"), context={"goal_id": 7})
    assert matches(held, EntryFilter(**wanted)) is fits


def test_a_query_finds_an_entry_with_its_confidence_as_its_importance():
    item = item_of(entry(confidence=0.9, tags=("t",), context={"g": 1}, project="p"))
    assert item._asdict() == {
        "id": "01",
        "type": "observation",
        "content": "x",
        "source": "me",
        "timestamp": NOW,
        "importance": 0.9,
        "tags": ("t",),
        "metadata": {
            "owner": "agent",
            "confidence": 0.9,
            "expires_at": "2026-04-27T12:00:00Z",
            "context": {"g": 1},
            "project": "p",
        },
        "agent": "a",
        "private": False,
        "status": "active",
    }


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)
_KEYS = st.sampled_from(
    "type content source owner status confidence context tags expires_at ttl_minutes"
    " ttl_days ttl metadata id colour".split()
)


@given(st.dictionaries(_KEYS, _VALUES))
def test_any_document_is_an_entry_or_a_fault_that_names_its_key(document):
    try:
        new, _ = read_entry(document, NOW, source="me")
    except UsageError as error:
        named = str(error).split()[0].rstrip(":")
        new = None
    if new is None:
        assert named in {*document, "content", "no"}
        return
    assert 0 <= new.confidence <= 1
    assert NOW <= new.expires_at <= NOW + 365 * DAY
    assert new.content.strip()
    assert new.status in STATUSES
    assert new.type in TYPES
