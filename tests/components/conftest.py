"""A small made-up game in a project of its own, to be changed and broken by the tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from components.errors import DefinitionError, Problem
from components.model import ResolvedGame
from components.resolve import resolve_game

GAME = """\
id: orchard
title: Orchard
prefix: OR
engine: orchard
min_players: game.min_players
max_players: game.max_players
about: Trees for {{ game.min_players }} to {{ game.max_players }} players.
sections: [Set-up, Harvest]
warnings:
  - {when: harvest.fruit > 5, say: "{{ harvest.fruit }} is a lot of fruit"}
parameters:
  game.min_players: {value: 2, about: Fewest players.}
  game.max_players: {value: 4, about: Most players.}
  harvest.fruit: {value: 3, about: Fruit of a tree., rules: [OR-HARVEST-1], min: 0, max: 9}
  harvest.wet: {value: false, about: Whether it rains., rules: [OR-HARVEST-2], choices: [true, false]}
  price.basket: {value: {fruit: 4, coins: 2}, about: What a basket costs., rules: [OR-HARVEST-2], min: 0, max: 20}
  price.by_players: {value: {2: 5, 3: 6, 4: 7}, about: Coins by players., rules: [OR-SETUP-1]}
  price.seed: {value: 1.5, about: Weight of a seed., rules: [OR-SETUP-1]}
  order.first: {value: youngest, about: Who begins., rules: [OR-SETUP-1], choices: [youngest, oldest]}
  order.limit: {value: null, about: Most turns., rules: [OR-SETUP-1], nullable: true, min: 1}
  order.steps: {value: [1, 2, 3], about: Steps., rules: [OR-SETUP-1]}
  ladder.cost: {value: {wood: 1}, about: Cost of a ladder., rules: [OR-SETUP-1], keys: [wood, rope], min: 0, max: 9}
  ladder.rungs: {value: [{wood: 1}, {rope: 2}], about: Cost by rungs., rules: [OR-SETUP-1], keys: [wood, rope]}
  ladder.bonus: {value: {1: 2, 3: 5}, about: Fruit for rungs., rules: [OR-SETUP-1], keys: numbers}
"""

RULES = """\
rules:
  - id: OR-SETUP-1
    title: Coins
    text: >-
      Everybody takes {{ price.by_players[players] }} coins; the {{ order.first }}
      player begins.
    origin: given
    section: Set-up
    breaks: "{player} takes {n|coin}"
  - id: OR-HARVEST-1
    title: Harvest
    text: A tree bears {{ harvest.fruit | count('fruit', 'fruits') }}.
    origin: decided
    section: Harvest
    reason: Trees bear.
    breaks: "{n} is more than a tree bears"
  - id: OR-HARVEST-2
    title: Basket
    text: A basket costs {{ price.basket.coins }} coins{% if harvest.wet %} and a towel{% endif %}.
    origin: decided
    section: Harvest
    reason: Somebody wove it.
"""

EFFECTS = """\
verbs:
  everybody:
    about: All players.
    scope: true
    phrase: "every player {{ body }}"
    icons: [all, body]
  gain:
    about: Fruit from the supply.
    args: {n: whole 1..9 | one of all}
    phrase: "takes {{ n | count('fruit', 'fruits') }}"
    icons: ["fruit {{ n }}"]
  rest:
    about: Nothing happens.
    phrase: "rests"
  swap:
    about: One for another.
    args:
      give: one of apple, pear
      get: one of apple, pear
      n?: whole
    phrase: "{{ give }} for {{ get }}{% if n is not none %}, {{ n }} times{% endif %}"
    icons: ["{{ give }}", arrow, "{{ get }}", "{% if n is not none %}times ×{{ n }}{% endif %}"]
  multiply:
    about: Fruit pays more.
    args: {kinds: {"<one of apple, pear>": whole 0..}}
    whole: kinds
    phrase: "{% for kind, k in kinds | dictsort %}{{ kind }}s pay {{ k }} times{{ ', ' if not loop.last }}{% endfor %}"
  when:
    about: Later.
    args: {trigger: "one of rain, sun"}
    scope: true
    phrase: "at {{ trigger }}: {{ body }}"
    icons: [body, "{{ trigger }}"]
"""

CARDS = """\
set: cards
title: Cards
kind: card
format: poker
face: card
back: back
copies: 2
fields: {ink: green, price: "{{ price.basket.coins }}"}
pieces:
  - id: rain
    name: Rain
    rule: OR-HARVEST-2
    effect: {everybody: {gain: 2, rest: true}}
    flavour: Drip.
    fields: {note: "at least {{ harvest.fruit }}"}
  - id: sun
    name: Sun
    copies: players + 1
    effect:
      - {swap: {give: apple, get: pear}}
      - {gain: "{{ harvest.fruit }}"}
"""

RULINGS = """\
rulings:
  - id: how-many
    question: How many fruits?
    answer: Three times {{ harvest.fruit }} are {{ 3 * harvest.fruit }}.
    rules: [OR-HARVEST-1]
"""

WET = """\
id: wet
title: Wet summer
about: It rains.
parameters: {harvest.wet: true, harvest.fruit: 4}
rules_off: [OR-SETUP-1]
pieces:
  cards:
    - {id: hail, name: Hail, effect: {everybody: rest}}
remove_pieces: [cards/sun]
"""

FILES = {
    "game.yaml": GAME,
    "rules.yaml": RULES,
    "effects.yaml": EFFECTS,
    "cards.yaml": CARDS,
    "rulings.yaml": RULINGS,
    "variants/wet.yaml": WET,
}


class Orchard:
    """The game's files; `write`, `swap` and `add` change them."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.folder = root / "components" / "orchard"
        for name, text in FILES.items():
            self.write(name, text)

    def write(self, name: str, text: str | bytes) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)

    def swap(self, name: str, old: str, new: str) -> None:
        """Replace `old`, which stands exactly once."""
        text = (self.folder / name).read_text("utf-8")
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {name}"
        self.write(name, text.replace(old, new))

    def resolve(self, **options: object) -> ResolvedGame:
        return resolve_game("orchard", root=self.root, **options)  # type: ignore[arg-type]

    def error(self, **options: object) -> DefinitionError:
        with pytest.raises(DefinitionError) as caught:
            self.resolve(**options)
        return caught.value

    def problem(self, **options: object) -> Problem:
        """The one problem there is."""
        problems = self.error(**options).problems
        assert len(problems) == 1, "\n".join(p.what for p in problems)
        return problems[0]


@pytest.fixture
def orchard(tmp_path: Path) -> Orchard:
    return Orchard(tmp_path)
