"""Completion in shells, asked as the shells ask."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from griddsl.cli.app import SHELLS, app, before_verbs
from griddsl.cli.completion import SCRIPTS, answer, candidates, install
from griddsl.cli.verbs import VERBS

ROOT = Path(__file__).parents[3]


def _after(line: str) -> list[str]:
    """Return the candidates for the end of a line."""
    return [each.partition("\t")[0] for each in answer("fish", line, before_verbs).split("\n") if each]


@pytest.fixture(autouse=True)
def _in_the_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def test_completion__knows_verbs_and_options() -> None:
    """At the start stand the verbs, behind `-` the options, each once unless it may repeat."""
    assert _after("griddsl ") == [verb.name for verb in VERBS]
    assert _after("griddsl exp") == ["export", "explain"]
    assert _after("griddsl --v") == ["--version"]
    assert "--strict" in _after("griddsl check a.grid --")
    assert "--strict" not in _after("griddsl check a.grid --strict --")
    assert "--param" in _after("griddsl run a.grid --param a=1 --")
    assert _after("griddsl check --format ") == ["text", "json", "github", "sarif"]
    assert _after("griddsl check --format=j") == ["--format=json"]
    assert "dead-states" in _after("griddsl check --fail-on d")
    assert _after("griddsl nothing ") == []
    assert tuple(SCRIPTS) == SHELLS


def test_completion__knows_ids_and_files() -> None:
    """Where a spec stands: ids, short or with their namespace, and files that end like one."""
    assert _after("griddsl run CliffW") == ["CliffWalking", "CliffWorldTutorial"]
    assert _after("griddsl run griddsl/CliffWalking") == ["griddsl/CliffWalking-v0"]
    assert _after("griddsl check specs/cliff_walking") == ["specs/cliff_walking.grid"]
    assert "specs/" in _after("griddsl check CliffWalking spe")
    assert _after("griddsl show CliffWalking -o doc") == ["docs/"]
    assert _after("griddsl run CliffWalking ") == []


def test_completion__knows_what_a_spec_offers() -> None:
    """Parameters with their words, levels, and actions come from the spec that the line names."""
    assert _after("griddsl run FrozenLake --param ") == ["slippery=", "success_rate="]
    assert _after("griddsl run FrozenLake --param slippery=f") == ["slippery=false"]
    assert _after("griddsl run specs/frozen_lake.grid --level ") == ["4x4", "8x8", "random"]
    assert _after("griddsl run FrozenLake --actions up,l") == ["up,left"]
    with pytest.raises(ValueError, match="no spec"):
        answer("fish", "griddsl run NoSuchSpec --param ", before_verbs)


def test_completion__covers_every_verb() -> None:
    """For each verb the options are found, and where it takes a spec, specs are."""
    for verb in VERBS:
        assert "--help" in _after(f"griddsl {verb.name} --"), verb.name
        if verb.name in {"run", "check", "fmt", "convert", "export", "show", "solve", "explain", "bench"}:
            assert "CliffWalking" in _after(f"griddsl {verb.name} Cliff"), verb.name


def test_answer__is_in_the_form_of_each_shell() -> None:
    """Bash replaces what follows `=`; zsh and fish are told what a candidate means."""
    assert answer("bash", "griddsl run FrozenLake --param slippery=", before_verbs) == "true\nfalse"
    assert answer("zsh", "griddsl sho", before_verbs) == "show:" + next(
        verb.summary for verb in VERBS if verb.name == "show"
    )
    assert answer("fish", "griddsl ru", before_verbs).startswith("run\tPlay")
    assert list(candidates(["run", "it's"], before_verbs)) == []
    assert answer("bash", 'griddsl run "a b', before_verbs) == ""


def test_asking__never_fails(tmp_path: Path) -> None:
    """What cannot be completed is answered by nothing, without a word on standard error."""
    for line in (
        "",
        "griddsl run NoSuchSpec --param ",
        'griddsl run "',
        "griddsl run /root/none/",
        "\0"[:0] + "x y z ",
    ):
        done = subprocess.run(
            [sys.executable, "-m", "griddsl", line],
            env={**os.environ, "_GRIDDSL_COMPLETE": "fish"},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stderr == ""


def test_install__writes_each_script_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The script lies where the shell finds it; doing it twice changes nothing more."""
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    for name in ("XDG_CONFIG_HOME", "ZDOTDIR"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / ".bashrc").write_text("alias ll='ls -l'")
    for shell in SCRIPTS:
        assert install(shell).read_text() == SCRIPTS[shell]
    settings = [(tmp_path / name).read_text() for name in (".bashrc", ".zshrc")]
    assert settings[0].startswith("alias ll='ls -l'\nsource ")
    for shell in SCRIPTS:
        install(shell)
    assert settings == [(tmp_path / name).read_text() for name in (".bashrc", ".zshrc")]


def test_options__install_and_show(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`--install-completion` takes the user's shell or the one that is named, and refuses others in words."""
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.setenv("SHELL", "/bin/bash")
    assert CliRunner().invoke(app, ["--install-completion"]).exit_code == 0
    assert (tmp_path / ".bash_completions" / "griddsl.sh").is_file()
    shown = CliRunner().invoke(app, ["--show-completion", "--shell", "zsh"])
    assert shown.stdout == SCRIPTS["zsh"]
    refused = CliRunner().invoke(app, ["--install-completion", "--shell", "tcsh"])
    assert refused.exit_code == 2
    assert "--shell NAME" in refused.stderr
    bare = CliRunner().invoke(app, ["--install-completion", "fish"])
    assert bare.exit_code == 2 and "`--install-completion --shell fish` names the shell" in bare.stderr


def _path_with_griddsl(folder: Path) -> str:
    command = folder / "griddsl"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m griddsl "$@"\n')
    command.chmod(0o755)
    return f"{folder}:{os.environ['PATH']}"


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash__completes(tmp_path: Path) -> None:
    """Bash itself, with the script that is installed, completes a parameter's value behind `=`."""
    lines = {"griddsl run FrozenLake --param slippery=f": "false", "griddsl expl": "explain"}
    for line, expected in lines.items():
        ask = f"{SCRIPTS['bash']}\nCOMP_LINE='{line}' COMP_POINT={len(line)}\n_griddsl_completion griddsl\n"
        done = subprocess.run(
            ["bash", "--norc", "-c", ask + 'printf "%s\\n" "${COMPREPLY[@]}"'],
            env={**os.environ, "PATH": _path_with_griddsl(tmp_path)},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.split() == [expected]


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
def test_fish__completes(tmp_path: Path) -> None:
    """Fish itself, with the script that is installed, shows verbs with what they do."""
    done = subprocess.run(
        ["fish", "--no-config", "-c", f'{SCRIPTS["fish"]}complete -C "griddsl expl"'],
        env={**os.environ, "PATH": _path_with_griddsl(tmp_path), "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("explain\tSay")


@pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is not installed")
def test_zsh__completes(tmp_path: Path) -> None:
    """Zsh itself reads the script, which hands its completion system verbs with what they do."""
    script = tmp_path / "_griddsl"
    script.write_text(SCRIPTS["zsh"])
    stubs = 'compdef() { :; }; _describe() { print -rl -- "${(@P)2}" "$3"; }'
    for line, expected in {
        "griddsl expl": "explain:Say",
        "griddsl run FrozenLake --param sl": "slippery=:true\n-S",
    }.items():
        done = subprocess.run(
            ["zsh", "-f", "-c", f"{stubs}; source {script}; LBUFFER='{line}'; _griddsl"],
            env={**os.environ, "PATH": _path_with_griddsl(tmp_path), "HOME": str(tmp_path)},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.startswith(expected)
