"""Templates compute and choose, keep types, and cannot get out, run away or fill the memory."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from components import phrasing, templates
from components.placeholders import PLURALS, TemplateFault, namespace, scope
from components.templates import evaluate, native, reads, render


class Piece(msgspec.Struct):
    name: str
    fields: dict[str, Any]


PARAMS: dict[str, Any] = {
    "build.army_cost": 2,
    "build.wall": 5,
    "build.wall.stone": 3,
    "tax.bronze": {"cards": 3, "bu": 4, "items": 7},
    "limit": None,
    "open": True,
    "ratio": 2.0,
    "names": ["Ann", "Ben", "Cem"],
    "by_players": {2: 5, 3: 6},
}
NAMES = {**scope(PARAMS, 3), "piece": Piece("Fire", {"cost": 2}), "twice": lambda n: 2 * n}


RENDERED = [
        ("no template { here }", "no template { here }"),
        ("{{ build.army_cost }} and {{ params['build.army_cost'] }}", "2 and 2"),
        ("{{ build.wall }}, {{ build.wall + 1 }}, {{ build.wall.stone }}", "5, 6, 3"),
        ("{{ tax.bronze.bu }} {{ tax['bronze'].cards }} {{ tax.bronze.items }}", "4 3 7"),
        ("{{ by_players[players] }} {{ by_players[2] }}", "6 5"),
        ("{{ limit }} {{ open }} {{ ratio }} {{ ratio / 3 }}", "none yes 2 0.666666666667"),
        ("{{ names | join(', ') }}; {{ names | join_and }}; {{ names | join_and('or') }}",
         "Ann, Ben, Cem; Ann, Ben and Cem; Ann, Ben or Cem"),
        ("{{ 1 | count('army', 'armies') }}, {{ 3 | count('card') }}, {{ 'all' | count('army', 'armies') }}",
         "1 army, 3 cards, all armies"),
        ("{{ 2 | plural('army', 'armies') }} {{ 3 | number_word }} {{ 2 | signed }} {{ -2 | signed }} {{ 0 | signed }}",
         "armies three +2 −2 0"),
        ("{{ tax.bronze | amounts }}; {{ {'wood': 0, 2: 1.0} | amounts }}; {{ {} | amounts }}",
         "3 cards, 4 bu and 7 items; 1 2; nothing"),
        ("{{ {'wood': 0} | amounts('free') }}", "free"),
        ("{% for n in names %}{{ loop.index }}{{ n }}{{ ' ' if not loop.last }}{% endfor %}", "1Ann 2Ben 3Cem"),
        ("{% for k, v in tax.bronze | dictsort %}{{ k }}{{ v }}{% endfor %}", "bu4cards3items7"),
        ("{% for k, v in by_players.items() %}{{ k }}={{ v }} {% endfor %}", "2=5 3=6 "),
        ("{% set x = 2 * build.army_cost %}{{ x ~ '!' }}{% if x > 3 %} big{% endif %}", "4! big"),
        ("{{ 'a' if limit is none else 'b' }} {{ gone is defined }} {{ gone | default('x') }}", "a no x"),
        ("{{ piece.name | upper }} {{ piece.fields.cost }} {{ twice(4) }} {{ names[0] }} {{ names[-1][:2] }}",
         "FIRE 2 8 Ann Ce"),
        ("{{ range(3) | list | join('+') }} {{ [3, 1] | sort | first }} {{ (1.55) | round(1) }}", "0+1+2 1 1.6"),
        ("{# remark #}{% raw %}{{ x }}{% endraw %}", "{{ x }}"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "result"), RENDERED)
def test_templates_render(text: str, result: str) -> None:
    assert render(text, NAMES) == result


def test_goods_that_are_counted_take_their_plurals() -> None:
    names = {**NAMES, PLURALS: {"coin": "coins"}, "price": {"coin": 2}}
    assert render("{{ price | amounts }}{% for n in [1] %}, {{ {'coin': n} | amounts }}{% endfor %}", names) == (
        "2 coins, 1 coin"
    )
    assert evaluate("price | amounts", names) == "2 coins"
    salty = {**names, PLURALS: {"salt": "salt"}}
    assert render("{{ 2 | count('salt') }}, {% for n in [3] %}{{ n | count('salt') }}{% endfor %}", salty) == (
        "2 salt, 3 salt"
    )
    assert render("{{ 2 | plural('salt') }}, {{ 2 | count('salt', 'salts') }}", salty) == "salt, 2 salts"


def test_a_single_expression_keeps_its_type() -> None:
    assert native("{{ build.army_cost + 1 }}", NAMES) == 3
    assert native(" {{ names }} ", NAMES) == ["Ann", "Ben", "Cem"]
    assert native("{{ 2 }} Bu", NAMES) == "2 Bu"
    assert type(native("{{ build.wall }}", NAMES)) is int
    assert native("{{ names | map('upper') }}", NAMES) == ["ANN", "BEN", "CEM"]
    assert native("{{ [tax.bronze | items | list, {'a': range(2)}] }}", NAMES) == [
        [["cards", 3], ["bu", 4], ["items", 7]],
        {"a": [0, 1]},
    ]
    assert evaluate("limit", NAMES) is None


ESCAPES = [
    "{{ ''.__class__ }}", "{{ ''['__class__'] }}", "{{ names.__class__.__mro__ }}", "{{ twice.__globals__ }}",
    "{{ twice.__code__ }}", "{{ ''|attr('__class__') }}", "{{ names|map(attribute='__class__')|list }}",
    "{{ names|map('attr', '__class__')|list }}", "{{ piece.__struct_fields__ }}", "{{ piece.__init__ }}",
    "{{ self }}", "{{ self._TemplateReference__context }}", "{{ range.__init__ }}", "{{ loop }}",
    "{% for a in names %}{{ loop._iterator }}{% endfor %}", "{% for a in names %}{{ loop.__class__ }}{% endfor %}",
    "{{ cycler('a') }}", "{{ joiner() }}", "{{ namespace() }}", "{{ lipsum() }}", "{{ dict(a=1) }}",
    "{{ '{0.__class__}'.format(1) }}", "{{ 'a'.upper() }}", "{{ names.append(1) }}", "{{ names.sort() }}",
    "{{ tax.bronze.update({}) }}", "{{ tax.bronze.clear() }}", "{{ (1).to_bytes(9) }}", "{{ names[0]() }}",
    "{% include 'x' %}", "{% import 'x' as y %}", "{% from 'x' import y %}", "{% extends 'x' %}",
    "{% macro m() %}{% endmacro %}", "{% block b %}{% endblock %}", "{% filter upper %}x{% endfilter %}",
    "{% set x %}y{% endset %}", "{% call f() %}{% endcall %}", "{% with a = 1 %}{% endwith %}",
    "{% autoescape true %}{% endautoescape %}", "{% do names.append(1) %}", "{% set x.y = 1 %}",
    "{% for a in names recursive %}{{ loop(names) }}{% endfor %}", "{{ _x }}", "{{ context }}", "{{ environment }}",
    "{{ names | tojson }}", "{{ names | pprint }}", "{{ 'x' is filter }}",
]  # fmt: skip


@pytest.mark.parametrize("text", ESCAPES)
def test_a_template_cannot_leave_its_sandbox(text: str) -> None:
    with pytest.raises(TemplateFault) as caught:
        render(text, NAMES)
    assert caught.value.code in ("DEF-020", "DEF-021", "DEF-022", "DEF-024")
    assert "<" not in caught.value.what, "no Python object is shown"
    assert PARAMS["names"] == ["Ann", "Ben", "Cem"]


BOMBS = [
    "{{ 'a' * 10**9 }}", "{{ [1] * 10**9 }}", "{{ 10 ** 10**9 }}", "{{ 2 ** 99999 }}", "{{ '%999999999d' % 1 }}",
    "{% for i in range(10**9) %}x{% endfor %}", "{{ range(10**30) | list }}", "{{ range(10**9) | sum }}",
    "{% for i in range(1000) %}{% for j in range(1000) %}{% endfor %}{% endfor %}",
    "{% for i in range(9000) %}{% set x = range(9) | list %}{% endfor %}",
    "{% set a = 'xxxxxxxxxx' %}" + "{% set a = a ~ a %}" * 60 + "{{ a }}",
    "{% set a = 'xxxxxxxxxx' %}" + "{% set a = a + a %}" * 60 + "{{ a }}",
    "{% set a = 'xxxxxxxxxx' %}" + "{% set a = a | replace('x', 'xxxxxxxxxx') %}" * 60 + "{{ a }}",
    "{% set a = ['xxxxxxxxxx'] %}" + "{% set a = [a | join, a | join] %}" * 60 + "{{ a | join }}",
    "{% set a = [1, 1] %}" + "{% set a = [a, a] %}" * 60 + "{{ a | length }}",
    "{% set a = {'x': 1} %}" + "{% set a = {'x': a, 'y': a} %}" * 60 + "{{ a == a }}",
    "{% set a = [1, 1] %}" + "{% set a = a + a %}" * 60 + "{{ a | length }}",
    "{% set a = 9 %}" + "{% set a = a * a %}" * 60 + "{{ a }}",
    "{{ range(9999) | join('" + "x" * 9999 + "') }}",
    "{% for i in range(19000) %}xxxxxxxxxx{% endfor %}",
    "{{ 1.5 | round(10**9, 'ceil') }}", "{{ " + "9" * 5000 + " }}",
    "{{ " + "(" * 3000 + "1" + ")" * 3000 + " }}", "{{ " + "-" * 9000 + "1 }}", "{{ " + "[" * 900 + "]" * 900 + " }}",
    "{% for a in [1] %}" * 40 + "{% endfor %}" * 40, "{% if 1 %}" * 400 + "{% endif %}" * 400,
    "x" * 30_000 + "{{ 1 }}",
]  # fmt: skip


@pytest.mark.parametrize("text", BOMBS, ids=range(len(BOMBS)))
def test_a_template_cannot_run_away_or_fill_the_memory(text: str) -> None:
    with pytest.raises(TemplateFault) as caught:
        render(text, NAMES)
    assert caught.value.code in ("DEF-021", "DEF-022", "DEF-023", "DEF-024")


def test_every_rendering_starts_with_a_fresh_budget() -> None:
    for _ in range(5):
        assert len(render("{% for i in range(9000) %}x{% endfor %}", {})) == 9000


FAULTY = [
    ("{{ build.army_cots }}", "DEF-020", "'army_cots'", "army_cost"),
    ("{{ buidl.x }}", "DEF-020", "'buidl'", "did you mean 'build'?"),
    ("{{ by_players[9] }}", "DEF-020", "'9'", "2, 3"),
    ("{{ piece.nmae }}", "DEF-020", "'nmae'", "'name'"),
    ("{{ names[7] }}", "DEF-020", "'7'", ""),
    ("{{ 1 / 0 }}", "DEF-024", "division by zero", ""),
    ("{{ 'a' + 1 }}", "DEF-024", "a text", ""),
    ("{{ limit > 3 }}", "DEF-024", "nothing and a number", ""),
    ("{{ names }}", "DEF-024", "a list cannot be printed", "join"),
    ("{{ 3 * 2 | count('card') }}", "DEF-024", "only numbers", "(2 * n)"),
    ("{{ names | cout }}", "DEF-022", "no filter 'cout'", "'count'"),
    ("{{ 'a'.upper() }}", "DEF-022", "'.upper'", "| upper"),
    ("{% include 'x' %}", "DEF-022", "'include'", "`if`"),
    ("{% foo %}", "DEF-021", "'foo' is not available", ""),
    ("{{ a b }}", "DEF-021", "expected", ""),
    ("{{ x", "DEF-021", "end of", ""),
]


@pytest.mark.parametrize(("text", "code", "words", "hint"), FAULTY)
def test_faults_say_what_is_wrong_and_how_to_mend_it(text: str, code: str, words: str, hint: str) -> None:
    with pytest.raises(TemplateFault) as caught:
        render(text, NAMES)
    assert caught.value.code == code
    assert words in caught.value.what
    assert hint in caught.value.hint


FURTHER = [
    "{{ 1 < players <= 3 < 9 }}{{ 1 < 0 < gone }}", "{{ players in by_players and not limit or gone }}",
    "{{ -ratio // 1 }}", "{{ 'a' if open else gone }}{{ gone if open and limit else 'b' }}",
    "{{ [1, 'a', players] | join }}", "{{ range }}",
    "{% if limit %}a{% elif open %}b{% else %}c{% endif %}{% if limit %}d{% endif %}", "{{ twice(n=players) }}",
    "{{ names | sum(start=2) }}", "{{ by_players.get(9, 'none') }}", "{{ (1, 2) | list | last }}",
    "{{ 3 is divisibleby 3 }}", "{{ names | map('upper') | join }}", "{{ piece.fields['cost'] is defined }}",
    "{{ build.wall * build.wall.stone }}", "{{ names[1:] | join }}", "{{ 10000000000000000 }}", "{{ limit.x }}",
    "{{ gone.x }}", "{{ gone and 1 }}", "{{ twice() }}", "{{ players < 'a' }}", "{{ 1 in 2 }}", "{{ names['a'] }}",
    "{{ 7 % 4 }}{{ 2 ** 3 }}{{ 1 - 2 }}{{ 'a' ~ 1 ~ none }}",
]  # fmt: skip


@pytest.mark.parametrize("text", [*(text for text, _ in RENDERED), *(text for text, *_ in FAULTY), *FURTHER, *ESCAPES])
def test_what_is_worked_out_here_comes_out_as_with_jinja2(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def outcome() -> tuple[Any, ...]:
        templates._compiled.cache_clear()
        try:
            return (render(text, NAMES),)
        except TemplateFault as fault:
            return fault.code, fault.what, fault.hint

    ours = outcome()
    monkeypatch.setattr(templates, "printer", lambda _tree: None)
    theirs = outcome()
    templates._compiled.cache_clear()
    assert ours == theirs


def test_the_names_a_template_reads_are_known_without_rendering() -> None:
    text = "{% set q = a.b %}{{ q }}{% if c %}{{ d['e'].f[g] }}{% endif %}{% for x in h.items() %}{{ x }}{% endfor %}"
    assert [read.name for read in reads(text)] == ["a.b", "c", "d.e.f", "g", "h"]
    assert [read.guarded for read in reads("{{ a is defined }}{{ b | default(1) }}{{ c }}")] == [True, True, False]
    assert [read.name for read in reads("2 * a.b", expression=True)] == ["a.b"]


@pytest.mark.parametrize(
    "params",
    [
        {"a": True, "a.b": 1},
        {"a": None, "a.b": 1},
        {"a": {"b": 1}, "a.b": 2},
        {"players": 3},
        {"params.x": 1},
        {"effect": 1},
    ],
)
def test_names_that_would_hide_each_other_are_refused(params: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"'|prefix"):
        scope(params, 2)


def test_players_may_also_be_the_prefix_of_parameters() -> None:
    names = scope({"players.min": 2, "players.max": 5}, 4)
    assert render("{{ players }} {{ players.max }} {{ players * 2 }}", names) == "4 5 8"
    assert namespace({"a": {"b": 1}, "a.c": 2}) == {"a": {"b": 1, "c": 2}}


def test_english() -> None:
    assert phrasing.join_and([]) == ""
    assert phrasing.join_and(["a"]) == "a"
    assert phrasing.number_word(21) == "21"
    assert phrasing.number_word(0) == "no"
    assert phrasing.count(1, "fox", "foxes") == "1 fox"
    assert phrasing.join_clauses(["loses 1 General", "loses 1 army", "rests"]) == "loses 1 General, 1 army and rests"
    assert phrasing.join_clauses(["the king pays", "the rival rests"]) == "the king pays and the rival rests"


@pytest.mark.parametrize(
    "template", ["9" * 400, "9" * 5000, "1e400", "-1e999", "'inf' | float", "'nan' | float", "'9e999' | float", "1e16"]
)
def test_numbers_without_end_are_refused(template: str) -> None:
    for work, text in ((render, f"{{{{ {template} }}}}"), (evaluate, template), (native, f"{{{{ {template} }}}}")):
        with pytest.raises(TemplateFault) as caught:
            work(text, {})
        assert caught.value.code in ("DEF-023", "DEF-024")
