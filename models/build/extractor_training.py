"""Teaches a re-ranker to point at answers.

Where it starts: `cross-encoder/ms-marco-MiniLM-L-12-v2` already reads question and passage together
(Reimers & Gurevych; MiniLM: Wang et al., NeurIPS 2020). The package has it quantised to int8; the
weights are multiplied out again, which keeps the rounding of that quantisation: training goes on
from there. Its head, one score a passage, is replaced by two, begin and end of the answer, which
start at random (Devlin et al., NAACL 2019, section 4.2). A question without an answer is taught to
point at the first token, `[CLS]` (section 4.3).

Word vectors and the lowest five layers stay as they are: on two cores that saves a third of the
time, and what they know is of language, not of the task.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
import torch
from extractor_figures import answer_tokens, pair_tokenizer
from extractor_questions import Example
from onnx import numpy_helper
from tokenizers import Tokenizer
from transformers import BertConfig, BertForQuestionAnswering

LAYERS, FROZEN_LAYERS = 12, 5
BATCH, BATCHES_A_POOL = 16, 40
LEARNING_RATE, HEAD_FACTOR, WEIGHT_DECAY = 1e-4, 5, 0.01
WARM_UP, LOWEST_RATE = 0.05, 0.02
"""Shares of all steps and of the learning rate."""
THREADS = 2


@dataclass(frozen=True, slots=True)
class Row:
    """An example in tokens. `first` and `last` are the answer's, or 0: `[CLS]`."""

    ids: list[int]
    types: list[int]
    first: int
    last: int


def trained_reader(weights: Path, examples: Sequence[Example]) -> BertForQuestionAnswering:
    """A model that was taught with the examples once, in the order they have here."""
    torch.set_num_threads(THREADS)
    torch.manual_seed(0)
    reader = new_reader()
    load_start(reader, weights / "model.onnx")
    freeze(reader)
    rows = rows_of(examples, pair_tokenizer(weights / "tokenizer.json"))
    teach(reader, batches_of(rows))
    return reader.eval()


def reader_from(checkpoint: Path) -> BertForQuestionAnswering:
    """A model that was taught before: its state dict, with the names transformers gives."""
    reader = new_reader()
    reader.load_state_dict(torch.load(checkpoint, map_location="cpu", weights_only=True))
    return reader.eval()


def new_reader() -> BertForQuestionAnswering:
    """The model with random weights. Without dropout: one pass over the data does not overfit."""
    shape = BertConfig(
        hidden_size=384,
        num_hidden_layers=LAYERS,
        num_attention_heads=12,
        intermediate_size=1536,
        hidden_dropout_prob=0,
        attention_probs_dropout_prob=0,
    )
    return BertForQuestionAnswering(shape)


def load_start(reader: BertForQuestionAnswering, graph: Path) -> None:
    """Put the re-ranker's weights under the new head.

    Raises:
        SystemExit: a weight of the body is missing.
    """
    result = reader.load_state_dict(dequantised(graph), strict=False)
    if sorted(result.missing_keys) != ["qa_outputs.bias", "qa_outputs.weight"]:
        raise SystemExit(f"{graph} lacks weights: {', '.join(result.missing_keys)}")


def dequantised(graph: Path) -> dict[str, torch.Tensor]:
    """The weights of a graph that onnxruntime quantised to int8, in fp32, by transformers' names.

    Matrices stand in MatMulInteger, which multiplies from the other side than PyTorch and is named
    after its layer; word vectors in DequantizeLinear; the rest was never quantised.
    """
    model = onnx.load(str(graph))
    stored = {one.name: numpy_helper.to_array(one) for one in model.graph.initializer}
    found = {name: values for name, values in stored.items() if _is_plain(name)}
    for node in model.graph.node:
        if node.op_type == "MatMulInteger":
            layer = node.name[1:].replace("/MatMul_quant", "").replace("/", ".")
            found[f"{layer}.weight"] = _product(stored, node.input[1].removesuffix("_quantized")).T
        elif node.op_type == "DequantizeLinear":
            name = node.input[1].removesuffix("_scale")
            found[name] = _product(stored, name)
    return {
        name: torch.tensor(np.ascontiguousarray(values, dtype=np.float32))
        for name, values in found.items()
    }


def _is_plain(name: str) -> bool:
    parts = ("_quantized", "_scale", "_zero_point")
    return name.startswith("bert.") and not any(part in name for part in parts)


def _product(stored: dict[str, np.ndarray], name: str) -> np.ndarray:
    values, zero = (
        stored[f"{name}{part}"].astype(np.float32) for part in ("_quantized", "_zero_point")
    )
    return (values - zero) * stored[f"{name}_scale"]


def freeze(reader: BertForQuestionAnswering) -> None:
    """Exclude word vectors and the lowest layers from training."""
    layers = reader.bert.encoder.layer[:FROZEN_LAYERS]
    for part in (reader.bert.embeddings, *layers):
        part.requires_grad_(requires_grad=False)


def rows_of(examples: Sequence[Example], tokenizer: Tokenizer) -> list[Row]:
    """Examples in tokens; those whose answer was cut off are left out."""
    rows = []
    for example in examples:
        encoding = tokenizer.encode(example.question, example.text)
        place = (0, 0)
        if example.is_answered:
            found = answer_tokens(encoding, example.start, example.end)
            if found is None:
                continue
            place = found
        rows.append(Row(encoding.ids, encoding.type_ids, *place))
    return rows


def batches_of(rows: Sequence[Row]) -> list[list[Row]]:
    """Batches of rows of similar length, so that little is padded; in random order."""
    dice, rows, batches = random.Random(0), list(rows), []
    dice.shuffle(rows)
    step = BATCH * BATCHES_A_POOL
    for start in range(0, len(rows), step):
        pool = sorted(rows[start : start + step], key=lambda row: len(row.ids))
        some = [pool[place : place + BATCH] for place in range(0, len(pool), BATCH)]
        dice.shuffle(some)
        batches += some
    return batches


def teach(reader: BertForQuestionAnswering, batches: Sequence[Sequence[Row]]) -> None:
    """One pass of AdamW over all batches, in bfloat16 where PyTorch thinks it safe."""
    reader.train()
    taught = [one for one in reader.parameters() if one.requires_grad]
    optimiser, schedule = steps_for(reader, len(batches))
    began, mean = time.monotonic(), None
    for number, batch in enumerate(batches, 1):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            loss = reader(**tensors(batch)).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(taught, 1.0)
        optimiser.step()
        schedule.step()
        optimiser.zero_grad()
        mean = loss.item() if mean is None else 0.98 * mean + 0.02 * loss.item()
        if number % 50 == 0 or number == len(batches):
            print(
                f"{number}/{len(batches)} loss {mean:.3f} {time.monotonic() - began:.0f} s",
                flush=True,
            )


def steps_for(
    reader: BertForQuestionAnswering, steps: int
) -> tuple[torch.optim.Optimizer, torch.optim.lr_scheduler.LRScheduler]:
    """AdamW with a faster head; the rate rises over the first steps, then falls in a line."""
    head = list(reader.qa_outputs.parameters())
    body = [one for one in reader.bert.parameters() if one.requires_grad]
    groups = [
        {"params": body, "lr": LEARNING_RATE},
        {"params": head, "lr": LEARNING_RATE * HEAD_FACTOR},
    ]
    optimiser = torch.optim.AdamW(groups, weight_decay=WEIGHT_DECAY)

    def rate(step: int) -> float:
        return min(1.0, (step + 1) / (WARM_UP * steps)) * max(LOWEST_RATE, 1 - step / steps)

    return optimiser, torch.optim.lr_scheduler.LambdaLR(optimiser, rate)


def tensors(batch: Sequence[Row]) -> dict[str, torch.Tensor]:
    """What the model takes: ids, mask and types (rows, longest), answers (rows,)."""
    ids = torch.nn.utils.rnn.pad_sequence([torch.tensor(r.ids) for r in batch], batch_first=True)
    types = torch.nn.utils.rnn.pad_sequence(
        [torch.tensor(r.types) for r in batch], batch_first=True
    )
    lengths = torch.tensor([len(r.ids) for r in batch])
    return {
        "input_ids": ids,
        "attention_mask": (torch.arange(ids.shape[1]) < lengths[:, None]).long(),
        "token_type_ids": types,
        "start_positions": torch.tensor([r.first for r in batch]),
        "end_positions": torch.tensor([r.last for r in batch]),
    }
