"""What was removed for the eye and may still be taken back, by the bar or by adding it again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

What = Callable[[Sequence[Path]], None]
Offer = Callable[[str, Callable[[], None], Callable[[], None]], None]


class Leaving:
    """Files and folders on their way out of the library.

    Whoever adds one again before the offer to undo has passed wants it kept: without this it would
    be said to be there already, and be removed a few seconds later.
    """

    def __init__(self, offer: Offer) -> None:
        """`offer` is `Page.undo_offered`."""
        self._offer = offer
        self._paths: dict[Path, What] = {}

    def remove(
        self, sentence: str, paths: Sequence[Path], undo: What, commit: What, bring_back: What
    ) -> None:
        """Offer to undo: `undo` or `commit` gets those of `paths` that were not kept, maybe none.

        `bring_back` shows those that are kept.
        """

        def settle(do: What) -> None:
            do([one for one in paths if self._paths.pop(one, None)])

        # The bar carries out what it offered before: that comes first.
        self._offer(sentence, lambda: settle(undo), lambda: settle(commit))
        self._paths.update(dict.fromkeys(paths, bring_back))

    def keep(self, wanted: Sequence[str]) -> None:
        """These are wanted in the library: bring back what they are, lie in, or hold."""
        if not self._paths:
            return
        asked = {Path(one) for one in wanted}
        around = asked.union(*(one.parents for one in asked))
        back: dict[What, list[Path]] = {}
        for path, bring_back in self._paths.items():
            if path in around or not asked.isdisjoint(path.parents):
                back.setdefault(bring_back, []).append(path)
        for bring_back, paths in back.items():
            for path in paths:
                del self._paths[path]
            bring_back(paths)
