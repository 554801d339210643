"""Signs, ranges, fractions, ordinals, groups of figures and currencies: said as people say them, and never another value.

What is written and what is said in its place come to the same units; a group of figures is read as a whole or not at all.
"""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.spoken import Kind, canonical, read, say, say_text, units
from core.spoken.english.number_words import ordinal

ENGLISH = [
    ("It costs ₹1,50,000.", "It costs one lakh fifty thousand rupees."),
    ("₹1,50,000.75", "one lakh fifty thousand rupees and seventy five paise"),
    ("£1,23,456", "one lakh twenty three thousand four hundred fifty six pounds"),
    ("1,50,000 people", "one lakh fifty thousand people"),
    ("₹2 crore", "two crore rupees"),
    ("₹2.5 lakh", "two point five lakh rupees"),
    ("Rs. 500/- only", "five hundred rupees only"),
    ("INR 2000", "two thousand rupees"),
    ("USD 20", "twenty dollars"),
    ("20 EUR", "twenty euros"),
    ("€1.234,56", "one thousand two hundred thirty four euros and fifty six cents"),
    ("12,50 euros", "twelve euros and fifty cents"),
    ("$1.999", "one point nine nine nine dollars"),
    ("$1.5M", "one point five million dollars"),
    ("$500k or $3B", "five hundred thousand dollars or three billion dollars"),
    ("¥500", "five hundred yen"),
    ("HK$50", "fifty Hong Kong dollars"),
    ("X$50", "X$fifty"),
    ("50¢", "fifty cents"),
    ("$5/month", "five dollars per month"),
    ("It is -5 degrees.", "It is minus five degrees."),
    ("\u22125°C", "minus five degrees celsius"),
    ("-$45.20", "minus forty five dollars and twenty cents"),
    ("-12.5%", "minus twelve point five percent"),
    ("±5", "plus or minus five"),
    ("~30 minutes, > 5 calls, <10%", "about thirty minutes, more than five calls, less than ten percent"),
    ("80 km/h", "eighty kilometers per hour"),
    ("5\u22123", "five minus three"),
    ("pages 12\u201315", "pages twelve to fifteen"),
    ("I work 9\u20135.", "I work nine to five."),
    ("$20\u2013$30", "twenty dollars to thirty dollars"),
    ("$20-30", "twenty to thirty dollars"),
    ("$2\u20133 million", "two to three million dollars"),
    ("₹1,50,000\u20132,00,000", "one lakh fifty thousand to two lakh rupees"),
    ("10:30\u201311:45", "ten thirty to eleven forty five"),
    ("9am\u20135pm", "nine A M to five P M"),
    ("10\u201311 am", "ten until eleven A M"),
    ("Pick 5\u201310.", "Pick five through ten."),
    ("1990\u20131995", "nineteen ninety to nineteen ninety five"),
    ("5-10kg", "five to ten kilograms"),
    ("Mon\u2013Fri", "Mon to Fri"),
    ("March 3\u20135", "March third to fifth"),
    ("March 3 - April 5", "March third to April fifth"),
    ("3\u20135 March", "the third to the fifth of March"),
    ("2026-03-14 \u2013 2026-03-16", "March fourteenth, twenty twenty six to March sixteenth, twenty twenty six"),
    ("from -5 to -2", "from minus five to minus two"),
    ("take 5 \u2014 10 is too many", "take five \u2014 ten is too many"),
    ("my code is 12-15", "my code is one two one five"),
    ("order 3-5 boxes", "order three to five boxes"),
    ("441-2907", "four four one, two nine zero seven"),
    ("555\u20130183", "five five five, zero one eight three"),
    ("the 101st and the 112th", "the one hundred and first and the one hundred and twelfth"),
    ("1,000th", "one thousandth"),
    ("½ cup", "one half cup"),
    ("1½ cups, 2¾ hours", "one and a half cups, two and three quarters hours"),
    ("1 1/2 cups", "one and a half cups"),
    ("3/4 inch", "three quarters inch"),
    ("a 2/3 majority", "a two thirds majority"),
    ("4/5 stars", "four out of five stars"),
    ("120/80", "one hundred twenty over eighty"),
    ("on 3/4", "on March fourth"),
    ("250 thousand people", "two hundred fifty thousand people"),
    ("192.168.0.1", "one nine two dot one six eight dot zero dot one"),
    ("version 2.10.3", "version two dot ten dot three"),
    ("555.236.7890", "five five five, two three six, seven eight nine zero"),
    ("H2O", "H, two, O"),
]

MANDARIN = [
    ("第2次", "第二次"),
    ("第2个人，2个人", "第二个人，两个人"),
    ("2/3的人", "三分之二的人"),
    ("占2/3", "占三分之二"),
    ("3/14的会议", "三月十四日的会议"),
    ("½杯，1½杯", "二分之一杯，一又二分之一杯"),
    ("全年24/7服务", "全年七天二十四小时服务"),
    ("HK$50，NT$100，S$20", "五十港币，一百新台币，二十新加坡元"),
    ("USD 5", "五美元"),
    ("X$50", "X$五十"),
    ("₹1,50,000", "十五万卢比"),
    ("€1.234,56", "一千两百三十四点五六欧元"),
    ("$1.5M", "一百五十万美元"),
    ("请打120，再打110", "请打幺二零，再打幺幺零"),
    ("打120块钱", "打一百二十块钱"),
    ("192.168.0.1", "幺九二点幺六八点零点幺"),
    ("版本2.10.3", "版本二点幺零点三"),
    ("10:00\u201311:00", "十点到十一点"),
    ("5\u201310天，3~5天", "五到十天，三到五天"),
    ("¥20\u201330", "二十到三十元"),
    ("3月5日\u20138日", "三月五日到八日"),
    ("周一\u2013周五", "周一到周五"),
    ("1990\u20131995年", "一九九零到一九九五年"),
    ("-$45.20", "负四十五点二美元"),
    ("气温-5到-2", "气温负五到负二"),
    ("±5，>3，好的~", "正负五，大于三，好的~"),
    ("号码12-15", "号码幺二幺五"),
    ("0441-2907", "零四四幺，二九零七"),
]

VALUES: list[tuple[str, str, Kind, list[object]]] = [
    ("en", "It costs ₹1,50,000.", Kind.MONEY, [150000.0]),
    ("en", "one crore two lakh fifty thousand rupees", Kind.MONEY, [10250000.0]),
    ("en", "€1.234,56", Kind.MONEY, [1234.56]),
    ("en", "$12,50,00", Kind.MONEY, []),
    ("en", "$12,50,00", Kind.NUMBER, []),
    ("en", "-$45.20", Kind.MONEY, [-45.2]),
    ("en", "$20\u201330", Kind.MONEY, [20.0, 30.0]),
    ("en", "$2\u20133 million", Kind.MONEY, [2_000_000.0, 3_000_000.0]),
    ("en", "\u22125 degrees", Kind.NUMBER, [-5]),
    ("en", "±5", Kind.NUMBER, [5]),
    ("en", "pages 12\u201315", Kind.NUMBER, [12, 15]),
    ("en", "pages 12\u201315", Kind.DIGITS, []),
    ("en", "½ cup", Kind.NUMBER, [0.5]),
    ("en", "2¾ hours", Kind.NUMBER, [2.75]),
    ("en", "10\u201311 am", Kind.TIME, ["11:00"]),
    ("en", "10:30\u201311:45", Kind.TIME, ["10:30", "11:45"]),
    ("en", "12-5@example.com", Kind.EMAIL, ["12-5@example.com"]),
    ("en", "code H2O5", Kind.CODE, ["H2O5"]),
    ("zh", "₹1,50,000", Kind.MONEY, [150000.0]),
    ("zh", "¥12,50,00", Kind.MONEY, []),
    ("zh", "-$45.20", Kind.MONEY, [-45.2]),
    ("zh", "HK$50", Kind.MONEY, [50.0]),
    ("zh", "5\u201310", Kind.DIGITS, []),
    ("zh", "1½杯", Kind.NUMBER, [1.5]),
    ("zh", "100，200", Kind.NUMBER, []),
]


@pytest.mark.parametrize(("written", "spoken"), ENGLISH)
def test_english_says_signs_as_words(written: str, spoken: str) -> None:
    """The words are those of a person, and cost no word errors."""
    assert spoken == say_text(written)
    assert [unit.text for unit in units(written)] == [unit.text for unit in units(spoken)]


def test_round_the_clock_is_no_day() -> None:
    """Also where the day is written first, unless a word before it makes it one."""
    assert "open twenty four seven" == say_text("open 24/7", "en-GB")
    assert "on July twenty fourth" == say_text("on 24/7", "en-GB")


@pytest.mark.parametrize(("written", "spoken"), MANDARIN)
def test_mandarin_says_signs_as_words(written: str, spoken: str) -> None:
    """The words are those of a person, and cost no errors."""
    assert spoken == say_text(written, "zh")
    assert [unit.text for unit in units(written, "zh")] == [unit.text for unit in units(spoken, "zh")]


@pytest.mark.parametrize(("language", "text", "kind", "values"), VALUES)
def test_signs_are_read_for_what_they_mean(language: str, text: str, kind: Kind, values: list[object]) -> None:
    """A minus is part of its number, both ends of a range are read, and a group of figures is nothing by itself."""
    assert values == [item.value for item in read(text, kind, language=language)]


@pytest.mark.parametrize(
    ("language", "value", "spoken"),
    [("zh", "USD 5", "五美元"), ("zh", "HK$50", "五十港币"), ("en", "HK$50", "fifty Hong Kong dollars"), ("zh", "5", "五块钱")],
)
def test_an_amount_keeps_the_currency_it_is_given_with(language: str, value: str, spoken: str) -> None:
    """A bare one is said in the money of the language."""
    assert spoken == say(value, Kind.MONEY, language=language)


def grouped(number: int, indian: bool) -> str:
    """Figures in groups, by thousands or by lakhs."""
    head, tail = f"{number:03d}"[:-3], f"{number:03d}"[-3:]
    size = 2 if indian else 3
    groups: list[str] = []
    while head:
        head, group = head[:-size], head[-size:]
        groups.insert(0, group)
    return ",".join([*groups, tail])


@given(st.integers(100_000, 10**12), st.booleans(), st.sampled_from(["en", "zh"]))
@example(150_000, True, "en")
def test_grouped_figures_are_one_amount(number: int, indian: bool, language: str) -> None:
    """By thousands and by lakhs, written, said and as a canonical value."""
    written = f"₹{grouped(number, indian)}"
    assert [float(number)] == [item.value for item in read(f"{written}.", Kind.MONEY, language=language)]
    assert [float(number)] == [item.value for item in read(say_text(written, language), Kind.MONEY, language=language)]
    assert float(number) == canonical(grouped(number, indian), Kind.MONEY, language)


@given(st.from_regex(r"\d{1,4}([,.]\d{1,4}){1,4}", fullmatch=True), st.sampled_from("$€₹"), st.sampled_from(["en", "zh"]))
@example("1,50,000.75", "₹", "en")
@example("1.234,56", "€", "zh")
@example("12,50,00", "$", "zh")
def test_no_part_of_figures_is_an_amount(figures: str, sign: str, language: str) -> None:
    """Whatever is written behind a sign, it is read as a whole or not at all."""
    text = f"({sign}{figures})"
    for reading in read(text, Kind.MONEY, language=language):
        assert f"{sign}{figures}" == reading.text


@given(st.integers(1, 10**6))
@example(101)
@example(112)
@example(1000)
def test_ordinals_are_the_same_said_and_written(number: int) -> None:
    """Of any size, with "and" and without it."""
    written = " ".join(unit.text for unit in units(f"the {number}th"))
    assert written == " ".join(unit.text for unit in units(f"the {ordinal(number)}"))
    assert written == " ".join(unit.text for unit in units(f"the {ordinal(number).replace(' and ', ' ')}"))


amounts = st.one_of(
    st.integers(0, 10**7).map(lambda cents: f"{cents / 100:.2f}"),
    st.integers(0, 10**6).map(str),
    st.integers(1000, 10**9).map(lambda number: grouped(number, indian=False)),
    st.integers(100_000, 10**9).map(lambda number: grouped(number, indian=True)),
)
signed_values = st.one_of(
    st.tuples(st.sampled_from(["$", "£", "€", "₹", "¥", "HK$", "USD ", "INR ", "Rs. "]), amounts).map("".join),
    st.tuples(amounts, st.sampled_from([" dollars", " EUR", "%", " rupees"])).map("".join),
    st.tuples(st.sampled_from(["$", "₹"]), st.sampled_from(["2", "1.5", "250"]), st.sampled_from([" million", "M", "k"])).map(
        "".join
    ),
    st.integers(1, 5000).map(lambda number: f"{number}th"),
    st.tuples(st.integers(1, 99), st.sampled_from("-\u2013\u2014"), st.integers(1, 99)).map(lambda p: f"{p[0]}{p[1]}{p[2]} days"),
    st.tuples(st.integers(1, 20), st.sampled_from("½¼¾")).map(lambda pair: f"{pair[0]}{pair[1]} cups"),
    st.sampled_from(["½ cup", "1/3 cup", "3/4 inch", "-5°C", "±5", "10:30\u201311:45", "9am\u20135pm", "$20\u2013$30", "$20-30"]),
)


@given(st.sampled_from(["{}", "It is {}.", "Is that {}?", "we pay {} for it", "({})"]), signed_values, st.booleans())
def test_what_is_written_and_said_costs_no_errors(carrier: str, value: str, negative: bool) -> None:
    """Nothing is left in figures, and both come to the same units."""
    text = carrier.format(f"-{value}" if negative and value[0] in "$£€₹¥0123456789" else value)
    spoken = say_text(text)
    assert [unit.text for unit in units(text)] == [unit.text for unit in units(spoken)]
    assert not any(char.isdigit() for char in spoken)


@given(st.integers(1, 10**6), st.sampled_from(["en", "zh"]), st.sampled_from(["-", "\u2212"]), st.sampled_from(["", "$"]))
def test_minus_is_never_plus(number: int, language: str, minus: str, sign: str) -> None:
    """A number and its opposite have two forms, said and written."""
    positive, negative = f"{sign}{number}", f"{minus}{sign}{number}"
    assert [unit.text for unit in units(positive, language)] != [unit.text for unit in units(negative, language)]
    assert say_text(positive, language) != say_text(negative, language)
    assert [item.value for item in read(negative, Kind.NUMBER, language=language)] == [-number]


@given(st.integers(1, 99), st.integers(1, 99), st.sampled_from("\u2013\u2014"), st.sampled_from(["en", "zh"]))
def test_a_range_is_no_id(low: int, high: int, dash: str, language: str) -> None:
    """Two numbers with a long dash between them are two numbers, whichever is larger."""
    if low == high or (low, high) == (24, 7):
        return
    text = f"{low}{dash}{high}"
    assert [low, high] == [item.value for item in read(text, Kind.NUMBER, language=language)]
    assert [] == read(text, Kind.DIGITS, language=language)
    assert re.search("to|through|until|到", say_text(text, language))
