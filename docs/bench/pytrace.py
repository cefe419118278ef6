#!/usr/bin/env python3
"""Call edges of a Python package, as its own test suite executes them, and how well `findspot code edges` knows them.

  pytrace.py record ROOT PACKAGE OUT [pytest arguments]   run ROOT's tests and write what was called from where
  pytrace.py score FINDSPOT ROOT PACKAGE OUT [--show]     compare with the edges of the program FINDSPOT for ROOT/PACKAGE

ROOT is the unpacked source of a project, PACKAGE its package or module relative to ROOT (src/click, bottle.py). Needs Python 3.11 or later, pytest and what
the tests need.

A recorded pair is (caller, callee, line, way): both ends are functions of the package, lambdas and comprehensions count as the function
around them, and the way is what the interpreter was doing: "call" (a call expression went straight into the callee), "builtin" (by way of
the interpreter's own functions: a key of sorted), "property" (an attribute was read), "iter", "with", "operator" or "other".
Every pair is true. Recall counts the pairs of way "call". A method and the one it overrides count as one: which of them runs
depends on the object, and an edge leads to the one that the type of the receiver gives. Precision can only be guessed at: an edge counts against us when its line ran
in the caller and its callee was never entered from that caller; "suspects" are few enough to be read.
Constructors are folded into their classes on both sides; instantiations of classes without a constructor are left out.
"""
import ast
import collections
import json
import os
import re
import subprocess
import sys
import threading

SKIP = re.compile(r"\.?<(lambda|listcomp|genexpr|dictcomp|setcomp)>.*")


def name_of(code, root, package):
    """The id of a code object's function, and whether it is one of the package."""
    path = code.co_filename
    if not path.startswith(package):
        return None
    path = os.path.relpath(path, root)
    name = SKIP.sub("", code.co_qualname.replace(".<locals>", ""))
    return path if name in ("", "<module>") else path + ":" + name


def way_of(positions, tree):
    """What the node at an instruction's position does."""
    node = tree.get(positions) or tree.get(positions[1::2])  # calls of methods are placed from their attribute on
    if isinstance(node, ast.Call):
        return "call"
    if isinstance(node, ast.Attribute):
        return "property"
    if isinstance(node, (ast.BinOp, ast.UnaryOp, ast.Compare, ast.Subscript, ast.AugAssign)):
        return "operator"
    return "other"


class Recorder:
    def __init__(self, root, package):
        self.root, self.package = root, package
        self.names, self.pairs, self.ran = {}, set(), set()
        self.builtin = {}

    def name(self, code):
        if code not in self.names:
            self.names[code] = name_of(code, self.root, self.package)
        return self.names[code]

    def __call__(self, frame, event, arg):
        if event == "call":
            back = frame.f_back
            if back is None:
                return
            callee, caller = frame.f_code, back.f_code
            if self.name(caller) is None:
                return
            through = self.builtin.get(id(back))
            if callee.co_filename.startswith(self.package) and not callee.co_name.startswith("<"):
                self.pairs.add((caller, back.f_lasti, callee, through))
            self.ran.add((caller, back.f_lasti))
        elif event == "c_call":
            if self.name(frame.f_code) is not None:
                self.builtin[id(frame)] = True
                self.ran.add((frame.f_code, frame.f_lasti))
        elif event in ("c_return", "c_exception"):
            self.builtin.pop(id(frame), None)
        elif event == "return":
            self.builtin.pop(id(frame), None)

    def save(self, out):
        trees, positions = {}, {}

        def where(code, lasti):
            if code not in positions:
                positions[code] = list(code.co_positions())
            return positions[code][lasti // 2]

        def tree(path):
            if path not in trees:
                trees[path] = {}
                for n in ast.walk(ast.parse(open(path, encoding="utf-8").read())):
                    if isinstance(n, ast.expr):
                        trees[path].setdefault((n.lineno, n.end_lineno, n.col_offset, n.end_col_offset), n)
                        if isinstance(n, ast.Call):
                            trees[path].setdefault((n.end_lineno, n.end_col_offset), n)
            return trees[path]

        lines = set()
        for caller, lasti, callee, through in self.pairs:
            pos = where(caller, lasti)
            way = "builtin" if through else way_of(pos, tree(caller.co_filename))
            gen = bool(callee.co_flags & 0x20)
            lines.add((self.name(caller), self.name(callee), pos[0] or 0, pos[1] or 0, way, gen))
        with open(out, "w") as f:
            for src, dst, line, end, way, gen in sorted(lines):
                f.write(json.dumps({"src": src, "dst": dst, "line": line, "end": end, "way": way, "generator": gen}) + "\n")
            ran = collections.defaultdict(set)
            for code, lasti in self.ran:
                if self.name(code):
                    pos = where(code, lasti)
                    ran[self.name(code)].update(range(pos[0] or 0, (pos[1] or 0) + 1))
            for src in sorted(ran):
                f.write(json.dumps({"ran": src, "lines": sorted(ran[src])}) + "\n")


def record(root, package, out, args):
    import pytest

    root = os.path.realpath(root)
    out = os.path.realpath(out)
    os.chdir(root)
    sys.path.insert(0, os.path.dirname(os.path.join(root, package)))
    sys.path.insert(0, root)
    path = os.path.join(root, package)
    rec = Recorder(root, path + os.sep if os.path.isdir(path) else path)
    threading.setprofile(rec)
    sys.setprofile(rec)
    try:
        pytest.main(["-q", "-x", "--maxfail=1000", "-p", "no:cacheprovider", *args])
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    rec.save(out)


def fold(name):
    name = re.sub(r"#\d+", "", name)
    return re.sub(r"\.(__init__|__new__)$", "", name)


def score(findspot, root, package, out, show):
    root = os.path.realpath(root)
    truth, ways, ran = {}, collections.Counter(), {}
    for line in open(out):
        r = json.loads(line)
        if "ran" in r:
            ran[r["ran"]] = set(r["lines"])
            continue
        if ":" in r["src"] and not (r["generator"] and r["way"] != "call"):
            key = fold(r["src"]), fold(r["dst"])
            way = r["way"]
            if re.search(r"[.:]__\w+__$", key[1]) and not key[1].endswith("__call__"):
                way = "dunder"  # operators, str(x), with: not written as a call of that method
            if key not in truth or way == "call":
                truth[key] = (way, r["line"])
    all_truth = set(truth)
    calls = {k for k in truth if truth[k][0] == "call" and k[0] != k[1]}
    for k in truth:
        ways[truth[k][0]] += 1
    edges = {}
    text = subprocess.run([findspot, "code", "edges", "--json", "--repo", root], check=True, capture_output=True, text=True).stdout
    ctors, classes = set(), set()
    rows = [json.loads(l) for l in text.splitlines()]
    for e in rows:
        if e["kind"] == "contain" and e["dst"].endswith((".__init__", ".__new__")):
            ctors.add(fold(e["dst"]))
    order = ["exact", "scope", "import", "member", "flow", "container", "name"]
    for e in rows:
        if e["kind"] != "invoke" or ":" not in e["src"] or not within(e["src"], package) or not within(e["dst"], package):
            continue
        key = fold(e["src"]), fold(e["dst"])
        if key not in edges or order.index(e["level"]) < order.index(edges[key][0]):
            edges[key] = (e["level"], e["line"])
    entities = {e["dst"] for e in rows if e["kind"] == "contain"}
    for k in list(edges):  # instantiations of classes that have no constructor are neutral
        if k not in all_truth and k[1] in entities and k[1] not in ctors and is_class(rows, k[1]):
            del edges[k]
    raw = {fold(k): v for k, v in ran.items()}
    lazy = generators(root, package)
    kin = Kin(rows)
    lazy = {kin.key(("", k))[1] for k in lazy}
    calls = {kin.key(k) for k in calls}
    edges_of = collections.defaultdict(list)
    for k, v in edges.items():
        edges_of[kin.key(k)].append(v)
    edges = {k: min(v, key=lambda x: order.index(x[0])) for k, v in edges_of.items()}
    truth = {**{kin.key(k): v for k, v in truth.items()}, **{kin.key(k): truth[k] for k in truth if truth[k][0] == "call"}}
    all_truth = set(truth)
    for min_level in ("flow", "container", "name"):
        have = {k for k in edges if order.index(edges[k][0]) <= order.index(min_level)}
        hit = calls & have
        tested = {k for k in have if k[0] in raw and edges[k][1] in raw[k[0]] and (k in all_truth or k[1] not in lazy)}
        bad = {k for k in tested if k not in all_truth}
        p = 1 - len(bad) / max(1, len(tested))
        r = len(hit) / max(1, len(calls))
        print(f"{min_level:<10} calls {len(calls):5} found {len(hit):5} recall {r:.3f}   edges that ran {len(tested):5} suspects {len(bad):4} precision {p:.3f}   F1 {2 * p * r / max(p + r, 1e-9):.3f}")
    print("by level:", ", ".join(by_level(edges, raw, all_truth, lazy, order)))
    print("ways:", dict(ways), "found of other ways:", collections.Counter(truth[k][0] for k in all_truth - calls if k in edges))
    if show:
        for k in sorted(calls - set(edges)):
            print("MISS", *k, truth[k][1])
        for k in sorted(bad):
            print("SUSPECT", *k, *edges[k])


def by_level(edges, raw, truth, lazy, order):
    """For each level the edges of it whose line ran, and how many of these are true."""
    for level in order:
        tested = [k for k, v in edges.items() if v[0] == level and k[0] in raw and v[1] in raw[k[0]] and (k in truth or k[1] not in lazy)]
        if tested:
            yield f"{level} {sum(k in truth for k in tested)}/{len(tested)}"


def within(entity, package):
    """Whether an entity is in a package, or in a module."""
    return entity.startswith((package + "/", package + ":"))


def generators(root, package):
    """The functions that only begin to run when somebody takes from them: their calls are not seen where they are written."""
    out = set()

    def walk(node, name, function):
        for n in ast.iter_child_nodes(node):
            if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                inner = name + (":" if name.endswith(".py") else ".") + n.name
                walk(n, inner, inner)
            elif isinstance(n, ast.Lambda):
                walk(n, name, None)
            else:
                if isinstance(n, (ast.Yield, ast.YieldFrom)) and function:
                    out.add(function)
                walk(n, name, function)

    path = os.path.join(root, package)
    walked = os.walk(path) if os.path.isdir(path) else [(os.path.dirname(path), [], [os.path.basename(path)])]
    for folder, _, files in walked:
        for f in files:
            if f.endswith(".py"):
                path = os.path.join(folder, f)
                walk(ast.parse(open(path, encoding="utf-8").read()), os.path.relpath(path, root), None)
    return out


class Kin:
    """Families of classes joined by inheritance: methods of one name in one family are one."""

    def __init__(self, rows):
        self.up = {}
        for e in rows:
            if e["kind"] == "inherit":
                a, b = self.root(fold(e["src"])), self.root(fold(e["dst"]))
                if a != b:
                    self.up[a] = b

    def root(self, c):
        while c in self.up:
            c = self.up[c]
        return c

    def key(self, pair):
        src, dst = pair
        owner, dot, name = dst.rpartition(".")
        if not dot or ":" not in owner:
            return src, dst
        return src, self.root(owner) + "." + name


def is_class(rows, dst, cache={}):
    if not cache:
        for e in rows:
            if e["kind"] in ("contain", "inherit"):
                cache.setdefault(e["src"], set()).add(e["dst"])
    last = dst.rsplit(":", 1)[-1].rsplit(".", 1)[-1]
    return last[:1].isupper() or last[:2] == "_" + last[1:2].upper()


if __name__ == "__main__":
    if len(sys.argv) >= 5 and sys.argv[1] == "record":
        record(*sys.argv[2:5], sys.argv[5:])
    elif len(sys.argv) >= 6 and sys.argv[1] == "score":
        score(*sys.argv[2:6], "--show" in sys.argv)
    else:
        sys.exit(__doc__)
