"""The word lists that phrases are written with: ``{can}``, ``{sure}``."""

from toolmem.core.capture.smallwords import word_set

_LISTS = """
in: at in on under
no: absolutely no
case: account case cases circumstance circumstances condition conditions event point
    reason scenario situation situations time
must: may must shall
should: ought should
can: can could may might will would
do: are can did do does have must should will would
did: did have
not: never not
into: at inside into on
avoid: avoid avoided cease leave left quit refrain refrained skip skipped stop
    stopped
allowed: allowed authorised authorized cleared free permitted supposed
banned: banned barred disallowed forbidden prohibited
okay: acceptable allowed comfortable cool fine happy okay permitted
able: fine good okay possible too
work: branch build command commit dependency deploy deployment diff instruction merge
    migration package plan pr requirement search task test tests ticket tool
agent: agent agents ai assistant assistants chatgpt claude codex copilot cursor
    gemini
stay: keep stand stay steer
be: be being make making
sure: careful certain sure
want: expect need require want wish
wanted: a an another any anybody anyone anything her him it my our that the them these
    this those you your
met: catch discover find get hear notice read receive see spot
like: appreciate like love prefer rather want
asking: asking begging telling warning
very: much really so super very
glad: delighted glad grateful happy obliged pleased thankful
great: appreciated awesome best better cool fantastic good great helpful ideal
    lovely nice wonderful
told: ask asked begged instructed said say tell told warned
hate: appreciate dislike enjoy hate like loathe love stand
act: add change commit delete deploy do edit email install merge modify post publish
    push remove run send share tell touch write
check: check clear confirm consult coordinate discuss double-check verify
get: await get obtain request seek wait
my: a an another explicit for general golden ground hard house important my new our
    safety simple strict team the
kind: explicit general golden hard important new simple strict written
approval: approval approved blessing confirmation consent feedback go-ahead okay
    permission sign-off signoff
tell: alert inform message notify ping remind tell warn
short: atomic blunt brief chatty clean concise consistent conventional direct
    explicit focused formal honest minimal neutral polite private proactive
    professional readable short short- simple small succinct terse tidy up-to-date
    updated verbose
answer: answer communicate reply respond speak talk write
vital: critical crucial essential imperative important mandatory required vital
stop: ! , - . : ; – —
please: please
touched: amended checked committed contacted deployed edited emailed force-pushed
    merged messaged pushed rebased reformatted squashed touched used
this: attempt branch bug case change changes chat commit conversation demo example
    exercise experiment feature fix hotfix issue iteration migration one ones part
    pass phase plan poc pr prototype prs pull refactor release request review round
    run session sessions spec spike sprint step story task tasks test tests thread
    ticket turn
thing: one comment favor note notes point points question remark request requests rule
    rules thing things
drop: abandon abolish axe cancel clear delete discard disregard ditch drop erase
    forget ignore kill lift loosen nix relax remove repeal rescind retire retract
    reverse revoke scrap scratch suspend undo unset void waive withdraw
lifting: canceling cancelling dropping lifting removing rescinding retiring
    retracting revoking withdrawing
lifted: canceled cancelled dropped lifted removed retracted revoked withdrew
det: all any earlier every my our previous that the these this those your
ruling: ban bans constraint constraints decree directive embargo guideline
    instruction instructions limit limitation mandate moratorium no-go order policy
    preference prohibition requirement restriction restrictions rule rules thing
    veto
wrote: decided demanded mentioned wrote
free: allowed authorised authorized clear cleared fine free good okay permitted
    welcome
fine: acceptable allowed cool fine good great okay permitted possible safe welcome
goes: be can enters gets goes is lands leaves may must ships should
gone: abolished canceled cancelled dead deleted dropped expired forgotten gone
    history lifted moot obsolete off outdated over relaxed removed repealed
    rescinded retired revoked scrapped superseded suspended unnecessary void waived
    withdrawn
valid: active applicable current in necessary needed relevant required valid
adv2: absolutely again also completely generally now perfectly totally
label: attention caution guideline guidelines hint important instruction
    instructions nb note notice policy preference preferences remember reminder
    request rule rules style tip warning
"""


def _read(text: str) -> dict[str, frozenset[str]]:
    """A list is ``name: words``; indented lines go on with the one above."""
    lists: dict[str, frozenset[str]] = {}
    for entry in text.strip().replace("\n    ", " ").split("\n"):
        name, _, words = entry.partition(": ")
        lists[name] = word_set(words)
    return lists


CLASSES = _read(_LISTS)
