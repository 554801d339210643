"""Trace v1: the saved, indexed record of one call, and the only object anything is graded on.

Message indices start at 0 and never change; judges' evidence and recording segments cite them. Clock times, costs and
hosts stand in `timing.json`, so the SHA-256 of `trace.json` is the trace's identity.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from pydantic import Field, JsonValue

from core.schemas.base import Condition, Model, Sha256


class Role(StrEnum):
    """Whose message it is."""

    SYSTEM = "system"
    AGENT = "agent"
    CALLER = "caller"
    TOOL = "tool"


class EndReason(StrEnum):
    """Why the call ended."""

    TOOL_END = "tool_end"
    CALLER_DONE = "caller_done"
    TURN_LIMIT = "turn_limit"
    AGENT_DISCONNECTED = "agent_disconnected"
    PROTOCOL_ERROR = "protocol_error"
    AGENT_IDLE = "agent_idle"


class Channel(StrEnum):
    """Side of the stereo recording."""

    CALLER = "caller"
    AGENT = "agent"


class AudioSpan(Model):
    """Where a message sounds in the recording, in samples of the recording's rate."""

    channel: Channel
    """Caller is the left channel, agent the right."""
    start_sample: int = Field(ge=0)
    """First sample."""
    end_sample: int = Field(ge=0)
    """One past the last sample."""
    heard_samples: int | None = None
    """On full-duplex lines: how much was heard before an interruption; null on half-duplex lines."""


class ToolCall(Model):
    """A call as the candidate made it."""

    id: str
    """Call id, unique in the trace."""
    tool: str
    """Name as sent, known or not."""
    arguments: JsonValue
    """Arguments as sent: an object, or the raw text where they could not be parsed."""


class Message(Model):
    """One entry of the conversation as the candidate saw it."""

    index: int = Field(ge=0)
    """Position in the trace."""
    role: Role
    """Whose it is."""
    content: str
    """Words heard or spoken; for a tool, its returned object as JSON; may be empty for an agent that only calls tools."""
    tool_calls: tuple[ToolCall, ...] = ()
    """Calls an agent message carries."""
    tool_call_id: str | None = None
    """For a tool message: the call it answers."""
    caller_turn: int | None = None
    """For a caller message: the turn it belongs to, counted from 1."""
    audio: AudioSpan | None = None
    """Where it sounds in the recording, if there is one."""
    interrupted_by: int | None = None
    """Index of the message that interrupted it; null on half-duplex lines."""
    voice: str | None = None
    """For an agent message: the voice that spoke it, where it was synthesised."""
    spoken: str | None = None
    """For an agent message: the words given to that voice."""
    retakes: tuple[str, ...] = ()
    """For an agent message: attempts at its sound that failed quality control, each with voice and checks."""
    attempts: tuple[str, ...] = ()
    """For an agent message: requests to its endpoint that failed before one was answered, each with the reason."""
    raw: str = ""
    """For an agent message: the model's reply as it came, where it was more than speech and calls."""


class RejectedAttempt(Model):
    """A caller turn that failed validation."""

    raw: str
    """The reply as it came."""
    reasons: tuple[str, ...]
    """Why it was rejected."""


class ChannelEvent(Model):
    """One thing the line did, or was to do, to a caller turn."""

    id: str
    """Event id of the scenario, or the line's own name for it."""
    kind: Literal["drop", "double", "substitute", "split", "interruption", "seeded_word", "note"]
    """What it does."""
    applied: bool
    """Whether it changed anything."""
    before: str = ""
    """The words it befell."""
    after: str = ""
    """What became of them."""
    detail: str = ""
    """Why it did not apply, or parameters."""


class Fragment(Model):
    """One piece of a caller turn as it arrived."""

    text: str
    """The words heard."""
    message: int
    """Index of its caller message."""
    clip: Sha256 | None = None
    """Hash of the samples the recogniser got; null on text lines."""
    confidence: float | None = None
    """Mean log-probability of the recogniser, rounded to 6 digits; null where unknown."""


class TurnAudio(Model):
    """How a caller turn was spoken."""

    voice: str
    """Voice id; several joined by `+` where a fallback spoke a piece."""
    engine: str
    """Synthesiser signature key in the header's line settings."""
    spoken: str
    """The text given to the synthesiser."""
    clip: Sha256
    """Hash of the synthesised samples before the channel."""


class CallerTurn(Model):
    """One caller turn: what was meant, and what arrived."""

    turn: int = Field(ge=1)
    """Counted from 1."""
    intended: str
    """The caller's own words, never shown to the candidate where they differ from what was heard."""
    expressed: tuple[str, ...] = ()
    """Plan steps newly expressed."""
    done: bool = False
    """Whether the caller considers the call over."""
    heard: tuple[Fragment, ...]
    """What arrived, at most three fragments."""
    events: tuple[ChannelEvent, ...] = ()
    """What the line did, applied or not."""
    rejected: tuple[RejectedAttempt, ...] = ()
    """Attempts that failed validation before this turn was accepted."""
    raw: str = ""
    """The caller model's raw reply where it was more than the speech."""
    attempts: tuple[str, ...] = ()
    """Requests to the caller's endpoint that failed before this turn was accepted, each with the reason."""
    audio: TurnAudio | None = None
    """How it was spoken; null where nothing was synthesised."""


class MatcherResult(Model):
    """Whether one argument satisfied its matcher, and why."""

    argument: str
    """Argument name, or a dotted path."""
    ok: bool
    """Whether it held."""
    reason: str
    """What was expected and found."""


class Outcome(StrEnum):
    """How the backend answered a call."""

    MATCHED = "matched"
    MISMATCH = "mismatch"
    DEFAULT = "default"
    PARSE_ERROR = "parse_error"
    ANSWERED = "answered"
    TOOL_ERROR = "tool_error"
    UNKNOWN_TOOL = "unknown_tool"
    CHAIN_LIMIT = "chain_limit"


class StateChange(Model):
    """One field of the hidden state that a program's tools changed."""

    path: tuple[str | int, ...]
    """Keys and list positions that lead to it."""
    change: Literal["added", "removed", "changed"]
    """What became of it."""
    before: JsonValue = None
    """Its value when the call began; null where it was added."""
    after: JsonValue = None
    """Its value when the call ended; null where it was removed."""


class ToolEvent(Model):
    """One tool call and its answer."""

    index: int = Field(ge=0)
    """Position among the tool events."""
    message: int
    """Index of the agent message that carries the call."""
    result_message: int
    """Index of the tool message that answers it."""
    call_id: str
    """The call's id."""
    tool: str
    """Name as sent."""
    call_number: int | None = None
    """Which call to this tool it was, counted from 0; null where the queue was not consulted."""
    entry: int | None = None
    """Queue entry it was matched against; null past the queue or where there is none."""
    raw_arguments: JsonValue
    """Arguments as sent."""
    arguments: dict[str, JsonValue] | None
    """Parsed arguments, without `concluding_message`; null where parsing failed."""
    parse_error: str | None = None
    """Why parsing failed."""
    matchers: tuple[MatcherResult, ...] = ()
    """Result of every matcher of the entry."""
    outcome: Outcome
    """How it was answered."""
    result: dict[str, JsonValue]
    """The returned object."""
    ended_call: bool = False
    """Whether this result ended the call."""


class PartyRecord(Model):
    """A party with everything that decides its behaviour."""

    party: str
    """The party as given, such as `offline:baseline`; never a secret."""
    settings: dict[str, JsonValue] = {}
    """Full settings: versions, models, sampling parameters, prompt hashes."""


class Seeds(Model):
    """Component seeds, derived from the run's seed."""

    run: int
    """The run's seed."""
    caller: int
    """Caller: same under every condition."""
    candidate: int
    """Candidate: same under every condition."""
    judge: int
    """Judges: same under every condition."""
    backend: int
    """Backend: same under every condition."""
    line: int
    """Line: differs by condition, not by rerun; decides what happens to the caller's sound."""
    speech: int
    """Voices: same under every condition and rerun, so that the same words are the same sound."""


class CodeVersion(Model):
    """Which code made the trace."""

    version: str
    """Version of the distribution."""
    commit: str | None = None
    """Git commit, where it ran from a checkout."""
    dirty: bool | None = None
    """Whether the checkout had uncommitted changes, or sources of which git knows nothing."""
    tag: str | None = None
    """The tag of this version (`v1.2.3`) where the commit carries it, else any tag that it carries."""

    @property
    def is_release(self) -> bool:
        """Whether the commit carries the tag of this version."""
        return self.tag in (self.version, f"v{self.version}")


class TraceHeader(Model):
    """Which call this is, and everything that decided it."""

    bundle: str
    """Bundle id."""
    bundle_version: str
    """Bundle version."""
    bundle_hash: Sha256
    """Hash over every file of the bundle."""
    scenario: str
    """Scenario id."""
    agent: str
    """Agent id."""
    language: str
    """BCP 47 tag of the call."""
    condition: Condition
    """The line."""
    repeat: int = Field(ge=0)
    """Repeat, counted from 0."""
    rerun: int = Field(ge=0, le=3)
    """How often the conversation was started again after an invalid caller."""
    prompt_sha256: Sha256
    """Hash of the rendered instructions."""
    seeds: Seeds
    """Component seeds."""
    caller: PartyRecord
    """The caller."""
    candidate: PartyRecord
    """The candidate."""
    line: dict[str, JsonValue]
    """Full settings of the line: channel, engines, model hashes, CPU features."""
    code: CodeVersion
    """The code."""


class Segment(Model):
    """One piece of the recording."""

    message: int
    """Index of the message it sounds."""
    channel: Channel
    """Side of the recording."""
    start_sample: int = Field(ge=0)
    """First sample."""
    end_sample: int = Field(ge=0)
    """One past the last sample."""


class Recording(Model):
    """The call's sound: stereo, caller left, agent right."""

    file: str = "call.flac"
    """File beside the trace."""
    captions: str = "call.vtt"
    """WebVTT file beside the trace; cue ids are message indices."""
    sample_rate: int
    """Samples per second."""
    samples: int
    """Length of each channel."""
    pcm_sha256: Sha256
    """Hash of the interleaved 16-bit little-endian samples: independent of the FLAC encoder."""
    segments: tuple[Segment, ...]
    """Every spoken message, in order of time."""
    clips: dict[str, Sha256] = {}
    """Every clip file beside the trace (`clips/<name>.flac`) to the hash of its 16-bit samples."""


class Trace(Model):
    """The record of one call."""

    format: Literal["ringback-trace-1"] = "ringback-trace-1"
    """Version of this format."""
    header: TraceHeader
    """Which call this is."""
    messages: tuple[Message, ...]
    """The conversation as the candidate saw it."""
    caller_turns: tuple[CallerTurn, ...]
    """What the caller meant, turn by turn."""
    tool_events: tuple[ToolEvent, ...]
    """Every tool call with its answer."""
    end: EndReason
    """Why the call ended."""
    end_detail: str = ""
    """More about the end, such as a protocol error's text."""
    recording: Recording | None = None
    """The call's sound, if there is any."""
    state_diff: tuple[StateChange, ...] | None = Field(default=None, exclude_if=lambda diff: diff is None)
    """What the tools changed in the hidden state; left out where they are fixtures, which change nothing."""
