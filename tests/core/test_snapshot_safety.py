"""What no call may say is found in every spelling, and ordinary words of calls are not."""

from __future__ import annotations

import pytest

from core.schemas.base import sha256
from core.schemas.casefile import CaseAbstract, Profile
from core.schemas.snapshots import AgentReply
from core.schemas.trees import BuiltTree, RejectCode
from core.snapshots.building.agents import AgentSet, Answer, Verdict
from core.snapshots.building.build import build_calls
from core.snapshots.building.safety import Safety, unsafe
from tests.core.snapshot_agents import LIBRARY, FixedBrancher, agents, config, profile_data


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


SAFETY = Safety(LIBRARY.denied, LIBRARY.catalogue)
NUMBER = "020 7946 0123"
_BOTH = FixedBrancher({(): ["demand.code", "advise.code"]})


def _built(given: AgentSet) -> BuiltTree:
    (built,) = build_calls(config(), LIBRARY, given)
    return built


def _held(built: BuiltTree) -> list[AgentReply]:
    """Every reply that a build keeps."""
    nodes = [] if built.tree is None else [*built.tree.replies, *(reply for node in built.tree.nodes for reply in node.replies)]
    return [
        *nodes,
        *(r for call in built.calls for r in call.generation.replies),
        *(r for e in built.rejected for r in e.replies),
    ]


class _Saying:
    """A caller whose reply holds a number, in words that are taken or in all of them."""

    def __init__(self, words: bool) -> None:
        self._words = words

    def speak(self, moment, action, beat, seed):  # type: ignore[no-untyped-def]  # the shape of RolePlayer
        raw = f"<think>ring {NUMBER}</think> {beat.act} of {action} after {moment.path}.".replace(".", " ")
        return Answer(f"Ring {NUMBER}." if self._words else raw.partition("> ")[2], (raw,))


class _Stopping:
    """Ends every path for a reason that holds a number."""

    def judge(self, moment, seed):  # type: ignore[no-untyped-def]  # the shape of Terminator
        return Answer(Verdict(not moment.path, f"They were told to ring {NUMBER}."))


class _Profiling:
    """Makes a profile whose event holds a number."""

    def profile(self, abstract: CaseAbstract, seed: int) -> Answer[Profile]:
        data = profile_data(abstract)
        shared = data["shared"]
        assert isinstance(shared, dict)
        return Answer(Profile.model_validate({**data, "shared": {**shared, "event": f"Ring {NUMBER}."}}), (f"Ring {NUMBER}.",))


@pytest.mark.parametrize("words", [True, False])
def test_an_unsafe_reply_is_kept_as_hash_and_code(words: bool) -> None:
    """Whether its words were taken or refused; nothing that a build keeps holds the number, and the reason says where."""
    built = _built(agents(caller=_Saying(words), brancher=_BOTH))
    assert NUMBER not in built.model_dump_json()
    told = [reply for reply in _held(built) if reply.agent == "caller"]
    assert told
    assert {("", "phone_number")} == {(reply.raw, reply.withheld) for reply in told}
    if words:
        assert sha256(f"<think>ring {NUMBER}</think> greet of open after () ".encode()) == told[0].sha256
        assert RejectCode.UNSAFE is built.rejected[0].code
        assert "turn 0 of 'open' says something (phone_number)" == built.rejected[0].reason


def test_an_unsafe_reason_is_withheld() -> None:
    """What Gamma says of a path is kept with its calls, and may say no more than they."""
    built = _built(agents(terminator=_Stopping(), brancher=_BOTH))
    assert built.tree is not None
    assert 2 == len(built.calls)
    assert {"withheld (phone_number)"} == {node.stop for node in built.tree.nodes if node.path}
    assert NUMBER not in built.model_dump_json()


def test_an_unsafe_profile_makes_no_tree() -> None:
    """Its field is named, its words are not."""
    built = _built(agents(profiler=_Profiling()))
    (left_out,) = built.rejected
    assert (None, RejectCode.BAD_PROFILE) == (built.tree, left_out.code)
    assert "the profile's shared.event says something, which no call may say (phone_number)" == left_out.reason
    assert ["phone_number"] == [reply.withheld for reply in left_out.replies]


def test_unsafe_words_are_found_in_every_string() -> None:
    """Of a call, a tree and what was left out; ids, actions and parties are no words."""
    built = _built(agents())
    tree = built.tree
    assert tree is not None
    assert [] == SAFETY.faults(tree)
    node = tree.nodes[-1].model_copy(update={"stop": f"Ring {NUMBER}."})
    wrong = tree.model_copy(update={"nodes": (*tree.nodes[:-1], node)})
    place = len(tree.nodes) - 1
    assert [f"nodes[{place}].stop says '{NUMBER}', which no call may say (phone_number)"] == SAFETY.faults(wrong)
    reply = AgentReply(agent="brancher", raw='{"meaning": "\\u5fae\\u4fe1"}')
    again = tree.model_copy(update={"replies": (reply,)})
    assert ["replies[0].raw says '微信', which no call may say (denied_name)"] == SAFETY.faults(again)
    assert SAFETY.unsafe("block-check.code stands beside it already") is None
    assert SAFETY.unsafe("shared.event: missing; variable.risk_nodes[0].topic: too long") is None
    assert SAFETY.unsafe("shared.com") is not None
    assert SAFETY.unsafe("the same words as 123456789012345678901abc") is None
