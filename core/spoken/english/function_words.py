"""English words that carry no content of their own."""

from __future__ import annotations

FUNCTION_WORDS = frozenset(
    """a about after all also am an and any are as at be because been before but by can could did do does each either else
    for from get give had has have he her here hers him his how i if in into is it its just let like may me might mine my no
    none nor not now of off ok okay on only onto or our ours out over per please right she should since so some sorry than
    thank thanks that the their them then there these they this those to too under until up us very was we well were what
    when where which while who whom whose why will with would yes yeah you your yours i'm i've i'd i'll it's that's there's
    we're we've you're don't isn't wasn't can't""".split()
)
"""Words that never are a counted thing, part of a name or of an address."""
