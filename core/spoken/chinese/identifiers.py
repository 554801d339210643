"""Ids in Chinese: runs of digits however they are grouped ("四四幺，二九零七", "441-2907"), and codes of letters and digits
("QX-338805", "Q X 三三八八零五").

Groups parted by spaces, commas, hyphens or full stops are one id. A last group that counts something ("4412907，三晚") or begins
a word ("4412907。一共") is not part of it, nor are numbers with a scale or a point, amounts, dates and times.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.spoken.chinese.dashes import TO
from core.spoken.chinese.measures import UNIT_SIGN, counted
from core.spoken.chinese.numerals import DIGITS, Numeral, digit_words
from core.spoken.chinese.passage import PAUSES, Passage, is_hanzi, masked

_GAP = re.compile(rf"[{re.escape(PAUSES)}]*(?:(?:横杠|短横|杠)[{re.escape(PAUSES)}]*)?")
_PARTICLES = "的吧啊呢了"
_CODE = re.compile(rf"(?:[a-z]+|\d+|[{DIGITS}幺]+)")


@dataclass(frozen=True, slots=True)
class SaidId:
    """Digits, or letters and digits, said over plain characters; `numerals` are its groups where it is digits only."""

    start: int
    end: int
    text: str
    numerals: tuple[Numeral, ...] = ()


def joins(plain: str, start: int, end: int) -> bool:
    """Whether what stands between two groups leaves them in one id."""
    return _GAP.fullmatch(plain, start, end) is not None


def find_runs(plain: str, numerals: Iterable[Numeral]) -> list[list[Numeral]]:
    """Bare digits grouped into ids; numbers with a scale or a point stand alone and are left out."""
    runs: list[list[Numeral]] = []
    for numeral in numerals:
        if numeral.whole:
            continue
        if runs and joins(plain, runs[-1][-1].end, numeral.start):
            runs[-1].append(numeral)
        else:
            runs.append([numeral])
    return [part for run in runs for part in _without_next(plain, run)]


def _without_next(plain: str, run: list[Numeral]) -> list[list[Numeral]]:
    """Part from an id a last group that belongs to what follows: it begins a word, or counts something after a pause."""
    last = run[-1]
    if len(run) == 1:
        return [run]
    counts = run[-2].end < last.start and plain[run[-2].end : last.start] != "-" and counted(plain, last.end)
    return [run[:-1], [last]] if counts or _begins_word(plain, last.start, last.end) else [run]


def _begins_word(plain: str, start: int, end: int) -> bool:
    """Whether digits are a single character that goes on as a word: the 一 of 一共."""
    single = end - start == 1 and not plain[start].isascii()
    return single and is_hanzi(plain[end : end + 1]) and plain[end] not in _PARTICLES


def find_digits(plain: str, numerals: Sequence[Numeral]) -> list[SaidId]:
    """Every id of digits only."""
    found: list[SaidId] = []
    for run in find_runs(plain, numerals):
        start, end = run[0].start, run[-1].end
        text = "".join(item.digits for item in run)
        number = run[0].negative or TO in (plain[start - 1 : start], plain[end : end + 1])
        if len(run) == 1 and len(text) < 5 and (number or counted(plain, end)):
            continue
        if in_letters(plain, start, end):
            continue
        if len(text) == 1 and not run[0].literal and not stands_alone(plain, start, end):
            continue
        found.append(SaidId(start, end, text, tuple(run)))
    if not found:
        found = [
            SaidId(item.start, item.end, item.digits, (item,))
            for item in numerals
            if item.whole and not (item.fraction or item.percent or counted(plain, item.end))
        ]
    return found


def stands_alone(plain: str, start: int, end: int) -> bool:
    """Whether a single character is no part of a word: nothing but particles and marks beside it."""
    before, after = plain[start - 1 : start], plain[end : end + 1]
    return not (is_hanzi(before) and before not in "是要选按拨第号到") and not (is_hanzi(after) and after not in _PARTICLES)


def in_letters(plain: str, start: int, end: int) -> bool:
    """Whether digits are part of a code, an address or a fraction."""
    before, after = plain[max(0, start - 1) : start], plain[end : end + 1]
    if before in tuple("/@_&") or after in tuple("/@_&"):
        return True
    if after.isascii() and after.isalpha() and UNIT_SIGN.match(plain, end) is None:
        return True
    return re.search(rf"(?<![a-z])[a-z]{{1,4}}[{re.escape(PAUSES)}]*$", plain[:start]) is not None and "." not in before


def find_codes(passage: Passage, plain: str, numerals: Sequence[Numeral]) -> list[SaidId]:
    """Every code in `plain`; where no letters and digits stand together, spelled letters, and failing those an id of digits."""
    for numeral in numerals:
        if numeral.whole:
            plain = masked(plain, numeral.start, numeral.end)
    runs: list[SaidId] = []
    group: list[SaidId] = []
    for match in [*_CODE.finditer(plain), None]:
        if match is not None and group and joins(plain, group[-1].end, match.start()) and _is_item(passage, plain, match):
            group.append(_item(match))
            continue
        runs += _finished(plain, group)
        group = [_item(match)] if match is not None and _is_item(passage, plain, match) else []
    mixed = [run for run in runs if not run.text.isalpha() and not run.text.isdecimal()]
    if mixed:
        return mixed
    spelled = [run for run in runs if run.text.isalpha() and len(run.text) >= 3 and run.end - run.start > len(run.text)]
    return spelled or [run for run in find_digits(plain, numerals) if len(run.text) >= 4]


def _item(match: re.Match[str]) -> SaidId:
    text = match.group()
    figures = text if text.isascii() else "".join(str(DIGITS.find(char)) if char != "幺" else "1" for char in text)
    return SaidId(*match.span(), figures.upper())


def _is_item(passage: Passage, plain: str, match: re.Match[str]) -> bool:
    """Whether a run of letters or digits can be part of a code; digits always can."""
    text = match.group()
    if not (text.isascii() and text.isalpha()):
        return True
    glued_before = plain[match.start() - 1 : match.start()].isdecimal()
    glued_after = plain[match.end() : match.end() + 1].isdecimal()
    written = passage.written(*match.span())
    if glued_before and not glued_after and written.islower() and UNIT_SIGN.match(plain, match.start()) is not None:
        return False
    return len(text) == 1 or (len(text) <= 6 and (glued_before or glued_after)) or (written.isupper() and len(text) <= 4)


def _finished(plain: str, group: list[SaidId]) -> list[SaidId]:
    """A group as one code, without a last number that counts something and digits that only begin a word."""
    if len(group) > 1 and group[-1].text.isdecimal():
        last, before = group[-1], group[-2]
        pause = before.end < last.start and plain[before.end : last.start].strip(" -") != ""
        if (pause and counted(plain, last.end)) or _begins_word(plain, last.start, last.end):
            group = group[:-1]
    if not group:
        return []
    return [SaidId(group[0].start, group[-1].end, "".join(item.text for item in group))]


def breath_groups(digits: str) -> list[str]:
    """Digits in groups of four, the first ones of three, as people breathe: 11 are 3 4 4, 8 are 4 4; up to 5 stay together."""
    size = len(digits)
    if size <= 5:
        return [digits]
    threes = -size % 4
    lengths = [3] * threes + [4] * ((size - 3 * threes) // 4)
    starts = [sum(lengths[:place]) for place in range(len(lengths))]
    return [digits[start : start + length] for start, length in zip(starts, lengths, strict=True)]


def say_digits(digits: str) -> str:
    """ "04412907" is 零四四幺，二九零七: in ids 1 is said 幺, which no other digit sounds like."""
    return "，".join(digit_words(group, "幺") for group in breath_groups(digits))


def say_code(code: str) -> str:
    """ "QX338805" is "Q，X，三三八，八零五"; up to four characters are said in one breath."""
    if len(code) <= 4:
        return digits_only(code)
    return "，".join(say_digits(piece) if piece.isdecimal() else piece for piece in re.findall(r"\d+|.", code))


def digits_only(code: str) -> str:
    """The digits of a code in words, everything else as it is."""
    return re.sub(r"\d+", lambda match: digit_words(match.group(), "幺"), code)
