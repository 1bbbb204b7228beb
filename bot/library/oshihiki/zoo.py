"""One table as an environment of PettingZoo; it needs the extra ``pettingzoo``. :class:`Mahjong` is the environment."""

from bot.api.zoo import AGENTS, Mahjong

__all__ = ["AGENTS", "Mahjong"]
