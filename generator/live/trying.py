"""Parameters tried on the page: what would change; kept in `game.yaml`, where comments stay, or as a variant."""

from __future__ import annotations

import json
import re
import time
from typing import Any

import msgspec

from components.assemble import assemble
from components.errors import DefinitionError
from components.files import write_whole
from components.loader import Definition, game_folder, load
from components.model import ResolvedGame
from components.phrasing import count
from components.plainfiles import read_plain
from components.variants import parse_sets
from components.web.site import Asked, Refused
from components.yamlsource import MAX_BYTES, leaves
from generator.build.printed import NotPrinted, read_printed
from generator.live.asking import form
from generator.live.cards import Slot, pieces_of
from generator.live.desk import INKS, Desk
from generator.live.states import State
from generator.live.writing import changed_text, path_of, said

BUDGET = 0.3
"""Seconds in which faces are drawn for an answer; others are drawn when the page asks for them."""
MOST_SAID = 60
"""Rules and rulings that are shown before and after."""


class Wish(msgspec.Struct, frozen=True):
    """Parameters by their full names, each with a value as it would stand in YAML."""

    sets: dict[str, str]
    ink: str = "normal"
    title: str = ""


class More(msgspec.Struct, frozen=True):
    cards: list[str]


class Tried(msgspec.Struct):
    """The last trial: the game as it would be, and the keys of the faces that would change."""

    state: State
    ink: str
    keys: dict[Slot, str]


class Trying:
    """Tries parameters on the game of a desk."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self._tried: Tried | None = None
        self._definition: tuple[State, Definition] | None = None

    # --- what there is

    def parameters(self, _asked: Asked) -> Any:
        """Every parameter with the values that may be changed in it."""
        state = self._state()
        declared = self._read(state)
        if declared.game is None:
            raise Refused("game.yaml cannot be read", 409)
        return [
            {
                "name": name,
                "about": parameter.about,
                "rules": [
                    {"id": rule, "title": state.game.rules[rule].title}
                    for rule in parameter.rules
                    if rule in state.game.rules
                ],
                "min": parameter.min,
                "max": parameter.max,
                "values": [
                    {"name": ".".join([name, *map(str, path)]), "label": ".".join(map(str, path)), "value": said(value)}
                    for path, value in leaves(state.game.params.get(name, parameter.value))
                ],
                "choices": [said(choice) for choice in parameter.choices or ()],
            }
            for name, parameter in declared.game.parameters.items()
        ]

    # --- what would change

    def try_(self, asked: Asked) -> Any:
        """Show the changes that other values would bring, with the faces in view drawn."""
        wish = form(asked.data, Wish)
        if wish.ink not in INKS:
            raise Refused("there is no such ink")
        state = self._state()
        started = time.perf_counter()
        game = self._game(state, wish)
        tried = State(game, state.layouts, pieces_of(game))
        with self.desk.lock:
            keys = self.desk.keys(tried, wish.ink)
            now = self.desk.keys(state, wish.ink)
        changed = {slot: key for slot, key in keys.items() if now.get(slot) != key}
        self._tried = Tried(tried, wish.ink, changed)
        ids = list(dict.fromkeys(slot.id for slot in changed))
        seen = set(self.desk.view)
        faces: dict[str, Any] = {}
        for id_ in sorted(ids, key=lambda one: one not in seen):
            if time.perf_counter() - started > BUDGET:
                break
            faces |= self._faces([id_])
        return {
            "cards": ids,
            "gone": [id_ for id_ in state.pieces if id_ not in tried.pieces],
            "faces": faces,
            "rules": self._rules(state.game, game),
            "rulings": self._rulings(state.game, game),
            "copies": self._copies(state.game, game),
            "printed": self._thrown_away(set(ids)),
        }

    def more(self, asked: Asked) -> Any:
        """The faces of further cards as they would be."""
        wish = form(asked.data, More)
        return self._faces(wish.cards[:MOST_SAID])

    def _faces(self, cards: list[str]) -> dict[str, Any]:
        """Card -> side -> digest as it is and as it would be, or why it could not be drawn."""
        tried = self._tried
        found: dict[str, Any] = {}
        if tried is None:
            return found
        wanted = set(cards)
        for slot, key in tried.keys.items():
            if slot.id in wanted and slot.look == 0:
                after = self.desk.apart(tried.state, tried.ink, slot, key)
                side = "back" if slot.back else "front"
                found.setdefault(slot.id, {})[side] = {"before": self.desk.digest(slot, tried.ink), "after": after}
        return found

    def _rules(self, before: ResolvedGame, after: ResolvedGame) -> list[dict[str, str]]:
        return [
            {
                "id": id_,
                "title": rule.title,
                "before": before.rules[id_].text if id_ in before.rules else "",
                "after": rule.text,
            }
            for id_, rule in after.rules.items()
            if id_ not in before.rules or before.rules[id_] != rule
        ][:MOST_SAID]

    def _rulings(self, before: ResolvedGame, after: ResolvedGame) -> list[dict[str, str]]:
        old = {ruling.id: ruling for ruling in before.rulings}
        return [
            {
                "id": one.id,
                "question": one.question,
                "before": old[one.id].answer if one.id in old else "",
                "after": one.answer,
            }
            for one in after.rulings
            if old.get(one.id) != one
        ][:MOST_SAID]

    def _copies(self, before: ResolvedGame, after: ResolvedGame) -> list[dict[str, Any]]:
        old = pieces_of(before)
        return [
            {"id": id_, "before": old[id_].copies if id_ in old else 0, "after": piece.copies}
            for id_, piece in pieces_of(after).items()
            if id_ not in old or old[id_].copies != piece.copies
        ]

    def _thrown_away(self, changed: set[str]) -> int | None:
        """The number of printed copies that would be thrown away; None if nothing is recorded as printed."""
        try:
            printed = read_printed(self.desk.places, self.desk.id)
        except NotPrinted:
            return None
        return sum(entry.copies for entry in printed.pieces if entry.piece in changed)

    # --- keeping it

    def write(self, asked: Asked) -> Any:
        """Write the values into `game.yaml`, everything else left as it stands."""
        wish = form(asked.data, Wish)
        state = self._state()
        self._game(state, wish)
        folder = game_folder(self.desk.id, self.desk.places.project)
        file = folder / "game.yaml"
        text = read_plain(file, MAX_BYTES, self.desk.places.project).decode("utf-8")
        definition = self._read(state)
        for name, value in parse_sets([f"{name}={value}" for name, value in wish.sets.items()]).items():
            text = changed_text(text, path_of(definition, name), value)
        write_whole(file, text.encode("utf-8"), below=folder)
        return {"file": f"components/{self.desk.id}/game.yaml"}

    def keep(self, asked: Asked) -> Any:
        """Keep the values as a variant of its own."""
        wish = form(asked.data, Wish)
        self._game(self._state(), wish)
        title = " ".join(wish.title.split())[:60]
        name = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
        if not name:
            raise Refused("give the variant a name, in letters or digits")
        folder = game_folder(self.desk.id, self.desk.places.project)
        file = folder / "variants" / f"{name}.yaml"
        if file.exists():
            raise Refused(f"there is a variant {name} already; choose another name", 409)
        values = parse_sets([f"{key}={value}" for key, value in wish.sets.items()])
        lines = [f"id: {name}", f"title: {json.dumps(title, ensure_ascii=False)}", "about: Tried on the live page."]
        lines += ["parameters:", *(f"  {key}: {said(value)}" for key, value in values.items())]
        write_whole(file, ("\n".join(lines) + "\n").encode("utf-8"), below=folder)
        return {"file": f"components/{self.desk.id}/variants/{name}.yaml", "variant": name}

    def game(self, sets: dict[str, str]) -> ResolvedGame:
        """The game on the page, with other values. Raises Refused."""
        state = self._state()
        return self._game(state, Wish(sets)) if sets else state.game

    # --- helpers

    def _state(self) -> State:
        if self.desk.state is None:
            raise Refused("the files of the game cannot be read", 409)
        return self.desk.state

    def _read(self, state: State) -> Definition:
        if self._definition is None or self._definition[0] is not state:
            self._definition = state, load(self.desk.id, self.desk.places.project)
        return self._definition[1]

    def _game(self, state: State, wish: Wish) -> ResolvedGame:
        """The game with other values. Raises Refused."""
        options = self.desk.options
        try:
            sets = {**options.sets, **parse_sets([f"{name}={value}" for name, value in wish.sets.items()])}
            made = assemble(
                self._read(state),
                variants=options.variants,
                sets=sets,
                players=options.players,
                modules=options.modules,
            )
            if made.problems or made.game is None:
                raise DefinitionError(made.problems)
        except DefinitionError as error:
            problem = error.problems[0]
            more = f" ({count(len(error.problems) - 1, 'more problem')})" if len(error.problems) > 1 else ""
            raise Refused(f"{problem.what}{'; ' * bool(problem.hint)}{problem.hint}{more}") from None
        return made.game
