"""Makes a toy model for the test of finetune.py: random weights, and a tokenizer learned from the exported data.

    python tiny.py DATA OUT [--template]
"""

import sys
from pathlib import Path

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

TEMPLATE = (
    "{% for m in messages %}[{{ m['role'] }}] {{ m['content'] }}"
    "{% for c in m['tool_calls'] or [] %} CALL {{ c['function'] | tojson }}{% endfor %} [end]\n{% endfor %}"
    "{% if add_generation_prompt %}[assistant] {% endif %}"
)

data, out = Path(sys.argv[1]), sys.argv[2]
words = Tokenizer(models.BPE())
words.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
words.decoder = decoders.ByteLevel()
trainer = trainers.BpeTrainer(vocab_size=600, special_tokens=["<s>", "</s>", "<pad>"], initial_alphabet=pre_tokenizers.ByteLevel.alphabet())
words.train_from_iterator((data / "train.jsonl").read_text(encoding="utf-8").splitlines(), trainer)
tokenizer = PreTrainedTokenizerFast(tokenizer_object=words, bos_token="<s>", eos_token="</s>", pad_token="<pad>")
if "--template" in sys.argv:
    tokenizer.chat_template = TEMPLATE
tokenizer.save_pretrained(out)

torch.manual_seed(0)
LlamaForCausalLM(
    LlamaConfig(vocab_size=len(tokenizer), hidden_size=64, intermediate_size=128, num_hidden_layers=2, num_attention_heads=4, max_position_embeddings=2048)
).save_pretrained(out)
