"""Signs the checksums with a key of the person who gives the program away.

One signature is enough: who checks it and then the sums has checked every file.
"""

from __future__ import annotations

from release.plan import BuildFailed, Plan, call, said
from release.sums import NAME, SIGNATURE, sums_of

HOW = f"""Nothing is signed. Name a key:

    gpg --quick-generate-key "NAME <ADDRESS>" ed25519 sign 2y
    gpg --list-secret-keys --keyid-format long
    packaging/build.py sign --key FINGERPRINT

Those who get the files check them with

    gpg --verify {SIGNATURE} && sha256sum -c {NAME}"""


def run(plan: Plan) -> None:
    """Write the detached signature and check it.

    Raises:
        BuildFailed: no key is named or it is not there, the sums are missing or of other files.
    """
    if not plan.key:
        raise BuildFailed(HOW)
    if not said(["gpg", "--list-secret-keys", plan.key]):
        raise BuildFailed(f"gpg has no secret key {plan.key!r}.\n\n{HOW}")
    check_sums(plan)
    signature = plan.out / SIGNATURE
    call(
        [
            "gpg", "--batch", "--yes", "--detach-sign", "--armor", "--local-user", plan.key,
            "--output", signature, plan.out / NAME,
        ]
    )  # fmt: skip
    call(["gpg", "--batch", "--verify", signature, plan.out / NAME])


def check_sums(plan: Plan) -> None:
    """They are signed only when they are those of the files that lie there now.

    Raises:
        BuildFailed: they are not.
    """
    sums = plan.out / NAME
    text = sums.read_text(encoding="utf-8") if sums.exists() else ""
    if not text or text != sums_of(plan.out):
        raise BuildFailed(f"{sums} is not of the files beside it: run the step `sums` first.")
