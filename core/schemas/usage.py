"""What the models of a party were asked for, and what that cost."""

from __future__ import annotations

from pydantic import Field

from core.schemas.base import Model


class Usage(Model):
    """Requests, tokens and cost of one party, summed."""

    requests: int = Field(default=0, ge=0)
    """Requests answered by the endpoint."""
    cached: int = Field(default=0, ge=0)
    """Requests answered from the reply cache, which cost nothing."""
    prompt_tokens: int = Field(default=0, ge=0)
    """Tokens sent."""
    completion_tokens: int = Field(default=0, ge=0)
    """Tokens received, reasoning included."""
    cost_usd: float = Field(default=0.0, ge=0)
    """Cost of the requests whose price is known, in US dollars."""
    unpriced: int = Field(default=0, ge=0)
    """Requests whose price is unknown; the cost is then a lower bound."""
    estimated: int = Field(default=0, ge=0)
    """Requests whose tokens the endpoint did not count; tokens and cost then hold a reckoning from lengths."""
    left_out: tuple[str, ...] = ()
    """Settings that an endpoint did not take, so that requests went out without them; each once, in alphabetical order."""

    def plus(self, other: Usage) -> Usage:
        """The sum of both."""
        return Usage(
            requests=self.requests + other.requests,
            cached=self.cached + other.cached,
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            completion_tokens=self.completion_tokens + other.completion_tokens,
            cost_usd=self.cost_usd + other.cost_usd,
            unpriced=self.unpriced + other.unpriced,
            estimated=self.estimated + other.estimated,
            left_out=tuple(sorted({*self.left_out, *other.left_out})),
        )

    def since(self, before: Usage) -> Usage:
        """What came on top of `before`, an earlier sum of the same."""
        asked = self.requests + self.cached > before.requests + before.cached
        return Usage(
            requests=self.requests - before.requests,
            cached=self.cached - before.cached,
            prompt_tokens=self.prompt_tokens - before.prompt_tokens,
            completion_tokens=self.completion_tokens - before.completion_tokens,
            cost_usd=max(0.0, self.cost_usd - before.cost_usd),
            unpriced=self.unpriced - before.unpriced,
            estimated=self.estimated - before.estimated,
            left_out=self.left_out if asked else (),
        )
