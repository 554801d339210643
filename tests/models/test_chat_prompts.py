"""Prompts are files with a version in their name: their words and their hashes belong together."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from models.chat import prompts
from models.chat.judging.rubric import rubrics_sha256
from models.chat.naming import language_and_script
from models.chat.prompts import Prompt, hashes, prompt

FOLDER = Path(prompts.__file__).with_name("prompts")
PUBLISHED = {
    "author-1": "c7037c6455870e76bffa087740415612ae2b83e347e1b7f0963bac9235b0499f",
    "author-draft-1": "05b07817dc715e93ed0f6eefcfdb52d50dd4d941c06d183e25b54f498f1f0d0e",
    "author-repair-1": "8f570cbcf8e5ec140522e0a7747a49bbf40661bb6a5732d3aeb138262f32345b",
    "detector-en-1": "bc2af16ea951c7037003af728e5ce07ad24a8d8d1d5a95eb25d3f16ff4dcaed7",
    "detector-zh-1": "6bcb67aa376c2a806a41bbdc92b7dcfec94b05a39ab56a804a71e7c96f3abade",
    "caller-1": "6e77bfe6df88deebdac9ae2238ceac66ec9e604c9a855f13d5ea7f1bf5652633",
    "caller-turn-1": "28775dc856cc20ceadab3bf8104904068fe4a8d7aba92aa63d41f7bae798d692",
    "candidate-schema-1": "6eb97ea309bef9777d3d6ddf65b30699cecb7fbfddd53f8c5e471b6b49784c2b",
    "candidate-text-1": "236464773cdc2bf610bee3b13006a42adbfe108d5c95280e205d322c1ca4a6d7",
    "json-1": "08739157e4e68fdad2f90a384aa7518a23f88e9a9a6e6591115e757bbef9dac9",
    "judge-conversation-1": "99ce14f348818080f10677c89193785ec8cd66728d32332f495add093c379953",
    "judge-questions-1": "91fe57e2bf316540a9fac0245b9172a0e7a65ffc885ea26c73e6e4d51687d420",
    "judge-task-1": "3e77c335019227f646a56c7d8fa341522e2d3106d718b88e649232d17189413c",
    "judge-verdicts-1": "be50ae0ad8706e86dcb0ab0edd7f2339ccd0d356464a555b2391ace86e820b11",
    "snapshot-brancher-1": "4f0141e72e80f6a4c317c7eb00b272fe01a3a166849aaf795ac84a4fc24f0760",
    "snapshot-caller-1": "0d886333a815fd56fbd068ee03331515112becd6d40f63c75f1f653990ecf2f2",
    "snapshot-caller-delivery-1": "b027309aaade5fb87656af9c59dc24f6b4feea31baf30c03d9ee4641c0cb559e",
    "snapshot-profiler-1": "9043075a15c6edc1f0b1019f08c9d44436c22e2e0610378eb2ba388f5dde1c69",
    "snapshot-receiver-1": "31f91c309bd6ccc4df12c5f02a1f29eb2ca051cf43c899f2c942b733f82905f4",
    "snapshot-receiver-delivery-1": "3c7f49b5a4d7894409283fddfa6b086bcdc8221297f08bc22e6dea0873db0330",
    "snapshot-terminator-1": "7386a907818d54f813bd16f910bd32d45091a084897f47521625249843ea707a",
}
"""Prompt to the hash of its words, as parties record it."""


def test_a_prompt_is_its_file_without_the_last_line_break() -> None:
    """What is hashed is what is sent."""
    assert (FOLDER / "caller-1.md").read_text("utf-8") == prompt("caller-1").text + "\n"


def test_every_prompt_has_a_version_in_its_name() -> None:
    """So that a change is a new file beside the old one."""
    assert [] == [path.name for path in FOLDER.iterdir() if re.fullmatch(r"[a-z-]+-[1-9][0-9]*\.(md|yaml)", path.name) is None]


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_published_prompt_keeps_its_words(name: str) -> None:
    """Whoever changes the words gives them the next number, since runs are compared by them."""
    assert {name: PUBLISHED[name]} == hashes(name)


def test_every_prompt_is_published_here() -> None:
    """None can change unseen; the ratings' anchors and questions are the one file that is no Markdown."""
    assert sorted(PUBLISHED) == sorted(path.stem for path in FOLDER.glob("*.md"))
    assert ["judge-ratings-1.yaml"] == [path.name for path in FOLDER.iterdir() if path.suffix != ".md"]
    assert "1396302d95f9d3a0c8bd19d81f130d430983343c80f14eeefad793599e89418d" == rubrics_sha256()


def test_every_place_is_filled_and_what_is_filled_in_is_no_place() -> None:
    """A fact that looks like a place stays as it is."""
    assert "a {{ b }} c" == Prompt("sample-1", "a {{ x }} c").fill(x="{{ b }}")


def test_a_place_without_a_value_and_a_value_without_a_place_are_faults_of_ours() -> None:
    """Neither goes out half-filled."""
    with pytest.raises(AssertionError, match="sample-1"):
        Prompt("sample-1", "a {{ x }}").fill()
    with pytest.raises(AssertionError, match="sample-1"):
        Prompt("sample-1", "a").fill(x="b")


@pytest.mark.parametrize(
    ("language", "script", "shown"),
    [
        ("hi", "Deva", "Hindi (hi) in Devanagari script (Deva)"),
        ("zh-CN", "Hans", "Mandarin Chinese (zh-CN) in simplified Chinese script (Hans)"),
        ("sw", "Latn", "the language sw in Latin script (Latn)"),
        ("am", "Ethi", "the language am in the script Ethi"),
    ],
)
def test_languages_are_shown_by_name_and_code(language: str, script: str, shown: str) -> None:
    """A small model knows a language by its name; a code without one here stands for itself."""
    assert shown == language_and_script(language, script)
