"""What no call may say is found in every spelling, and ordinary words of calls are not."""

from __future__ import annotations

import pytest

from core.snapshots.building.safety import unsafe
from tests.core.snapshot_agents import LIBRARY


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Ring 020 7946 0123 now.", "phone_number"),
        ("我的电话是13800138000。", "phone_number"),
        ("Dial (555) 01-99.", "phone_number"),
        ("１３８００１３８０００", "phone_number"),
        ("拨打95588。", "phone_number"),
        ("My id is 11010119900307123X.", "id_or_card_number"),
        ("Card 6222 0210 0111 2345 678, please.", "id_or_card_number"),
        ("It is four one one, one two three.", "spoken_number"),
        ("号码是一三八零零一三八。", "spoken_number"),
        ("See https://example.org/pay", "url"),
        ("Go to pay-here.com and sign in.", "url"),
        ("Write to me@example.org.", "email"),
        ("This is Barclays speaking.", "denied_name"),
        ("this is BARCLAYS'S desk", "denied_name"),
        ("我是工商银行的。", "denied_name"),
        ("加我微信吧。", "denied_name"),
        ("请拨110。", "denied_name"),
        ("138\u200b0013\u200b8000", "phone_number"),
        ("1 3 8 . 0 0 1 3", "phone_number"),
        ("1;3;8;0;0", "phone_number"),
        ("1。3。8。0。0", "phone_number"),
        ("Dial 1-1-0.", "phone_number"),
        ("Dial 911.", "phone_number"),
        ("请打120。", "phone_number"),
        ("报一一零吧。", "spoken_number"),
        ("打幺幺零。", "spoken_number"),
        ("Call nine-one-one.", "spoken_number"),
        ("It is two double four five six seven.", "spoken_number"),
        ("It is oh double seven double four.", "spoken_number"),
        ("是壹叁捌零零壹叁捌。", "spoken_number"),
        ("是1三8零0一3。", "spoken_number"),
        ("Look at t.me/abc now.", "url"),
        ("Look at bit.ly/xx now.", "url"),
        ("Look at example.shop now.", "url"),
        ("Look at example.museum now.", "url"),
        ("Look at Example.Shop now.", "url"),
        ("登录abc点com。", "url"),
        ("Write to user at mail dot com.", "email"),
        ("我是工行的。", "denied_name"),
        ("建行客服。", "denied_name"),
        ("农行的卡。", "denied_name"),
        ("中国人民银行来电。", "denied_name"),
        ("加我微 信吧。", "denied_name"),
        ("This is bankofamerica.", "denied_name"),
        ("This is Bank-of-America.", "denied_name"),
    ],
)
def test_what_no_call_may_say(text: str, code: str) -> None:
    """Each is reported with its kind."""
    found = unsafe(text, LIBRARY.denied)
    assert found is not None
    assert code == found[0]


@pytest.mark.parametrize(
    "text",
    [
        "The payment was four hundred and ten, on page two, at 9 o'clock, flat 1204.",
        "请把六位验证码念给我，一共三百八十元，二零二六年。",
        "One of us, two of them. Three cheers.",
        "一共三百一十二元，一百一十或一百二十也行，施工行为和途中行驶不算。",
        "That is settled now.Please wait in room 112, it is 120 steps from here.",
        "Somebody came at eight, one day; we met one on one, two by two.",
        "The pineapple and the visage of a zoomed picture.",
    ],
)
def test_ordinary_words_pass(text: str) -> None:
    """Amounts, years and words that only contain a name are fine."""
    assert unsafe(text, LIBRARY.denied) is None
