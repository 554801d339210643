"""Languages of India: minus signs, ranges, ordinals, halves, currencies and cases written onto figures."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.spoken import Kind, occurs, read, say, say_text, units
from core.spoken.indic import CODES
from core.spoken.indic.folded import folded
from core.spoken.indic.grammar import grammar_of

languages = st.sampled_from(CODES)

# Where the forms before nouns and the ordinals come from is noted in the tables of the languages.
SENTENCES = [
    ("hi", "2026में मिला", "दो हज़ार छब्बीस में मिला"),
    ("hi", "4का दाम", "चार का दाम"),
    ("hi", "1ला, 2रा, 4था, 10वाँ", "पहला, दूसरा, चौथा, दसवाँ"),
    ("hi", "21वीं मंज़िल, 101वाँ ग्राहक", "इक्कीसवीं मंज़िल, एक सौ एकवाँ ग्राहक"),
    ("hi", "तापमान \u22125 है, कल -2 था", "तापमान माइनस पाँच है, कल माइनस दो था"),
    ("hi", "-$45.20 और ₹-50", "माइनस पैंतालीस दशमलव दो शून्य डॉलर और माइनस पचास रुपये"),
    ("hi", "-12.5%", "माइनस बारह दशमलव पाँच प्रतिशत"),
    ("hi", "5–10 और 9–5", "पाँच से दस और नौ से पाँच"),
    ("hi", "10–12 बजे", "दस से बारह बजे"),
    ("hi", "10:30–11:45", "साढ़े दस बजे से पौने बारह बजे"),
    ("hi", "₹1,50,000–2,00,000", "एक लाख पचास हज़ार से दो लाख रुपये"),
    ("hi", "20–30 लाख रुपये", "बीस लाख से तीस लाख रुपये"),
    ("hi", "$20–$30", "बीस से तीस डॉलर"),
    ("hi", "15/03/2026–20/03/2026", "पंद्रह मार्च दो हज़ार छब्बीस से बीस मार्च दो हज़ार छब्बीस"),
    ("hi", "15 मार्च–20 अप्रैल", "पंद्रह मार्च से बीस अप्रैल"),
    ("hi", "2023-24 में", "दो हज़ार तेईस से चौबीस में"),
    ("hi", "नंबर 441-2907", "नंबर चार चार एक, दो नौ शून्य सात"),
    ("hi", "कोड 12-44", "कोड एक दो चार चार"),
    ("hi", "- 5 सेब", "- पाँच सेब"),
    ("hi", "½ कप, 1½ किलो, 2½ घंटे, 3½ दिन, ¾ लीटर", "आधा कप, डेढ़ किलो, ढाई घंटे, साढ़े तीन दिन, तीन चौथाई लीटर"),
    ("hi", "1/2 कप, 1 1/2 कप", "आधा कप, डेढ़ कप"),
    ("hi", "1/2 को आना", "एक फ़रवरी को आना"),
    ("hi", "₹1, ₹1.01", "एक रुपया, एक रुपया एक पैसा"),
    ("hi", "USD 20, INR 2000, Rs. 1,50,000", "बीस डॉलर, दो हज़ार रुपये, एक लाख पचास हज़ार रुपये"),
    ("hi", "¥500, ৳500", "¥ पाँच सौ, ৳ पाँच सौ"),
    ("mr", "1ला, 1ली, 2रा, 3री, 4था", "पहिला, पहिली, दुसरा, तिसरी, चौथा"),
    ("mr", "5वा, 9वी, 10वा, 19वा, 21व्या, 60वा", "पाचवा, नववी, दहावा, एकोणिसावा, एकविसाव्या, साठावा"),
    ("mr", "5ला, 5ची", "पाचला, पाचची"),
    ("mr", "₹1, ₹100, ₹1,100", "एक रुपया, शंभर रुपये, एक हजार एकशे रुपये"),
    ("gu", "2026માં, 4થી", "બે હજાર છવ્વીસ માં, ચાર થી"),
    ("gu", "1લો, 1લી, 2જો, 3જી, 4થો, 10મો", "પહેલો, પહેલી, બીજો, ત્રીજી, ચોથો, દસમો"),
    ("gu", "₹1", "એક રૂપિયો"),
    ("bn", "5টি বই, 20জন, ১০টা", "পাঁচটি বই, বিশজন, দশটা"),
    ("bn", "১ম, ২য়, ৪র্থ, ৬ষ্ঠ, ১০ম, ২১তম", "প্রথম, দ্বিতীয়, চতুর্থ, ষষ্ঠ, দশম, একুশতম"),
    ("bn", "১লা, ২রা, ৪ঠা, ৫ই, ১৮ই, ১৯শে, ২১শে", "পয়লা, দোসরা, চৌঠা, পাঁচই, আঠারোই, উনিশে, একুশে"),
    ("bn", "101ই", "একশো এক ই"),
    ("bn", "৳500, Tk. 1,50,000, ₹1", "পাঁচশো টাকা, এক লাখ পঞ্চাশ হাজার টাকা, এক টাকা"),
    ("ta", "1வது, 3வது, 21வது", "முதலாவது, மூன்றாவது, இருபத்து ஒன்றாவது"),
    ("ta", "10ம் தேதி, 20-ஆம் தேதி", "பத்தாம் தேதி, இருபதாம் தேதி"),
    ("ta", "1000வது, 5க்கு", "ஆயிரமாவது, ஐந்துக்கு"),
    ("ta", "₹1, ₹11, ₹21", "ஒரு ரூபாய், பதினோரு ரூபாய், இருபத்து ஒரு ரூபாய்"),
    ("ta", "1:00", "ஒரு மணி"),
    ("ta", "11:40", "பதினோரு மணி நாற்பது நிமிடம்"),
    ("te", "1వ, 3వ, 10వ, 20వ, 21వ", "మొదటి, మూడవ, పదవ, ఇరవయ్యవ, ఇరవై ఒకటవ"),
    ("te", "2026లో, 5కి", "రెండు వేల ఇరవై ఆరులో, ఐదుకి"),
    ("te", "₹50,000, ₹200, ₹1, ₹21", "యాభై వేల రూపాయలు, రెండు వందల రూపాయలు, ఒక రూపాయి, ఇరవై ఒక్క రూపాయలు"),
    ("te", "200 రోజులు", "రెండు వందల రోజులు"),
    ("te", "1:00", "ఒంటి గంటకు"),
    ("te", "1:20", "ఒంటి గంట ఇరవై నిమిషాలకు"),
    ("kn", "1ನೇ, 3ನೇ, 10ನೇ, 3ನೆಯ", "ಮೊದಲನೇ, ಮೂರನೇ, ಹತ್ತನೇ, ಮೂರನೆಯ"),
    ("kn", "5ಕ್ಕೆ, 2026ರಲ್ಲಿ", "ಐದಕ್ಕೆ, ಎರಡು ಸಾವಿರದ ಇಪ್ಪತ್ತಾರರಲ್ಲಿ"),
    ("kn", "5–10 ದಿನ", "ಐದರಿಂದ ಹತ್ತು ದಿನ"),
]

READ = [
    ("bn", "২০জন লোক", Kind.NUMBER, [20]),
    ("bn", "5টি বই", Kind.NUMBER, [5]),
    ("bn", "আমার পাঁচটা ব্যাগ আছে", Kind.CODE, []),
    ("hi", "4का", Kind.CODE, []),
    ("te", "ఐదుకి", Kind.CODE, []),
    ("hi", "पिन 4412में", Kind.DIGITS, ["4412"]),
    ("hi", "-5 डिग्री", Kind.NUMBER, [-5]),
    ("hi", "-₹50", Kind.MONEY, [-50.0]),
    ("hi", "माइनस पचास रुपये", Kind.MONEY, [-50.0]),
    ("hi", "₹20–30", Kind.MONEY, [20.0, 30.0]),
    ("hi", "बीस से तीस रुपये", Kind.MONEY, [20.0, 30.0]),
    ("hi", "₹20-30 लाख", Kind.MONEY, [2000000.0, 3000000.0]),
    ("hi", "10–12 बजे", Kind.TIME, ["10:00", "12:00"]),
    ("hi", "5–10 दिन", Kind.DIGITS, []),
    ("hi", "441-2907", Kind.DIGITS, ["4412907"]),
    ("hi", "2½ किलो", Kind.NUMBER, [2.5]),
    ("hi", "तीन चौथाई कप", Kind.NUMBER, [0.75]),
    ("hi", "पहली तारीख", Kind.NUMBER, []),
    ("bn", "৳500", Kind.MONEY, [500.0]),
    ("ta", "கால் வலி", Kind.NUMBER, []),
]


def texts(text: str, language: str) -> list[str]:
    """The normalised units."""
    return [unit.text for unit in units(text, language)]


def latin(text: str) -> set[str]:
    """The Latin letters of a text."""
    return {char for char in text.casefold() if char.isascii() and char.isalpha()}


@pytest.mark.parametrize(("language", "written", "spoken"), SENTENCES)
def test_what_is_written_is_said(language: str, written: str, spoken: str) -> None:
    """Signs and endings come out in words, which cost no word errors."""
    assert spoken == say_text(written, language)
    assert texts(written, language) == texts(spoken, language)


@pytest.mark.parametrize(("language", "text", "kind", "expected"), READ)
def test_values_are_read(language: str, text: str, kind: Kind, expected: list[object]) -> None:
    """Values beside such signs and endings are read, and nothing that was not said."""
    assert expected == [reading.value for reading in read(text, kind, language=language)]


def words_of(language: str) -> list[str]:
    """Words that are written onto figures or stand beside them."""
    table = grammar_of(language).table
    groups = (table.talk.function, table.talk.moments, table.numbers.endings, table.clock.hour, table.clock.minute)
    return [word for group in (*groups, table.money.rupees, *table.days.months) for word in group if not word.isascii()]


@given(
    st.data(), languages, st.integers(0, 9999), st.sampled_from(["{n}{w}", "{w}{n}", "{n} {w}", "{s}{w}", "{w}-{n}", "{n}-{w}"])
)
def test_no_letter_is_made_up(data: st.DataObject, language: str, number: int, shape: str) -> None:
    """Units, codes and ids hold no Latin letter that the text lacks."""
    word = data.draw(st.sampled_from(words_of(language)))
    said = say(number, Kind.NUMBER, language=language)
    text = shape.format(n=number, w=word, s=said)
    assert latin("".join(texts(text, language))) <= latin(text)
    for kind in (Kind.CODE, Kind.DIGITS, Kind.NUMBER):
        assert latin("".join(str(reading.value) for reading in read(text, kind, language=language))) <= latin(text)
    assert latin(say_text(text, language)) <= latin(text)


@given(st.data(), languages, st.integers(0, 9999))
def test_another_ending_is_another_text(data: st.DataObject, language: str, number: int) -> None:
    """Two words on the same figures are two texts, unless the table has them as two spellings of one."""
    grammar = grammar_of(language)
    hours = {folded(word) for word in (*grammar.table.clock.hour, *grammar.table.clock.ambiguous)}
    words = sorted({folded(word) for word in (*grammar.table.talk.function, *grammar.table.numbers.endings)} - hours)
    left, right = data.draw(st.lists(st.sampled_from(words), min_size=2, max_size=2, unique=True))
    same = grammar.alike.get(left, left) == grammar.alike.get(right, right)
    assert same == (texts(f"{number}{left}", language) == texts(f"{number}{right}", language))


@pytest.mark.parametrize("language", CODES)
def test_ordinals_are_said_and_stay_apart(language: str) -> None:
    """Figures with an ending come to the same units as the ordinal in words, to no others, and to no figure."""
    endings = grammar_of(language).table.numbers.ordinals.endings
    for ending, written in ((ending, (ending, *forms)[-1]) for ending, forms in endings.items()):
        found = []
        for number in (*range(1, 32), 40, 99, 100, 101, 112, 205, 1000):
            text = f"{number}{written}"
            spoken = say_text(text, language)
            assert texts(text, language) == texts(spoken, language), (ending, text, spoken)
            assert not any(char.isdecimal() for char in spoken)
            assert list(str(number)) == texts(text, language)[:-1]
            found.append(spoken)
        assert all(left != right for left, right in pairwise(sorted(found)))


@given(languages, st.integers(1, 9999), st.sampled_from(["-", "\u2212"]), st.sampled_from(["", "₹", "$"]))
def test_a_minus_is_said(language: str, number: int, sign: str, mark: str) -> None:
    """It is never lost: not in speech, in units, nor in values."""
    text = f"{sign}{mark}{number}"
    minus = grammar_of(language).table.numbers.minus[0]
    assert say_text(text, language).startswith(minus)
    assert texts(text, language) == texts(say_text(text, language), language) == texts(f"{minus} {mark}{number}", language)
    assert texts(text, language) != texts(f"{mark}{number}", language)
    kind = Kind.MONEY if mark else Kind.NUMBER
    assert occurs(-number, kind, say_text(text, language), language=language)
    assert [-number] == [reading.value for reading in read(text, kind, language=language)]


@given(languages, st.integers(1, 98), st.integers(1, 98), st.sampled_from("-\u2013\u2014"), st.sampled_from(["", "₹"]))
def test_a_range_is_no_id(language: str, low: int, more: int, dash: str, mark: str) -> None:
    """Both ends are said, with the word between them, and read; nothing reads them as one."""
    high = low + more
    assume(mark or dash != "-" or high < 100)  # 2-100 alone may be an id
    text = f"{mark}{low}{dash}{mark}{high}"
    spoken = say_text(text, language)
    assert grammar_of(language).table.signs.to in spoken
    assert texts(text, language) == texts(spoken, language) != texts(f"{mark}{low}{high}", language)
    assert f"{low}{high}" not in [reading.value for reading in read(text, Kind.DIGITS, language=language)]
    kind = Kind.MONEY if mark else Kind.NUMBER
    assert [low, high] == [reading.value for reading in read(text, kind, language=language)]
    assert [low, high] == [reading.value for reading in read(spoken, kind, language=language)]


@given(languages, st.integers(0, 30), st.sampled_from("½¼¾"))
def test_halves_are_said_and_read(language: str, number: int, sign: str) -> None:
    """A number with a half or a quarter is one number, however it is written."""
    measure = grammar_of(language).table.signs.measures[0]
    text = f"{number or ''}{sign} {measure}"
    value = number + {"½": 0.5, "¼": 0.25, "¾": 0.75}[sign]
    assert texts(text, language) == texts(say_text(text, language), language) == texts(f"{value} {measure}", language)
    assert [value] == [reading.value for reading in read(text, Kind.NUMBER, language=language)]


@given(
    languages,
    st.sampled_from(["$", "£", "€", "₹", "¥", "₩", "USD ", "AED "]),
    st.sampled_from(["$", "£", "€", "₹", "¥", "₩", "USD ", "AED "]),
)
def test_no_currency_becomes_another(language: str, left: str, right: str) -> None:
    """The same figures with two currencies are two texts; one that is not known is kept as it stands."""
    same = left == right or {left, right} == {"$", "USD "}
    assert same == (texts(f"{left}20", language) == texts(f"{right}20", language))
    assert texts("20", language) not in (texts(f"{left}20", language), texts(f"{right}20", language))


@pytest.mark.parametrize(
    ("language", "value", "spoken"),
    [
        ("hi", "USD 5", "पाँच डॉलर"),
        ("hi", "¥500", "¥ पाँच सौ"),
        ("bn", "৳500", "পাঁচশো টাকা"),
        ("hi", "5", "पाँच रुपये"),
        ("te", 1, "ఒక రూపాయి"),
    ],
)
def test_an_amount_keeps_its_currency(language: str, value: object, spoken: str) -> None:
    """What was given with a currency is said in it, a bare amount in rupees."""
    assert spoken == say(value, Kind.MONEY, language=language)
