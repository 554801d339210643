"""R_c, R_r, E_c and E_r as chat models: the words of a turn, and how it is said."""

from __future__ import annotations

import re
from collections.abc import Mapping

from core.errors import UsageError
from core.prompt import render_prompt
from core.replies import json_object, without_thoughts
from core.schemas.casefile import Beat, Content
from core.schemas.snapshots import Delivery, Side
from core.schemas.trees import RejectCode
from core.scripts import scripts_of
from core.seeds import derive
from core.snapshots.building.agents import Answer, Moment
from core.snapshots.building.ids import normalised
from core.snapshots.building.library import CaseLibrary
from core.snapshots.building.plot import Plot
from core.text import collapse_spaces, script_share
from models.chat.client import ChatClient
from models.chat.reply import ChatReply
from models.snapshots.chat_asking import Asker, an_object, named_language, one_of, shown_history

LONGEST = 400
"""Characters of a turn; nobody says more in one breath."""
_IN_SCRIPT = 0.5
"""Least share of a turn's letters in a script of its language; names may be written in another."""
_PEOPLE = {
    Side.CALLER: "caller|agent|assistant|来电者|来电人|来电方|主叫|呼叫方",
    Side.RECEIVER: "receiver|callee|customer|user|接听者|接听人|接听方|接电话者|被叫|客户",
}
"""Names by which models put a speaker before the words."""
_TAG = re.compile(r"<[^<>]{0,80}>|\[[^\[\]]{0,80}\]|【[^【】]{0,80}】|\*\([^()*]{0,80}\)\*|^\s*[(（][^()（）]{0,80}[)）]|[*_`#]+")
_QUOTES = "\"'“”„‟‘’«»「」『』 \t\r\n"
_OF_MODELS = re.compile(
    r"\bas an ai\b|\blanguage model\b|\bi(?:'|’)?m sorry,? but i can(?:no|'|’)t (?:assist|help|comply|continue)"
    r"|语言模型|作为(?:一个|一名)?\s*(?:AI|人工智能)|人工智能助手",
    re.IGNORECASE,
)
"""How models decline in words of their own."""
_MEANINGS = {
    Delivery.NEUTRAL: "as in small talk",
    Delivery.PROFESSIONAL: "even and clear, as at a counter",
    Delivery.URGENT: "faster and louder",
    Delivery.WARM: "friendly and a little slower",
    Delivery.CALM: "slow and soft",
    Delivery.CONFUSED: "hesitant, with longer pauses",
    Delivery.FEARFUL: "higher and uneven",
    Delivery.SUSPICIOUS: "flat and slow",
    Delivery.ANGRY: "loud and fast",
    Delivery.RELIEVED: "falling and soft",
}


class ChatPlayer:
    """Words the turns of one side; which label the path has is not told."""

    def __init__(self, client: ChatClient, library: CaseLibrary, side: Side, name: str) -> None:
        """Raises UsageError where the catalogue has an act of this side that the prompt has no task for."""
        self._asker = Asker(client, name)
        self._library = library
        self._side = side
        catalogue = library.catalogue
        beats = [*catalogue.opening, *catalogue.closing, *(beat for kind in catalogue.kinds for beat in kind.beats)]
        unknown = sorted({beat.act for beat in beats if beat.side is side} - self._asker.tasks.keys())
        if unknown:
            raise UsageError(f"the act {unknown[0]!r} of actions.yaml has no task in the prompt {name}: add it in a new version")

    def speak(self, moment: Moment, action: str, beat: Beat, seed: int) -> Answer[str]:
        """The words of one turn; raises OperatorError or ProviderError."""
        shared = moment.profile.shared
        values = {
            "language": named_language(moment.profile.language),
            "history": shown_history(moment.history),
            "task": self._task(moment, action, beat),
            "caller": shared.caller.role,
            "receiver": shared.receiver.role,
            "caller_name": shared.caller_name,
            "receiver_name": shared.receiver_name,
            "age": str(shared.receiver.age),
            "setting": shared.setting,
            "background": shared.background,
            "event": shared.event,
            "early_context": shared.early_context,
            "entities": ", ".join(f"{slot}: {value}" for slot, value in shared.entities.items()),
            "objectives": "; ".join(moment.profile.variable.objectives),
            "persuasion": "; ".join(moment.profile.variable.persuasion),
        }
        reply = self._asker.reply(values, moment.rejected, seed)
        if not isinstance(reply, ChatReply):
            return Answer("", refusal=reply)
        try:
            if reply.ending:
                raise ValueError(reply.ending)
            text = spoken(reply.text, self._side, {Side.CALLER: shared.caller_name, Side.RECEIVER: shared.receiver_name})
            self._new(text, moment, beat)
            return Answer(_fit(text, moment.profile.language), (reply.raw,))
        except ValueError as error:
            return Answer("", (reply.raw,), (RejectCode.UNREADABLE, str(error)))

    def _new(self, text: str, moment: Moment, beat: Beat) -> None:
        """Refuse no words, words of the question, and words that were said before; raises ValueError."""
        said = normalised(text)
        if not said:
            raise ValueError("it holds no words that could be said aloud")
        if any(said in normalised(asked) for asked in (self._asker.tasks[beat.act], moment.rejected)):
            raise ValueError("it repeats the task: write what the person says")
        if said in {normalised(turn.text) for turn in moment.history}:
            raise ValueError("it was said before in the call")

    def _task(self, moment: Moment, action: str, beat: Beat) -> str:
        """What is to be done in the turn, with the half of a pair that it carries in the words of the family."""
        notice = ", ".join(words[0] for words in self._library.manner.risk_words.values())
        values = {"opening": moment.profile.shared.opening, "notice": notice, "course": self._course(moment, action, beat)}
        return render_prompt(self._asker.tasks[beat.act], values)

    def _course(self, moment: Moment, action: str, beat: Beat) -> str:
        if beat.content is Content.NONE:
            return ""
        profile = moment.profile
        node = Plot(self._library.catalogue).risk_node(action) or ""
        topic = self._library.families[profile.family_id].topics[node]
        # Both turns of an action speak of the same pair, so that an answer fits what was proposed.
        place = derive(profile.shared.caller_name, profile.shared.receiver_name, *moment.path) % len(topic.pairs)
        half = getattr(topic.pairs[place], beat.content.value)
        words = half.say if self._side is Side.CALLER else half.offer
        meaning = topic.escalate if beat.content is Content.HARM else topic.verify
        return f"{meaning} For instance: {words}"


class ChatDeliverer:
    """Says how the turns of one side are said, from their words and from the call so far, and from nothing else."""

    def __init__(self, client: ChatClient, name: str) -> None:
        self._asker = Asker(client, name)

    def deliver(self, moment: Moment, text: str, seed: int) -> Answer[str]:
        """A word, known or not; raises OperatorError or ProviderError."""
        values = {
            "history": shown_history(moment.history, deliveries=True),
            "text": text,
            "deliveries": "\n".join(f"- {known.value}: {meaning}" for known, meaning in _MEANINGS.items()),
        }
        schema = an_object({"delivery": one_of([known.value for known in Delivery])})
        reply = self._asker.reply(values, moment.rejected, seed, schema)
        if not isinstance(reply, ChatReply):
            return Answer("", refusal=reply)
        return Answer(delivery_in(reply.text), (reply.raw,))


def delivery_in(raw: str) -> str:
    """The word of a reply, alone or in an object; what is neither is given back as it is."""
    text = without_thoughts(raw).strip()
    try:
        found = json_object(raw).get("delivery")
        text = found if isinstance(found, str) else text
    except ValueError:
        pass
    return text.strip(_QUOTES + ".,。!*`").casefold()[:80]


def spoken(raw: str, side: Side, names: Mapping[Side, str]) -> str:
    """The words of a turn in a reply, without thoughts, tags, quotation marks and names before them.

    Raises:
        ValueError: it is JSON of another shape than one text, or speaks for the other side too.
    """
    text = without_thoughts(raw).strip()
    if text.startswith("```"):
        text = text.strip("`").partition("\n")[2] or text.strip("`")
    if text.lstrip().startswith("{"):
        (text,) = _only_text(text)
    lines = []
    for line in _TAG.sub("", text).splitlines():
        words = line.strip(_QUOTES)
        for who in Side:
            before = re.match(rf"(?:{_PEOPLE[who]}|{re.escape(names[who])})\s*[:：]\s*", words, re.IGNORECASE)
            if before is not None:
                if who is not side:
                    raise ValueError(f"these are words of the {who.value}: write those of the {side.value} alone")
                words = words[before.end() :].strip(_QUOTES)
        lines.append(words)
    return collapse_spaces(" ".join(lines))


def _only_text(text: str) -> tuple[str]:
    values = list(json_object(text).values())
    if len(values) == 1 and isinstance(values[0], str):
        return (values[0],)
    raise ValueError("this is JSON: write the words alone")


def _fit(text: str, language: str) -> str:
    """The words, once they are such as a person would say; raises ValueError."""
    if len(text) > LONGEST:
        raise ValueError(f"{len(text)} characters are too many for one turn: at most {LONGEST}")
    if _OF_MODELS.search(text):
        raise ValueError("these are words about yourself: write those of the person alone")
    scripts = scripts_of(language)
    if scripts and max(script_share(text, script) for script in scripts) < _IN_SCRIPT:
        raise ValueError(f"these words are not in {named_language(language)}")
    return text
