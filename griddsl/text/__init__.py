"""Text: language models, and people, as players; an episode is a row of turns in words."""

from griddsl.text.answers import answer_in
from griddsl.text.game import TextGame, Turn, make_text, play_text
from griddsl.text.levels import Level, levels_between

__all__ = ["Level", "TextGame", "Turn", "answer_in", "levels_between", "make_text", "play_text"]
