"""Which tool: roles, order, what the caller's words ask for, limits and advice in words."""

from __future__ import annotations

from datetime import datetime

import pytest

from core.candidate import CandidateView
from core.schemas.tools import Tool
from models.parties.baseline.briefing import briefing
from models.parties.baseline.guidance import Guidance
from models.parties.baseline.limits import limits
from models.parties.baseline.memory import Leaf
from models.parties.baseline.planning import Role, Toolbox
from tests.models.fixtures.desk import CONTACT, FIND, FREEZE, TOOLS, tool

TEXT = {"type": "string"}


def toolbox(*tools: Tool, instructions: str = "") -> Toolbox:
    """A toolbox of tools under some instructions."""
    return Toolbox(CandidateView(instructions, tools))


def test_roles_follow_from_names_and_what_ends_the_call() -> None:
    """Finding, changing, passing on, calling back and hanging up are told apart."""
    box = toolbox(*TOOLS, tool("schedule_callback", "Arrange a call back."))
    roles = (Role.READ, Role.WRITE, Role.WRITE, Role.HANDOFF, Role.END, Role.CALLBACK)
    assert roles == tuple(box.roles.values())


@pytest.mark.parametrize(
    ("tools", "instructions"),
    [
        ((FIND, FREEZE), ""),
        ((tool("look_up_a", "Look up."), tool("do_b", "Do. Requires look_up_a first.")), ""),
        ((tool("look_up_a", "Look up."), tool("do_b", "Do.")), "Call look_up_a before do_b."),
        ((tool("look_up_a", "Look up."), tool("do_b", "Do.")), "Once look_up_a has answered, then call do_b."),
        ((tool("look_up_a", "Look up."), tool("do_b", "Do.")), "# B\n\nUse look_up_a for the day. Offer it.\n\nThen use do_b."),
        ((tool("get_a", "Gets it. Returns a job_id."), tool("do_b", "Do.", ["job_id"], job_id=TEXT)), ""),
        ((tool("get_a", "Gets."), tool("do_b", "Do.", ["x"], x=TEXT | {"description": "as answered by get_a"})), ""),
    ],
)
def test_what_must_come_first_is_understood(tools: tuple[Tool, Tool], instructions: str) -> None:
    """Order is read from descriptions, from sentences that name two tools, and from who returns what is needed."""
    first, second = tools
    assert (first.name,) == toolbox(first, second, instructions=instructions).order(second.name)


def test_nothing_precedes_hanging_up_or_passing_on() -> None:
    """A rule for deeds does not hold up a goodbye."""
    box = toolbox(*TOOLS)
    assert ((), ()) == (box.order("end_call"), box.order("transfer_call"))


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("I'd like to pause my membership for a month.", "freeze_membership"),
        ("My membership should be frozen.", "freeze_membership"),
        ("I have a new e-mail address.", "update_contact"),
        ("What a lovely day.", None),
    ],
)
def test_the_callers_words_choose_the_tool(words: str, name: str | None) -> None:
    """Stems of names and descriptions decide; words without any choose nothing."""
    assert name == toolbox(*TOOLS).choose(words)


def test_a_list_of_free_times_speaks_for_the_deed_it_prepares() -> None:
    """Who names a kind of visit wants to book it, not to hear a list."""
    kinds = {"type": "string", "enum": ["deep_cleaning"]}
    box = toolbox(
        tool("list_times", "List free times.", ["visit"], visit=kinds),
        tool(
            "make_booking", "Make a booking from list_times.", ["slot"], slot=TEXT | {"description": "as returned by list_times"}
        ),
        tool("send_invoice", "Send an invoice."),
    )
    assert "make_booking" == box.choose("I want a deep cleaning.")


def test_a_deed_that_follows_another_is_found_in_the_instructions() -> None:
    """ "Use X with done false, and then Y" sends the call on to Y in that case only."""
    tools = (tool("close_case", "Record it.", done={"type": "boolean"}), tool("open_ticket", "Open a ticket."))
    box = toolbox(*tools, instructions="If not, use close_case with done false, and then open a ticket at once.")
    assert ("open_ticket", None) == (box.follow_up("close_case", {"done": False}), box.follow_up("close_case", {"done": True}))


def test_limits_in_words_are_kept() -> None:
    """An amount in a description and a window of days in the instructions bound what may be sent."""
    money, day = {"type": "number", "description": "amount in dollars"}, {"type": "string", "format": "date"}
    pay = tool("pay_out", "Pay out up to 500 dollars.", amount=money, payment_date=day)
    view = CandidateView("The payment date may be at most fourteen days after today.", (pay,))
    found = limits(view, Toolbox(view).slots, datetime.fromisoformat("2026-03-12T09:00"))
    assert {("pay_out", "amount"): 500.0, ("pay_out", "payment_date"): "2026-03-26"} == found


def test_advice_is_given_after_its_tool_and_only_if_its_condition_holds() -> None:
    """Advice belongs to the tool before it; a condition needs the status or a true flag."""
    instructions = (
        "# Booking\n\nUse make_booking. Then tell the caller to come a bit early. If the result says that a deposit is required, "
        "tell the caller that cash is fine.\n\n# Other\n\nUse send_bill. Remind the caller that it takes a day."
    )
    guidance = Guidance(instructions, ("make_booking", "send_bill"))
    required = [Leaf(("deposit_required",), True)]
    assert ["Please come a bit early."] == guidance.after("make_booking", "booked", [])
    assert ["Please come a bit early.", "Please note that cash is fine."] == guidance.after("make_booking", "booked", required)
    assert "Please come a bit early." == guidance.about("When should I come?", ["make_booking"], [], [])
    assert guidance.about("When should I come?", ["send_bill"], [], []) is None


def test_the_briefing_finds_who_whom_and_when() -> None:
    """Names, the person rung and the day come out of ordinary instructions."""
    text = (
        "# Cedar Bank: calls\n\nYou are Julia, the voice of Cedar Bank. You place calls. You are calling Raymond Tate.\n\n"
        "Today is Monday, June 8, 2026. The local time is 6:30 p.m.\n\nCase number: 44120\n\n"
        "## Purpose\n\nAsk about the visit, please."
    )
    found = briefing(text)
    assert ("Julia", "Cedar Bank", "Raymond Tate", True) == (found.agent, found.company, found.callee, found.outbound)
    assert (datetime.fromisoformat("2026-06-08T18:30"), "Ask about the visit") == (found.now, found.purpose)
    assert "44120" == found.given["Case number"]


def test_a_quoted_greeting_is_used() -> None:
    """Where the instructions quote the opening, it is said as it stands."""
    text = '# Desk\n\nYou are Ada.\n\n## Greeting\n\nOpen with: "Harbor Gym, this is Ada. What can I do for you?" Be brief.'
    assert "Harbor Gym, this is Ada. What can I do for you?" == briefing(text).greeting
    assert not briefing(text).outbound


def test_contact_needs_the_member_first() -> None:
    """The desk of the other tests finds the member before any change."""
    assert ("find_member",) == toolbox(FIND, FREEZE, CONTACT).order("update_contact")
