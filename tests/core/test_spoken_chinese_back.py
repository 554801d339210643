"""Mandarin: a listener who hears every character reads the same value back, and what is written equals what is said for it."""

from __future__ import annotations

from datetime import date

from hypothesis import example, given
from hypothesis import strategies as st

from core.spoken import Kind, occurs, read, say, say_text, units

NOW = date(2026, 3, 10)

digit_strings = st.text(alphabet="0123456789", min_size=1, max_size=20)
codes = st.text(alphabet="ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", min_size=2, max_size=12).filter(
    lambda text: not text.isdigit() and not text.isalpha()
)
letters = st.text(alphabet="abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=10)
local_parts = st.lists(
    st.tuples(st.one_of(letters, digit_strings.map(lambda text: text[:4])), st.sampled_from([".", "_", "-", ""])),
    min_size=1,
    max_size=4,
).map(lambda parts: "".join(word + sign for word, sign in parts).rstrip("._-"))
domains = st.tuples(st.one_of(letters, st.sampled_from(["163", "qq", "my-mail"])), st.sampled_from(["com", "com.cn", "org"]))
addresses = st.tuples(local_parts, domains.map(".".join)).map("@".join)
names = st.tuples(
    st.sampled_from("王李张刘陈杨赵黄周吴"), st.text(alphabet="伟芳娜敏静丽强磊军洋勇艳杰娟涛明超", min_size=1, max_size=2)
).map("".join)
clock_times = st.tuples(st.integers(0, 23), st.integers(0, 59)).map(lambda pair: f"{pair[0]:02d}:{pair[1]:02d}")


def back(spoken: str, kind: Kind) -> list[object]:
    """What a listener reads."""
    return [reading.value for reading in read(spoken, kind, language="zh-CN", now=NOW)]


def said(value: object, kind: Kind, spell: bool = False) -> str:
    """How a caller says it."""
    return say(value, kind, language="zh-CN", spell=spell)


def normal(text: str) -> str:
    """The normalised units of a text."""
    return "".join(unit.text for unit in units(text, "zh-CN"))


@given(digit_strings)
def test_digits_come_back(value: str) -> None:
    """Any id reads back, leading zeros and repeats included, also in the middle of a sentence."""
    assert [value] == back(said(value, Kind.DIGITS), Kind.DIGITS)
    assert [value] == back(f"我的号码是：{said(value, Kind.DIGITS)}，谢谢。", Kind.DIGITS)
    assert normal(said(value, Kind.DIGITS)) == value


@given(codes)
@example("A1")
@example("1A")
@example("5G")
@example("O0O")
def test_codes_come_back(value: str) -> None:
    """Any code reads back, and so does its written form."""
    assert [value] == back(said(value, Kind.CODE), Kind.CODE)
    assert normal(said(value, Kind.CODE)) == value.lower()


@given(st.integers(0, 10**11))
@example(22)
@example(200_02)
@example(102_00_00)
def test_money_comes_back(cents: int) -> None:
    """Any amount reads back to the fen, and is the same amount as it is written."""
    assert [cents / 100] == back(said(cents / 100, Kind.MONEY), Kind.MONEY)
    assert normal(f"{cents / 100:.2f}元") == normal(said(cents / 100, Kind.MONEY))


@given(st.one_of(st.integers(-(10**15), 10**15), st.decimals(-1000, 1000, places=3, allow_nan=False).map(float)))
@example(2)
@example(100)
@example(1_000_001)
@example(0.05)
def test_numbers_come_back(value: float) -> None:
    """Any number reads back, negative and decimal ones included."""
    assert [value] == back(said(value, Kind.NUMBER), Kind.NUMBER)


@given(st.dates(date(1000, 1, 1), date(2999, 12, 31)))
@example(date(2000, 2, 29))
def test_dates_come_back(value: date) -> None:
    """Any date reads back, and is the same date as it is written."""
    assert [value.isoformat()] == back(said(value.isoformat(), Kind.DATE), Kind.DATE)
    assert normal(value.isoformat()) == normal(said(value.isoformat(), Kind.DATE))
    assert normal(f"{value.year}年{value.month}月{value.day}号") == normal(said(value.isoformat(), Kind.DATE))


@given(clock_times)
def test_times_come_back(value: str) -> None:
    """Every minute of the day reads back, also written with the part of day."""
    assert [value] == back(said(value, Kind.TIME), Kind.TIME)
    assert [value] == back(f"我想约{said(value, Kind.TIME)}过来", Kind.TIME)


@given(addresses)
@example("is@example.com")
@example("at@example.com")
@example("a.1@163.com")
def test_addresses_come_back(value: str) -> None:
    """Any address reads back, from words, from its spelling and as written."""
    assert [value] == back(said(value, Kind.EMAIL), Kind.EMAIL)
    assert [value] == back(f"我的邮箱是{said(value, Kind.EMAIL)}，谢谢。", Kind.EMAIL)
    assert [value] == back(said(value, Kind.EMAIL, spell=True), Kind.EMAIL)
    assert [value] == back(f"邮箱{value}", Kind.EMAIL)


@given(names)
def test_names_come_back(value: str) -> None:
    """A name reads back alone, after a cue, with a title, and character by character."""
    assert [value] == back(said(value, Kind.NAME), Kind.NAME)
    assert [value] == back(f"你好，我叫{value}，想改个时间。", Kind.NAME)
    assert [value] == back(f"我是{value}。", Kind.NAME)
    assert [value] == back(said(value, Kind.NAME, spell=True), Kind.NAME)


written_values = st.one_of(
    st.integers(0, 10**9).map(str),
    st.integers(0, 10**7).map(lambda cents: f"{cents / 100:.2f}"),
    st.integers(0, 10**7).map(lambda cents: f"¥{cents / 100:.2f}"),
    st.integers(0, 10**7).map(lambda cents: f"{cents / 100}元"),
    st.integers(1, 9999).map(lambda number: f"{number}万元"),
    st.integers(1, 9999).map(lambda number: f"{number}个"),
    st.integers(0, 100).map(lambda number: f"{number}%"),
    st.dates(date(1900, 1, 1), date(2099, 12, 31)).map(lambda day: f"{day.year}年{day.month}月{day.day}日"),
    st.dates(date(1900, 1, 1), date(2099, 12, 31)).map(lambda day: f"{day.month}月{day.day}号"),
    st.dates(date(1900, 1, 1), date(2099, 12, 31)).map(str),
    clock_times,
    clock_times.map(lambda clock: f"下午{int(clock[:2]) % 12 or 12}点{clock[3:]}分"),
    st.integers(1, 12).map(lambda hour: f"{hour}点半"),
    st.integers(1, 31).map(lambda day: f"{day}号"),
    st.sampled_from(
        [
            "5kg",
            "36.5℃",
            "1,200",
            "0441-2907",
            "QX-338805",
            "ann.lee@163.com",
            "3-5天",
            "周3",
            "1/2杯",
            "1½杯",
            "HK$50",
            "10\u201320%",
            "10:00\u201311:00",
            "-¥5",
            "第2次",
            "24/7",
            "192.168.0.1",
            "打120",
            "3月5日\u20138日",
        ]
    ),
)
carriers = st.sampled_from(["{}", "我要{}。", "一共{}，对吗？", "是{}吧", "号码 {} 谢谢", "请在{}之前打给我"])


@given(carriers, written_values)
def test_verbalised_values_cost_no_errors(carrier: str, value: str) -> None:
    """What is written and what is said in its place come to the same units, and nothing is left in figures."""
    text = carrier.format(value)
    spoken = say_text(text, "zh-CN")
    assert normal(text) == normal(spoken)
    assert not any(char.isdigit() for char in spoken)
    assert spoken == say_text(spoken, "zh-CN")


@given(st.text(alphabet="我一二两三十百万点分元块毛月日号年周个半差零到 0123456789.,:/-$¥%@#aGHK，。\u2013\u2212½~", max_size=25))
def test_verbalised_text_has_no_figures_left(text: str) -> None:
    """Whatever the text, nothing is left that a voice would have to guess how to say, and every unit has its place."""
    assert not any(char.isdigit() for char in say_text(text, "zh-CN"))
    places = [(unit.start, unit.end) for unit in units(text, "zh-CN")]
    assert all(0 <= start < end <= len(text) for start, end in places)
    assert places == sorted(places)
    for kind in Kind:
        for reading in read(text, kind, language="zh-CN", now=NOW):
            assert text[reading.start : reading.end] == reading.text


@given(digit_strings, digit_strings)
def test_different_ids_stay_different(one: str, other: str) -> None:
    """Two ids have one normal form only where they are one, whoever says and whoever writes them."""
    assert (one == other) == (normal(said(one, Kind.DIGITS)) == normal(other))
    assert (one == other) == occurs(one, Kind.DIGITS, f"号码是：{said(other, Kind.DIGITS)}", language="zh")


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_different_amounts_stay_different(one: int, other: int) -> None:
    """Two amounts have one normal form only where they are one to the fen."""
    assert (one == other) == (normal(said(one / 100, Kind.MONEY)) == normal(f"¥{other / 100}"))
