#!/usr/bin/env python3
"""Measures the invoke edges of Rust code against the calls in the compiler's intermediate form.

    python3 docs/bench/rustcalls.py --findspot BINARY --repo DIR [--package NAME]... [--target DIR] [--args "CARGO ARGUMENTS"] [--level LEVEL] [--misses N]

prints the unoptimised intermediate form (MIR) of the library and the programs of each package of the workspace (or of those named), and
compares the calls in it with the graph of all of DIR. Packages that do not build are named and left out. cargo runs the
repository's build scripts: measure only what you would build.

- Truth: every call of a function by its own name, at the place of the name that the compiler notes beside it, where the source ends with that
  name there and goes on with "(" or "::<": this leaves out what the compiler adds by itself (loops, "?", operators,
  dereferencing, derived code) and calls of functions under another name. Macros of other crates have places outside of the
  repository. Calls of constructors of tuples and variants are no calls in MIR.
- The callee is written as a path, "<T as Trait>::f" for a method of a trait. It is the function of that name in an impl block of the type,
  else the trait's; a function without a type is found by its module. Where several functions of the repository fit, the one whose
  file has most in common with the path is meant, and several that have the same are all right.
- Ours: invoke edges into functions, at LEVEL or stronger (default: all), on lines that a compiled function covers and where the name is
  followed by "(" or "::<", macros and test code aside.
- A call is a (file, line, callee)."""

import argparse
import collections
import json
import os
import re
import subprocess
import sys


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--findspot", required=True)
    p.add_argument("--repo", required=True)
    p.add_argument("--package", action="append", default=[])
    p.add_argument("--target", default="", help="folder for what cargo builds; default: a folder target in the repository")
    p.add_argument("--args", default="")
    p.add_argument("--level", default="")
    p.add_argument("--misses", type=int, default=0)
    a = p.parse_args()
    a.repo = os.path.realpath(a.repo)
    graph = Graph(a)
    packages, others = workspace(a)
    truth = Truth(a, graph, others, {t["name"].replace("-", "_") for p in packages for t in p["targets"]})
    for package, kind, name, crate in targets(a, packages):
        mir = build(a, package, kind, name)
        if mir:
            truth.read(mir, package["root"], crate)
            print(f"  {package['name']} {kind[2:]} {name}: {len(truth.calls)} calls so far", flush=True)
    score(a, truth, graph)


def cargo(a, *args):
    env = dict(os.environ, RUSTC_BOOTSTRAP="1")
    if a.target:
        env["CARGO_TARGET_DIR"] = a.target
    return subprocess.run(["cargo", *args], cwd=a.repo, env=env, capture_output=True, text=True)


def workspace(a):
    """The packages of the workspace, and the names of the crates that are not in it."""
    r = cargo(a, "metadata", "--format-version", "1")
    if r.returncode != 0:
        sys.exit(r.stderr)
    meta = json.loads(r.stdout)
    own = set(meta["workspace_members"])
    others = {"std", "core", "alloc", "proc_macro", "test"}
    for p in meta["packages"]:
        if p["id"] not in own and not p["manifest_path"].startswith(a.repo + os.sep):
            others.update(t["name"].replace("-", "_") for t in p["targets"] if {"lib", "rlib", "proc-macro"} & set(t["kind"]))
    packages = [p for p in meta["packages"] if p["id"] in own]
    return packages, others - {t["name"].replace("-", "_") for p in packages for t in p["targets"]}


def targets(a, packages):
    for p in packages:
        if a.package and p["name"] not in a.package:
            continue
        package = {"name": p["name"], "root": os.path.dirname(p["manifest_path"])}
        for t in p["targets"]:
            if {"lib", "rlib", "proc-macro", "cdylib"} & set(t["kind"]):
                yield package, "--lib", t["name"], t["name"].replace("-", "_")
            elif "bin" in t["kind"]:
                yield package, "--bin", t["name"], t["name"].replace("-", "_")


def build(a, package, kind, name):
    which = ["--lib"] if kind == "--lib" else ["--bin", name]
    r = cargo(a, "rustc", "-q", "-p", package["name"], *which, *a.args.split(), "--", "-Zunpretty=mir", "-Zmir-include-spans", "-Zmir-opt-level=0",
              "-Ztrim-diagnostic-paths=no", "-Awarnings")
    if r.returncode != 0 or not r.stdout:
        print(f"  {package['name']} {kind[2:]} {name} does not build: {(r.stderr.strip().splitlines() or ['no output'])[-1]}", file=sys.stderr)
        return ""
    return r.stdout


PRIMITIVE = set("bool char str u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 tuple unit fn".split())


class Graph:
    """What the graph says: functions by their last name, and its calls."""

    def __init__(self, a):
        cmd = [a.findspot, "code", "edges", "--json", "--repo", a.repo] + (["--level", a.level] if a.level else [])
        self.repo, self.text = a.repo, {}
        self.functions = collections.defaultdict(set)  # by name
        self.calls = []
        for line in subprocess.run(cmd, check=True, capture_output=True, text=True).stdout.splitlines():
            e = json.loads(line)
            if e["kind"] == "contain" and ".rs:" in e["dst"]:
                self.functions[last(e["dst"])].add(e["dst"])
            elif e["kind"] == "invoke" and ".rs:" in e["dst"] and ".rs" in e["src"]:
                for n in e.get("lines", [e["line"]]):
                    self.calls.append((e["src"].split(":")[0], n, e["dst"], e["level"]))

        self.types, self.aliases = collections.Counter(), {}
        for d, dirs, files in os.walk(a.repo):
            dirs[:] = [x for x in dirs if x not in (".git", "target", "node_modules")]
            for f in files:
                if f.endswith(".rs"):
                    text = "\n".join(self.lines(os.path.relpath(os.path.join(d, f), a.repo)))
                    self.types.update(re.findall(r"\b(?:struct|enum|union|trait)\s+(\w+)", text))
                    for new, old in re.findall(r"\btype\s+(\w+)[^=;{]*=\s*&?(?:'\w+ )?([\w:]+)", text):
                        self.aliases.setdefault(old.rsplit("::", 1)[-1], set()).add(new)

    def line(self, path, n):
        lines = self.lines(path)
        return lines[n - 1] if 0 < n <= len(lines) else ""

    def lines(self, path):
        if path not in self.text:
            try:
                with open(os.path.join(self.repo, path), encoding="utf-8", errors="replace") as f:
                    self.text[path] = f.read().split("\n")
            except OSError:
                self.text[path] = []
        return self.text[path]


def plain(entity):
    """An id without the number of a repeated entity."""
    return re.sub(r"#\d+$", "", entity)


def last(entity):
    return plain(entity).rsplit(":", 1)[-1].rsplit(".", 1)[-1]


def strip(path):
    """A path without generic arguments."""
    out, depth = [], 0
    for i, ch in enumerate(path):
        if ch == "<":
            depth += 1
        elif ch == ">" and path[i - 1:i] != "-":
            depth -= 1
        elif depth == 0:
            out.append(ch)
    return re.sub(r"(::)+", "::", "".join(out)).strip(":")


def head(typ):
    """The path of a type without references, arguments and bounds; "" for what has none."""
    typ = typ.strip()
    while True:
        short = re.sub(r"^(&('\w+ )?|\*const |\*mut |mut |dyn |for<[^>]*> |impl |\()", "", typ)
        if short == typ:
            break
        typ = short
    typ = re.split(r" \+ ", strip(typ))[0].strip(") ")
    return typ if re.fullmatch(r"[\w:]+", typ) else ""


def cut_as(path):
    """The parts of "<T as Trait>::f": T, Trait, f; T and f where no trait is named; None for a plain path. An impl block away from its
    type is written "module::<impl Trait for T>::f"."""
    m = re.match(r"[\w:]*::<impl ", path) or re.match("<impl ", path)
    if m:
        depth, end = 1, len(path)
        for i in range(m.end(), len(path)):
            depth += (path[i] == "<") - (path[i] == ">" and path[i - 1] != "-")
            if depth == 0:
                end = i
                break
        if " as " not in path[m.end():end]:  # else a parameter of a type without name
            trait, more, typ = path[m.end():end].partition(" for ")
            return (typ, trait, strip(path[end + 1:])) if more else (trait, "", strip(path[end + 1:]))
    if not path.startswith("<"):
        return None
    depth, at = 0, -1
    for i, ch in enumerate(path):
        if ch == "<":
            depth += 1
        elif ch == ">" and path[i - 1] != "-":
            depth -= 1
            if depth == 0:
                rest = strip(path[i + 1:])
                if at < 0:
                    return path[1:i], "", rest
                return path[1:at], path[at + 4:i], rest
        elif depth == 1 and at < 0 and path.startswith(" as ", i):
            at = i
    return None


SPAN = re.compile(r"// \+ span: (\S+?):(\d+):(\d+): (\d+):(\d+)")
PLACE = re.compile(r"(?:scope \d+ at|in scope \d+ at) (\S+?):(\d+):(\d+): (\d+):(\d+)\s*$")


class Truth:
    def __init__(self, a, graph, others, crates):
        self.a, self.graph, self.others, self.crates = a, graph, others, crates
        self.calls = {}  # (file, line, name): set of right callees
        self.covered = collections.defaultdict(set)  # lines of compiled functions, by file
        self.own = self.several = None

    def file(self, name, root):
        for base in (self.a.repo, root):
            p = os.path.realpath(os.path.join(base, name))
            if os.path.isfile(p) and p.startswith(self.a.repo + os.sep):
                return os.path.relpath(p, self.a.repo)
        return None

    def read(self, mir, root, crate):
        known = {}
        lines = mir.split("\n")
        i = 0
        while i < len(lines):
            line = lines[i]
            m = PLACE.search(line)
            if m:
                if m.group(1) not in known:
                    known[m.group(1)] = self.file(m.group(1), root)
                f = known[m.group(1)]
                if f:
                    self.covered[f].update(range(int(m.group(2)), int(m.group(4)) + 1))
            t = re.match(r"\s+_\d+ = (.*?) -> ", line) or re.match(r"\s+(.*?) -> unwind", line)
            if t and m:
                j = i + 1
                while j < len(lines) and "mir::ConstOperand" in lines[j]:
                    about = []
                    for j in range(j + 1, min(j + 8, len(lines))):
                        if not re.match(r"\s+// \+ ", lines[j]):
                            break
                        about.append(lines[j])
                    s = SPAN.search(about[0]) if about else None
                    v = re.search(r"val: Value\((.*)\) }\s*$", about[-1]) if about else None
                    if s and v and t.group(1).startswith(v.group(1) + "("):
                        f = known.get(s.group(1)) or self.file(s.group(1), root)
                        if f:
                            self.call(f, int(s.group(4)), int(s.group(5)), v.group(1), crate)
                        break
            i += 1

    def call(self, f, line, col, path, crate):
        text = self.graph.line(f, line)
        before, after = text[:col - 1], text[col - 1:]
        named = re.search(r"(\w+)\s*$", before) or re.search(r"(\w+)\s*::<[^()]*>$", before)  # the place may take in generic arguments
        whole = cut_as(path)
        name = (whole[2] if whole else strip(path)).rsplit("::", 1)[-1]
        if not named or named.group(1) != name or not re.match(r"\s*(\(|::<|$)", after):
            return
        want = self.targets(path, whole, name, crate)
        if want:
            self.calls.setdefault((f, line, name), set()).update(want)

    def targets(self, path, whole, name, crate):
        have = self.graph.functions.get(name)
        if not have:
            return set()
        if whole:
            typ, trait = head(whole[0]), head(whole[1])
            for t in (typ, trait):
                if t and not self.elsewhere(t, name):
                    got = self.named(have, t, name, crate)
                    if got:
                        return got
            return set()
        if self.elsewhere(strip(path), name):
            return set()
        parts = strip(path).rsplit("::", 1)
        if len(parts) == 1:
            return self.functions(have, [], name, crate)
        if parts[0].rsplit("::", 1)[-1][:1].isupper():
            return self.named(have, parts[0], name, crate)
        return self.functions(have, parts[0].split("::"), name, crate)

    def named(self, have, typ, name, crate):
        """The functions of a type or trait, or of another name that it has."""
        parts = typ.split("::")
        if parts[-1] not in self.graph.types and parts[-1][:1].isupper():
            return set()  # a type parameter
        names = {parts[-1]} | self.graph.aliases.get(parts[-1], set())
        fit = {e for e in have if plain(e).rsplit(":", 1)[1].split(".")[-2:-1] and plain(e).rsplit(":", 1)[1].split(".")[-2] in names}
        if len(parts) > 1 and parts[0] not in self.crates:  # of this crate: written where the path says, or in an impl block elsewhere
            if parts[-1] in self.doubled():
                fit = {e for e in fit if parts[-2] in re.split(r"[/.:]", plain(e))}
        return self.nearest(fit, parts[:-1], crate)

    def doubled(self):
        """The names of several types."""
        if self.several is None:
            self.several = {t for t, n in self.graph.types.items() if n > 1}
        return self.several

    def functions(self, have, module, name, crate):
        """The functions outside of types."""
        out = set()
        for e in have:
            path, names = plain(e).rsplit(":", 1)
            inner = names.split(".")[:-1]
            if all(not n[:1].isupper() and n not in PRIMITIVE for n in inner):
                where = [s for s in re.split(r"[/.]", path[:-3]) if s not in ("mod", "lib", "main")] + inner
                out.add(e)
        return self.nearest(out, module, crate)

    def elsewhere(self, path, name):
        """Whether a path begins with the name of a crate that is not in the workspace, and no module of the repository has that name."""
        first, more, _ = path.partition("::")
        return bool(more) and first in self.others and first not in self.modules()

    def modules(self):
        if self.own is None:
            self.own = {re.split(r"[/.]", e)[-1] for have in self.graph.functions.values() for e in (i.split(":")[0][:-3] for i in have)} - {"std", "core", "alloc"}
        return self.own

    def nearest(self, all, module, crate):
        """Of several the ones whose path has most of the names of the module."""
        best, out = -1, set()
        for e in all:
            path, names = plain(e).rsplit(":", 1)
            where = re.split(r"[/.]", path[:-3].replace("-", "_")) + names.split(".")[:-1]
            n = 3 * sum(m in where for m in module) - (0 if module else len(where))
            first = module[0] if module else ""
            n += 2 * (crate in where or any(w.endswith("_" + crate) or crate.endswith("_" + w) for w in where if w not in ("src",))) * (first not in where)
            if n > best or not out:
                best, out = n, {e}
            elif n == best:
                out.add(e)
        return out


def score(a, truth, graph):
    levels = collections.Counter()
    right, wrong, seen = set(), [], set()
    for f, n, dst, level in graph.calls:
        name = last(dst)
        if n not in truth.covered[f] or dst not in graph.functions[name] or name.endswith("!"):
            continue
        if not re.search(r"\b" + re.escape(name) + r"\s*(\(|::<|$)", graph.line(f, n)) or (f, n, dst) in seen:
            continue
        if re.search(r"(^|[.:])(tests?|[Tt]ests?)[.]", dst.rsplit(":", 1)[1]) or "/tests/" in "/" + dst or "macro_rules! " + name in "\n".join(graph.lines(dst.rsplit(":", 1)[0])):
            continue
        if not name.islower() and name[:1].isupper():
            continue  # a class
        seen.add((f, n, dst))
        near = [k for k in ((f, n + d, name) for d in (0, 1, -1)) if k in truth.calls]
        if any(dst in truth.calls[k] for k in near):
            right.add(next(k for k in near if dst in truth.calls[k]))
            levels[level, True] += 1
        else:
            wrong.append((f, n, dst, level, sorted(set().union(*(truth.calls[k] for k in near)) if near else [])))
            levels[level, False] += 1
    missed = sorted(k for k in truth.calls if k not in right)
    ours = len(right) + len(wrong)
    print(f"{a.repo}: calls {len(truth.calls)}, ours {ours}, precision {len(right) / max(1, ours):.3f}, recall {len(right) / max(1, len(truth.calls)):.3f}")
    print("  " + ", ".join(f"{l} {levels[l, True]}/{levels[l, True] + levels[l, False]}" for l in sorted({l for l, _ in levels})))
    for f, n, dst, level, want in wrong[:a.misses]:
        print(f"  wrong {f}:{n} {dst} {level} want {want} | {graph.line(f, n).strip()[:110]}")
    for f, n, name in missed[:a.misses]:
        print(f"  missed {f}:{n} {sorted(truth.calls[f, n, name])[:3]} | {graph.line(f, n).strip()[:110]}")


if __name__ == "__main__":
    main()
