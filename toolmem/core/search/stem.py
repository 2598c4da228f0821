"""Which English words share a stem: the Snowball English stemmer ("Porter2").

The steps and their names are those of
https://snowballstem.org/algorithms/english/stemmer.html. Words of other
languages pass through nearly unharmed, on both sides of a search alike.
"""

_VOWELS = frozenset("aeiouy")
_DOUBLES = frozenset({"bb", "dd", "ff", "gg", "mm", "nn", "pp", "rr", "tt"})
_BEFORE_LI = frozenset("cdeghkmnrt")

_WHOLE = {
    "skis": "ski",
    "skies": "sky",
    "idly": "idl",
    "gently": "gentl",
    "ugly": "ugli",
    "early": "earli",
    "only": "onli",
    "singly": "singl",
    **{w: w for w in ("sky", "news", "howe", "atlas", "cosmos", "bias", "andes")},
}
_SHORTENED = frozenset({"die", "lie", "tie"})
_NO_PAST = "inning outing canning herring earring evening proceed exceed succeed"
_AFTER_PLURAL = frozenset(_NO_PAST.split())
_R1_BEGINNINGS = "gener commun arsen past univers later emerg organ inter"
_R1_PREFIXES = tuple(_R1_BEGINNINGS.split())

_STEP_2 = {
    "tional": "tion",
    "enci": "ence",
    "anci": "ance",
    "abli": "able",
    "entli": "ent",
    "izer": "ize",
    "ization": "ize",
    "ational": "ate",
    "ation": "ate",
    "ator": "ate",
    "alism": "al",
    "aliti": "al",
    "alli": "al",
    "fulness": "ful",
    "ousli": "ous",
    "ousness": "ous",
    "iveness": "ive",
    "iviti": "ive",
    "biliti": "ble",
    "bli": "ble",
    "ogi": "og",
    "ogist": "og",
    "fulli": "ful",
    "lessli": "less",
    "li": "",
}
_STEP_3 = {
    "tional": "tion",
    "ational": "ate",
    "alize": "al",
    "icate": "ic",
    "iciti": "ic",
    "ical": "ic",
    "ful": "",
    "ness": "",
    "ative": "",
}
_DROPPED = """
    al ance ence er ic able ible ant ement ment ent ism ate iti ous ive ize ion
"""
_STEP_4 = dict.fromkeys(_DROPPED.split(), "")


def stem(word: str) -> str:
    """The stem of one lower-case word without apostrophes."""
    if len(word) <= 2:
        return word
    if word in _WHOLE:
        return _WHOLE[word]
    word = _mark_consonant_y(word)
    r1, r2 = _regions(word)
    word = _plural(word)
    if word in _AFTER_PLURAL:
        return word
    word = _past(word, r1)
    if word[-1] in "yY" and len(word) > 2 and word[-2] not in _VOWELS:
        word = word[:-1] + "i"
    word = _derived(word, r1)
    word = _adjective(word, r1, r2)
    word = _suffix(word, r2)
    return _final(word, r1, r2).lower()


def beginning(term: str) -> str:
    """What every word begins with whose stem is this one.

    Only its last letter can be another one in the word (``happi``, ``hope``).
    """
    return term[:-1] if len(term) > 1 and term not in _SHORTENED else term[:1]


def _mark_consonant_y(word: str) -> str:
    """``Y`` for a y that is a consonant: at the start, and after a vowel."""
    if "y" not in word:
        return word
    out = ["Y" if word[0] == "y" else word[0]]
    for letter in word[1:]:
        out.append("Y" if letter == "y" and out[-1] in _VOWELS else letter)
    return "".join(out)


def _regions(word: str) -> tuple[int, int]:
    """Where the regions R1 and R2 begin."""
    r1 = next((len(p) for p in _R1_PREFIXES if word.startswith(p)), 0)
    r1 = r1 or _after_vowel_consonant(word, 0)
    return r1, _after_vowel_consonant(word, r1)


def _after_vowel_consonant(word: str, start: int) -> int:
    for at in range(start + 1, len(word)):
        if word[at] not in _VOWELS and word[at - 1] in _VOWELS:
            return at + 1
    return len(word)


def _has_vowel(part: str) -> bool:
    return not _VOWELS.isdisjoint(part)


def _ends_short(word: str) -> bool:
    """Whether the word ends in a short syllable, as "rap" and "ow" of "ow" do."""
    if len(word) == 2:
        return word[0] in _VOWELS and word[1] not in _VOWELS
    return word.endswith("past") or (
        len(word) > 2
        and word[-1] not in _VOWELS
        and word[-1] not in "wxY"
        and word[-2] in _VOWELS
        and word[-3] not in _VOWELS
    )


def _plural(word: str) -> str:
    """Step 1a."""
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith(("ied", "ies")):
        return word[:-2] if len(word) > 4 else word[:-1]
    if word.endswith(("us", "ss")) or not word.endswith("s"):
        return word
    return word[:-1] if _has_vowel(word[:-2]) else word


def _past(word: str, r1: int) -> str:
    """Step 1b."""
    for ending in ("eedly", "eed"):
        if word.endswith(ending):
            at = len(word) - len(ending)
            return word[:at] + "ee" if at >= r1 else word
    for ending in ("ingly", "edly", "ing", "ed"):
        if word.endswith(ending):
            part = word[: -len(ending)]
            if ending == "ing" and len(part) == 2 and part[1] == "y":
                return part[0] + "ie" if part[0] not in _VOWELS else word
            return _mend(part, r1) if _has_vowel(part) else word
    return word


def _mend(part: str, r1: int) -> str:
    if part.endswith(("at", "bl", "iz")):
        return part + "e"
    if part[-2:] in _DOUBLES:
        return part if len(part) == 3 and part[0] in "aeo" else part[:-1]
    return part + "e" if len(part) <= r1 and _ends_short(part) else part


def _longest(word: str, table: dict[str, str]) -> str | None:
    for size in (7, 6, 5, 4, 3, 2):
        if word[-size:] in table and len(word) >= size:
            return word[-size:]
    return None


def _derived(word: str, r1: int) -> str:
    """Step 2."""
    ending = _longest(word, _STEP_2)
    if ending is None or (at := len(word) - len(ending)) < r1:
        return word
    if ending == "ogi" and word[at - 1 : at] != "l":
        return word
    if ending == "li" and word[at - 1 : at] not in _BEFORE_LI:
        return word
    return word[:at] + _STEP_2[ending]


def _adjective(word: str, r1: int, r2: int) -> str:
    """Step 3."""
    ending = _longest(word, _STEP_3)
    if ending is None:
        return word
    at = len(word) - len(ending)
    if at < (r2 if ending == "ative" else r1):
        return word
    return word[:at] + _STEP_3[ending]


def _suffix(word: str, r2: int) -> str:
    """Step 4."""
    ending = _longest(word, _STEP_4)
    if ending is None or (at := len(word) - len(ending)) < r2:
        return word
    if ending == "ion" and word[at - 1 : at] not in ("s", "t"):
        return word
    return word[:at]


def _final(word: str, r1: int, r2: int) -> str:
    """Step 5."""
    at = len(word) - 1
    if word[at] == "e" and (at >= r2 or (at >= r1 and not _ends_short(word[:at]))):
        return word[:at]
    if word[at] == "l" and at >= r2 and word[at - 1] == "l":
        return word[:at]
    return word
