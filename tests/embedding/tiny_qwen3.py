"""A random model in the shape of Qwen3-Embedding, small enough to be written and loaded by a test."""

import json
from pathlib import Path

import torch
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3Model

DIMENSION = 32
WINDOW = 32_768
END = "<|endoftext|>"
PROMPTS = {"query": "Instruct: find what answers it\nQuery:", "document": ""}
TEXT = [
    "Trees cool the streets of a city.",
    "高铁把城市连接起来。",
    "A bicycle has two wheels, and a history.",
    "茶叶的历史",
]


def tokenizer() -> PreTrainedTokenizerFast:
    """Byte-level BPE that composes, pads on the left and puts a mark at the end, like the model's own."""
    made = Tokenizer(models.BPE())
    made.normalizer = normalizers.NFC()
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=320,
        special_tokens=[END],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    made.train_from_iterator(TEXT, trainer)
    made.post_processor = processors.TemplateProcessing(single=f"$A {END}", special_tokens=[(END, 0)])
    return PreTrainedTokenizerFast(  # type: ignore[no-untyped-call]  # the library leaves it without types
        tokenizer_object=made, eos_token=END, pad_token=END, padding_side="left", model_max_length=4 * WINDOW
    )


def write(folder: Path, default_prompt: str | None = None, normalize: bool = True) -> Path:
    """Write the model as sentence-transformers stores one: weights in bfloat16, prompts in the configuration."""
    folder.mkdir()
    words = tokenizer()
    words.save_pretrained(folder)
    torch.manual_seed(0)
    config = Qwen3Config(
        vocab_size=len(words),
        hidden_size=DIMENSION,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        head_dim=8,
        max_position_embeddings=WINDOW,
    )
    Qwen3Model(config).bfloat16().save_pretrained(folder)
    kinds = ["Transformer", "Pooling", "Normalize"][: 3 if normalize else 2]
    places = ["", "1_Pooling", "2_Normalize"]
    modules = [
        {"idx": number, "name": str(number), "path": places[number], "type": f"sentence_transformers.models.{kind}"}
        for number, kind in enumerate(kinds)
    ]
    (folder / "1_Pooling").mkdir()
    stored = {
        "modules.json": modules,
        "config_sentence_transformers.json": {"prompts": PROMPTS, "default_prompt_name": default_prompt},
        "1_Pooling/config.json": {
            "word_embedding_dimension": DIMENSION,
            "pooling_mode_mean_tokens": False,
            "pooling_mode_lasttoken": True,
            "include_prompt": True,
        },
    }
    for name, content in stored.items():
        (folder / name).write_text(json.dumps(content), encoding="utf-8")
    return folder
