"""Tools: what a candidate may call, and what counts as success where a call ends the conversation."""

from __future__ import annotations

from pydantic import Field, JsonValue

from core.schemas.base import Model
from core.schemas.matchers import MatcherSet

CONCLUDING_MESSAGE = "concluding_message"
"""Reserved parameter of call-ending tools for models that cannot speak and call a tool in one message."""


class Tool(Model):
    """One function the candidate may call."""

    name: str = Field(pattern=r"^[a-zA-Z_][a-zA-Z0-9_]{0,63}$")
    """Function name, as chat endpoints accept it."""
    description: str = Field(min_length=1)
    """What the tool does and when to use it, shown to the candidate."""
    parameters: dict[str, JsonValue] = {"type": "object", "properties": {}}
    """JSON Schema of the arguments object."""
    ends_call: bool = False
    """Whether a successful result of this tool ends the call."""
    success: MatcherSet | None = None
    """For a call-ending tool: matchers over the returned object that make the call end. The loader requires it there."""
