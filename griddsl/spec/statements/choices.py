"""Statements that choose one of a few words, such as `turns: alternate`."""

from __future__ import annotations

import re
from typing import get_args

from griddsl.diagnostics import Help, did_you_mean, listing, write
from griddsl.spec.models import GridSpec
from griddsl.spec.statements.builder import Builder, items_of
from griddsl.syntax import nodes as n
from griddsl.syntax.document import Statement

CHOICES: dict[str, tuple[str, ...]] = {
    word: get_args(GridSpec.model_fields[word].annotation)
    for word in ("edge", "illegal", "turns", "contested", "swap", "rewards")
}
# What other games call a choice.
MEANT = {
    "edge": {
        **dict.fromkeys(
            ("wraparound", "wrapped", "torus", "toroidal", "periodic", "pacman", "loop", "cyclic"), "wrap"
        ),
        **dict.fromkeys(("block", "blocked", "solid", "wall", "stop", "none"), "stay"),
        **dict.fromkeys(("clamp", "clamped", "clipped"), "clip"),
    },
    "illegal": {
        **dict.fromkeys(("noop", "nothing", "ignore", "none", "skip", "block"), "stay"),
        **dict.fromkeys(("terminate", "fail", "failure", "lose", "error", "die"), "end"),
        **dict.fromkeys(("allow", "allowed", "do", "carry_out"), "act"),
    },
    "turns": {
        **dict.fromkeys(
            ("alternating", "one_by_one", "take_turns", "taking_turns", "turn_based", "round_robin"),
            "alternate",
        ),
        **dict.fromkeys(("sequential", "ordered"), "in_order"),
        **dict.fromkeys(("random", "shuffled"), "random_order"),
        **dict.fromkeys(("parallel", "together", "at_once", "all"), "simultaneous"),
    },
    "contested": {
        **dict.fromkeys(("none", "nobody", "stay", "bounce", "blocked"), "block"),
        **dict.fromkeys(("all", "both", "shared", "allow"), "share"),
    },
    "swap": {
        **dict.fromkeys(("yes", "true", "allowed"), "allow"),
        **dict.fromkeys(("no", "false", "forbid"), "block"),
    },
    "rewards": {
        **dict.fromkeys(("team", "common", "cooperative", "global", "joint"), "shared"),
        **dict.fromkeys(("competitive", "adversarial", "opposed"), "zero_sum"),
        **dict.fromkeys(("individual", "separate", "local", "each"), "own"),
    },
}
_DEADLY = {"die", "dies", "death", "deadly", "end", "kill", "lose", "fail", "failure"}
_BOUNCING = {"bounce", "bounces", "bump", "reflect", "rebound"}
ORDERS = ("agents, objects", "objects, agents")


def read_choice(statement: Statement, builder: Builder) -> None:
    """One of a few words, by the statement's keyword."""
    choices = CHOICES[statement.keyword]
    texts = statement.texts()
    if len(texts) != 1 or texts[0].text not in choices:
        found = ", ".join(text.text for text in texts)[:30]
        span = texts[0].span() if texts else statement.span
        meant = MEANT.get(statement.keyword, {}).get(re.sub(r"[ -]+", "_", found.lower()))
        help: str | None = (
            Help(f"did you mean `{meant}`?", (meant,), found) if meant else did_you_mean(found, choices)
        )
        if statement.keyword == "rewards" and help is None:
            from griddsl.syntax.habits.statements import priced_by_rules

            help = priced_by_rules(found)
        names = {each.name for each in builder.lists.get("agents", ())}
        if statement.keyword == "turns" and help is None and {*re.findall(r"\w+", found)} & names:
            help = Help(
                "did you mean `alternate`? one after the other, as `agents` lists them", ("alternate",), found
            )
        if statement.keyword == "contested" and help is None and found in names:
            help = Help("did you mean `first`? it is the one that `agents` lists first", ("first",), found)
        if statement.keyword == "edge" and found.lower() in _BOUNCING:
            help = "nothing bounces by itself: it stays, and a rule hears of it, `on bump edge: ...`"
        if statement.keyword == "edge" and found.lower() in _DEADLY:
            help = "a rule hears who comes up against the border: `on bump edge: end failure`"
        if statement.keyword == "illegal" and help is None:
            paid = "`on do ACTION if not can ACTION: reward -1`"
            help = f"under `illegal: act` it is carried out all the same, and a rule can pay for it: {paid}"
        builder.report.add("syntax", span, found=f"`{found}`", expected=listing(choices), help=help)
        return
    builder.fields[statement.keyword] = texts[0].text


def read_rewards(statement: Statement, builder: Builder) -> None:
    """``rewards: shared, scale 1/10, clip -1..1``: what they mean for the others, and what becomes of each."""
    texts = statement.texts()
    if len(texts) == 1 and not re.match(r"(clip|scale)\b", texts[0].text) and "," not in texts[0].text:
        read_choice(statement, builder)
        return
    for item in items_of(statement, "rewards", builder):
        if isinstance(item, n.RewardChange):
            builder.append("reward_changes", item)
        elif item.name not in CHOICES["rewards"] or "rewards" in builder.fields:
            help = did_you_mean(item.name, (*CHOICES["rewards"], "clip", "scale"))
            expected = listing((*CHOICES["rewards"], "clip -1..1", "scale 1/10"))
            builder.report.add("syntax", item.span, found=f"`{item.name}`", expected=expected, help=help)
        else:
            builder.fields["rewards"] = item.name


def read_order(statement: Statement, builder: Builder) -> None:
    """``order: agents, objects``."""
    order = ", ".join(part.strip() for text in statement.texts() for part in text.text.split(","))
    if order not in ORDERS:
        texts, said = statement.texts(), re.match(r"(agent|player|object|thing|creature)s?\b", order.lower())
        span, help = statement.span, None
        if len(texts) == 1 and said is not None:
            span = texts[0].span()
            meant = ORDERS[0 if said[1] in {"agent", "player"} else 1]
            help = write(meant, ": who moves first stands first", span)
        builder.report.add("syntax", span, found=f"`{order[:30]}`", expected=listing(ORDERS), help=help)
        return
    builder.fields["order"] = order
