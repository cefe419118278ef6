"""Tables in Markdown of what docs/bench/docsearch.sh measured. Of several runs the median counts.

table.py index CORPUS.json INDEX.txt SIZE.txt | size CORPUS.json SIZE.txt | query QUERY.txt RAW... | relevance SCORES | use FILE | profile PROGRAM PROFILE
"""

import collections
import json
import os
import re
import statistics
import subprocess
import sys


def used(path):
    """Returns wall, processor seconds and peak memory of each program."""
    runs = collections.defaultdict(list)
    for line in open(path):
        name, wall, user, system, peak = line.split()
        runs[name].append((float(wall), float(user) + float(system), float(peak)))
    return {name: [statistics.median(column) for column in zip(*rows)] + [len(rows)] for name, rows in runs.items()}


def sizes(path):
    out = collections.defaultdict(list)
    for line in open(path):
        size, name = line.split()
        out[name].append(int(size))
    return {name: statistics.median(values) for name, values in out.items()}


def index(corpus, use, size):
    text = json.load(open(corpus))["bytes"]
    size = sizes(size)
    rows = used(use)
    base = rows.get("lucene")
    print("| engine | MB per CPU s | of Lucene's | CPU s | clock s | peak memory MB | index / text | runs |\n|---|---:|---:|---:|---:|---:|---:|---:|")
    for name, (wall, cpu, peak, n) in rows.items():
        ratio = f"{base[1] / cpu:.2f}" if base else ""
        print(f"| {name} | {text / 1e6 / cpu:.2f} | {ratio} | {cpu:.1f} | {wall:.1f} | {peak:.0f} | {size[name] / text:.2f} | {n} |")


def size(corpus, path):
    text = json.load(open(corpus))["bytes"]
    print("| engine | MB | index / text |\n|---|---:|---:|")
    for name, value in sizes(path).items():
        print(f"| {name} | {value / 1e6:.0f} | {value / text:.2f} |")


def percentile(values, share):
    """The smallest value that at least this share of the values do not exceed."""
    values = sorted(values)
    return values[max(0, -int(-share * len(values) // 1) - 1)]


def latencies(path):
    """Returns by tier the median and the least of each query's rounds but the first, and how many queries have no hits."""
    times = collections.defaultdict(lambda: collections.defaultdict(list))
    empty = collections.Counter()
    for line in open(path):
        tier, turn, number, micros, hits = line.split()
        if turn != "0":
            times[tier][number].append(float(micros) / 1e3)
        elif hits == "0":
            empty[tier] += 1
    return {
        tier: ([statistics.median(v) for v in by.values()], [min(v) for v in by.values()], empty[tier])
        for tier, by in times.items()
    }


def query(use, paths):
    memory = used(use)
    rows = {re.sub(r".*query-(.*)\.txt", r"\1", p): latencies(p) for p in paths}
    order = sorted(rows, key=lambda name: (not name.startswith("lucene"), name))
    base = rows.get("lucene")
    print("| tier | engine | p50 ms | p95 | p99 | max | least: p50 | p95 | p99 | max | p95 to Lucene's | no hit | peak memory MB |\n|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    for tier in ["all", "any", "phrase"]:
        for name in order:
            if tier not in rows[name]:
                continue
            middle, least, empty = rows[name][tier]
            ratio = f"{percentile(least, .95) / percentile(base[tier][1], .95):.1f}" if base else ""
            cells = " | ".join(f"{percentile(values, s):.1f}" for values in (middle, least) for s in (.5, .95, .99, 1))
            peak = f"{memory[name][2]:.0f}" if name in memory else ""
            print(f"| {tier} | {name} | {cells} | {ratio} | {empty} | {peak} |")


def relevance(path):
    rows = collections.defaultdict(dict)
    sets = []
    for line in open(path):
        which, run, score = line.split()
        rows[run][which] = float(score)
        if which not in sets:
            sets.append(which)
    print("| nDCG@10 | " + " | ".join(sets) + " | mean |\n|---|" + "---:|" * (len(sets) + 1))
    names = {"lucene": "Lucene", "any": "findspot, any word", "tiers": "findspot, all tiers"}
    for run, scores in rows.items():
        values = [scores[s] for s in sets]
        print(f"| {names[run]} | " + " | ".join(f"{v:.4f}" for v in values + [statistics.mean(values)]) + " |")


def use(path):
    for name, (wall, cpu, peak, _) in used(path).items():
        print(f"{name}: {wall:.1f} s on the clock, {cpu:.1f} s of processor time, {peak:.0f} MB at the peak")


# What a stack is about: the first of these that one of its functions, from the innermost outwards, matches.
PARTS = [
    ("garbage collection", r"runtime\.(gcBgMarkWorker|gcAssistAlloc|bgsweep|bgscavenge|gcStart|gcMarkDone)"),
    ("merging segments", r"zapx.*(mergeToWriter|persistMerged|mergeAndPersist|MergeTo|mergeStored|\)\.Merge$)|scorch.*\.(planMerge|mergeSegment|executeMerge|mergeAndPersist)|scorch\)\.mergerLoop"),
    ("compressing (snappy, zstd)", r"snappy|s2\.|zstd"),
    ("dictionaries (vellum)", r"vellum"),
    ("stemming", r"internal/text\.(stem|Stem)|snowball"),
    ("tokens and folding", r"internal/text\."),
    ("analysis, the rest", r"docsearch/driver\.(Analyze|.*nalysis)"),
    ("phrases on the text", r"docsearch/driver\.(Phrase|phrase)"),
    ("reading PDFs", r"docsearch/pdf"),
    ("building segments", r"zapx.*(interim|New\b|new|process|writeDicts)|zapx.*\)\.New"),
    ("stored fields", r"VisitStoredFields|VisitDocument|docsearch/blevestore\.fields"),
    ("postings", r"zapx.*(Posting|postings|Iterator)|roaring|scorch.*TermFieldReader|IndexSnapshotTermFieldReader"),
    ("JSON", r"encoding/json|jsontext"),
    ("bolt", r"bbolt"),
    ("scorch, the rest", r"bleve/v2/index/scorch"),
    ("blevestore, the rest", r"docsearch/blevestore"),
    ("docsearch, the rest", r"findspot/docsearch\.|findspot/chunk"),
]


def profile(program, path):
    """Prints the shares of a CPU profile by what the stacks are about."""
    text = subprocess.run(["go", "tool", "pprof", "-traces", program, path], check=True, capture_output=True, text=True).stdout
    shares = collections.Counter()
    units = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1, "mins": 60, "hrs": 3600}
    for block in text.split("-----------+-------------------------------------------------------")[1:]:
        found = re.match(r"\s*([\d.]+)(ns|us|µs|ms|s|mins|hrs)\s+(.*)", block, re.S)
        if not found:
            continue
        value = float(found[1]) * units[found[2]]
        stack = [line.strip() for line in found[3].splitlines() if line.strip()]
        # Merging is told by the outside of the stack: what it compresses and looks up is a part of it. So is reading PDFs.
        part = next((name for name, pattern in PARTS[:2] + PARTS[8:9] if any(re.search(pattern, f) for f in stack)), None)
        if part is None:
            part = next((name for f in stack for name, pattern in PARTS if re.search(pattern, f)), "the rest (runtime, system calls)")
        shares[part] += value
    total = sum(shares.values())
    print("| share | what |\n|---:|---|")
    for name, value in shares.most_common():
        if value / total >= .005:
            print(f"| {100 * value / total:.1f} % | {name} |")
    print(f"\n({total:.1f} s in {os.path.basename(path)})")


def main():
    word, rest = sys.argv[1], sys.argv[2:]
    if word == "query":
        query(rest[0], rest[1:])
    else:
        {"index": index, "size": size, "relevance": relevance, "use": use, "profile": profile}[word](*rest)


if __name__ == "__main__":
    main()
