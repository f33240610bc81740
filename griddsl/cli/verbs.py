"""The table of verbs: what each does in a line, and examples. All help is made from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb: its name, which is its module's too, the folder of that, what it does, and commands to try."""

    name: str
    folder: str
    summary: str
    examples: tuple[tuple[str, str], ...]


VERBS: tuple[Verb, ...] = (
    Verb(
        "run",
        "playing",
        "Play a spec in a window, in the terminal, or as a transcript.",
        (
            ("griddsl run CliffWalking", "play a registered spec by its name"),
            ("griddsl run maze.grid", "edit and save the file while you play: the game follows"),
            ("griddsl run maze.grid --actions up,up,right", "print what these actions do"),
            ("griddsl run maze.grid --random --seed 1 --record maze.gif", "record a random episode"),
            ("griddsl run FrozenLake --policy frozen_lake.policy", "watch what `griddsl train` wrote"),
            ("griddsl run FrozenLake --param slippery=false --level 8x8", "choose parameters and a level"),
        ),
    ),
    Verb(
        "check",
        "texts",
        "Find what is wrong in specs: each error with its place and fix.",
        (
            ("griddsl check maze.grid", "one file"),
            ("griddsl check specs/ --strict", "every spec of a folder; warnings fail too"),
            (
                "griddsl check specs/ --format github",
                "notes on the lines of a pull request; also sarif, json",
            ),
            ("griddsl check - --stdin-name maze.grid", "standard input, as if it were that file"),
            (
                "griddsl check maze.grid --exact",
                "visit every state: what is unreachable, the optimum, a report",
            ),
            ("griddsl check levels/ --fail-on dead-states", "fail where the agent can get stuck"),
            ("griddsl check --explain once-named", "what a diagnostic means, wrong and right"),
        ),
    ),
    Verb(
        "fmt",
        "texts",
        "Lay out specs in the canonical way, as .grid or as TOML; comments stay.",
        (
            ("griddsl fmt maze.grid", "rewrite the file"),
            ("griddsl fmt --check specs/", "only say which files would change"),
            ("griddsl fmt --diff maze.grid", "show what would change"),
            ("griddsl fmt - < maze.grid", "standard input to standard output"),
        ),
    ),
    Verb(
        "convert",
        "texts",
        "Turn a spec from .grid to TOML, or back.",
        (
            ("griddsl convert maze.grid --to toml", "print it as TOML"),
            ("griddsl convert maze.toml -o maze.grid", "write it to a file, whose ending says the format"),
            (
                "griddsl convert MiniGrid-DoorKey-8x8-v0 --from minigrid --seed 3",
                "the grid that MiniGrid draws",
            ),
        ),
    ),
    Verb(
        "export",
        "playing",
        "Write a spec as a page that plays it, as a JavaScript module, or as JSON.",
        (
            (
                "griddsl export CliffWalking --to cliff.html",
                "a page that plays it, offline: send it to anybody",
            ),
            (
                "griddsl export FrozenLake --to lake.html --exact --vary slippery=true,false",
                "with the best moves, and a choice of parameters",
            ),
            (
                "griddsl export DoorKey --to study.html --study study.toml",
                "a page for participants, which records what they do",
            ),
            (
                "griddsl export CliffWalking --to cliff.js",
                "a module without dependencies, for pages and Node",
            ),
            ("griddsl export maze.grid --to maze.json", "the compiled program, for a backend of your own"),
        ),
    ),
    Verb(
        "replay",
        "playing",
        "Play recordings of pages again, and verify them bit for bit.",
        (
            ("griddsl replay cliff.recording.json", "each episode, and whether it is what was recorded"),
            ("griddsl replay maze.recording.json --spec maze.grid", "of a spec that is a file"),
            ("griddsl replay cliff.recording.json --transcript", "every step, with the board"),
            ("griddsl replay cliff.recording.json --record cliff.gif", "as a picture"),
        ),
    ),
    Verb(
        "show",
        "playing",
        "Draw a spec in the terminal, or to a PNG, SVG or GIF file.",
        (
            ("griddsl show maze.grid", "in the terminal"),
            ("griddsl show maze.grid -o maze.svg", "as a file"),
            (
                "griddsl show maze.grid --values v.npy --policy pi.npy -o plan.png",
                "with a heat map and arrows",
            ),
        ),
    ),
    Verb(
        "solve",
        "learning",
        "Solve a spec exactly: optimal return, success, length, values and policy, drawn or written to a file.",
        (
            (
                "griddsl solve CliffWalking --values --policy",
                "what is optimal, and a picture in the terminal",
            ),
            ("griddsl solve FrozenLake --level 8x8 -o plan.png", "the picture as a file"),
            (
                "griddsl solve DoorKey --param size=5 --where 'agent has key'",
                "the states in which this holds",
            ),
            ("griddsl solve FrozenLake --horizon limit", "in the steps that the limit leaves"),
            ("griddsl solve Taxi -o taxi.npz", "the whole process, for other programs; also .tra and .pomdp"),
        ),
    ),
    Verb(
        "train",
        "learning",
        "Train a first policy: a table, Stable-Baselines3, or PPO in one file.",
        (
            ("griddsl train FrozenLake", "a policy file, and what it is worth"),
            ("griddsl train DoorKey --with sb3 --steps 300000 --gif door.gif", "PPO; watch the result"),
            ("griddsl train Taxi --plot taxi.svg --seed 3", "the return by steps, beside the exact optimum"),
        ),
    ),
    Verb(
        "evaluate",
        "learning",
        "Say what a policy is worth: return and success with intervals, the optimum, the regret.",
        (
            ("griddsl evaluate FrozenLake --policy frozen_lake.policy", "a file of `griddsl train`"),
            ("griddsl evaluate FrozenLake --policy mine.py:act --episodes 5000", "a function of your own"),
            ("griddsl evaluate FrozenLake --policy random", "what to compare it with; also `optimal`"),
        ),
    ),
    Verb(
        "suite",
        "learning",
        "Judge a policy or a learner in a set of environments, with normalised scores.",
        (
            ("griddsl suite tabular --with tabular --seeds 5", "train in each, and compare with the optimum"),
            ("griddsl suite minigrid --policy mine.py:act", "a function of your own"),
        ),
    ),
    Verb(
        "dataset",
        "learning",
        "Record episodes of a spec as a Minari dataset.",
        (
            (
                "griddsl dataset FrozenLake --policy optimal --to mine/lake-optimal-v0",
                "what is best, exactly",
            ),
            ("griddsl run FrozenLake --save plays.jsonl", "a person plays, as often as wanted"),
            ("griddsl dataset FrozenLake --policy plays.jsonl --to mine/lake-human-v0", "and is recorded"),
            (
                "griddsl dataset DoorKey --recordings answers/ --to mine/key-study-v0",
                "what people played in pages",
            ),
        ),
    ),
    Verb(
        "list",
        "explaining",
        "List the specs that come with griddsl, with installed packages, and those on GRIDDSL_PATH.",
        (
            ("griddsl list", "ids, sizes, agents and observations, by family"),
            ("griddsl list minigrid key", "those whose ids or descriptions have both words"),
            ("griddsl list --json", "for a program, with actions, parameters, levels and limits"),
        ),
    ),
    Verb(
        "new",
        "texts",
        "Write a commented spec to start from, or a package of specs.",
        (
            ("griddsl new CoinRoom", "writes coin_room.grid"),
            ("griddsl run coin_room.grid", "and play it"),
            ("griddsl new --package frosty-lakes", "a package that pip installs, with tests and a workflow"),
        ),
    ),
    Verb(
        "explain",
        "explaining",
        "Say in plain words what a spec means.",
        (
            ("griddsl explain CliffWalking", "a registered spec"),
            ("griddsl explain maze.grid --param size=12", "a file, with a parameter"),
            ("griddsl explain maze.grid --python", "the Python that it is compiled to"),
        ),
    ),
    Verb(
        "schema",
        "texts",
        "Print the JSON schema of TOML specs, for editors.",
        (("griddsl schema -o griddsl.schema.json", "write it to a file"),),
    ),
    Verb(
        "studio",
        "playing",
        "Write, paint and play specs in a local page.",
        (
            ("griddsl studio", "the specs of this folder"),
            ("griddsl studio maze.grid", "one spec"),
            (
                "griddsl studio specs/ --port 8000 --no-browser",
                "on a port of your choice, without opening a browser",
            ),
        ),
    ),
    Verb(
        "lsp",
        "texts",
        "Be the language server of an editor: errors and fixes while typing, completion, hover, rename.",
        (("griddsl lsp", "what an editor starts; editors/ in the repository says how, for each"),),
    ),
    Verb(
        "bench",
        "learning",
        "Measure how fast a spec runs, one at a time and in batches.",
        (
            ("griddsl bench CliffWalking", "every backend that can run it, and Gymnasium's own batch"),
            ("griddsl bench maze.grid --num-envs 4096", "a larger batch"),
        ),
    ),
)
# What other programs call what a verb does.
SYNONYMS = {
    **dict.fromkeys(("play", "start", "open", "watch", "simulate", "test", "rollout", "demo", "game"), "run"),
    **dict.fromkeys(("lint", "validate", "verify", "compile", "build", "parse", "diagnose"), "check"),
    **dict.fromkeys(("format", "pretty", "tidy", "fix"), "fmt"),
    **dict.fromkeys(("draw", "render", "view", "print", "display", "picture", "plot", "image"), "show"),
    **dict.fromkeys(
        ("plan", "optimal", "optimize", "optimise", "vi", "policy", "analyze", "analyse"), "solve"
    ),
    **dict.fromkeys(("learn", "fit", "rl", "ppo", "optimise-policy"), "train"),
    **dict.fromkeys(("eval", "score", "judge"), "evaluate"),
    **dict.fromkeys(("create", "init", "template", "add"), "new"),
    **dict.fromkeys(("ls", "envs", "specs", "ids", "games", "registry"), "list"),
    **dict.fromkeys(("translate", "toml", "to-toml"), "convert"),
    **dict.fromkeys(("describe", "doc", "docs", "info", "why", "what", "help"), "explain"),
    **dict.fromkeys(("language-server", "server", "ls-server", "lsp-server", "editor"), "lsp"),
    **dict.fromkeys(("benchmark", "speed", "profile", "time", "perf"), "bench"),
}
BY_NAME = {verb.name: verb for verb in VERBS}


def command_of(verb: Verb) -> Callable[..., None]:
    """Return what a verb does, its module imported now."""
    command: Callable[..., None] = import_module(f"griddsl.cli.{verb.folder}.{verb.name}").command
    return command


def help_of(verb: Verb) -> str:
    """Return the help text of a verb."""
    wide = max(len(command) for command, _ in verb.examples)
    lines = [f"{command:<{wide}}  {words}" for command, words in verb.examples]
    return "\n\n".join([verb.summary, "Examples:", "\n".join(["\b", *(f"  {line}" for line in lines)])])
