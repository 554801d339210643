"""What no call may say: numbers that could be somebody's, addresses, and names of real institutions."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache

from core.schemas.base import Json, Model, sha256
from core.schemas.casefile import ActionCatalogue, DeniedNames, Profile, SharedContext, Variable
from core.schemas.snapshots import AgentReply, SnapshotCall
from core.schemas.trees import MixedTree, Rejected
from core.text import nfkc_casefold

_BETWEEN = r"[\W_]{0,3}"
"""What may part the digits of one number, however it is written."""
_DIGITS = {"zero": 0, "oh": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9}
_WORD = rf"(?:{'|'.join(_DIGITS)})"
_TIMES = {"double": 2, "triple": 3, "treble": 3}
_MANY = rf"(?:{'|'.join(_TIMES)})"
_SPOKEN = rf"\b(?:{_MANY}[\s\-]+)?{_WORD}(?:[\W_]{{1,3}}(?:{_MANY}[\s\-]+)?{_WORD})*\b"
_HAN_DIGITS = "零〇一二三四五六七八九幺壹贰叁肆伍陆柒捌玖两"
_HAN = dict(zip(_HAN_DIGITS, "0012345678911234567892", strict=True))
_HAN_NUMBER = rf"[{_HAN_DIGITS}](?:{_BETWEEN}[{_HAN_DIGITS}])*"
_AMOUNT = "十百千万亿拾佰仟萬點点"
_HOTLINES = ("110", "112", "119", "120", "122", "911", "999")
_PARTED = "|".join(r"[\s.\-]{1,2}".join(number) for number in _HOTLINES)
_DIAL = r"(?:\b(?:call|ring|dial|phone)|[拨打]|致电)"
_ENDS = (
    r"com|net|org|info|biz|gov|edu|cn|co|uk|eu|io|app|top|xyz|cc|me|ly|vip|club|online|site|shop|store|tech|wang|link|live|work"
)
_PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("email", re.compile(r"\S\s?@\s?\S|\w\s*艾特\s*\w|\w\s+at\s+[a-z0-9-]+\s+dot\s+[a-z]+")),
    (
        "url",
        re.compile(
            rf"https?:|www\.|[a-z0-9-]\.(?:{_ENDS})\b|\b[a-z0-9-]+\.[a-z]{{2,24}}/"
            rf"|[a-z0-9]\s*(?:点|\bdot\b|[(\[]dot[)\]])\s*(?:{_ENDS})\b"
        ),
    ),
    ("id_or_card_number", re.compile(rf"\d(?:{_BETWEEN}\d){{11,}}")),
    ("phone_number", re.compile(rf"\d(?:{_BETWEEN}\d){{4,}}")),
    (
        "phone_number",
        re.compile(rf"(?<!\d)(?:911(?!\d)|(?:{_PARTED})(?!\d))|{_DIAL}\W{{0,3}}(?:{'|'.join(_HOTLINES[1:])})(?!\d)"),
    ),
)
"""Code and what is looked for in folded text; the first that is found is reported."""
_DOMAIN = re.compile(r"\b[A-Za-z0-9-]{2,}\.(?:[a-z]{2,24}|[A-Z]{2,24})\b")
"""Any name with any ending, as domains are written: a sentence without a space after its stop goes on with a capital."""
_MORE_NAMES = re.compile(r"(?:中国)?人民银行|[工建农交招中]行(?![业为动程政列走使驶人进军贿李踪情文刑])")
"""Short names of banks; they stand here and not in `denied.yaml`, which is part of the hash of the cases of months."""

_PLACE = re.compile(r"\[\d+\] ")
"""Which turn a piece of evidence is."""
_PROFILE: dict[str, type[Model]] = {"shared": SharedContext, "variable": Variable}
_OF_TOOLS = {
    ("sample_id",),
    ("tree_id",),
    ("profile_sha256",),
    ("generation", "profile_sha256"),
    ("generation", "agents"),
    ("generation", "prompts"),
    ("generation", "settings"),
    ("generation", "replies", "sha256"),
    ("nodes", "replies", "sha256"),
    ("replies", "sha256"),
}


def unsafe(text: str, denied: DeniedNames) -> tuple[str, str] | None:
    """Code and what was found where a text says what no call may say; None where it is safe."""
    visible = "".join(char for char in text if unicodedata.category(char) not in ("Cf", "Me", "Mn"))
    folded = nfkc_casefold(visible)
    for code, pattern in _PATTERNS:
        if match := pattern.search(folded):
            return code, match.group()
    if match := _DOMAIN.search(unicodedata.normalize("NFKC", visible)):
        return "url", match.group()
    if spoken := _spoken_number(folded):
        return "spoken_number", spoken
    joined = re.sub(r"(?<=[\u4e00-\u9fff])[\s·*_\-]+(?=[\u4e00-\u9fff])", "", folded)
    if match := _MORE_NAMES.search(joined):
        return "denied_name", match.group()
    for name, whole in _names(tuple(name for group in denied.names.values() for name in group)):
        if whole.search(joined) if whole else name in joined:
            return "denied_name", name
    return None


def _spoken_number(folded: str) -> str | None:
    """A number that is said digit by digit: five digits or more, or a hotline."""
    for match in re.finditer(_SPOKEN, folded):
        digits, times = "", 1
        for word in re.findall(rf"{_MANY}|{_WORD}", match.group()):
            digits, times = (digits, _TIMES[word]) if word in _TIMES else (digits + str(_DIGITS[word]) * times, 1)
        if len(digits) > 4 or digits in _HOTLINES:
            return match.group()
    for match in re.finditer(_HAN_NUMBER, folded):
        digits = "".join(_HAN.get(char, "") for char in match.group())
        counted = folded[match.end() : match.end() + 1] in _AMOUNT and match.end() < len(folded)
        if len(digits) > 4 or (digits in _HOTLINES and not counted):
            return match.group()
    mixed = re.search(rf"(?:\d|[{_HAN_DIGITS}])(?:[\s\-]?(?:\d|[{_HAN_DIGITS}])){{6,}}", folded)
    return mixed.group() if mixed else None


@lru_cache(maxsize=8)
def _names(names: tuple[str, ...]) -> tuple[tuple[str, re.Pattern[str] | None], ...]:
    """Folded names; those in Latin letters or digits with what finds them as whole words, parted or joined."""
    return tuple((name, _whole(name) if name.isascii() else None) for name in map(nfkc_casefold, names))


def _whole(name: str) -> re.Pattern[str]:
    parts = r"[\W_]{0,2}".join(map(re.escape, name.split()))
    return re.compile(rf"(?<![a-z0-9]){parts}(?![a-z0-9])")


class Safety:
    """Looks for what no call may say in every string of calls, trees and what was left out, and keeps it out of them."""

    def __init__(self, denied: DeniedNames, catalogue: ActionCatalogue) -> None:
        self._denied = denied
        kinds = "|".join(re.escape(kind.id) for kind in catalogue.kinds)
        fields = [f"{name}\\.(?:{'|'.join(part.model_fields)})" for name, part in _PROFILE.items()]
        self._own = re.compile(
            rf"\b(?:{kinds})\.[a-z][a-z-]*|\b(?:{'|'.join(fields)})(?:\.[a-z_]+|\[\d+\]){{0,2}}|\b(?=\d*[a-f])[0-9a-f]{{24}}\b"
        )
        self._known: dict[str, tuple[str, str] | None] = {}

    def unsafe(self, text: str) -> tuple[str, str] | None:
        """As `unsafe`, also of JSON with escapes; ids of actions and calls and fields of profiles are no addresses."""
        if text not in self._known:
            told = re.sub(r"\\u([0-9a-fA-F]{4})", lambda escape: chr(int(escape[1], 16)), self._own.sub("i", text))
            self._known[text] = unsafe(told, self._denied)
        return self._known[text]

    def faults(self, frozen: SnapshotCall | MixedTree | Rejected | Profile) -> list[str]:
        """Every string of a frozen object that is unsafe, by its place in it.

        Left out is what no agent wrote: hashes, ids, and the parties, prompts and settings of a call, which may hold addresses.
        """
        return [
            f"{where} says {found[1]!r}, which no call may say ({found[0]})"
            for where, text in _strings(frozen.to_json(), "", ())
            for part in (_PLACE.split(text) if where == "rationale.evidence" else [text])
            if (found := self.unsafe(part)) is not None
        ]

    def kept_tree(self, tree: MixedTree) -> MixedTree:
        """A tree whose unsafe replies and reasons are withheld."""
        nodes = tuple(
            node.model_copy(update={"stop": self._kept_text(node.stop), "replies": self._kept_replies(node.replies)})
            for node in tree.nodes
        )
        return tree.model_copy(update={"nodes": nodes, "replies": self._kept_replies(tree.replies)})

    def kept_rejected(self, left_out: Rejected) -> Rejected:
        """The same of something that was left out: its reason says where and of what kind, and no unsafe word."""
        reason = left_out.reason
        while (found := self.unsafe(reason)) is not None and (said := f"says {found[1]!r}") in reason:
            reason = reason.replace(said, "says something")
        return left_out.model_copy(
            update={
                "reason": self._kept_text(reason),
                "path": tuple(map(self._kept_text, left_out.path)),
                "replies": self._kept_replies(left_out.replies),
            }
        )

    def _kept_text(self, text: str) -> str:
        found = self.unsafe(text)
        return text if found is None else f"withheld ({found[0]})"

    def _kept_replies(self, replies: Iterable[AgentReply]) -> tuple[AgentReply, ...]:
        return tuple(map(self._kept_reply, replies))

    def _kept_reply(self, reply: AgentReply) -> AgentReply:
        found = self.unsafe(reply.raw)
        if found is None:
            return reply
        return AgentReply(agent=reply.agent, raw="", withheld=found[0], sha256=sha256(reply.raw.encode()))


def _strings(value: Json, where: str, path: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Every string with its place, but for those that no agent wrote."""
    if path in _OF_TOOLS:
        return
    if isinstance(value, str):
        yield where, value
    elif isinstance(value, dict):
        for name, part in value.items():
            yield from _strings(part, f"{where}.{name}" if where else name, (*path, name))
    elif isinstance(value, list):
        for place, part in enumerate(value):
            yield from _strings(part, f"{where}[{place}]", path)
