"""The two-label contract: an answer is one accepted word in documented wrappers, or an error, and never a class by accident."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.schemas.detections import DetectionError
from core.schemas.snapshots import Label
from core.snapshots.parsing import APOLOGIES, FIELDS, QUOTES, REFUSALS, STOPS, WORDS, Reading, read_label

FRAUD, NONFRAUD = Label.FRAUD, Label.NONFRAUD
PARSE, EMPTY, REFUSAL = DetectionError.PARSE, DetectionError.EMPTY, DetectionError.REFUSAL

# The parser published with TeleAntiFraud 2.0 (github.com/muqovo/TeleAntiFraud-2.0) finds words anywhere: negation and prose
# become FRAUD, an echo of the prompt NONFRAUD, thoughts an answer, and wide letters or letters beside Chinese ones nothing.
MISREAD = [
    ("FRAUD", FRAUD),
    ("NONFRAUD", NONFRAUD),
    ("fraud", FRAUD),
    ("  NonFraud \n", NONFRAUD),
    ("NON-FRAUD", NONFRAUD),
    ("NON_FRAUD", NONFRAUD),
    ("NON FRAUD", NONFRAUD),
    ("诈骗", FRAUD),
    ("非诈骗", NONFRAUD),
    ("非诈骗。", NONFRAUD),
    ("ＦＲＡＵＤ", FRAUD),
    ("ＮＯＮＦＲＡＵＤ！", NONFRAUD),
    ("<think>Could be NONFRAUD, or FRAUD.</think>FRAUD", FRAUD),
    ("<think>多半是诈骗</think>\n非诈骗", NONFRAUD),
    ('{"label": "NONFRAUD"}', NONFRAUD),
    ("标签：诈骗", FRAUD),
    ("NOT FRAUD", PARSE),
    ("not a fraud", PARSE),
    ("no fraud detected", PARSE),
    ("这不是电信诈骗", PARSE),
    ("不构成诈骗", PARSE),
    ("无诈骗嫌疑", PARSE),
    ("不是诈骗", PARSE),
    ("FRAUD or NONFRAUD", PARSE),
    ("FRAUD, not NONFRAUD", PARSE),
    ("FRAUD/NONFRAUD", PARSE),
    ("结果是FRAUD。", PARSE),
    ("判断为NONFRAUD", PARSE),
    ("fraudulent", PARSE),
    ("nonfraudulent", PARSE),
    ("", EMPTY),
    ("I'm sorry, I can't help with that.", REFUSAL),
]

WRAPPED = [
    # thoughts
    ("<THINK>a\nb</THINK>\n<reasoning>c</reasoning> FRAUD", FRAUD),
    ("the template opened the tag: NONFRAUD?</think>\n\nFRAUD", FRAUD),
    ("<think>cut off before any answer: FRAUD", EMPTY),
    ("<think>FRAUD</think>", EMPTY),
    ("NONFRAUD<think>or</think>FRAUD", PARSE),
    ("FRAUD<think>NONFRAUD", PARSE),
    ("<think>a</think>NONFRAUD<think>b</think>FRAUD", PARSE),
    ("<think>a</think>NONFRAUD</think>FRAUD", PARSE),
    # fences
    ("```\nFRAUD\n```", FRAUD),
    ('```json\n{"label": "FRAUD"}\n```', FRAUD),
    ("~~~text\r\nNONFRAUD\r\n~~~", NONFRAUD),
    ("```FRAUD\nNONFRAUD\n```", PARSE),
    ("```\nFRAUD\n```\n```\nNONFRAUD\n```", PARSE),
    ("```\nFRAUD", PARSE),
    ("Here it is:\n```\nFRAUD\n```", PARSE),
    # a JSON object
    ('{ "答案" : "非诈骗" }', NONFRAUD),
    ('{"Label": "ＦＲＡＵＤ."}', FRAUD),
    ('{"label": "FRAUD", "label": "NONFRAUD"}', PARSE),
    ('{"label": "FRAUD", "reason": "asks for a code"}', PARSE),
    ('{"label": "FRAUD or NONFRAUD"}', PARSE),
    ('{"fraud": true}', PARSE),
    ('{"label": true}', PARSE),
    ('{"label": ["FRAUD"]}', PARSE),
    ('{"label": {"label": "FRAUD"}}', PARSE),
    ('{"is_fraud": "FRAUD"}', PARSE),
    ('{"label": "FRAUD"} {"label": "FRAUD"}', PARSE),
    ('["FRAUD"]', PARSE),
    ('{"label": "FRAUD"', PARSE),
    ('{"label": ""}', PARSE),
    # quotes, a stop and a prefix, in any nesting, each once
    ('"FRAUD".', FRAUD),
    ("“诈骗。”", FRAUD),
    ("「NONFRAUD」", NONFRAUD),
    ("`FRAUD`", FRAUD),
    ('Label: "FRAUD".', FRAUD),
    ("'answer: nonfraud'", NONFRAUD),
    ("答案： 非诈骗。", NONFRAUD),
    ("标签:\nFRAUD", FRAUD),
    ("Label: Answer: FRAUD", PARSE),
    ('""FRAUD""', PARSE),
    ('"FRAUD', PARSE),
    ('"FRAUD" or "NONFRAUD"', PARSE),
    ("Label: FRAUD or NONFRAUD", PARSE),
    ("Label FRAUD", PARSE),
    ("Verdict: FRAUD", PARSE),
    ("Label:", PARSE),
    # marks that are not a stop
    ("FRAUD?", PARSE),
    ("FRAUD,", PARSE),
    ("FRAUD...", PARSE),
    ("FRAUD!!", PARSE),
    ("**FRAUD**", PARSE),
    # folding
    ("non‑fraud", NONFRAUD),
    ("\ufeff\u200bFRAUD\u3000", FRAUD),
    ("詐騙", FRAUD),
    ("NON\nFRAUD", PARSE),
    ("F R A U D", PARSE),
    ("FRAUD FRAUD", PARSE),
    ("FRAUD\nNONFRAUD", PARSE),
    ("1", PARSE),
    ("yes", PARSE),
    ("正常", PARSE),
    # nothing said, nothing wanted
    (" \n\u3000\u200b", EMPTY),
    ("I’m unable to decide.", REFUSAL),
    ("Sorry, but I cannot assist with fraud.", REFUSAL),
    ("Sorry.", REFUSAL),
    ("As an AI, I do not judge people.", REFUSAL),
    ("抱歉，我无法回答这个问题。", REFUSAL),
    ("对不起，但我不能判断是否诈骗", REFUSAL),
    ("作为AI，无法判断。", REFUSAL),
    ("Sorry, FRAUD", PARSE),
    ("The caller says: I cannot wait. FRAUD", PARSE),
]  # fmt: skip


@pytest.mark.parametrize(("raw", "expected"), MISREAD + WRAPPED)
def test_an_answer_is_read_as_the_contract_says(raw: str, expected: Label | DetectionError) -> None:
    """A label, or the kind of error, never both and never neither."""
    reading = read_label(raw)

    assert (expected, None) == (reading if isinstance(expected, Label) else reading[::-1])


def test_the_table_of_answers_that_are_easily_misread_is_whole() -> None:
    """At least 28 answers, of every outcome."""
    assert len({raw for raw, _expected in MISREAD}) == len(MISREAD) >= 28
    assert {FRAUD, NONFRAUD, PARSE, EMPTY, REFUSAL} == {expected for _raw, expected in MISREAD}


@given(st.sampled_from(Label), st.data())
def test_documented_wrappers_never_change_a_label(label: Label, data: st.DataObject) -> None:
    """Any accepted word, in any case, in quotes, with a stop, behind a prefix, in JSON, a fence and thoughts, is its label."""
    word = data.draw(st.sampled_from(WORDS[label]))
    text = data.draw(st.sampled_from([word, word.upper(), word.title()]))
    quotes = data.draw(st.sampled_from(("", *QUOTES)))
    text = quotes[:1] + text + quotes[1:] + data.draw(st.sampled_from(("", *STOPS)))
    field = data.draw(st.sampled_from(FIELDS))
    # A double quote inside JSON text would need an escape; that is not what is asked here.
    forms = [text, f"{field}: {text}", f"{field}：{text}"] + ([] if '"' in text else [f'{{"{field}": "{text}"}}'])
    text = data.draw(st.sampled_from(forms))
    text = data.draw(
        st.sampled_from([text, f"```\n{text}\n```", f"<think>{data.draw(st.text('ab FRAUD非', max_size=9))}</think>{text}"])
    )

    assert Reading(label, None) == read_label(text)


@given(st.text(max_size=60) | st.text("FRAUDNO非诈骗 <>/think`{}\"':.,\n", max_size=40))
def test_any_answer_has_exactly_one_outcome(raw: str) -> None:
    """Nothing raises, and there is a label or an error."""
    reading = read_label(raw)

    assert (reading.label is None) != (reading.error is None)


@given(
    st.sampled_from([word for words in WORDS.values() for word in words]), st.text("abcxyz不是的无一 ", min_size=1, max_size=12)
)
def test_words_around_a_label_are_never_a_class(word: str, more: str) -> None:
    """Anything more than blanks makes an answer an error, on either side, with a blank between or without."""
    for raw in (f"{more} {word}", f"{word} {more}", f"{word}{more}", f"{more}{word}"):
        assert (None if more.strip() else read_label(word).label) == read_label(raw).label


def test_every_refusal_is_told_from_prose() -> None:
    """Each phrase of the data, alone and after each apology."""
    answers = [f"{phrase} do that" for phrase in REFUSALS] + [f"{sorry}, {REFUSALS[0]}" for sorry in APOLOGIES]

    assert {Reading(None, REFUSAL)} == {read_label(answer) for answer in answers}
