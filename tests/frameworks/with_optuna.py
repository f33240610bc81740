"""Optuna: a study over the settings of a learner, judged exactly."""

from __future__ import annotations

from typing import Any

import optuna

from griddsl.training import score, train

SPEC = "griddsl/WindyGridworld-v0"


def test_a_study__finds_settings() -> None:
    """Trials train a table and are judged by their exact regret."""

    def regret(trial: Any) -> float:
        settings = {
            "discount": trial.suggest_float("discount", 0.5, 1.0),
            "explore_last": trial.suggest_float("explore_last", 0.01, 0.5),
        }
        trained = train(SPEC, learner="tabular", steps=5000, seed=trial.number, settings=settings)
        found = score(trained.policy, SPEC, episodes=2).regret
        assert found is not None
        return found

    study = optuna.create_study(direction="minimize", sampler=optuna.samplers.TPESampler(seed=1))
    study.optimize(regret, n_trials=4)
    assert len(study.trials) == 4 and study.best_value >= 0
