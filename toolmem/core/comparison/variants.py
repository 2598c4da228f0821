"""Words that have other spellings: units, numbers, negations and contractions."""

from toolmem.core.comparison.grammar import AUXILIARIES, FILLERS, SAME_FORM

UNITS = {
    unit: names[0]
    for names in (
        ("ms", "millisecond", "milliseconds", "msec"),
        ("s", "sec", "secs", "second", "seconds"),
        ("min", "mins", "minute", "minutes"),
        ("h", "hr", "hrs", "hour", "hours"),
        ("d", "day", "days"),
        ("week", "weeks"),
        ("month", "months"),
        ("year", "years"),
        ("%", "percent"),
        ("b", "byte", "bytes"),
        ("kb", "kilobyte", "kilobytes"),
        ("mb", "megabyte", "megabytes"),
        ("gb", "gigabyte", "gigabytes"),
        ("tb", "terabyte", "terabytes"),
        ("kib",),
        ("mib",),
        ("gib",),
        ("px", "pixel", "pixels"),
        ("hz",),
        ("khz",),
        ("mhz",),
        ("ghz",),
        ("mm",),
        ("cm",),
        ("m",),
        ("km",),
        ("mg",),
        ("g",),
        ("kg",),
        ("ml",),
        ("l",),
        ("v", "volt", "volts"),
        ("w", "watt", "watts"),
        ("a", "amp", "amps"),
        ("token", "tokens"),
        ("line", "lines"),
        ("char", "chars", "character", "characters"),
    )
    for unit in names
}
"""Any spelling of a unit to its usual one."""
_COUNTED = "two three four five six seven eight nine ten eleven twelve"
NUMBERS = {word: str(value) for value, word in enumerate(_COUNTED.split(), 2)}
NEGATIONS = frozenset(
    """
    not no never none neither nor nothing nobody nowhere cannot without non
    cant dont doesnt didnt isnt arent wasnt werent wont wouldnt shouldnt couldnt
    mustnt havent hasnt hadnt
    nicht kein keine keinen keiner nie niemals ohne pas jamais aucun aucune
    nunca jamas ningun ninguna nao не нет никогда нельзя
    不 没 沒 勿 别 別 未 無 无 非 禁 ない せん 안 않 못 없
    """.split()
)
CONTRACTED = {"ca": "can", "wo": "will", "sha": "shall", "ai": "is"}


def varying_words() -> frozenset[str]:
    """Return the words in which texts of the same statements may differ.

    Each of them may be left out, or be written as another word, a number or a sign.
    """
    negated = {f"{verb}n" for verb in AUXILIARIES | {"do", "does", "did"}}
    known = (FILLERS, AUXILIARIES, negated, UNITS, NUMBERS, NEGATIONS)
    forms = (*SAME_FORM, *SAME_FORM.values(), *CONTRACTED, *CONTRACTED.values())
    return frozenset().union(*known, forms)
