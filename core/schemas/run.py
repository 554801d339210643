"""A run: its manifest, its journal and the summary rebuilt from what it holds."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from pydantic import Field, JsonValue

from core.schemas.base import Condition, Diagnostic, Model, Pillar, Sha256
from core.schemas.call_trace import CodeVersion, PartyRecord
from core.schemas.hearing import ErrorRate, HearingFigures, KnownValueReport, Trust, TurnHearing, ValueAccuracy
from core.schemas.usage import Usage


class CaseKey(Model):
    """Which case: scenario, condition, repeat."""

    scenario: str
    """Scenario id."""
    condition: Condition
    """The line."""
    repeat: int = Field(default=0, ge=0)
    """Repeat, counted from 0."""

    @property
    def name(self) -> str:
        """Folder name: `<scenario>--<condition>--r<repeat>`."""
        return f"{self.scenario}--{self.condition.value}--r{self.repeat}"


class DropClass(StrEnum):
    """Whose fault a dropped case is; agents' faults are never dropped."""

    SIMULATION = "simulation"
    INFRASTRUCTURE = "infrastructure"


class RunFile(Model):
    """`run.json`: written once, first; a second run with another configuration on the same folder is refused."""

    format: Literal["ringback-run-1"] = "ringback-run-1"
    """Version of this format."""
    bundle: str
    """Bundle id."""
    bundle_version: str
    """Bundle version."""
    bundle_hash: Sha256
    """Hash over every file of the bundle."""
    bundle_locked: bool
    """Whether the bundle's manifest matched its files."""
    bundle_path: str
    """Where the bundle was read from, as given."""
    caller: PartyRecord
    """The caller."""
    candidate: PartyRecord
    """The candidate."""
    judge: PartyRecord
    """The judge of the first grading."""
    lines: dict[Condition, dict[str, JsonValue]]
    """Full settings of each line."""
    seed: int
    """The run's seed."""
    repeats: int = Field(ge=1)
    """Repeats of each scenario and condition."""
    record: bool
    """Whether text lines are spoken and recorded too."""
    cases: tuple[CaseKey, ...]
    """Every planned case, in order."""
    code: CodeVersion
    """The code."""
    argv: tuple[str, ...]
    """The command line, without secrets."""


class JournalState(StrEnum):
    """What happened to a case. A judge that is a program leaves no line where it grades: that costs nothing."""

    STARTED = "started"
    FINISHED = "finished"
    DROPPED = "dropped"
    GRADED = "graded"
    UNGRADED = "ungraded"


class JournalLine(Model):
    """One line of `journal.jsonl`."""

    format: Literal["ringback-journal-1"] = "ringback-journal-1"
    """Version of this format."""
    case: str
    """Case name."""
    state: JournalState
    """What happened."""
    drop_class: DropClass | None = None
    """For a dropped case: whose fault."""
    reason: str = ""
    """For a dropped case, and for one that a judge failed to grade: why, a short stable word before a colon."""
    trace_sha256: Sha256 | None = None
    """For a finished case: identity of its trace."""
    judge_key: str | None = None
    """For a case that was graded, or not: by which judge."""
    usage: dict[str, Usage] = {}
    """What `caller`, `candidate` and `judge` used for it, reruns and failures included; programs are left out."""


class Timing(Model):
    """`timing.json`: clock and place of one call, kept apart so that they do not enter the trace's identity."""

    format: Literal["ringback-timing-1"] = "ringback-timing-1"
    """Version of this format."""
    started_s: float
    """Seconds since 1970-01-01 UTC."""
    seconds: float = Field(ge=0)
    """Wall seconds from the first attempt to the saved trace."""
    host: str
    """Name of the machine."""
    python: str
    """Version of the interpreter."""
    usage: dict[str, Usage] = {}
    """What each party used, reruns included; parties that are programs are left out."""


class Score(Model):
    """A mean with its interval."""

    score: float | None
    """Unweighted mean over graded cases."""
    low: float | None = None
    """Lower end of the 95 % hierarchical bootstrap interval."""
    high: float | None = None
    """Upper end."""
    points: float = 0.0
    """Pooled points."""
    max_points: float = 0.0
    """Pooled maximum."""
    coverage: float | None = None
    """Judged weight over applicable weight, for overall that of the worse pillar; below 0.8 no headline is printed."""


class SuccessRate(Model):
    """Share of cases at or above the provisional cutoff."""

    rate: float | None
    """Share between 0 and 1."""
    low: float | None = None
    """Lower end of the 95 % interval."""
    high: float | None = None
    """Upper end."""
    cutoff: float = 70.0
    """Overall score needed."""
    provisional: bool = True
    """The cutoff is uncalibrated."""


class Rate(Model):
    """A share with its interval."""

    rate: float | None
    """Share between 0 and 1; null where nothing was counted."""
    low: float | None = None
    """Lower end of the 95 % interval, with agents and scenarios redrawn."""
    high: float | None = None
    """Upper end."""


class PassK(Model):
    """Success over k tries of a scenario, under both conventions for tries that are lost."""

    k: int = Field(ge=1)
    """Number of tries."""
    pass_at: Rate
    """Probability that at least one of k tries succeeds, over the scenarios of which every repeat was graded."""
    pass_hat: Rate
    """Probability that all k tries succeed, over the same scenarios."""
    pass_at_lower: float
    """The first over all planned scenarios, with every lost try a failure: no smaller value is possible."""
    pass_hat_lower: float
    """The second over all planned scenarios, with every lost try a failure."""


class Passes(Model):
    """Success over repeats."""

    repeats: int
    """Repeats of each scenario."""
    cutoff: float
    """Overall score of a success."""
    scenarios: int
    """Scenarios of which every repeat was graded."""
    excluded: int
    """Scenarios of which a repeat was lost: dropped, ungraded or not played."""
    lost: int
    """Lost tries in all planned scenarios."""
    by_k: tuple[PassK, ...]
    """One entry for each k from 1 to the repeats."""


class Precision(Model):
    """How small a difference of the overall score such a run can show."""

    error: float | None
    """Standard error of the mean, from the variance between agents; null with fewer than two agents."""
    detectable: float | None
    """The smallest true difference to a run as large as this one on other scenarios that is found with a power of 0.8."""
    repeat_sd: float | None = None
    """Standard deviation of repeats within their scenario, pooled; null in a run without repeats."""
    repeat_noise: float | None = None
    """How far the means of two such runs lie apart, at 95 %, for the luck of their repeats alone."""


class ConditionSummary(Model):
    """One condition of a run."""

    n: int
    """Graded cases."""
    planned: int
    """Planned cases."""
    dropped: dict[str, dict[str, int]] = {}
    """Class, then reason, to number of dropped cases."""
    ungraded: int = 0
    """Finished cases without a score: a pillar holds no scored item, or the judge failed."""
    ungraded_reasons: dict[str, int] = {}
    """Reason to number of ungraded cases; `no_score` where a pillar holds no scored item."""
    unplayed: int = 0
    """Cases not played yet; planned = n + ungraded + dropped + unplayed."""
    ends: dict[str, int] = {}
    """End reason to number of calls."""
    task: Score
    """Task pillar."""
    conversation: Score
    """Conversation pillar."""
    overall: Score
    """Mean of both."""
    success: SuccessRate
    """Share of successful cases."""
    passes: Passes | None = None
    """Success over repeats; null in a run without repeats."""
    precision: Precision = Precision(error=None, detectable=None)
    """How small a difference this condition can show."""
    wer: ErrorRate | None = None
    """Word error rate of the recogniser; null where nothing was transcribed."""
    cer: ErrorRate | None = None
    """Character error rate."""
    known_value_accuracy: KnownValueReport
    """Known values that survived the line."""
    hearing: HearingFigures | None = None
    """All figures of hearing; null where nothing was transcribed."""
    diagnostics: dict[Diagnostic, Score]
    """The ten diagnostics; they do not sum to anything."""


class Paired(Model):
    """Paired comparison of two conditions (or runs) on cases both completed: a - b."""

    a: str
    """First side."""
    b: str
    """Second side."""
    measure: str = "overall"
    """`overall`, `task` or `conversation`."""
    n: int
    """Scenarios both completed."""
    mean: float | None
    """Mean difference a - b, hierarchically weighted as in the interval's estimate."""
    low: float | None
    """Lower end of the 95 % interval."""
    high: float | None
    """Upper end."""
    wins: int
    """Scenarios where a scored higher."""
    losses: int
    """Scenarios where b scored higher."""
    ties: int
    """Scenarios with |difference| < 1e-9."""
    detectable: float | None = None
    """The smallest true difference that such a comparison finds with a power of 0.8; null with fewer than two agents."""
    detectable_unpaired: float | None = None
    """The same for two runs as large as these on scenarios of their own."""
    repeat_noise: float | None = None
    """How far the mean moves, at 95 %, for the luck of repeats alone; null where a side has no repeats."""
    repeat_share: float | None = None
    """Share, 0 to 1, of the variance of the differences that repeats explain; null where there is none to explain."""
    withheld: str | None = None
    """Why this is no headline: too little was judged on one side; null where it is one."""
    differences: dict[str, float] = {}
    """Scenario to difference."""


class Attribution(Model):
    """A failed action and the misheard value that broke it."""

    case: str
    """Case name."""
    fact: str
    """Key of the caller's fact."""
    said: str
    """What the caller said."""
    heard: str
    """What arrived; empty where nothing did."""
    action: str
    """Id of the action that failed."""
    through: str | None = None
    """Id of the broken action that this one had to wait for; null where its own call shows the value, or lacks it."""
    turn: int = Field(ge=1)
    """The caller turn it was misheard in."""
    message: int
    """Index of the caller message that carried the damage."""
    clip: str | None = None
    """That message's sound: a file below the case's folder; null where there is none."""
    clip_sha256: Sha256 | None = None
    """Hash of its 16-bit samples."""
    tool_event: int | None = None
    """Index of the tool event that carried the damaged value or lacked it; null where the tool was not called."""
    tool_message: int | None = None
    """Index of the agent message that made the call."""


class CaseSummary(Model):
    """One case of a run."""

    case: str
    """Case name."""
    scenario: str
    """Scenario id."""
    agent: str
    """Agent id."""
    condition: Condition
    """The line."""
    repeat: int
    """Repeat."""
    end: str
    """End reason."""
    trace_sha256: Sha256
    """Identity of the trace."""
    scores: dict[Pillar, float | None]
    """Both pillars, not rounded, since comparisons start from them."""
    overall: float | None
    """Overall, not rounded."""
    turns: int
    """Caller turns."""
    voice: str | None = None
    """Voice of the caller, if spoken."""
    wer: ErrorRate | None = None
    """Word error rate of the call."""
    cer: ErrorRate | None = None
    """Character error rate of the call."""
    known_values: ValueAccuracy
    """Known values of the call."""
    hearing: tuple[TurnHearing, ...] = ()
    """Turn by turn; empty on lines that change nothing."""


class Signature(Model):
    """Everything a reader needs to know which number this is."""

    bundle: str
    """`<id>@<version>`."""
    bundle_hash: Sha256
    """Hash over the bundle's files."""
    caller: str
    """Caller."""
    candidate: str
    """Candidate."""
    judge: str
    """Judge."""
    judge_key: str
    """Hash of judge, settings, prompts."""
    seed: int
    """Run seed."""
    repeats: int
    """Repeats."""
    code: CodeVersion
    """Code."""
    measures: dict[str, str]
    """Measure to its version."""
    lines: dict[Condition, dict[str, JsonValue]]
    """Settings of the lines."""


class Summary(Model):
    """`summary.json`: derived, always rebuilt from traces, grades and journal."""

    format: Literal["ringback-summary-1"] = "ringback-summary-1"
    """Version of this format."""
    signature: Signature
    """Which number this is."""
    official: bool
    """Clean tree on the tag of its version, played and graded; locked bundle, all of it, with its repeats."""
    official_reasons: tuple[str, ...] = ()
    """Why not."""
    conditions: dict[Condition, ConditionSummary]
    """One summary per condition."""
    paired: tuple[Paired, ...] = ()
    """Paired comparisons of conditions."""
    attribution: tuple[Attribution, ...] = ()
    """Which misheard fact broke which action."""
    slices: dict[str, dict[str, dict[Condition, Score]]] = {}
    """`language`, `difficulty`, `domain`, `agent`, `tag` to value to overall score."""
    hearing_slices: dict[str, dict[str, dict[Condition, HearingFigures]]] = {}
    """`language`, `script`, `voice` to value to figures of hearing, in conditions where something was transcribed."""
    trust: tuple[Trust, ...] = ()
    """Whether figures of hearing can be trusted, by language, recogniser and engine of the caller's voice."""
    cases: tuple[CaseSummary, ...] = ()
    """Every graded case."""
    usage: dict[str, Usage] = {}
    """What each party used in all, for checks, dropped cases, reruns and failed judgements too; programs are left out."""
    cuts: int = 0
    """How often the command was killed or stopped while models were at work: what was under way then is not in `usage`, whose
    cost is a lower bound then."""
    notes: tuple[str, ...] = ()
    """What intervals cover and what slices are."""
