"""TextArena: a spec as its environment, for one player or several, which its own agents and wrappers play."""

from __future__ import annotations

from typing import Any

from griddsl.compiler import AnySpec
from griddsl.diagnostics import Refused
from griddsl.text.game import TextGame

try:
    import textarena as ta
except ImportError as error:
    raise ImportError("TextArena is not installed: pip install 'griddsl[text]'") from error


class GridTextEnv(ta.Env):  # type: ignore[misc, unused-ignore]
    """A text game with TextArena's interface: ``reset(num_players, seed)``, ``get_observation``, ``step``, ``close``.

    The rewards of ``close`` are the returns, by the player's number; its info has the outcome, the turns, and how many
    answers were none. Settings are those of `TextGame`.
    """

    def __init__(self, source: AnySpec, **settings: Any) -> None:
        self.game = TextGame(source, **settings)
        self.state: Any = None

    def reset(self, num_players: int, seed: int | None = None) -> None:
        """Start an episode; raise `ValueError` for another number of players than the spec has."""
        players = self.game.players
        if num_players != len(players):
            raise Refused(f"{self.game.program.id} is played by {len(players)}, not by {num_players}")
        self.game.reset(0 if seed is None else seed)
        self.state = ta.State(num_players, None, self.game.max_turns)
        self.state.standard_resets(role_mapping=dict(enumerate(players)))
        self._tell(self.game.text, ta.ObservationType.PROMPT)

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Play what the present player says; return whether all is over, and what it was read as."""
        who = self.state.current_player_id
        self.state.add_observation(
            message=action, observation_type=ta.ObservationType.PLAYER_ACTION, from_id=who, to_id=who
        )
        turn = self.game.answer(action)
        self.state.step_info = {"action": turn.action, "reward": turn.reward}
        self.state.done = turn.over
        self._tell(turn.text, ta.ObservationType.GAME_BOARD)
        if turn.over:
            self._end()
        told: tuple[bool, dict[str, Any]] = self.state.step()
        return (True, self.state.step_info) if turn.over else told

    def _tell(self, text: str, sort: Any) -> None:
        """Tell the player whose turn it is what there is to see."""
        self.state.current_player_id = self.game.players.index(self.game.player)
        self.state.add_observation(
            message=text, observation_type=sort, to_id=-1 if self.game.over else self.state.current_player_id
        )

    def _end(self) -> None:
        game = self.game
        self.state.rewards = {number: game.returns[name] for number, name in enumerate(game.players)}
        for number, name in enumerate(game.players):
            self.state.game_info[number].update(
                role=name,
                outcome=game.outcome,
                turn_count=game.turns,
                wrong_answers=game.wrong_answers[name],
                invalid_move=game.wrong_answers[name] > 0,
            )
