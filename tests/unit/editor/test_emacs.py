"""The language server in a real editor: Emacs by Eglot, without a window, set up as `editors/emacs.md` says."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="pygls is not installed")

PAGE = Path(__file__).parents[3] / "editors" / "emacs.md"
SPEC = """\
env: a/B-v0
map:
    @..G
legend: G = goal
actions: left,right
observe: cell
on enter gaol: end success
limit: 9 steps
"""
SCRIPT = """
(package-initialize)
(unless (require 'eglot nil t) (message "NONE") (kill-emacs 0))
{setup}
(setf (alist-get 'grid-mode eglot-server-programs) '({python} "-P" "-m" "griddsl" "lsp"))
(setq eglot-sync-connect 60 eglot-autoshutdown nil)
(defun wait (holds) (let ((n 0)) (while (and (< n 400) (not (funcall holds))) (accept-process-output nil 0.1) (setq n (1+ n)))))
(remove-hook 'grid-mode-hook #'eglot-ensure)
(find-file {file})
(call-interactively #'eglot)
(wait #'flymake-diagnostics)
(let ((found (car (flymake-diagnostics))))
  (goto-char (flymake-diagnostic-beg found))
  (message "LINE %d" (line-number-at-pos))
  (message "SAID %s" (flymake-diagnostic-text found)))
(let ((fix (seq-find (lambda (each) (plist-get each :isPreferred))
                     (append (eglot-code-actions (point) (point) "quickfix") nil))))
  (message "FIX %s" (plist-get fix :title))
  (eglot--apply-workspace-edit (plist-get fix :edit)))
(eglot-format-buffer) ; which also sends the change at once: nobody is idle in a batch
(wait (lambda () (null (flymake-diagnostics))))
(message "LEFT %d" (length (flymake-diagnostics)))
(save-buffer)
"""


@pytest.mark.skipif(
    shutil.which("emacs") is None, reason="Emacs is not installed: apt-get install emacs-nox elpa-eglot"
)
def test_emacs__shows_an_error_applies_its_fix_and_lays_out(tmp_path: Path) -> None:
    """By the page's own lines a file with an error is opened; it is told, mended and laid out."""
    file, script = tmp_path / "game.grid", tmp_path / "script.el"
    file.write_text(SPEC)
    setup = re.findall(r"```elisp\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[0]
    script.write_text(
        SCRIPT.format(setup=setup, python=json.dumps(sys.executable), file=json.dumps(str(file)))
    )
    done = subprocess.run(
        ["emacs", "--batch", "-q", "-l", str(script)],
        cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    if "NONE" in done.stderr:
        pytest.skip("Eglot is not installed: apt-get install elpa-eglot")
    said = [line for line in done.stderr.splitlines() if re.match(r"LINE|SAID|FIX|LEFT", line)]
    assert said[0] == "LINE 7" and "`gaol` is named only here" in said[1], done.stderr[-2000:]
    assert said[2:] == ["FIX Write `goal`", "LEFT 0"], done.stderr[-2000:]
    mended = SPEC.replace("gaol", "goal").replace("left,right", "left, right")
    assert file.read_text() == mended
