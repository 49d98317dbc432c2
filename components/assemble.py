"""A definition with its overlays to a `ResolvedGame`: numbers put into texts, effects read, copies counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from components.bounds import MAX_PLAYERS
from components.cache import fingerprint
from components.counting import Counting
from components.effects import VerbFault, Vocabulary, flat
from components.errors import Problem, SetError
from components.figurehints import PLAYERS
from components.kept import Heard, Kept
from components.loader import Definition
from components.model import (
    Effect,
    GameFile,
    Icon,
    Piece,
    ResolvedGame,
    ResolvedPiece,
    ResolvedRule,
    ResolvedRuling,
    Rule,
)
from components.phrasing import count, did_you_mean
from components.placeholders import PLURALS, TemplateFault, scope
from components.sentences import Sentence, SentenceFault
from components.setfields import SetFields
from components.texts import Texts
from components.variants import Origin, Overlaid, PlacedPiece, PlacedSet, overlay

UNREAD = "?"
"""Stands for the printed text of an effect that could not be read, so that texts that use it can be checked."""
PathKey = tuple[Any, ...]


class Assembled(msgspec.Struct):
    """The result of an assembly. `game` is only to be used if no problem is an error."""

    game: ResolvedGame | None
    problems: list[Problem]
    used: set[str]
    """Parameters that some text reads."""
    faulty: set[str] = set()
    """Pieces (`set/piece`) whose own data has a fault."""


def assemble(
    definition: Definition,
    *,
    variants: Iterable[str] = (),
    sets: Mapping[str, Any] | None = None,
    players: int | None = None,
    modules: Iterable[str] | None = None,
    kept: Kept | None = None,
) -> Assembled:
    """Resolve one variant. `kept`: what was resolved before, which then is not counted as `used`.

    Raises `SetError` for variants, modules, settings or players the game does not have."""
    if definition.game is None:
        return Assembled(None, [], set())
    overlaid = overlay(definition, definition.game, variants, sets or {}, modules)
    work = _Assembly(definition, definition.game, overlaid, kept or Kept())
    if not work.set_up(players):
        return Assembled(None, work.problems, set())
    return Assembled(work.game(), work.problems, work.texts.used, work.faulty)


class _Assembly:
    def __init__(self, definition: Definition, game: GameFile, overlaid: Overlaid, kept: Kept) -> None:
        self.definition = definition
        self.head = game
        self.overlaid = overlaid
        self.problems = overlaid.problems
        self.params = overlaid.params.values
        self.vocabulary = Vocabulary(definition.vocabulary, definition.game.parameters if definition.game else ())
        self.effects: dict[str, tuple[tuple[Effect, ...], str]] = {}
        """`set/piece` -> effect tree and printed text."""
        self.faulty_effects: set[str] = set()
        self.faulty: set[str] = set()
        self.counts: dict[str, int] = {}
        """`set/piece` and `set` -> copies."""
        self.kept = kept
        self.known: dict[str, ResolvedPiece] = {}
        """Pieces that say what they said before, as they were then."""
        self.at = ""
        """The set, piece or rule being resolved."""
        self.heard: dict[str, Heard] = {}
        """The answers each got from others, once all their texts and copies were known."""
        self.asking: set[str] = set()
        """Those that asked before."""

    def set_up(self, players: int | None) -> bool:
        """Work out the names that texts see; False if there is no sense in going on."""
        source = self.definition.source("game.yaml")
        self.low, self.high = (self.bound(key) for key in ("min_players", "max_players"))
        if not self.low or not self.high:
            return False
        if self.low > self.high:
            what = f"the minimum number of players ({self.low}) is above the maximum ({self.high})"
            self.problems.append(source.problem("DEF-045", what, ("min_players",)))
            return False
        if players is not None and not self.low <= players <= self.high:
            what = f"{count(players, 'player')}: the game is for {self.low} to {self.high}"
            raise SetError([Problem(code="DEF-056", what=what)])
        for file, one in self.definition.sets.items():
            if one.instead_of and not self.definition.may_have_set(one.instead_of):
                hint = did_you_mean(one.instead_of, [other.set for other in self.definition.sets.values()])
                what = f"there is no set '{one.instead_of}'"
                self.problems.append(self.definition.source(file).problem("DEF-047", what, ("instead_of",), hint=hint))
        try:
            names = scope(self.params, players or self.high, self.overlaid.modules)
        except ValueError as error:
            self.problems.append(source.problem("DEF-055", str(error), ("parameters",), key=True))
            return False
        names["effect"] = lambda name: self.effect_text(name)
        names["copies"] = lambda name: self.copies_of(name)
        names["own"] = {}
        names[PLURALS] = self.head.plurals
        self.texts = Texts(self.params, names, self.problems)
        self.of_sets = SetFields(self.definition, self.texts, self.problems)
        self.tables = [names["players"]]
        if players is None:
            self.tables = [scope(self.params, number)["players"] for number in range(self.low, self.high + 1)]
        self.counting = Counting(self.definition, self.texts, self.tables, self.problems)
        self.unusable = set(self.check_vocabulary())
        return True

    def check_vocabulary(self) -> Iterator[str]:
        """Report faults in phrases and icons; yields the verbs that have one."""
        if not self.vocabulary.verbs:
            return
        source = self.definition.source("effects.yaml")
        for name, verb in self.vocabulary.verbs.items():
            path = ("verbs", name)
            before = len(self.problems)
            args = self.vocabulary.args[name].kinds
            if fault := self.vocabulary.faults.get(name):
                self.problems.append(
                    source.problem("DEF-063", fault.what, (*path, "args", *fault.path), hint=fault.hint)
                )
            if verb.whole and verb.whole not in args:
                hint = did_you_mean(verb.whole, args, listing="arguments")
                what = f"'{name}' has no argument '{verb.whole}'"
                self.problems.append(source.problem("DEF-031", what, (*path, "whole"), hint=hint))
            own = {*args, "body"} if verb.scope else set(args)
            self.texts.check(verb.phrase, source, (*path, "phrase"), also=own)
            for i, icon in enumerate(verb.icons):
                self.texts.check(icon, source, (*path, "icons", i), also=own)
            if len(self.problems) > before:
                yield name

    def bound(self, key: str) -> int:
        """The value of `min_players` or `max_players`; 0 after a fault."""
        source = self.definition.source("game.yaml")
        name = getattr(self.head, key)
        value: Any = self.params.get(name)
        if value is None:
            prefix, _, last = name.rpartition(".")
            inside = self.params.get(prefix)
            value = inside.get(last) if isinstance(inside, dict) else None
        if value is None:
            plain = PLAYERS.format(end=key[:3], n=name) if name.isdecimal() else ""
            hint = plain or did_you_mean(name, self.params)
            self.problems.append(source.problem("DEF-057", f"there is no parameter '{name}'", (key,), hint=hint))
        elif not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= MAX_PLAYERS:
            what = f"'{name}' must be a number of players from 1 to {MAX_PLAYERS}, found {value}"
            self.problems.append(source.problem("DEF-045", what, (key,)))
        else:
            return value
        return 0

    def effect_text(self, name: str) -> str:
        """`effect('set/piece')` in a template: the printed text of a piece."""
        if name not in self.effects:
            if self.may_be_unread(name):
                return UNREAD
            hint = did_you_mean(name, self.effects)
            raise TemplateFault("DEF-047", f"there is no piece '{name}'", hint, str(name))
        self.tell("effect", name)
        return self.effects[name][1]

    def copies_of(self, name: str) -> int:
        """`copies('set')` or `copies('set/piece')` in a template: how many there are."""
        if name not in self.counts:
            if self.may_be_unread(name):
                return 1
            hint = did_you_mean(name, self.counts)
            raise TemplateFault("DEF-047", f"there is no piece or set '{name}'", hint, str(name))
        self.tell("copies", name)
        return self.counts[name]

    def tell(self, what: str, name: str) -> None:
        """Note what is told of another piece or set."""
        if self.at in self.heard:
            self.heard[self.at][what, name] = self.answer(what, name)
        elif name != self.at:
            self.asking.add(self.at)

    def answer(self, what: str, name: str) -> Any:
        return self.effects.get(name, ((), None))[1] if what == "effect" else self.counts.get(name)

    def unchanged(self, name: str) -> bool:
        """True if all answers that a piece or rule got from others still hold."""
        return all(self.answer(*asked) == told for asked, told in self.kept.heard.get(name, {}).items())

    def may_be_unread(self, name: str) -> bool:
        """True if a missing piece or set may stand in a file that could not be used, which has been reported."""
        set_name = name.partition("/")[0]
        return set_name not in self.overlaid.sets and self.definition.may_have_set(set_name)

    def game(self) -> ResolvedGame:
        head, over = self.head, self.overlaid
        source, text = self.definition.source("game.yaml"), self.texts.text
        placed = [(s, p) for s in over.sets.values() for p in s.pieces.values() if self.in_play(s, p.piece)]
        tables = list(map(int, self.tables))
        self.kept.begin((head, self.params, over.modules, tables, self.definition.vocabulary, self.definition.broken))
        self.known = self.kept.pieces(placed)
        for piece_set, piece in placed:
            set_name = piece_set.head.set
            self.at = f"{set_name}/{piece.piece.id}"
            number = known.copies if (known := self.known.get(self.at)) else self.counting.copies(piece, piece_set)
            self.counts[self.at] = number
            self.counts[set_name] = self.counts.get(set_name, 0) + number
        for piece_set, piece in placed:
            self.read_effect(piece_set, piece)
        rules = {r.rule.id: self.rule(r.rule, r.origin) for r in over.rules.values() if r.rule.module in over.modules}
        game = ResolvedGame(
            id=head.id,
            title=head.title,
            prefix=head.prefix,
            engine=head.engine or "",
            seats=head.seats,
            seat_word=head.seat_word,
            plurals=head.plurals,
            players=(self.low, self.high),
            about=text(head.about, source, ("about",)),
            overview=[
                (text(passage.title, source, (*path, "title")), text(passage.text, source, (*path, "text")))
                for i, passage in enumerate(head.overview)
                for path in [("overview", i)]
            ],
            credits=text(head.credits, source, ("credits",)),
            params=self.params,
            param_about={name: p.about for name, p in head.parameters.items()},
            param_rules={name: p.rules for name, p in head.parameters.items()},
            sections=head.sections,
            modules=over.modules,
            rules=rules,
            off=sorted(over.off),
            verbs=self.definition.vocabulary.verbs,
            pieces=[self.piece(s, p) for s, p in placed],
            rulings=self.rulings(rules),
            glossary=self.definition.glossary.words,
            questions=self.texts.asked(self.definition.glossary.questions, self.definition.sources),
            move_verbs=self.definition.glossary.verbs,
            move_examples=self.definition.glossary.examples,
            ways=self.definition.glossary.moves,
            phrases=self.definition.glossary.phrases,
            warnings=self.warnings(),
            variants=over.variants,
            sets=over.given,
            variant_names={name: v.title for name, v in self.definition.variants.items()},
        )
        game.fingerprint = fingerprint(game)
        if not self.problems:
            self.kept.take(over.sets, game.pieces, over.rules, rules, self.asking, self.heard)
        return game

    def in_play(self, piece_set: PlacedSet, piece: Piece) -> bool:
        return (piece.module or piece_set.head.module) in self.overlaid.modules

    def rule(self, rule: Rule, origin: Origin) -> ResolvedRule:
        if (same := self.kept.rule(rule)) is not None and self.unchanged(rule.id):
            return same
        self.at, self.heard[rule.id] = rule.id, {}
        source = self.definition.source(origin.file)
        rendered = {
            field: self.texts.text(getattr(rule, field), source, (*origin.path, field))
            for field in ("title", "text", "reason")
        }
        return ResolvedRule(
            id=rule.id,
            origin=rule.origin,
            section=rule.section,
            source=rule.source,
            module=rule.module,
            kept_by=rule.kept_by,
            parameters=self.texts.parameters_of((rule.title, rule.text, rule.reason)),
            printed=not rule.when or bool(self.texts.expression(rule.when, source, (*origin.path, "when"))),
            words=self._words(rule, origin),
            **rendered,
        )

    def _words(self, rule: Rule, origin: Origin) -> dict[str, str]:
        """The sentences of a rule, by `breaks.KEY`, `asks.KEY`, `says.KEY`; each is compiled once to check it."""
        words: dict[str, str] = {}
        for field in ("breaks", "asks", "says"):
            given = getattr(rule, field)
            for key, text in ({"": given} if isinstance(given, str) else given).items():
                try:
                    Sentence(text)
                except SentenceFault as fault:
                    path = (*origin.path, field, key) if key else (*origin.path, field)
                    source = self.definition.source(origin.file)
                    self.problems.append(source.problem("DEF-062", f"a sentence of rule {rule.id}: {fault}", path))
                words[f"{field}.{key}"] = text
        return words

    def rulings(self, rules: Mapping[str, ResolvedRule]) -> list[ResolvedRuling]:
        """The rulings whose rules are all in play."""
        if "rulings.yaml" not in self.definition.sources:
            return []
        source = self.definition.source("rulings.yaml")
        return [
            ResolvedRuling(
                id=r.id,
                question=self.texts.text(r.question, source, ("rulings", i, "question")),
                answer=self.texts.text(r.answer, source, ("rulings", i, "answer")),
                rules=tuple(r.rules),
                position=r.position,
                moves=tuple(r.moves),
                legal=r.legal,
                query=r.query,
                value=r.value,
                expect=r.expect,
                set=r.set,
                variants=tuple(r.variants),
                printed=all(rules[rule].printed for rule in r.rules),
            )
            for i, r in enumerate(self.definition.rulings.rulings)
            if all(rule in rules for rule in r.rules)
        ]

    def warnings(self) -> list[str]:
        source = self.definition.source("game.yaml")
        said = []
        for i, warn in enumerate(self.head.warnings):
            text = self.texts.text(warn.say, source, ("warnings", i, "say"))
            if self.texts.expression(warn.when, source, ("warnings", i, "when")):
                said.append(text)
        return said

    # --- pieces ------------------------------------------------------------------------------------------------------

    def read_effect(self, piece_set: PlacedSet, placed: PlacedPiece) -> None:
        """Effect tree and text of a piece."""
        piece, origin = placed.piece, placed.origin
        self.at = f"{piece_set.head.set}/{piece.id}"
        if self.at in self.known:
            self.effects[self.at] = (self.known[self.at].effect, self.known[self.at].text)
            return
        if not piece.effect or "effects.yaml" in self.definition.broken:
            self.effects[self.at] = ((), UNREAD if piece.effect else "")
            if piece.effect:
                self.faulty_effects.add(self.at)
            return
        source = self.definition.source(origin.file)
        start = (*origin.path, "effect")
        inside = f" in piece '{piece.id}'"

        def say(code: str, what: str, path: PathKey, *, hint: str = "", key: bool = False) -> None:
            self.problems.append(source.problem(code, what + inside, (*start, *path), hint=hint, key=key))

        before = len(self.problems)
        data = self.texts.value(piece.effect, source, start)
        tree: tuple[Effect, ...] = ()
        text = ""
        if len(self.problems) == before:
            tree = self.vocabulary.parse(data, say)
        if any(effect.verb in self.unusable for effect in flat(tree)):
            tree = ()
        if len(self.problems) == before:
            try:
                text = self.vocabulary.phrase(tree, self.texts.names)
            except VerbFault as error:
                self.report_verb(error, inside)
        self.effects[self.at] = (tree, text)
        if len(self.problems) > before:
            self.faulty_effects.add(self.at)

    def report_verb(self, error: VerbFault, inside: str) -> None:
        source = self.definition.source("effects.yaml")
        self.texts.report(error.fault, source, error.path, inside)

    def piece(self, piece_set: PlacedSet, placed: PlacedPiece) -> ResolvedPiece:
        head, piece, origin = piece_set.head, placed.piece, placed.origin
        source = self.definition.source(origin.file)
        name = f"{head.set}/{piece.id}"
        if name in self.known and self.unchanged(name):
            return self.known[name]
        self.at, self.heard[name] = name, {}
        before = len(self.problems)
        tree, text = self.effects[name]
        icons: tuple[Icon, ...] = ()
        try:
            if name not in self.faulty_effects:  # else an icon would only say again what is wrong
                icons = self.vocabulary.icons(tree, self.texts.names)
        except VerbFault as error:
            self.report_verb(error, f" in piece '{piece.id}'")
        self.at = head.set
        shared = self.of_sets.given(piece_set)
        self.at = name
        own = None if name in self.faulty_effects else {effect.verb: effect.args for effect in reversed([*flat(tree)])}
        self.texts.of_piece(own)
        types, late = self.of_sets.types[head.set], self.of_sets.late[head.set]
        texts = types.texts if types is not None else ()
        title = self.texts.text(piece.name, source, (*origin.path, "name"))
        with self.texts.naming("piece", {"id": piece.id, "name": title, "set": head.set}):
            own, unread = self.of_sets.rendered(piece.fields, source, origin.path, texts)
        inside = f" in piece '{piece.id}'"
        if types is not None:
            path = (*origin.path, "fields")
            self.problems += types.check(own, source, path, inside=inside, given={**shared, **late}, unread=unread)
        if missing := {key: value for key, value in late.items() if key not in own}:
            read = {"id": piece.id, "name": title, "set": head.set, "fields": shared | own}
            place = self.definition.source(piece_set.origin.file)
            with self.texts.naming("piece", read):
                added, unread = self.of_sets.rendered(missing, place, (), texts)
            if types is not None:
                self.problems += types.check(added, place, ("fields",), inside=inside, given=types.kinds, unread=unread)
            own |= added
        resolved = ResolvedPiece(
            id=piece.id,
            name=title,
            set=head.set,
            set_title=head.title,
            kind=head.kind,
            format=head.format,
            face=piece.face or head.face,
            back=piece.back or head.back,
            copies=self.counts[f"{head.set}/{piece.id}"],
            rule=piece.rule,
            effect=tree,
            text=text,
            icons=icons,
            flavour=self.texts.text(piece.flavour, source, (*origin.path, "flavour")),
            fields=shared | own,
            module=piece.module or head.module,
            seat=piece.seat or head.seat,
            instead_of=head.instead_of,
        )
        self.texts.of_piece({})
        if len(self.problems) > before or name in self.faulty_effects or head.set in self.of_sets.faulty:
            self.faulty.add(name)
        return resolved
