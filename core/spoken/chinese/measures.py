"""What Chinese numerals count: measure words, and signs of units with the words they are said with."""

from __future__ import annotations

import re

_MEASURES = """
    个 位 名 人 口 只 条 张 间 晚 天 夜 次 年 岁 分 秒 小时 周 星期 礼拜 月 刻 点 件 瓶 盒 杯 双 套 台 辆 本 页 遍 倍 成 折
    斤 公斤 千克 克 米 公里 千米 厘米 毫米 升 毫升 吨 度 摄氏度 元 块 角 毛 美元 美金 欧元 英镑 港币 港元 日元 卢比 平方 平米
    种 份 顿 桌 家 票 箱 袋 包 支 根 场 层 趟 批 笔 棵 罐 床 封 部 步 段 堂 句 字 篇 幅 道 类 项 轮 班
""".split()  # fmt: skip
_NOT_BEFORE = {
    "名": "字", "人": "工民", "本": "月周人来", "天": "津", "部": "门", "周": "一二三四五六日天", "星期": "一二三四五六日天",
    "礼拜": "一二三四五六日天",
}  # fmt: skip
"""A measure word before one of these is the beginning of another word."""
MEASURE = "(?:" + "|".join(
    f"{word}(?![{_NOT_BEFORE[word]}])" if word in _NOT_BEFORE else word for word in sorted(_MEASURES, key=len, reverse=True)
) + ")"  # fmt: skip
"""What follows a numeral that counts."""

ORDINAL_AFTER = "月日号楼号路期等级"
"""Before these 2 is 二, not 两."""

UNIT_SIGNS = {
    "km/h": "公里每小时", "kmh": "公里每小时", "km²": "平方公里", "m²": "平方米", "m³": "立方米",
    "km2": "平方公里", "m2": "平方米", "m3": "立方米", "°c": "摄氏度", "°f": "华氏度",
    "kwh": "千瓦时", "km": "公里", "cm": "厘米", "mm": "毫米", "kg": "公斤", "mg": "毫克", "ml": "毫升", "min": "分钟", "°": "度",
}  # fmt: skip
"""Signs right after a number, folded, longest first, and what is said for them. Single letters mean too many things (5G)."""

UNIT_SIGN = re.compile(rf" ?({'|'.join(re.escape(sign) for sign in UNIT_SIGNS)})(?![a-z0-9])")

_COUNTED = re.compile(rf" ?(?:[%‰]|{MEASURE})")


def counted(plain: str, end: int) -> bool:
    """Whether what follows directly is counted: a measure word, a sign of a unit or a percent sign."""
    return _COUNTED.match(plain, end) is not None or UNIT_SIGN.match(plain, end) is not None
