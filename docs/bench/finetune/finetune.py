"""LoRA fine-tuning of a causal language model on exported runs, on one GPU or on a CPU.

    findspot runs export --to data --validation 0.1 runs
    python finetune.py --model MODEL --data data --out adapter

Input is the format openai-chat. Only what the assistant said is learned from: text and tool calls. Prints one line of JSON
for each epoch and one at the end. MODEL is a folder of the transformers form, or a name that transformers resolves.
"""

import argparse
import json
import math
import random
import sys
from pathlib import Path

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from transformers import AutoModelForCausalLM, AutoTokenizer

IGNORED = -100  # the label that transformers leaves out of the loss


def turns(example):
    """The parts of a conversation as (text, learned), for models without a chat template or with one that hides tools."""
    if example.get("tools"):
        yield "<|tools|>\n" + json.dumps(example["tools"], ensure_ascii=False) + "\n", False
    for m in example["messages"]:
        text = m.get("content") or ""
        for call in m.get("tool_calls", []):
            text += "\n<tool_call>" + json.dumps(call["function"], ensure_ascii=False) + "</tool_call>"
        yield f"<|{m['role']}|>\n", False
        yield text.strip("\n") + "\n<|end|>\n", m["role"] == "assistant"


def by_template(tokenizer, example):
    """Tokens and labels with the model's own template: what each assistant message adds to the messages before it is learned."""
    messages = []
    for m in example["messages"]:
        m = {k: v for k, v in m.items() if v is not None}
        m.setdefault("content", "")
        for call in m.get("tool_calls", []):  # templates write arguments as JSON themselves
            call["function"]["arguments"] = json.loads(call["function"]["arguments"])
        messages.append(m)
    extra = {"tools": example["tools"]} if example.get("tools") else {}

    def render(n, prompt=False):
        return tokenizer.apply_chat_template(messages[:n], tokenize=False, add_generation_prompt=prompt, **extra)

    ids, labels, done = [], [], ""
    for i, m in enumerate(messages):
        if m["role"] != "assistant":
            continue
        before, after = render(i, prompt=True), render(i + 1)
        if not (before.startswith(done) and after.startswith(before)):
            return None  # the template rewrites what was said before
        for text, learned in ((before[len(done):], False), (after[len(before):], True)):
            new = tokenizer(text, add_special_tokens=False)["input_ids"]
            ids += new
            labels += new if learned else [IGNORED] * len(new)
        done = after
    return ids, labels


def encode(tokenizer, example, template):
    pair = by_template(tokenizer, json.loads(json.dumps(example))) if template else None
    if pair:
        return pair
    ids, labels = [], []
    if tokenizer.bos_token_id is not None:
        ids, labels = [tokenizer.bos_token_id], [IGNORED]
    for text, learned in turns(example):
        new = tokenizer(text, add_special_tokens=False)["input_ids"]
        ids += new
        labels += new if learned else [IGNORED] * len(new)
    return ids, labels


def load(path, tokenizer, template, longest):
    """Examples of a file. Those too long are left out, as their end, which counts most, would be cut off."""
    out, too_long = [], 0
    if not path.exists():
        return out, too_long
    with path.open(encoding="utf-8") as lines:
        for n, line in enumerate(lines, 1):
            try:
                ids, labels = encode(tokenizer, json.loads(line), template)
            except (ValueError, KeyError, TypeError) as e:
                sys.exit(f"{path}: line {n}: {e!r}: export it with --format openai-chat")
            if len(ids) > longest:
                too_long += 1
            elif any(label != IGNORED for label in labels):
                out.append((ids, labels))
    return out, too_long


def batch(items, pad, device):
    width = max(len(ids) for ids, _ in items)

    def tensor(rows, fill):
        return torch.tensor([row + [fill] * (width - len(row)) for row in rows], device=device)

    ids = [ids for ids, _ in items]
    return {
        "input_ids": tensor(ids, pad),
        "labels": tensor([labels for _, labels in items], IGNORED),
        "attention_mask": tensor([[1] * len(row) for row in ids], 0),
    }


@torch.no_grad()
def evaluate(model, data, pad, device):
    """The mean loss of a learned token."""
    model.eval()
    total = count = 0.0
    for item in data:
        b = batch([item], pad, device)
        n = sum(label != IGNORED for label in item[1][1:])
        if n:
            total += model(**b).loss.item() * n
            count += n
    return total / count if count else math.nan


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("--model", required=True)
    p.add_argument("--data", required=True, type=Path, help="folder with train.jsonl and, optionally, validation.jsonl")
    p.add_argument("--out", required=True, type=Path, help="folder for the adapter")
    p.add_argument("--epochs", type=int, default=3)
    p.add_argument("--batch", type=int, default=1)
    p.add_argument("--accumulate", type=int, default=8, help="batches for each step of the optimiser")
    p.add_argument("--rate", type=float, default=2e-4)
    p.add_argument("--rank", type=int, default=16)
    p.add_argument("--targets", default="all-linear", help="modules that get an adapter, with commas; default: all linear ones")
    p.add_argument("--longest", type=int, default=8192, help="tokens of an example")
    p.add_argument("--no-template", action="store_true", help="do not use the model's chat template")
    p.add_argument("--seed", type=int, default=0)
    a = p.parse_args()

    random.seed(a.seed)
    torch.manual_seed(a.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    tokenizer = AutoTokenizer.from_pretrained(a.model)
    pad = tokenizer.pad_token_id if tokenizer.pad_token_id is not None else tokenizer.eos_token_id or 0
    dtype = torch.bfloat16 if device == "cuda" else torch.float32
    model = AutoModelForCausalLM.from_pretrained(a.model, torch_dtype=dtype).to(device)

    template = bool(tokenizer.chat_template) and not a.no_template
    train, skipped = load(a.data / "train.jsonl", tokenizer, template, a.longest)
    validation, more = load(a.data / "validation.jsonl", tokenizer, template, a.longest)
    if not train:
        sys.exit(f"{a.data / 'train.jsonl'}: no example of at most {a.longest} tokens")
    if skipped + more:
        print(f"{skipped + more} examples are over {a.longest} tokens and left out", file=sys.stderr)

    targets = a.targets if a.targets == "all-linear" else a.targets.split(",")
    model = get_peft_model(model, LoraConfig(task_type="CAUSAL_LM", r=a.rank, lora_alpha=2 * a.rank, lora_dropout=0.0, target_modules=targets))
    optimiser = torch.optim.AdamW([w for w in model.parameters() if w.requires_grad], lr=a.rate)

    def losses():
        return {"train": evaluate(model, train, pad, device), "validation": evaluate(model, validation, pad, device) if validation else None}

    first = losses()
    print(json.dumps({"epoch": 0, **first}), flush=True)
    last = first
    for epoch in range(1, a.epochs + 1):
        model.train()
        order = random.sample(train, len(train))
        batches = [order[i : i + a.batch] for i in range(0, len(order), a.batch)]
        for k, items in enumerate(batches, 1):
            (model(**batch(items, pad, device)).loss / a.accumulate).backward()
            if k % a.accumulate == 0 or k == len(batches):
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                optimiser.step()
                optimiser.zero_grad()
        last = losses()
        print(json.dumps({"epoch": epoch, **last}), flush=True)

    model.save_pretrained(a.out)
    tokenizer.save_pretrained(a.out)
    # The saved adapter must be the trained one: loaded again, it answers the same.
    model.eval()
    probe = batch([train[0]], pad, device)
    base = AutoModelForCausalLM.from_pretrained(a.model, torch_dtype=dtype).to(device)
    again = PeftModel.from_pretrained(base, a.out).eval()
    with torch.no_grad():
        apart = (model(**probe).logits - again(**probe).logits).abs().max().item()
    print(json.dumps({"examples": len(train), "template": template, "before": first, "after": last, "reloaded_differs_by": apart}))


if __name__ == "__main__":
    main()
