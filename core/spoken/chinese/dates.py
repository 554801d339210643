"""Dates in Chinese: 二零二六年三月十四号, 3月14日, 2026/3/14, 3/14, 十五号, 下周三, 明天, 三天后.

Weeks run from Monday to Sunday: 下周三 is the Wednesday of next week, 周三 alone the first one after today (or the last, where
the past is preferred). Without a year or a month a date is the next such day; with no `now` it cannot be read. Dates of the
lunar calendar are not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from core.spoken.chinese.dashes import TO
from core.spoken.chinese.measures import counted
from core.spoken.chinese.numerals import HANZI_DIGIT, cardinal, digit_words, number_of, to_figures
from core.spoken.days import Step, day_of, full_year, nearest_day, nearest_weekday

_MONTH = r"(?:十[一二]?|[一二三四五六七八九]|1[0-2]|0?[1-9])"
_DAY = r"(?:三十一?|二?十[一二三四五六七八九]?|[一二三四五六七八九]|3[01]|[12]\d|0?[1-9])"
_LABEL = r"(?![楼院门线机店桌柜窗病馆仓库厅台码])"
"""Not after 号 where it numbers a thing."""
_YEAR = (
    rf"(?:(?P<year>\d{{4}}|[{HANZI_DIGIT}]{{4}}|[一二两]千[零一二三四五六七八九十百]*|\d\d|[零一二三四五六七八九]{{2}})年的?"
    r"|(?P<this>[今明去后前]年|本年)的?)"
)
_GUARD = rf"(?<![{HANZI_DIGIT}\d十百千万.:/])"
_WORDED = re.compile(
    rf"(?<!农历)(?<!阴历){_GUARD}{_YEAR}? ?(?:(?P<month>{_MONTH})月(?:份的?)?|(?P<near>这个月|本月|下个?月|上个?月)的?) ?"
    rf"(?P<day>{_DAY})(?:日|号{_LABEL}|(?![{HANZI_DIGIT}\d十百千万个日号]))"
)
_ISO = re.compile(r"(?<![\d.:/-])(?P<year>\d{4})(?P<sign>[-/.])(?P<month>\d{1,2})(?P=sign)(?P<day>\d{1,2})(?![\d/-]|\.\d)")
_SLASH = re.compile(r"(?<![\d.:/a-z-])(?P<month>\d{1,2})/(?P<day>\d{1,2})(?![\d/a-z:-]|\.\d)[日号]?")
_ALONE = re.compile(rf"{_GUARD}(?<!第)(?<!月)(?P<day>{_DAY})(?:日(?!本|常|元|报)|号{_LABEL})")
_WEEKDAY = re.compile(
    r"(?P<which>上上个?|上个?|下下个?|下个?|这个?|本)?(?:周|星期|礼拜)(?P<weekday>[一二三四五六日天1-6])(?![\d个天周年月十百千万])"
)
_OFFSET = {"大前天": -3, "前天": -2, "昨天": -1, "昨日": -1, "今天": 0, "今日": 0, "今儿": 0, "明天": 1, "明日": 1, "明儿": 1} | {
    "后天": 2, "大后天": 3, "今晚": 0, "今早": 0, "明晚": 1, "明早": 1, "昨晚": -1,
}  # fmt: skip
_RELATIVE = re.compile("|".join(sorted((word for word in _OFFSET), key=len, reverse=True)))
_COUNT = r"(?P<count>\d{1,3}|[一二三四五六七八九两]?十[一二三四五六七八九]?|[一二三四五六七八九两])"
_LATER = re.compile(rf"{_GUARD}{_COUNT}(?P<span>天|个?星期|周|个?礼拜)(?:之|以)?(?P<way>后|前)(?!面|台)")
_WEEKS = {"上上": -2, "上": -1, "这": 0, "本": 0, "下": 1, "下下": 2}
_BETWEEN = re.compile(r"[ ,(、]*")


@dataclass(frozen=True, slots=True)
class SaidDate:
    """A date as said over plain characters; what was not said is None. `weekday` is 0 on Monday, `offset` days from today."""

    start: int
    end: int
    year: int | None = None
    """Two digits when `short`; years from now when `near_year`."""
    month: int | None = None
    """Months from now when `near_month`."""
    day: int | None = None
    weekday: int | None = None
    weeks: int | None = None
    """Weeks from this one, where 上/这/下 was said."""
    offset: int | None = None
    short: bool = False
    near_year: bool = False
    near_month: bool = False
    worded: bool = True
    """Said with words, not written in figures alone."""

    @property
    def fixed(self) -> bool:
        """Whether a month and a day are named."""
        return self.month is not None and not self.near_month

    def resolve(self, now: date | None, past: bool = False) -> date | None:
        """The day meant, None where it cannot be known."""
        if self.fixed and self.year is not None and not self.near_year:
            return day_of(self._full_year(now), self.month or 0, self.day or 0)
        if now is None:
            return None
        if self.offset is not None:
            return now + timedelta(days=self.offset)
        if self.weekday is not None:
            return self._weekday(now, past)
        if self.near_month:
            total = now.year * 12 + now.month - 1 + (self.month or 0)
            return day_of(total // 12, total % 12 + 1, self.day or 0)
        if self.near_year:
            return day_of(now.year + (self.year or 0), self.month or 0, self.day or 0)
        step: Step = -1 if past else 1
        return nearest_day(now, self.month, self.day or 0, step)

    def _weekday(self, now: date, past: bool) -> date:
        weekday = self.weekday or 0
        if self.weeks is not None:
            return now + timedelta(days=7 * self.weeks + weekday - now.weekday())
        return nearest_weekday(now, weekday, -1 if past else 1)

    def _full_year(self, now: date | None) -> int:
        return full_year(self.year or 0, now) if self.short else self.year or 0

    def matches(self, day: date) -> bool:
        """Whether a month and a day were named and every part said agrees with `day`."""
        if not self.fixed or self.near_year:
            return False
        year = self.year is None or self.year == (day.year % 100 if self.short else day.year)
        return year and (self.month, self.day) == (day.month, day.day)


def find_dates(plain: str) -> list[SaidDate]:
    """Every date, in order."""
    found: list[SaidDate] = []
    for said in sorted(_every(plain), key=lambda item: (item.start, -item.end)):
        if not found or said.start >= found[-1].end:
            found.append(_until(plain, found[-1], said) if found else said)
    return found


def _until(plain: str, before: SaidDate, said: SaidDate) -> SaidDate:
    """A day with the month that was said for both: 3月5日到8日."""
    month_said = before.fixed and before.worded and plain[before.end : said.start] == TO
    day = month_said and said.month is None and said.day is not None and day_of(2000, before.month or 0, said.day)
    return replace(before, start=said.start, end=said.end, day=said.day) if day else said


def with_weekdays(plain: str, dates: Sequence[SaidDate]) -> list[SaidDate]:
    """The same dates, a weekday and the date it names as one: "星期六，三月十四号"."""
    found: list[SaidDate] = []
    for said in dates:
        before = found[-1] if found else None
        if before is None or not _BETWEEN.fullmatch(plain, before.end, said.start):
            found.append(said)
        elif said.day is not None and before.day is None and before.offset is None:
            found[-1] = replace(said, start=before.start)
        elif before.day is not None and said.day is None and said.offset is None:
            found[-1] = replace(before, end=said.end)
        else:
            found.append(said)
    return found


def _every(plain: str) -> Iterator[SaidDate]:
    for match in _WORDED.finditer(plain):
        yield from _worded(match)
    for pattern in (_ISO, _SLASH):
        for match in pattern.finditer(plain):
            year = int(match["year"]) if pattern is _ISO else None
            real = day_of(year or 2000, int(match["month"]), int(match["day"])) is not None
            if real and not (pattern is _SLASH and _is_share(plain, match)):
                yield SaidDate(*match.span(), year, int(match["month"]), int(match["day"]), worded=False)
    for match in _ALONE.finditer(plain):
        yield SaidDate(*match.span(), day=small(match["day"]))
    for match in _WEEKDAY.finditer(plain):
        weekday = "一二三四五六日".find(match["weekday"].replace("天", "日"))
        weekday = weekday if weekday >= 0 else int(match["weekday"]) - 1
        which = (match["which"] or "").rstrip("个")
        yield SaidDate(*match.span(), weekday=weekday, weeks=_WEEKS.get(which))
    for match in _RELATIVE.finditer(plain):
        yield SaidDate(*match.span(), offset=_OFFSET[match.group()])
    for match in _LATER.finditer(plain):
        days = small(match["count"]) * (1 if match["span"] == "天" else 7)
        yield SaidDate(*match.span(), offset=days if match["way"] == "后" else -days)


_SHARED = re.compile(
    r"多数|的?(?:人|员工|用户|客户|顾客|学生|居民|成员|乘客|议员|股东|时间|费用|价格|面积|内容|份额|票|选票|钱|收入|工资|座位|订单)|左右|以上|以下|以内"
)
"""What is parted, behind a fraction."""
_SHARE_OF = re.compile(r"(?:占|约|超过|将近|接近|不到|不足|至少|仅|只有|只|剩|剩下|达到?) ?$")


def _is_share(plain: str, match: re.Match[str]) -> bool:
    """Whether two figures around a bar are a fraction and no day: 1/2杯, 2/3的人, 占2/3."""
    part = int(match["month"]) < int(match["day"])
    share = _SHARED.match(plain, match.end()) or _SHARE_OF.search(plain, max(0, match.start() - 4), match.start())
    mixed = re.search(r"(?<![\d.,/])\d{1,3} $", plain[max(0, match.start() - 6) : match.start()])  # 1 1/2
    return counted(plain, match.end()) or (part and (share is not None or mixed is not None))


def _worded(match: re.Match[str]) -> Iterator[SaidDate]:
    day = small(match["day"])
    if match["near"]:
        if not match["year"] and not match["this"]:
            months = {"下": 1, "上": -1}.get(match["near"][0], 0)
            yield SaidDate(*match.span(), month=months, day=day, near_month=True)
        return
    month = small(match["month"])
    near = {"明": 1, "去": -1, "后": 2, "前": -2}.get(match["this"][0], 0) if match["this"] else None
    text = match["year"] or ""
    year = near if near is not None else int((number_of(text) if "千" in text else None) or to_figures(text)) if text else None
    short = len(text) == 2 and "千" not in text
    if day_of(2000 if near is not None or year is None or short else year, month, day) is not None:
        yield SaidDate(*match.span(), year, month, day, short=short, near_year=near is not None)


def small(text: str) -> int:
    """A numeral below a thousand in either writing."""
    return int(text) if text.isdecimal() else int(number_of(text) or to_figures(text))


def say_date(year: int | None, month: int, day: int) -> str:
    """2026, 3, 14 are 二零二六年三月十四日."""
    return (say_year(str(year)) if year is not None else "") + f"{cardinal(month)}月{cardinal(day)}日"


def say_year(year: str) -> str:
    """ "2026" is 二零二六年."""
    return f"{digit_words(year)}年"
