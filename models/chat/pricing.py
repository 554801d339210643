"""What a reply cost: by the prices a user gives, else by litellm's list, else unknown. Never 0 for want of a price."""

from __future__ import annotations

from models.chat.reply import Answered
from models.chat.settings import ChatSettings

MILLION = 1_000_000


def cost_usd(settings: ChatSettings, answered: Answered) -> float | None:
    """US dollars; None where no price is known. An estimate where the tokens are reckoned."""
    if settings.price_in is None or settings.price_out is None:
        return answered.listed_cost
    return (answered.prompt_tokens * settings.price_in + answered.completion_tokens * settings.price_out) / MILLION
