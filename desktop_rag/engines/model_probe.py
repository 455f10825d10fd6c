"""Finds out what an ONNX model of text that a person adds is, by running it.

A model is never trusted to be what its folder says: its tokenizer and its graph are loaded, and
sentences are put through them.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from desktop_rag.domain.errors import DesktopRagError, ModelDamaged
from desktop_rag.domain.models_of_text import ModelFacts, ModelHints
from desktop_rag.domain.retrieval_rules import DEFAULT_RULES
from desktop_rag.engines.onnx_text import Floats, inputs_for, open_session, pooled, text_output
from desktop_rag.engines.reranker_onnx import OnnxReranker

MAX_TOKENS = 256
"""Of a passage, whatever more a model can read: passages of this size answer best."""
MAX_PAIR_TOKENS = 512
_PASSAGE = (
    "The warranty covers parts and labour for twenty-four months from the day of purchase. It ends "
    "when the seal is broken, when the machine is used outdoors, or when it is sold to someone "
    "else. Repairs do not extend it. Claims are made in writing to the shop that sold the machine."
)
# The same six sentences in each language, without names or numbers that would give them away.
_ENGLISH = (
    "The doctor told me to drink more water.",
    "Our train leaves early in the morning.",
    "The children are playing in the garden.",
    "She bought a new coat for the winter.",
    "The contract ends after one year.",
    "This soup tastes much too salty.",
)
_PARALLEL = {
    "german": (
        "Der Arzt hat mir gesagt, ich soll mehr Wasser trinken.",
        "Unser Zug fährt früh am Morgen ab.",
        "Die Kinder spielen im Garten.",
        "Sie hat für den Winter einen neuen Mantel gekauft.",
        "Der Vertrag endet nach einem Jahr.",
        "Diese Suppe schmeckt viel zu salzig.",
    ),
    "french": (
        "Le médecin m'a dit de boire plus d'eau.",
        "Notre train part tôt le matin.",
        "Les enfants jouent dans le jardin.",
        "Elle a acheté un nouveau manteau pour l'hiver.",
        "Le contrat prend fin au bout d'un an.",
        "Cette soupe est beaucoup trop salée.",
    ),
    "spanish": (
        "El médico me dijo que bebiera más agua.",
        "Nuestro tren sale temprano por la mañana.",
        "Los niños juegan en el jardín.",
        "Ella compró un abrigo nuevo para el invierno.",
        "El contrato termina después de un año.",
        "Esta sopa está demasiado salada.",
    ),
    "russian": (
        "Врач велел мне пить больше воды.",
        "Наш поезд отправляется рано утром.",
        "Дети играют в саду.",
        "Она купила новое пальто на зиму.",
        "Договор заканчивается через год.",
        "Этот суп слишком солёный.",
    ),
    "turkish": (
        "Doktor bana daha çok su içmemi söyledi.",
        "Trenimiz sabah erken kalkıyor.",
        "Çocuklar bahçede oynuyor.",
        "Kış için yeni bir palto aldı.",
        "Sözleşme bir yıl sonra sona eriyor.",
        "Bu çorba çok fazla tuzlu.",
    ),
    "chinese": (
        "医生叫我多喝水。",
        "我们的火车清晨出发。",
        "孩子们在花园里玩。",
        "她买了一件过冬的新大衣。",
        "合同一年后到期。",
        "这汤太咸了。",
    ),
}
_EVERY = len(_PARALLEL)


def probe(folder: Path, hints: ModelHints, threads: int = 1) -> ModelFacts:
    """Load and run the model of a folder with `model.onnx` and `tokenizer.json`.

    Raises:
        ModelDamaged: it does not load, does not run, or gives nothing that search can use.
    """
    try:
        facts = _reranker if hints.is_reranker else _embedder
        return facts(folder, hints, threads)
    except DesktopRagError:
        raise
    except Exception as exc:
        raise ModelDamaged(
            f"{hints.name} is no text model that this program can run "
            f"({str(exc).splitlines()[0][:120] if str(exc) else type(exc).__name__}): "
            "export it to ONNX again, with its tokenizer.json."
        ) from exc


def _reranker(folder: Path, hints: ModelHints, threads: int) -> ModelFacts:
    limit = min(hints.max_tokens or MAX_PAIR_TOKENS, MAX_PAIR_TOKENS)
    reranker = OnnxReranker(folder, threads, limit)
    # Processor time, not the clock: what other programs do meanwhile says nothing of the model.
    begin = time.process_time()
    scores = reranker.score("How long is the warranty?", [_PASSAGE] * DEFAULT_RULES.read_again)
    elapsed_ms = (time.process_time() - begin) * 1000
    if not np.all(np.isfinite(scores)):
        raise ModelDamaged(f"{hints.name} gives no numbers: export it again.")
    return ModelFacts("reranker", 0, limit, "", (), elapsed_ms)


def _embedder(folder: Path, hints: ModelHints, threads: int) -> ModelFacts:
    encoder = _Encoder(folder, hints, threads)
    begin = time.perf_counter()
    vectors = encoder.vectors([hints.passage_prefix + _PASSAGE])
    elapsed_ms = (time.perf_counter() - begin) * 1000
    if vectors.ndim != 2 or not np.all(np.isfinite(vectors)) or not vectors.any():
        raise ModelDamaged(f"{hints.name} gives no vectors for texts: export it again.")
    return ModelFacts(
        role="embedder",
        dimensions=vectors.shape[1],
        max_tokens=encoder.max_tokens,
        pooling=hints.pooling,
        languages=_languages(encoder, hints.passage_prefix),
        elapsed_ms=elapsed_ms,
    )


class _Encoder:
    """Text to unit vectors, one at a time, however the model was exported."""

    def __init__(self, folder: Path, hints: ModelHints, threads: int) -> None:
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        prefixes = (hints.query_prefix, hints.passage_prefix)
        longest = max(len(one.ids) for one in self._tokenizer.encode_batch(list(prefixes)))
        self.max_tokens = min((hints.max_tokens or MAX_TOKENS) - longest, MAX_TOKENS)
        if self.max_tokens < 16:
            raise ModelDamaged(f"{hints.name} reads too few words at a time to be of use.")
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(self.max_tokens + longest)
        self._session = open_session(folder / "model.onnx", threads)
        self._output = text_output(self._session)
        self._pooling = hints.pooling

    def vectors(self, texts: Sequence[str]) -> Floats:
        return np.vstack([self._vector(text) for text in texts])

    def _vector(self, text: str) -> Floats:
        tokens = np.array([self._tokenizer.encode(text).ids], np.int64)
        mask = np.ones_like(tokens)
        found = self._session.run([self._output], inputs_for(self._session, tokens, mask))[0]
        return pooled(np.asarray(found, np.float32), mask, self._pooling)


def _languages(encoder: _Encoder, prefix: str) -> tuple[str, ...]:
    """Languages in which each of six sentences is nearest to its English translation.

    All of them: the model is taken to know every language.
    """
    english = encoder.vectors([prefix + one for one in _ENGLISH])
    known = []
    for name, sentences in _PARALLEL.items():
        cosines = encoder.vectors([prefix + one for one in sentences]) @ english.T
        if np.array_equal(cosines.argmax(axis=1), np.arange(len(_ENGLISH))):
            known.append(name)
    return () if len(known) == _EVERY else ("english", *known)
