"""Names in Chinese: after a cue (我叫, 姓名是), with a title (张先生), or alone; Latin names as written or spelled.

A name is compared character by character: 张伟 and 章伟 sound alike and are two names.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.spoken.chinese.passage import Passage

_SURNAMES = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾萧田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方"
    "白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤常温康施文牛樊葛邢安齐易乔伍庞颜倪庄聂章鲁岳翟殷詹申欧耿关兰焦俞左"
    "柳甘祝包宁尚符舒阮柯纪梅童凌毕单季裴霍涂成苗谷盛曲翁冉骆蓝路游辛靳管柴蒙鲍华喻祁蒲房滕屈饶解牟艾尤阳时穆农司卓古吉缪简车项连芦麦褚娄窦戚岑景党宫费卜冷晏席卫米柏宗瞿桂全佟应臧闵苟邬边卞姬师和仇栾隋商刁沙荣巫寇桑郎甄丛仲虞敖巩明佘池查麻苑迟邝"
)
_COMPOUND = ("欧阳", "司马", "上官", "诸葛", "司徒", "东方", "皇甫", "尉迟", "公孙", "慕容", "令狐", "长孙", "宇文", "夏侯")
_SURNAME = rf"(?:{'|'.join(_COMPOUND)}|[{_SURNAMES}])"
_NOT_GIVEN = "的了是吗吧呢啊我你他她它们这那和跟在要想有不都也就还很给把被让请号码零一二三四五六七八九十"
_GIVEN = rf"[^\W\d_a-z{_NOT_GIVEN}]"
_HAN = rf"{_SURNAME}{_GIVEN}{{1,2}}"
_FOREIGN = r"[^\W\d_a-z]{1,6}(?:·[^\W\d_a-z]{1,6})+"
_LATIN = r"[a-z][a-z']*(?:[ -][a-z][a-z']*){0,3}"
_END = r"(?=$|[^\w]|先生|女士|小姐|的|吧|呢|啊|了|想|要|在|是|我|电话|手机|号码|订|预)"
_TITLE = r"(?:先生|女士|小姐|太太|老师|医生|经理|师傅)"
_STRONG = r"(?:我叫|名字叫|名字是|名叫|姓名是|姓名叫|全名是|名字|姓名|联系人是|联系人叫|户名是|收件人是|预订人是|叫)(?:做|作)?"
_WEAK = r"(?:我是|这里是|本人是|他是|她是|就是|是)"
_CUED = re.compile(rf"(?:{_STRONG}|{_WEAK})[ :,]*(?P<name>{_FOREIGN}|{_HAN}|{_LATIN}){_END}")
_TITLED = re.compile(rf"(?P<name>{_SURNAME}{_GIVEN}{{0,2}}?){_TITLE}")
_SURNAMED = re.compile(rf"(?:免贵姓|我姓|姓)[ ]?(?P<name>{_SURNAME})(?!名)")
_FILLER = r"(?:嗯|啊|哦|好的?|是的?|对|您好|你好|喂|那个|谢谢)"
_ALONE = re.compile(rf"(?:{_FILLER}[ ,.!。]*)*(?P<name>{_FOREIGN}|{_HAN}|{_LATIN})(?:[ ,.!。]*{_FILLER})*[ ,.!?。]*")
_APART = re.compile(rf"(?P<name>{_SURNAME}(?:[ ,、]+{_GIVEN}){{1,2}})[ ,.。]*")
_LETTERS = re.compile(r"(?<![a-z])(?P<name>[a-z](?:[ ,、.-]+[a-z])+)(?![a-z]|[ ,、-]*[\d零一二三四五六七八九幺])")
_COMMON = frozenset("ok okay hi hello bye yes no app wifi vip pin id".split())


@dataclass(frozen=True, slots=True)
class SaidName:
    """A name said over plain characters."""

    start: int
    end: int
    text: str


def find_names(passage: Passage, plain: str) -> list[SaidName]:
    """Every name said after a cue, with a title, or standing alone in `plain`; letters that are spelled are one word."""
    spelled = [
        SaidName(*match.span(), _title("".join(re.findall(r"[a-z]", match["name"])))) for match in _LETTERS.finditer(plain)
    ]
    if spelled:
        return spelled
    found = [_named(passage, match) for pattern in (_CUED, _TITLED, _SURNAMED) for match in pattern.finditer(plain)]
    kept: list[SaidName] = []
    for said in sorted((name for name in found if name is not None), key=lambda item: (item.start, -item.end)):
        if not kept or said.start >= kept[-1].end:
            kept.append(said)
    if kept:
        return kept
    alone = _ALONE.fullmatch(plain.strip()) or _APART.fullmatch(plain.strip())
    if alone is None:
        return []
    offset = len(plain) - len(plain.lstrip())
    name = _named(passage, alone, offset)
    return [name] if name is not None else []


def _named(passage: Passage, match: re.Match[str], offset: int = 0) -> SaidName | None:
    start, end = (at + offset for at in match.span("name"))
    text = match["name"]
    if text[0].isascii():
        written = passage.written(start, end)
        return (
            None
            if text in _COMMON or len(text) == 1
            else SaidName(start, end, " ".join(_title(word) for word in written.split()))
        )
    return SaidName(start, end, re.sub(r"[ ,、]", "", text))


def _title(word: str) -> str:
    if not (word.islower() or (word.isupper() and len(word) > 2)):
        return word
    return re.sub(r"(^|[-'])(\w)", lambda match: match.group(1) + match.group(2).upper(), word.lower())


def spell_name(name: str) -> str:
    """Characters or letters one by one: "张伟" is 张，伟, "Okafor" O，K，A，F，O，R."""
    return "，".join(char for char in name.upper() if char.isalpha())
