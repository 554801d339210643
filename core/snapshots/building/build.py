"""Building calls tree by tree: whoever calls decides where each tree is kept, and hands the kept ones back to go on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from core.errors import InputError, UsageError
from core.schemas.casefile import CaseAbstract, Profile
from core.schemas.snapshots import AgentReply, Label, SnapshotCall
from core.schemas.trees import BuildConfig, BuiltTree, MixedTree, RejectCode, Rejected
from core.seeds import derive, generator
from core.snapshots.building.agents import PROFILER, AgentSet, NoProfileError
from core.snapshots.building.growing import Grower
from core.snapshots.building.ids import Book, tree_id
from core.snapshots.building.labelling import call_of, leaves
from core.snapshots.building.library import CaseLibrary
from core.snapshots.building.plot import Plot
from core.snapshots.building.safety import Safety
from core.snapshots.building.validator import faults_of_call


@dataclass(frozen=True)
class Planned:
    """A tree that is to be grown."""

    number: int
    """Its place in the build."""
    tree_id: str
    """Its id."""
    abstract: CaseAbstract
    """Its case."""
    seed: int
    """Its seed."""


def plan_trees(config: BuildConfig, library: CaseLibrary) -> tuple[Planned, ...]:
    """The trees of a build: cases in seeded order, all of them once before any comes again.

    Raises:
        UsageError: a case is named that the language does not have.
    """
    unknown = sorted(set(config.abstracts) - library.abstracts.keys())
    if unknown:
        raise UsageError(f"no case {unknown[0]!r}: there are {', '.join(library.abstracts)}")
    cases = [library.abstracts[name] for name in sorted(config.abstracts or library.abstracts)]
    planned = []
    for number in range(config.trees):
        lap = number // len(cases)
        order = generator(config.seed, config.namespace, "cases", lap).permutation(len(cases))
        case = cases[order[number % len(cases)]]
        seed = derive(config.seed, config.namespace, "tree", case.id, number)
        planned.append(Planned(number, tree_id(config.namespace, config.seed, case.id, number), case, seed))
    return tuple(planned)


def build_calls(
    config: BuildConfig, library: CaseLibrary, agents: AgentSet, done: Iterable[BuiltTree] = ()
) -> Iterator[BuiltTree]:
    """Every tree of a build that is not `done` yet, in the order of the plan, so that the build may stop and go on at any tree.

    Raises:
        UsageError: unknown cases, or an id that was given before.
    """
    book = Book()
    finished = {tree.tree_id: tree for tree in done}
    for planned in plan_trees(config, library):
        built = finished.get(planned.tree_id)
        if built is None:
            built = _build_tree(config, library, agents, planned, book)
            yield built
        for call in built.calls:
            book.enter(call)


def _build_tree(config: BuildConfig, library: CaseLibrary, agents: AgentSet, planned: Planned, book: Book) -> BuiltTree:
    safety = Safety(library.denied, library.catalogue)
    profiled: tuple[AgentReply, ...] = ()
    try:
        answer = agents.profiler.profile(planned.abstract, derive(planned.seed, "profile"))
        profiled = answer.told_by(PROFILER)
        _fits(answer.value, planned.abstract, safety)
    except InputError as error:
        replies = error.replies if isinstance(error, NoProfileError) else profiled
        bad = _rejected(planned, RejectCode.BAD_PROFILE, str(error), replies=replies)
        return _built(planned, None, [], [safety.kept_rejected(bad)])
    grower = Grower(config, library, agents, planned.abstract, planned.tree_id, planned.seed, answer.value, profiled)
    tree = safety.kept_tree(grower.grow())
    calls, left_out = _calls(config, library, agents, planned, tree)
    kept, twins = _without_twins(planned, calls, book)
    rejected = [*map(safety.kept_rejected, grower.rejected), *left_out, *twins]
    labels = {call.label.value for call in kept}
    if len(labels) < len(Label):
        rejected.append(_rejected(planned, RejectCode.ONE_SIDED, f"labels of its leaves: {', '.join(labels) or 'none'}"))
        kept = []
    return _built(planned, tree, kept, rejected)


def _without_twins(planned: Planned, calls: list[SnapshotCall], book: Book) -> tuple[list[SnapshotCall], list[Rejected]]:
    own = Book()
    kept, rejected = [], []
    for call in calls:
        twin = book.twin(call) or own.twin(call)
        if twin is None:
            own.enter(call)
            kept.append(call)
        else:
            rejected.append(_rejected(planned, RejectCode.DUPLICATE_TEXT, f"the same words as {twin}", call.leaf_path))
    return kept, rejected


def _calls(
    config: BuildConfig, library: CaseLibrary, agents: AgentSet, planned: Planned, tree: MixedTree
) -> tuple[list[SnapshotCall], list[Rejected]]:
    plot = Plot(library.catalogue)
    calls: list[SnapshotCall] = []
    rejected: list[Rejected] = []
    for leaf in leaves(tree):
        call = call_of(tree, leaf, plot, agents, config.namespace, config.seed)
        if call is None:
            rejected.append(_rejected(planned, RejectCode.AMBIGUOUS_LEAF, leaf.stop or "no label was shown", leaf.path))
            continue
        faults = faults_of_call(call, plot)
        if faults:
            raise AssertionError(f"{call.sample_id}: {faults[0]}")
        calls.append(call)
    return calls, rejected


def _fits(profile: Profile, abstract: CaseAbstract, safety: Safety) -> None:
    for name, own, given in (
        ("abstract_id", profile.abstract_id, abstract.id),
        ("family_id", profile.family_id, abstract.family),
        ("language", profile.language, abstract.language),
    ):
        if own != given:
            raise UsageError(f"the profile's {name} is {own!r}, but the case's is {given!r}")
    if faults := safety.faults(profile):
        raise UsageError(f"the profile's {faults[0]}")


def _rejected(
    planned: Planned, code: RejectCode, reason: str, path: tuple[str, ...] = (), replies: tuple[AgentReply, ...] = ()
) -> Rejected:
    return Rejected(
        tree_id=planned.tree_id, abstract_id=planned.abstract.id, path=path, code=code, reason=reason, replies=replies
    )


def _built(planned: Planned, tree: MixedTree | None, calls: list[SnapshotCall], rejected: list[Rejected]) -> BuiltTree:
    return BuiltTree(
        tree_id=planned.tree_id,
        abstract_id=planned.abstract.id,
        tree=tree,
        calls=tuple(calls),
        rejected=tuple(rejected),
    )
