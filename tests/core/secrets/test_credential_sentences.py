"""Credentials in sentences, command lines and settings, and harmless ones like them.

All of them were looked at while the detection was written: ``tuned`` and ``held`` once
were two halves of 400 sentences, both have been read since, and the others were written
with the mechanism for their class. They show that nothing gets worse; what is found in
new texts has to be measured with new texts.
"""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.growth import is_linear
from toolmem.core.secrets.detect import find_secrets, redact, redact_as_in
from toolmem.store.files.layout import slug

_FOLDER = Path(__file__).with_name("credential_sentences")


def sentences(name: str, part: str) -> list[str]:
    text = (_FOLDER / f"{name}_{part}.txt").read_text()
    return [line.replace("\\n", "\n") for line in text.splitlines()]


PARTS = ["tuned", "held", "commands", "settings", "prose", "mixed", "various"]


@pytest.mark.parametrize("part", PARTS)
def test_of_20_credentials_19_are_found(part):
    lines = sentences("credentials", part)
    missed = [line for line in lines if not find_secrets(line)]
    assert len(lines) >= 60
    assert len(missed) <= len(lines) * 0.05, missed


@pytest.mark.parametrize("part", PARTS)
def test_of_50_harmless_sentences_one_is_flagged_at_most(part):
    lines = sentences("harmless", part)
    flagged = [line for line in lines if find_secrets(line)]
    assert len(lines) >= 60
    assert len(flagged) <= len(lines) * 0.02, flagged


SECRET = "hunter2" + "Zx9Qw7"


@pytest.mark.parametrize(
    "text",
    [
        f"Never commit the password {SECRET} to git.",
        f"never use {SECRET} as the password",
        f"the passphrase for it is “{SECRET}”",
        f"Token: {SECRET}",
    ],
)
def test_only_the_credential_is_redacted(text):
    assert redact(text) == text.replace(SECRET, "[redacted]")


def test_a_part_of_a_sentence_is_redacted_as_the_whole():
    sentence = f"Never paste {SECRET}, it is my password."
    assert redact(f"never paste {SECRET}") == f"never paste {SECRET}"
    assert redact_as_in(f"never paste {SECRET}", sentence) == "never paste [redacted]"


def test_a_file_name_has_no_credential():
    assert slug(f"never commit the password {SECRET}") == (
        "never-commit-the-password-redacted"
    )


_words = st.sampled_from(
    "the password token secret is for key of new field never commit to api a must be"
    " rotated use vault login".split()
)


@given(st.lists(_words, max_size=30).map(" ".join))
def test_words_alone_are_no_credential(text):
    assert find_secrets(text) == ()


_parts = ["password ", "a1B2c3D4", "?token=", "MHcCAQEEI\n", "key is ", "=", "pass = "]
_parts += [
    "AbC1" * 3 + " secret ",
    "A_",
    "密码",
    "b3BlbnNzaC1rZXktdjE ",
    "A" * 40 + " ",
]
_parts += ["password is a ", "-u a -p b1 ", "x_password[] = ", "login a / b1 "]
_parts += ["echo a1 | kinit b; ", "a -u b -p c1 ", "-u a:b \\\n", "<<< a1 su "]
_parts += ["a|password\nb|", "password,", "DB_PASSWORD\n value: ", "password\n", "a:1:"]
_parts += ["the pass: m{{a)b ", "curl -u a:b ", "token_a_b_c"]
_parts += ["password is ", "log in as a:b ", "key key ", "seed phrase ab ", "pin 12 "]
_parts += ["-----END PRIVATE " + "KEY-----"]


@pytest.mark.one_of(4)
@pytest.mark.parametrize("part", _parts)
def test_sixteen_times_the_text_takes_at_most_64_times_the_work(part):
    assert is_linear(find_secrets, lambda size: part * (size // len(part)))
