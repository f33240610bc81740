"""Play a random episode of each environment of the package: `python -m my_grids --steps 20`."""

import argparse

import gymnasium as gym

IDS = sorted(spec_id for spec_id in gym.registry if spec_id.startswith("my_grids/"))


def main() -> None:
    """Make each environment by its id, as any user of the package would, and play."""
    parser = argparse.ArgumentParser(prog="my_grids", description=__doc__)
    parser.add_argument("--steps", type=int, default=20)
    options = parser.parse_args()
    for spec_id in IDS:
        env = gym.make(spec_id, render_mode="ansi")
        env.action_space.seed(0)
        env.reset(seed=0)
        total = 0.0
        for _ in range(options.steps):
            _, reward, terminated, truncated, info = env.step(env.action_space.sample())
            total += float(reward)
            if terminated or truncated:
                break
        print(f"{spec_id}: return {total:.1f}, {info['outcome'] or 'not over yet'}")
        print(env.render())


if __name__ == "__main__":
    main()
