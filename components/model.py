"""The typed model of a game: what may stand in the YAML of `components/<game>/`, and what resolving it yields.

Two families of records. The *definition* records (`GameFile`, `RulesFile`, `VocabularyFile`, `PieceSetFile`,
`VariantFile`, `components.rulingsfile.RulingsFile`, `components.glossaryfile.GlossaryFile`) are the shape of one YAML
file each; unknown keys are refused. `ResolvedGame` is what everybody else works with: one variant, all parameters
known, every sentence rendered. It is plain data without behaviour, can be stored and compared, and carries its
fingerprint.
"""

# No `from __future__ import annotations`: msgspec reads them whenever a command begins, and texts take it long.

from typing import Annotated, Any, Literal

import msgspec

BASE = "base"
"""The module of everything that names no other; it is always in play."""
MODEL_VERSION = 1
"""Changes when the meaning of a resolved game changes: caches and journals of another version are not reused."""


_ID = r"[A-Za-z0-9][A-Za-z0-9_-]{0,59}"
_ID_FORM = "1 to 60 letters (A to Z), digits, '-' and '_', beginning with a letter or digit"
Id = Annotated[str, msgspec.Meta(pattern=rf"^{_ID}(?!\n)$", description=_ID_FORM)]
"""The id of a game, set, piece or variant, and the name of a face template: files are named after them."""
IdOrNone = Annotated[str, msgspec.Meta(pattern=rf"^({_ID})?(?!\n)$", description=_ID_FORM)]
"""An id that may be left out."""

TypeOfField = str | list[Any] | dict[str, Any]
"""The type of a field or argument, in the shape of its data; `components.fieldtypes` reads it."""


class Record(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """Base of every record that a person writes in YAML."""


# --- game.yaml ---------------------------------------------------------------------------------------------------


class Parameter(Record, kw_only=True):
    """A named number (or switch, list, map) that a rule depends on. `rules` are the ids of the rules that use it."""

    value: Any
    """A number, `true`/`false`, a word, a list, or a mapping; `null` for none. Its kind is the parameter's kind."""
    about: str
    """The parameter, in one sentence."""
    rules: list[str] = []
    """Ids of the rules that depend on it."""
    min: float | None = None
    """Smallest number allowed, also inside a list or mapping."""
    max: float | None = None
    """Largest number allowed."""
    choices: list[Any] | None = None
    """The only values allowed."""
    keys: list[str] | Literal["numbers"] | None = None
    """The names allowed for the entries of a mapping (also of mappings in a list): these words, or any whole
    numbers. Such a mapping may get new entries, and another mapping replaces it as a whole."""
    nullable: bool = False
    """True if `null` is allowed, e.g. for no limit."""


class Passage(Record, kw_only=True):
    """A few sentences of the rulebook's overview."""

    title: str
    """Two or three words; Jinja2."""
    text: str
    """Jinja2."""


class Warn(Record, kw_only=True):
    """A condition over the parameters that deserves a warning when a game is checked, e.g. two possible winners."""

    when: str
    """A Jinja2 expression over the parameters."""
    say: str
    """The warning; Jinja2."""


class GameFile(Record, kw_only=True):
    """`game.yaml`: who plays, with which parameters, and which Python module judges it."""

    id: Id
    """The name of the game's folder."""
    title: str
    prefix: str
    """The first part of every rule id of the game, e.g. `WS`."""
    engine: str | None = None
    """Module below `companion.games` that judges this game; left out or empty: the game can be printed, but not
    followed."""
    seats: list[str] = []
    """The seat names a player may take, in the order in which they are offered; empty: any name."""
    seat_word: str = "player"
    """The word for a seat in this game, e.g. `State`."""
    plurals: dict[str, str] = {}
    """Word -> plural of the goods that are counted: `coin: coins` makes amounts `3 coins and 2 wood`. A word that is
    left out stays as it is."""
    min_players: str
    """Name of the parameter that holds the smallest number of players."""
    max_players: str
    """Name of the parameter that holds the largest number of players."""
    about: str
    """A description of the game, for lists of games and the rulebook's front page."""
    overview: list[Passage] = []
    """An introduction to the game for new readers of the rulebook: printed before its first section."""
    credits: str = ""
    """Whom the game owes what."""
    parameters: dict[str, Parameter]
    """Flat dotted name (`build.army_cost`) -> parameter."""
    warnings: list[Warn] = []
    sections: list[str] = []
    """Headings of the rulebook, in order; each rule names one."""
    modules: list[str] = msgspec.field(default_factory=lambda: ["base"])
    """Modules in play unless a variant brings in more. Rules and pieces of other modules are left out."""


# --- rules.yaml --------------------------------------------------------------------------------------------------


class Rule(Record, kw_only=True):
    """One rule of the catalogue. `text` is Jinja2 over the parameters."""

    id: str
    """Prefix of the game, group and number: `WS-BUILD-2`. It is printed and cited, so it never changes its meaning."""
    title: str
    """Two or three words; Jinja2."""
    text: str
    """The rule as printed and cited; Jinja2."""
    origin: Literal["given", "decided"]
    """`given` by the source, or `decided` by us."""
    section: str
    """One of the `sections` of `game.yaml`."""
    source: str = ""
    """Heading of the source document that gives it (origin `given`, or the given part of a decided rule)."""
    reason: str = ""
    """The reason for the decision (origin `decided`); Jinja2."""
    module: str = "base"
    """Module the rule belongs to; it exists only while that module is in play."""
    kept_by: Literal["companion", "table"] = "companion"
    """`table`: the people at the table keep this rule (shuffling, secrecy); the companion has nothing to judge."""
    when: str = ""
    """A Jinja2 expression: the rulebook prints the rule only while it is true. The rule can be cited all the same."""
    breaks: dict[str, str] | str = {}
    """The words of a refusal by this rule, by key: `coin: "{player} has {has} coin and needs {cost}"`; one sentence
    alone has no key. `{name}` is a fact, `{n|army}` a counted noun, `{n:is|are}` the word that goes with a number. Only
    a rule with `breaks` can be switched off."""
    asks: dict[str, str] | str = {}
    """The words of a question this rule leaves to a player, by key: `MOVE.FIELD` (`pick.fruit`), or any key that moves
    name."""
    says: dict[str, str] | str = {}
    """The words in which what this rule does is told, by key."""


class RulesFile(Record, kw_only=True):
    """`rules.yaml`: the rules catalogue."""

    rules: list[Rule]


# --- effects.yaml ------------------------------------------------------------------------------------------------


class Verb(Record, kw_only=True):
    """One verb of the effect vocabulary: its arguments, the phrase printed for it and the icons drawn for it.

    `phrase` is Jinja2; it sees the arguments by name, the parameters, and for a `scope` verb `body`, the joined
    phrases of the verbs inside. `icons` are Jinja2 strings, each rendering to `icon-name` or `icon-name label`; the
    entry `body` stands for the icons of the verbs inside. An icon string that renders to nothing is dropped.
    """

    about: str
    """The effect of the verb, in one sentence."""
    args: dict[str, TypeOfField] = {}
    """Type of each argument, see [Types of fields](#types-of-fields): `n: whole 1.. | one of all`, and `n?: whole` for
    one that may be left out; the phrase then sees `none`. A single value given to the verb is its first argument."""
    whole: str = ""
    """Name of the argument that takes the whole value given to the verb (for maps)."""
    scope: bool = False
    """True if verbs stand inside it (`each_player: {…}`)."""
    phrase: str
    """The words printed for it."""
    icons: list[str] = []
    """The icons drawn for it, in order."""


class VocabularyFile(Record, kw_only=True):
    """`effects.yaml`: the verbs that effects may use. `modify`, `when`, `forbid` and `permit` are there in every game;
    the other keys say what they may touch and the words printed for them."""

    verbs: dict[str, Verb]
    figures: list[str] = []
    """Figures worked out at the table that `modify` may change, beside the parameters."""
    moments: dict[str, dict[str, str]] = {}
    """Moments that `when` may wait for (`resolve:*` stands for all of its kind), with the names of their
    circumstances."""
    spans: list[str] = []
    """Spans in which an effect may be limited: `turn` allows `first_each_turn` and `once_per_turn`."""
    phrases: dict[str, str | Verb] = {}
    """Words (or words and icons) of `modify FIGURE`, `when MOMENT`, `forbid NAME`, `permit NAME`. They see the
    arguments by name, and the conditions (`if`) as `provided`."""


# --- decks, tiles, boards, tokens, aids --------------------------------------------------------------------------


class Piece(Record, kw_only=True):
    """One printed piece. `copies` is a number, or a Jinja2 expression over the parameters and `players`."""

    id: Id
    """Unique in its set; `set/id` names the piece everywhere."""
    name: str
    """The name printed on it; Jinja2."""
    copies: int | str | None = None
    """The number of copies; left out: that of the set."""
    rule: str = ""
    """Id of the rule that governs it."""
    effect: dict[str, Any] | list[dict[str, Any]] = {}
    """The effect, in the verbs of `effects.yaml`. The printed text and icons are made from it."""
    flavour: str = ""
    """Free text without meaning for the rules; Jinja2."""
    fields: dict[str, Any] = {}
    """Whatever the face template wants to print. Strings are Jinja2 over the parameters; one that is exactly one
    `{{ expression }}` keeps its type. `effect('set/piece')` is the printed text of a piece, `copies('set/piece')` and
    `copies('set')` how many there are."""
    face: IdOrNone = ""
    """Face template, if not the set's."""
    back: IdOrNone = ""
    """Template of the back, if not the set's."""
    module: str = ""
    """Module the piece belongs to; empty: that of its set."""
    seat: str = ""
    """Seat of `game.yaml` whose piece it is; empty: that of its set."""


class PieceSetFile(Record, kw_only=True):
    """A deck, a set of tiles, tokens, aids … : pieces of one kind and format with the same face template and back."""

    set: Id
    """Name of the set, unique in the game."""
    title: str
    """Name of the set as printed on sheets and in lists."""
    kind: Literal["card", "tile", "board", "token", "standee", "aid", "screen", "marker"]
    format: str
    """Name of a piece format of `layouts/formats.yaml`."""
    face: Id
    """Name of a face template of `layouts/<game>/faces/`."""
    back: IdOrNone = ""
    """Face template of the back; empty: the back stays white."""
    copies: int | str = 1
    """Copies of a piece that names none itself."""
    fields: dict[str, Any] = {}
    """Fields every piece of the set has unless it says otherwise."""
    field_types: dict[str, TypeOfField] | None = None
    """Type of each field, in the shape of its data, see [Types of fields](#types-of-fields); a piece may then have no
    other fields. Left out: fields are not checked."""
    about: str = ""
    """The purpose of the set, in one sentence."""
    module: str = "base"
    """Module the set belongs to; its pieces exist only while that module is in play."""
    seat: str = ""
    """Seat of `game.yaml` whose pieces these are: printed for the seats that are asked for. Empty: everybody's."""
    instead_of: IdOrNone = ""
    """Another set of the game that these stand in for: cubes to fold for discs, or cards to draw for discs in a bag. Of
    the two only the other is printed, unless `--only` names this one."""
    pieces: list[Piece] = []
    rows: str = ""
    """A table of further pieces, a `.csv`, `.tsv`, `.xlsx` or `.ods` file in the same folder, see
    [Tables of cards](tables.md)."""
    link: str = ""
    """Address (https) from which `pnp fetch` gets the table of `rows`, such as the CSV that a shared spreadsheet
    publishes. Nothing else reads it."""
    sheet: str = ""
    """Sheet of a workbook; empty: the first."""
    only: dict[str, str | int | list[str | int]] = {}
    """Title of a column -> the word (or words) a row needs there to belong to this set, so that several sets share one
    table: `only: {Deck: storm}`."""
    columns: dict[str, str] = {}
    """Title of a column -> where its cells go (`name`, `fields.tint`, `effect.gain.n`), `-`: nowhere. A column not
    listed goes where its title says."""


# --- variants/*.yaml ---------------------------------------------------------------------------------------------


class VariantFile(Record, kw_only=True):
    """`variants/NAME.yaml`, an overlay: parameters changed, pieces added or removed, rules switched off, reworded or
    added."""

    id: Id
    """The name of its file."""
    title: str
    about: str
    """The change, in one sentence."""
    extends: list[str] = []
    """Variants that are applied before this one."""
    modules: list[str] = []
    """Modules this variant brings into play."""
    remove_modules: list[str] = []
    """Modules of `game.yaml` that this variant takes out: their pieces and rules are then not in the game."""
    parameters: dict[str, Any] = {}
    """Parameter -> value, named and valued as for `--set`."""
    rules_off: list[str] = []
    """Ids of rules that no longer hold."""
    rules: list[Rule] = []
    """Rules added, or replaced where the id exists."""
    remove_pieces: list[str] = []
    """`set` or `set/piece` names."""
    pieces: dict[str, list[Piece]] = {}
    """Set name -> pieces added, or replaced where the id exists."""


# --- what resolving yields ---------------------------------------------------------------------------------------


class Effect(msgspec.Struct, frozen=True, omit_defaults=True):
    """One node of an effect: a verb, its arguments by name and, for a scope, the effects inside it."""

    verb: str
    args: dict[str, Any] = {}
    body: "tuple[Effect, ...]" = ()


class Icon(msgspec.Struct, frozen=True, omit_defaults=True):
    """One icon of an icon row, with the short label drawn beside it (`2`, `all`, `×2`) or none."""

    name: str
    label: str = ""


class ResolvedRule(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A rule with today's numbers in its text."""

    id: str
    title: str
    text: str
    origin: str
    section: str
    source: str = ""
    reason: str = ""
    module: str = "base"
    kept_by: str = "companion"
    parameters: tuple[str, ...] = ()
    printed: bool = True
    """True if the rulebook has it."""
    words: dict[str, str] = {}
    """Sentences of refusals, questions and reports: `breaks.coin`, `asks.`, `says.meld` -> text."""


class ResolvedPiece(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A piece ready to be drawn and played: text and icons made from its effect, copies counted."""

    id: str
    name: str
    set: str
    set_title: str
    kind: str
    format: str
    face: str
    back: str = ""
    copies: int = 1
    rule: str = ""
    effect: tuple[Effect, ...] = ()
    text: str = ""
    icons: tuple[Icon, ...] = ()
    flavour: str = ""
    fields: dict[str, Any] = {}
    module: str = "base"
    seat: str = ""
    instead_of: str = ""


class ResolvedRuling(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A ruling with today's numbers in its question and answer."""

    id: str
    question: str
    answer: str
    rules: tuple[str, ...] = ()
    position: dict[str, Any] = {}
    moves: tuple[dict[str, Any], ...] = ()
    legal: bool | None = None
    query: dict[str, Any] = {}
    value: Any = None
    expect: dict[str, Any] = {}
    set: dict[str, Any] = {}
    variants: tuple[str, ...] = ()
    printed: bool = True
    """True if the rulebook has it; it also needs all its rules there."""


class ResolvedGame(msgspec.Struct, kw_only=True):
    """One variant of one game with every parameter known and every sentence rendered.

    `params` maps each parameter's flat name to its value; `param_about` to its description. `off` holds the ids of
    rules switched off. `fingerprint` is the SHA-256 (hex, first 16) of everything but the glossary, the
    questions, the list of variants on offer and the folder it came from.
    """

    id: str
    """The name of the game's folder."""
    title: str
    prefix: str
    engine: str
    seats: list[str]
    seat_word: str
    players: tuple[int, int]
    about: str
    overview: list[tuple[str, str]]
    """Title and text of each passage."""
    credits: str
    params: dict[str, Any]
    param_about: dict[str, str]
    param_rules: dict[str, list[str]]
    sections: list[str]
    modules: list[str]
    rules: dict[str, ResolvedRule]
    off: list[str]
    verbs: dict[str, Verb]
    pieces: list[ResolvedPiece]
    rulings: list[ResolvedRuling]
    warnings: list[str] = []
    plurals: dict[str, str] = {}
    """Word -> plural of the goods that are counted."""
    glossary: dict[str, list[str]] = {}
    """Players' words -> the words of the rules with that meaning."""
    questions: dict[str, list[str]] = {}
    """Rule, ruling or piece (`set/piece`) -> questions that it answers, as players put them."""
    move_verbs: dict[str, list[str]] = {}
    """Move, or step of a turn -> further verbs by which it may be typed."""
    move_examples: dict[str, str] = {}
    """Move -> one line as typed, for the help."""
    ways: dict[str, list[str]] = {}
    """Move, or step of a turn -> words by which players say it."""
    phrases: dict[str, list[str]] = {}
    """Move -> whole phrases by which players say just that."""
    variants: list[str] = []
    sets: dict[str, Any] = {}
    """The values given with --set, by full parameter name."""
    variant_names: dict[str, str] = {}
    """Variants this game offers: id -> title."""
    model_version: int = MODEL_VERSION
    fingerprint: str = ""
    project: str = ""
    """The folder of the project whose game it is; empty for a game that comes with the program."""
