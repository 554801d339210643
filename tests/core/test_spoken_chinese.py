"""Mandarin: how values are said, read, found and brought to one form, case by case."""

from __future__ import annotations

from datetime import date

import pytest

from core.spoken import Kind, find_value, occurs, read, say, say_text, units

NOW = date(2026, 3, 10)
"""A Tuesday."""

SAID = [
    ("04412907", Kind.DIGITS, "零四四幺，二九零七"),
    ("13812345678", Kind.DIGITS, "幺三八，幺二三四，五六七八"),
    ("6222021234567890", Kind.DIGITS, "六二二二，零二幺二，三四五六，七八九零"),
    ("94110", Kind.DIGITS, "九四幺幺零"),
    ("QX338805", Kind.CODE, "Q，X，三三八，八零五"),
    ("5G", Kind.CODE, "五G"),
    (129.5, Kind.MONEY, "一百二十九块五毛"),
    (45, Kind.MONEY, "四十五块钱"),
    (2, Kind.MONEY, "两块钱"),
    (1.01, Kind.MONEY, "一块零一分"),
    (0.5, Kind.MONEY, "五毛"),
    (0.05, Kind.MONEY, "五分钱"),
    (22000, Kind.MONEY, "两万两千块钱"),
    (4, Kind.NUMBER, "四"),
    (10, Kind.NUMBER, "十"),
    (-3.25, Kind.NUMBER, "负三点二五"),
    (10010, Kind.NUMBER, "一万零一十"),
    ("2026-03-14", Kind.DATE, "二零二六年三月十四日"),
    ("14:30", Kind.TIME, "下午两点半"),
    ("09:05", Kind.TIME, "上午九点零五分"),
    ("12:00", Kind.TIME, "中午十二点"),
    ("00:00", Kind.TIME, "凌晨零点"),
    ("22:10", Kind.TIME, "晚上十点十分"),
    ("k_lin42@web-mail.org", Kind.EMAIL, "k下划线lin四二艾特web横杠mail点org"),
    ("张伟", Kind.NAME, "张伟"),
    ("video_call", Kind.CHOICE, "video call"),
    (True, Kind.YES_NO, "是的"),
    (False, Kind.YES_NO, "不是"),
]

SPELLED = [
    ("张伟", Kind.NAME, "张，伟"),
    ("Okafor", Kind.NAME, "O，K，A，F，O，R"),
    ("lin.m@example.com", Kind.EMAIL, "l，i，n，点，m，艾特，example点com"),
]

SENTENCES = [
    ("余额是¥129.50。", "余额是一百二十九元五角。"),
    ("一共129.5元", "一共一百二十九元五角"),
    ("单号是00718265。一共128.5元。", "单号是零零七幺，八二六五。一共一百二十八元五角。"),
    ("三块5", "三块五毛"),
    ("押金3.5万元", "押金三万五千元"),
    ("要$19.99", "要十九点九九美元"),
    ("2026-03-14到期", "二零二六年三月十四日到期"),
    ("3月14号下午2:30", "三月十四号下午两点三十分"),
    ("下午2点半", "下午两点半"),
    ("2:30 PM", "下午两点三十分"),
    ("9点05分", "九点零五分"),
    ("14:00", "十四点"),
    ("电话010-62345678。", "电话零幺零，六二三四，五六七八。"),
    ("房间302", "房间三零二"),
    ("拨打110", "拨打幺幺零"),
    ("2个人，2楼", "两个人，二楼"),
    ("3-5天", "三到五天"),
    ("1,200件", "一千两百件"),
    ("15%", "百分之十五"),
    ("35.50%", "百分之三十五点五零"),
    ("5kg，20℃", "五公斤，二十摄氏度"),
    ("气温-5℃", "气温负五摄氏度"),
    ("1/2杯", "二分之一杯"),
    ("给ann.lee@example.com", "给ann点lee艾特example点com"),
    ("订单QX-338805", "订单Q，X，三三八，八零五"),
    ("2026年", "二零二六年"),
    ("第3次，250万", "第三次，两百五十万"),
    ("１２３个", "一百二十三个"),
    ("没有数字的话不变。", "没有数字的话不变。"),
    ("", ""),
]

READ: list[tuple[str, Kind, list[object]]] = [
    ("号码是零四四幺，二九零七", Kind.DIGITS, ["04412907"]),
    ("号码是4412907，三个人", Kind.DIGITS, ["4412907"]),
    ("我住五零二", Kind.DIGITS, ["502"]),
    ("我要三个", Kind.DIGITS, []),
    ("航班MU5137", Kind.CODE, ["MU5137"]),
    ("订单号Q X 三三八八零五谢谢", Kind.CODE, ["QX338805"]),
    ("选A一共多少钱", Kind.CODE, []),
    ("电话13800138000，一会儿打", Kind.DIGITS, ["13800138000"]),
    ("三块二毛五", Kind.MONEY, [3.25]),
    ("12块9毛9", Kind.MONEY, [12.99]),
    ("两块五一斤", Kind.MONEY, [2.5]),
    ("一百二", Kind.MONEY, [120.0]),
    ("一万五千块", Kind.MONEY, [15000.0]),
    ("人民币三百元", Kind.MONEY, [300.0]),
    ("我们一块去", Kind.MONEY, []),
    ("两块蛋糕", Kind.MONEY, []),
    ("两个半小时", Kind.NUMBER, [2.5]),
    ("负三点一四", Kind.NUMBER, [-3.14]),
    ("三点五万", Kind.NUMBER, [35000]),
    ("七八个人", Kind.NUMBER, []),
    ("我有一点问题，十分感谢，第一次", Kind.NUMBER, []),
    ("百分之十五", Kind.NUMBER, [15]),
    ("三月十四号", Kind.DATE, ["2026-03-14"]),
    ("八二年三月十四号", Kind.DATE, ["1982-03-14"]),
    ("明年三月四号", Kind.DATE, ["2027-03-04"]),
    ("星期六，三月十四号", Kind.DATE, ["2026-03-14"]),
    ("下周三", Kind.DATE, ["2026-03-18"]),
    ("上周五", Kind.DATE, ["2026-03-06"]),
    ("周五", Kind.DATE, ["2026-03-13"]),
    ("大后天", Kind.DATE, ["2026-03-13"]),
    ("三天后", Kind.DATE, ["2026-03-13"]),
    ("下个月3号", Kind.DATE, ["2026-04-03"]),
    ("十五号", Kind.DATE, ["2026-03-15"]),
    ("十五号楼", Kind.DATE, []),
    ("农历三月十四", Kind.DATE, []),
    ("二月三十号", Kind.DATE, []),
    ("差五分三点", Kind.TIME, ["14:55"]),
    ("三点一刻", Kind.TIME, ["15:15"]),
    ("今晚十二点", Kind.TIME, ["00:00"]),
    ("凌晨一点", Kind.TIME, ["01:00"]),
    ("周五上午我想约十点", Kind.TIME, ["10:00"]),
    ("早一点来", Kind.TIME, []),
    ("七八点", Kind.TIME, []),
    ("ann点lee艾特一六三点com谢谢", Kind.EMAIL, ["ann.lee@163.com"]),
    ("z h a n g 艾特 qq 点 c o m", Kind.EMAIL, ["zhang@qq.com"]),
    ("单号QX338805，ann艾特example点com", Kind.EMAIL, ["ann@example.com"]),
    ("我姓王，叫王海燕", Kind.NAME, ["王", "王海燕"]),
    ("您好，我叫欧阳娜娜，想改时间", Kind.NAME, ["欧阳娜娜"]),
    ("我叫Maria Santos。", Kind.NAME, ["Maria Santos"]),
    ("我是打电话来问的", Kind.NAME, []),
    ("張小姐您好", Kind.NAME, ["张"]),
    ("好的，没问题", Kind.YES_NO, [True]),
    ("嗯，不用了", Kind.YES_NO, [False]),
    ("对于这个我不知道", Kind.YES_NO, []),
    ("好，不对", Kind.YES_NO, []),
    ("  我 想 问 ", Kind.TEXT, ["我 想 问"]),
]

OCCURS = [
    ("04412907", Kind.DIGITS, "号码０４４１２９０７", True),
    ("04412907", Kind.DIGITS, "号码四四一二九零七", False),
    ("10", Kind.DIGITS, "100", False),
    ("338805", Kind.DIGITS, "QX-338805", False),
    ("QX338805", Kind.CODE, "04412907，QX338805", True),
    (1.5, Kind.MONEY, "一块五", True),
    (1.5, Kind.MONEY, "一百五十块", False),
    (15, Kind.NUMBER, "十五个", True),
    ("2026-03-14", Kind.DATE, "三月十四号可以", True),
    ("2026-03-14", Kind.DATE, "三月四十号", False),
    ("2026-03-11", Kind.DATE, "明天", True),
    ("22:15", Kind.TIME, "十点一刻", True),
    ("22:15", Kind.TIME, "上午十点一刻", False),
    ("张伟", Kind.NAME, "我是張偉", True),
    ("张伟", Kind.NAME, "我是章伟", False),
    ("张伟", Kind.NAME, "张，伟", True),
    ("Ann", Kind.NAME, "我叫Anna", False),
    ("标准间", Kind.CHOICE, "要標準間", True),
    ("十五天", Kind.TEXT, "等15天", True),
    ("五天", Kind.TEXT, "等15天", False),
]


@pytest.mark.parametrize(("value", "kind", "spoken"), SAID)
def test_values_are_said_as_callers_say_them(value: object, kind: Kind, spoken: str) -> None:
    """Ids with 幺 in groups, amounts in 块 and 毛, times with their part of day."""
    assert spoken == say(value, kind, language="zh-CN")


@pytest.mark.parametrize(("value", "kind", "spoken"), SPELLED)
def test_values_are_spelled_on_request(value: str, kind: Kind, spoken: str) -> None:
    """Spelling parts the characters, and reads back as the value."""
    assert spoken == say(value, kind, language="zh-CN", spell=True)
    assert [value] == [item.value for item in read(spoken, kind, language="zh-CN")]


@pytest.mark.parametrize(("written", "spoken"), SENTENCES)
def test_sentences_are_verbalised(written: str, spoken: str) -> None:
    """Everything in figures or signs comes out in words, the rest stays, and both come to the same units."""
    assert spoken == say_text(written, "zh-CN")
    assert [unit.text for unit in units(written, "zh-CN")] == [unit.text for unit in units(spoken, "zh-CN")]


@pytest.mark.parametrize(("text", "kind", "values"), READ)
def test_values_are_read(text: str, kind: Kind, values: list[object]) -> None:
    """What a listener understands, and nothing where there is no such value."""
    assert values == [item.value for item in read(text, kind, language="zh-CN", now=NOW)]


@pytest.mark.parametrize(("value", "kind", "text", "there"), OCCURS)
def test_known_values_are_found(value: object, kind: Kind, text: str, there: bool) -> None:
    """In any written or spoken form, as a whole, and never by sound alone."""
    assert there is occurs(value, kind, text, language="zh-CN", now=NOW)


def test_places_are_those_of_the_given_text() -> None:
    """Full-width and traditional characters do not shift a place."""
    text = "我的號碼是０４４１，是張偉的"
    assert find_value("0441", Kind.DIGITS, text, language="zh-CN") == (5, 9)
    assert find_value("张伟", Kind.NAME, text, language="zh-CN") == (11, 13)


def test_choices_are_read_longest_first() -> None:
    """An option inside a longer one is not read there, and simplified options are found in traditional text."""
    found = read("我要豪華大床房", Kind.CHOICE, language="zh-TW", choices=["大床房", "豪华大床房"])
    assert ["豪华大床房"] == [item.value for item in found]


def test_units_are_single_characters() -> None:
    """Words, letters and figures alike, so that an error is an error of one character."""
    assert "我叫ann预约15号3个人" == "".join(unit.text for unit in units("我叫Ann，预约十五号， 3个人。", "zh"))
    assert all(len(unit.text) == 1 for unit in units("QX-338805, 129.50元, ann@example.com", "zh"))
