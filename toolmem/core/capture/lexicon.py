"""The word lists of the grammar: which words are verbs, subjects, adverbs, and so on.

English is closed in its small words and open in its verbs, so the small words
are listed and a verb is whatever stands where a verb must stand. The lists of
verbs only tell who acts: the agent (``push``) or the product (``render``).
"""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


PUNCTUATION = frozenset(", ; : . ! ? ( ) [ ] - – — … ~ & | / > < = + % # \" '".split())
BREAKS = frozenset(", ; : ( ) [ ] - – — … . ! ?".split())
"""Marks after which a clause may begin."""
COORDINATORS = _words("and but so or then plus & yet nor")
ADVERBS = _words(
    "ever just even simply automatically blindly really actually also again either"
    " at all under any circumstances please kindly go ahead and try to attempt start"
    " accidentally manually directly silently randomly unnecessarily needlessly"
    " explicitly purposely intentionally constantly always try dare immediately only"
    " normally generally usually be trying keep now then first fucking"
)
FILLER_ADVERBS = _words(
    "ever just even simply automatically blindly really actually also again either"
    " please kindly accidentally silently randomly unnecessarily needlessly explicitly"
    " intentionally constantly dare fucking bloody auto immediately now then"
    " normally generally usually directly manually casually , …"
)

DETERMINERS = _words(
    "a an the my our your his her its their this that these those some any all every"
    " each no both another such either neither whatever whichever"
)
SUBJECTS = _words("i we he she it they there who someone somebody everyone everybody")
PRONOUNS = _words(
    "i you he she it we they me him her us them this that these those there mine yours"
    " something anything everything nothing someone anyone everyone nobody"
)
ANAPHORS = _words("it that this them these those him her")
PREPOSITIONS = _words(
    "in on at by with from to for of about into onto over under after before during"
    " without within through via using as than like per between against across"
    " until till since because if when while unless whether although though where"
)
MODALS = _words("can could may might must shall should will would ought need")
AUXILIARIES = _words(
    "am is are was were be been being do does did have has had can could may might"
    " must shall should will would"
)
WH_WORDS = _words("what why how who whom whose which where")
CONNECTIVES = COORDINATORS | _words("because since whereas however therefore instead")

NOT_BASE = (
    DETERMINERS
    | PRONOUNS
    | PREPOSITIONS
    | (AUXILIARIES - {"be", "do", "have"})
    | CONNECTIVES
    | WH_WORDS
    | PUNCTUATION
    | _words(
        "not never again been gone got went saw seen knew known said told wrote written"
        " made took taken came gave given found thought felt left kept held brought"
        " bought sent spent built broke broken chose chosen began begun ran understood"
        " heard meant met paid sold stood taught thrown threw forgot forgotten done"
        " only mind you more most less least much many very too quite good bad sure"
        " once twice ever-lasting yes okay thanks one two i'm able why better worse"
        " available possible impossible possibly enough else"
    )
)
"""Words that cannot be the verb of a command."""
BASE_ED = _words(
    "need feed embed exceed proceed seed speed shred bleed breed heed shed succeed wed"
    " concede precede impede weed reseed sed"
)
BASE_ING = _words("bring ring sing string ping swing fling sting spring king")
NOT_GERUND = _words(
    "thing nothing something anything everything during string king morning evening ring"
    " bring sibling ceiling spring sing swing wing sting ping"
)

# Who acts ----------------------------------------------------------------
AGENT_VERBS = _words(
    "add adjust alter amend announce answer append apply approve archive ask assume"
    " attach auto-commit auto-format auto-merge autoformat backup bill book branch browse"
    " build bump bundle bypass call cancel change charge chat check checkout cherry-pick"
    " clean clone close comment commit communicate compile complete confirm consult"
    " contact convert coordinate copy create cross-check dismiss debug decide default delegate delete deploy"
    " describe disable discard disclose discuss dm document double-check download"
    " downgrade draft drop edit email escalate estimate execute explain extract fetch file fix"
    " follow force-push format forward generate give google grep guess hard-code hardcode"
    " implement import improvise inform inspect install introduce invent invite"
    " invoke keep kill label launch leave lint list look mail make mark mention"
    " merge message migrate mock modify move name navigate notify offer omit open order"
    " output over-engineer overengineer overcomplicate override page paste patch pay"
    " perform phone pick pin ping plan play post practice prefer prefix present print proceed"
    " promise propose provide publish pull purchase push put query quote read rebase rebuild"
    " recommend record recreate refactor reference reformat refund regenerate reinstall"
    " release rely remind remove rename reopen repeat rephrase replace reply report"
    " request reschedule research resolve respond restart restore restrict reuse revert"
    " review rewrite rm roll rotate run save say scan schedule scrape search send set"
    " share ship sign simplify skip slack sort speak specify spawn speculate spend split"
    " squash stage start stash state stick stop stub submit suggest summarise summarize"
    " suppress switch sync tag take talk tell test text tidy touch track trade transfer"
    " translate trash treat trust try tweet type undo uninstall unsubscribe update upgrade"
    " upload use verify visit wait wake wipe work wrap write escape stay cite think"
    " paginate batch back schedule double batch cc bcc credit invoice consider coordinate"
    " focus limit keep begin avoid ensure include measure profile benchmark dispatch"
    " promote rollback terminate reboot drain cordon scale ssh squash"
)
"""What agents do with tools and with people."""
PRODUCT_VERBS = _words(
    "show display render return throw crash fail fall fallback overwrite cache redirect"
    " load allow hide scroll animate expose accept trigger fire emit block persist"
    " highlight appear contain depend require resize collapse expand autoplay prompt"
    " strip truncate flash leak panic mutate raise abort hang yield reject expire encode"
    " decode serialize serialise sanitize sanitise escape clamp round default-to retry"
    " spam drop-down autofocus autocomplete autosave toggle preload prefetch recompute"
    " exceed overlap overflow sleep wrap support enforce validate store hash encrypt"
    " convert parse happen affect consume count index sort"
)
"""What programs do: a command with one of these may be a requirement of the product."""
TASK_VERBS = AGENT_VERBS | _words(
    "analyze analyse investigate find figure help design continue go let show see"
    " do get compare try integrate extend optimize optimise improve handle support"
    " enable increase reduce replace convert port walk give tell teach evaluate assess"
    " validate address debug diagnose identify examine explore prepare set turn"
    " hook wire connect configure setup scaffold bootstrap finish redo sketch draft"
    " determine"
)
"""First words of a plain step of the task."""
COGNITION = _words(
    "know think believe remember recall understand see want need have care feel suppose"
    " expect wish seem matter mean love like agree get realise realize notice recognize"
    " see own doubt belong trust exist"
)
"""``Don't know why`` has lost its ``I``; it commands nothing."""
NO_NOUNS = _words(
    "problem problems worries worry idea ideas need way one thanks rush hurry luck doubt"
    " longer matter error errors issue issues clue question questions reason wonder point"
    " big biggie difference chance result results response sign output offense offence"
    " particular dice kidding pressure joke sweat sense effect such other good harm"
    " preference opinion strong hard specific explanation way where no yes not thing"
    " brainer no-brainer less sooner change changes success progress news guarantee match"
    " matches warning warnings crash crashes bug bugs failure failures conflict conflicts"
    " complaints objection objections surprise surprises"
)
"""After ``no``: what one finds or feels, not what one forbids."""
WAYS = _words(
    "use write pick choose run call test deploy install import go reply answer respond"
    " put place store save send work build talk speak commit push fetch merge rebase"
    " squash format log document switch do file report track raise"
)
"""Verbs of a way to work: what comes after them can be set against another way."""
WORK_VERBS = _words(
    "do write change edit modify touch fix implement code start run make create build"
    " update proceed continue add apply commit execute refactor generate"
)
WORK_OBJECTS = _words(
    "anything any the code file files change changes work nothing else edits edit it"
    " implementation yet single more actual real new further thing things coding"
)
"""What the work consists of: to forbid it all is to ask for talk first."""
STEP_STARTS = _words("first then next finally afterwards lastly second third now")

# What is ruled about -----------------------------------------------------
PROCESS_NOUNS = _words(
    "commit commits pr prs branch branches merge merges push pushes change changes"
    " deploy deploys deployment deployments migration migrations release releases review"
    " reviews pull-request pull-requests message messages reply replies answer answers"
    " response responses email emails meeting meetings invite invites post posts ticket"
    " tickets issue issues secret secrets credential credentials password passwords task"
    " tasks work edit edits fix fixes bugfix bugfixes hotfix hotfixes refactor refactors"
    " refactoring worktree worktrees plan plans invoice invoices payment payments refund"
    " refunds transfer transfers purchase purchases command commands script scripts"
    " rollback rollbacks rollout rollouts comment comments summary summaries report"
    " reports draft drafts backup backups experiment experiments decision decisions"
    " request requests feature features code tests test"
)
"""Things that the agent makes or handles while it works, not parts of a product."""
AGENT_NAMES = _words(
    "claude cursor copilot codex gemini assistant assistants chatgpt gpt agent agents ai"
    " llm bot devin aider windsurf"
)
RULE_LEADS = _words(
    "rule rules guideline guidelines constraint constraints role policy policies"
    " instruction instructions preference preferences convention conventions reminder"
    " reminders restriction restrictions workflow conduct forever always"
    " boundaries guardrails guardrail etiquette standards principles practices"
    " do's dos ground-rules"
)
SPEC_LEADS = _words(
    "requirement requirements acceptance criteria criterion steps step reproduce repro"
    " expected actual behaviour behavior feature features stories story spec specs"
    " specification bug bugs changelog scenario scenarios example examples cases issue"
    " issues findings summary notes product functional ui ux design"
)
"""Heads of lists that say what a product does or shall do."""
BAN_LEADS = (
    "never", "do not", "don't", "dont", "don'ts", "dont's", "donts", "avoid", "must not",
    "you must not", "forbidden", "prohibited", "banned", "not allowed", "off limits",
    "please avoid", "please don't", "please do not", "never do", "never do this",
    "never do the following", "don't do", "do not do", "stop", "stop doing", "no",
    "things to avoid", "things you must never do", "please never", "off-limits",
)  # fmt: skip
MANDATE_LEADS = (
    "always", "do", "please always", "you must", "you must always", "must", "always do",
    "from now on", "going forward", "make sure to always", "please do", "in future",
    "in the future", "moving forward", "from here on", "whenever you commit",
)  # fmt: skip
