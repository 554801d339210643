"""English phrases the measured ratings look for. A language without such a list leaves those ratings unjudged."""

from __future__ import annotations

import re

from core.spoken import Kind

FAREWELL = re.compile(
    r"\b(good\s?bye|bye(?:[\s-]?bye)?|farewell|good night|take care|so long|"
    r"have an? (?:\w+ ){0,2}(?:day|evening|afternoon|morning|night|weekend|week|one)|"
    r"enjoy (?:the rest of )?your (?:day|evening|afternoon|night|weekend))\b",
    re.IGNORECASE,
)
"""A goodbye."""

CLAIM = re.compile(
    r"\b(booked|scheduled|rescheduled|recorded|registered|updated|cancelled|canceled|changed|arranged|completed|submitted|"
    r"reported|transferred|refunded|ordered|reserved|verified|all set|all done|it(?:'s| is) done|successful(?:ly)?|"
    r"went through|taken care of)\b",
    re.IGNORECASE,
)
"""Words that announce success of a tool."""

DENIAL = re.compile(
    r"\b(not|no|nothing|never|unable|unfortunately|sorry|fail(?:s|ed|ure)?|error|problem|trouble|rejected|declined|refused|invalid|"
    r"could|couldn't|can't|cannot|wasn't|isn't|didn't|doesn't|won't|haven't|hasn't|before|until|once|if|unless|try|again|"
    r"will|would|to be|shall|should|let me|going to)\b|\?",
    re.IGNORECASE,
)
"""Words in a sentence by which it does not announce success as a fact."""

ASKS_AGAIN = re.compile(
    r"\b(repeat|say (?:that|it) again|once more|again|spell|pardon|did(?:n't| not) (?:quite )?(?:catch|hear|get|understand)|"
    r"confirm|correct|is that right|am i right|right\?|did you say|did i (?:get|hear)|you said|i heard|i have|do i have|"
    r"read (?:that|it) back|sorry)\b",
    re.IGNORECASE,
)
"""Words by which an agent asks to repeat or to confirm."""

CONFIRMATION = re.compile(
    r"\b(is (?:that|it|this) (?:right|correct)|correct\?|right\?|confirm|did you say|you said|do i have|did i (?:get|hear)|"
    r"shall i|should i|would you like|"
    r"anything else|something else|else i can|help you)\b",
    re.IGNORECASE,
)
"""Words by which a question confirms or offers instead of asking for a fact."""

ANSWER = re.compile(
    r"^\W*(?:(?:yes|yeah|sure|okay|ok|um|uh|well|hi|hello|oh|right)\W+)*"
    r"(?:it's|it is|that's|that is|this is|i'm|i am|my|the|mine)\b",
    re.IGNORECASE,
)
"""How a caller's turn opens that answers a question for no particular kind of value."""

KINDS_ASKED: tuple[tuple[frozenset[str], tuple[Kind, ...]], ...] = (
    (frozenset({"email", "mail"}), (Kind.EMAIL,)),
    (frozenset({"day", "date", "birthday", "birth", "born"}), (Kind.DATE,)),
    (frozenset({"time", "hour"}), (Kind.TIME,)),
    (frozenset({"amount", "price", "cost", "value", "charge", "much", "dollars"}), (Kind.MONEY,)),
    (
        frozenset({"number", "code", "zip", "digits", "phone", "telephone", "reference", "account", "reading", "pin"}),
        (Kind.DIGITS, Kind.CODE),
    ),
)
"""Words of a question and the kinds of value that answer it, the first that fits."""

NO_ANSWER = re.compile(
    r"\b(moment|second|hold on|hang on|wait|let me (?:see|check|look|find|get)|find it|looking for|don't know|do not know|"
    r"not sure|no idea|pardon|what was|say that again|repeat)\b|\?|^\W*no\b",
    re.IGNORECASE,
)
"""Words by which a caller's turn does not answer: a pause, a doubt, a denial, a question back."""

REFUSES = re.compile(r"^\W*(?:no|wrong|not)\b|\b(?:that's|that is|it's) (?:wrong|not)\b", re.IGNORECASE)
"""How a caller denies what was read back, after which asking again is right."""

FILLER = frozenset(
    """a about again all also am an and any are as at be been but by can could do does did for from give had has have hello
    hi how i if in into is it its just let like may me might more my need no not now of off oh ok okay on once one only or our
    out over please repeat right say so some sorry spell tell thank thanks that the their them then there these they this those
    to today too up us use want was we well were what when where which while who why will with would yes you your catch quite
    get full first next correct""".split()
)
"""Words that say nothing about what a question is about."""
