"""ULIDs: their form, their order and that no two are the same."""

import re
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

from hypothesis import given
from hypothesis import strategies as st

from toolmem.core.ulid import ulid

NOW = datetime(2026, 4, 20, 12, 0, tzinfo=UTC)
FORM = re.compile(r"[0-7][0-9A-HJKMNP-TV-Z]{25}")


def test_one_is_as_others_write_it():
    assert ulid(datetime.fromtimestamp(0, UTC), UUID(int=0).hex) == "0" * 26
    moment = datetime.fromtimestamp(1_469_918_176.385, UTC)
    assert ulid(moment, UUID(int=0).hex)[:10] == "01ARYZ6S41"


@given(
    st.datetimes(datetime(1970, 1, 2), datetime(9999, 12, 1), timezones=st.just(UTC)),  # noqa: DTZ001
    st.uuids(),
)
def test_each_has_the_form_and_a_later_one_is_greater(moment, unique):
    made = ulid(moment, str(unique))
    assert FORM.fullmatch(made)
    assert made[:10] < ulid(moment + timedelta(milliseconds=1), str(unique))[:10]


def test_a_thousand_of_one_moment_differ():
    assert len({ulid(NOW, uuid4().hex) for _ in range(1000)}) == 1000
