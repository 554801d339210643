"""E-mail addresses as callers in India say them: "ravi डॉट kumar ऐट जीमेल डॉट कॉम", the words of either side in Latin letters."""

from __future__ import annotations

import re

from core.spoken.indic.folded import folded
from core.spoken.indic.grammar import Grammar
from core.spoken.indic.numerals import digit_words


def say_email(address: str, grammar: Grammar, *, spell_local: bool = False, spell_host: bool = False, named: bool = True) -> str:
    """An address in words; the words of either side may be spelled, with the `named` letters or with Latin ones."""
    local, _, domain = address.partition("@")
    host, _, ending = domain.partition(".")
    table = grammar.table.address
    parts = [_part(local, grammar, spell_local, named), table.at[0], _part(host, grammar, spell_host, named), table.dot[0]]
    return " ".join([*parts, _part(ending, grammar, spell=False)])


def _part(part: str, grammar: Grammar, spell: bool, named: bool = True) -> str:
    table = grammar.table.address
    signs = {".": table.dot[0], "_": table.underscore[0], "-": table.dash[0], "+": table.plus[0]}
    words = []
    for piece in re.findall(r"[a-z]+|\d|[._+-]", part):
        if piece.isdecimal():
            words.append(digit_words(piece, grammar.lexicon))
        elif piece in signs:
            words.append(signs[piece])
        elif spell:
            words.append("".join(f"{letter_name(letter, grammar) if named else letter.upper()}, " for letter in piece).strip())
        else:
            words.append(table.hosts[piece][0] if piece in table.hosts else piece)
    return " ".join(words)


def letter_name(letter: str, grammar: Grammar) -> str:
    """The name of a Latin letter in the language's script; the letter itself where another has the same name."""
    name = grammar.table.letters[letter.lower()][0]
    return name if folded(name) in grammar.letters else letter.upper()
