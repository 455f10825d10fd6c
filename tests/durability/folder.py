"""A folder of documents that changes by dice: created, edited, replaced, renamed, deleted."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

_WORDS = """
harbour lamp oil winter boat pump valve invoice letter garden apple river engine wheel copper glass
meeting budget report river stone bridge signal market window violin planet ticket saddle orchard
""".split()  # noqa: SIM905 - a list of words reads better as words
_SUFFIXES = (".md", ".txt", ".html", ".csv")


class ChangingFolder:
    """Documents of three to twelve paragraphs. The same seed gives the same history."""

    def __init__(self, root: Path, seed: int, files: int = 12, *, has_scans: bool = False) -> None:
        self.root = root
        self._has_scans = has_scans
        self._dice = random.Random(seed)
        self._made = 0
        (root / "sub").mkdir(parents=True, exist_ok=True)
        for _ in range(files):
            self._create()

    def change(self) -> None:
        """One random change."""
        files = self._files()
        changes = [self._create, self._copy]
        if len(files) > 4:
            changes += [self._edit, self._edit, self._replace, self._rename, self._delete]
        self._dice.choice(changes)()

    def _files(self) -> list[Path]:
        return sorted(path for path in self.root.rglob("*") if path.is_file())

    def _new_path(self) -> Path:
        self._made += 1
        parent = self._dice.choice([self.root, self.root / "sub"])
        return parent / f"file-{self._made:04}{self._dice.choice(_SUFFIXES)}"

    def _create(self) -> None:
        path = self._new_path()
        if self._has_scans and self._dice.random() < 0.2:
            self._scan(path.with_suffix(".png"))
            return
        path.write_text(self._text(path.suffix), encoding="utf-8")

    def _scan(self, path: Path) -> None:
        """A picture of two lines of text."""
        from PIL import Image, ImageDraw, ImageFont

        picture = Image.new("L", (900, 200), 255)
        font = ImageFont.load_default(size=36)
        for line in range(2):
            words = " ".join(self._dice.choices(_WORDS, k=5))
            ImageDraw.Draw(picture).text((40, 40 + 60 * line), words, fill=0, font=font)
        picture.save(path)

    def _copy(self) -> None:
        source, target = self._dice.choice(self._files()), self._new_path()
        shutil.copyfile(source, target.with_suffix(source.suffix))

    def _edit(self) -> None:
        path = self._dice.choice(self._files())
        if path.suffix == ".png":
            self._scan(path)
            return
        text = path.read_text(encoding="utf-8")
        path.write_text(f"{text}\n{self._paragraph(path.suffix)}\n", encoding="utf-8")

    def _replace(self) -> None:
        """As careful programs save: another file takes its name."""
        path = self._dice.choice([one for one in self._files() if one.suffix != ".png"])
        partial = path.with_name(f".{path.name}.tmp")
        partial.write_text(self._text(path.suffix), encoding="utf-8")
        partial.replace(path)

    def _rename(self) -> None:
        # A file without a title has its name for one, and a renamed file is not read again.
        titled = [path for path in self._files() if path.suffix in (".md", ".html")]
        if titled:
            path, target = self._dice.choice(titled), self._new_path()
            path.rename(target.with_suffix(path.suffix))

    def _delete(self) -> None:
        self._dice.choice(self._files()).unlink()

    def _text(self, suffix: str) -> str:
        body = "\n\n".join(self._paragraph(suffix) for _ in range(self._dice.randint(3, 12)))
        title = " ".join(self._dice.choices(_WORDS, k=3))
        if suffix == ".html":
            return f"<html><body><h1>{title}</h1>{body}</body></html>"
        if suffix == ".csv":
            return f"name,place,sum\n{body}"
        return f"# {title}\n\n{body}"

    def _paragraph(self, suffix: str) -> str:
        if suffix == ".csv":
            return ",".join(self._dice.choices(_WORDS, k=2)) + f",{self._dice.randint(1, 999)}"
        sentence = " ".join(self._dice.choices(_WORDS, k=self._dice.randint(20, 60)))
        number = self._dice.randint(1, 10**6)
        text = f"{sentence.capitalize()}, number {number}."
        return f"<p>{text}</p>" if suffix == ".html" else text
