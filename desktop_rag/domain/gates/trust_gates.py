"""Gates of what answers owe, and of what stays private."""

from __future__ import annotations

from desktop_rag.domain.gates.gate import Gate, Severity, fact
from desktop_rag.domain.retrieval_plan import Citations

TRUST_GATES = (
    Gate(
        "citations",
        "Answers say where their statements stand.",
        "A statement nobody can look up is a rumour.",
        Severity.ERROR,
        ("answers.citations",),
        fact(
            lambda plan: (
                None if plan.answers.citations is None else plan.answers.citations != Citations.NONE
            ),
            "Answers name their sources.",
            "Answers name no sources.",
        ),
        "Have the model number its sources, and print them.",
        "Reinstall the program; this is built in.",
    ),
    Gate(
        "citations-checked",
        "Statements are checked against the sources they name.",
        "Models cite with confidence what does not stand there.",
        Severity.WARNING,
        ("answers.citations",),
        fact(
            lambda plan: (
                None
                if plan.answers.citations is None
                else plan.answers.citations is Citations.CHECKED
            ),
            "Statements are checked against their sources.",
            "Nobody checks whether the sources say so.",
        ),
        "Compare each statement with its source, and mark what it does not bear out.",
        "Reinstall the program; this is built in.",
    ),
    Gate(
        "not-found",
        "It is said so when the documents do not hold the answer.",
        "Otherwise the model invents one.",
        Severity.ERROR,
        ("answers.says_not_found",),
        fact(
            lambda plan: plan.answers.says_not_found,
            "Nothing found is said, not papered over.",
            "The model answers whatever was found.",
        ),
        "Ask no model when the best passages are below a score that you measured.",
        "Take the choice of other rules back.",
    ),
    Gate(
        "telemetry",
        "Nobody is told how the program is used.",
        "Questions give away as much as documents.",
        Severity.ERROR,
        ("safety.telemetry",),
        fact(
            lambda plan: plan.safety.telemetry,
            "Usage is reported.",
            "Nothing is reported to anybody.",
            wanted=False,
        ),
        "Switch telemetry off, also that of the libraries.",
        "Reinstall the program; it has none.",
    ),
    Gate(
        "local",
        "Documents and questions stay on the computer.",
        "What left it once is out of your hands.",
        Severity.ERROR,
        ("safety.local_only",),
        fact(
            lambda plan: plan.safety.local_only,
            "Nothing leaves the computer.",
            "Documents or questions leave the computer.",
        ),
        "Run embedder, re-ranker and language model on the computer itself.",
        "Reinstall the program; it asks nobody.",
    ),
    Gate(
        "private-folder",
        "Only its owner can read the library's folder.",
        "The library holds the text of all documents.",
        Severity.INFO,
        ("safety.private_folder",),
        fact(
            lambda plan: plan.safety.private_folder,
            "Only its owner can read it.",
            "Other people who use this computer can read it.",
        ),
        "Take the rights of group and others from the index folder.",
        "Run `desktop-rag doctor`; it names the command.",
    ),
)
