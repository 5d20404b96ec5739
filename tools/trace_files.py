"""Count the files of veracity that one question enters, from the call to the printed answer.

    python tools/trace_files.py            # all questions
    python tools/trace_files.py score run  # some of them, with the names of the files

Each question is asked twice and counted the second time, as importing a module runs its decorators.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
CANCER = str(ROOT / "examples" / "cancer.csv")
COLUMNS = ("--truth", "y", "--positive", "malignant")
STUDY = """seed = 7
by = "repeated_kfold(k=5, repeats=2)"
scores = ["error"]
[data]
wine = "sklearn:load_wine"
iris = "sklearn:load_iris"
[learners]
bayes = "sklearn.naive_bayes:GaussianNB"
tree = "sklearn.tree:DecisionTreeClassifier"
"""


def entered_files(call: Callable[[], Any]) -> list[str]:
    """Return the files of the package whose functions run during a call, in the order in which they are entered."""
    files: dict[str, None] = {}
    package = str(ROOT / "veracity") + os.sep

    def profile(frame: Any, event: str, _: Any) -> None:
        name = frame.f_code.co_filename
        if event == "call" and name.startswith(package) and frame.f_code.co_name != "<module>":
            files.setdefault(name.removeprefix(package))

    sys.setprofile(profile)
    threading.setprofile(profile)  # a workbench answers in threads
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            call()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return list(files)


def command(*words: str) -> None:
    """Run a command as the shell does, without ending the process."""
    from veracity.cli.main import cli

    with contextlib.suppress(SystemExit):
        cli.main(list(words), standalone_mode=False)


def questions(folder: Path) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield each question by its name; commands of results read the store that `run` has made."""
    import veracity as vc

    (folder / "study.toml").write_text(STUDY)
    study, store = str(folder / "study.toml"), str(folder / "results.db")
    yield "score", lambda: command("score", CANCER, *COLUMNS, "--proba", "p_logit", "auc")
    yield "compare of models", lambda: command("compare", CANCER, *COLUMNS, "--proba", "p_logit", "--proba", "p_tree")
    yield "run", lambda: command("run", study, "--store", store)
    yield "estimate", lambda: command("estimate", store, "error")
    yield "compare of runs", lambda: command("compare", store, "error", "--data", "wine")
    yield "vc.compare of runs", lambda: vc.compare(vc.read_runs(store), "error", data="wine")
    yield "rank", lambda: command("rank", store, "error")
    yield "workbench view", lambda: workbench_view(folder)


def workbench_view(folder: Path) -> None:
    """Ask a workbench over a folder for the ranking of its study."""
    from starlette.testclient import TestClient

    from veracity.web.app import make_app
    from veracity.web.asked import Bench
    from veracity.web.guard import Rules
    from veracity.web.places import folder_of

    app = make_app(Bench(folder_of(str(folder))), Rules("t", 80, hosts=("testserver",)))
    with TestClient(app, headers={"authorization": "Bearer t"}) as client:
        client.get("/study/results.db/analyse?view=estimates&score=error")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        for name, ask in questions(Path(place)):
            entered_files(ask)
            files = entered_files(ask)
            if not sys.argv[1:] or name in sys.argv[1:]:
                print(f"{name}: {len(files)} files")
                if sys.argv[1:]:
                    print("   ", "\n    ".join(files))
