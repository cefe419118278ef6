#!/usr/bin/env python3
"""Measures the invoke edges of Java code against the calls that the compiler wrote into the class files.

    python3 docs/bench/javacalls.py --findspot BINARY --repo DIR --source SUBDIR [--classpath JARS] [--level LEVEL] [--misses N]

SUBDIR is a source root below DIR whose files javac compiles together (with all of DIR in the graph). What counts:

- Truth: every invokevirtual, invokespecial, invokestatic and invokeinterface of the compiled classes, at the line of the line
  table, whose target is a method or constructor that is written in the sources of SUBDIR. The method named in the instruction is
  looked up as the JVM does: superclasses, then interfaces, bridges left out. Overloads are told apart by their order in the class file, which is
  that of the source. Calls that nobody wrote are left out: those whose name does not stand, followed by "(", in the lines around
  (implicit super(), close() of resources, iterator() of loops), bridges and other synthetic methods.
- Ours: invoke edges between these sources at LEVEL or stronger (default: all). An edge to a class is the same call as the one to its
  constructor, where one is written, and does not count beside it.
- A call is a (file, line, target); targets that the two sides name differently count on both sides as wrong.

Line tables name the line of the call; a call of ours within two lines of one with the same target and file is the same."""

import argparse
import collections
import json
import os
import re
import subprocess
import sys
import tempfile


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--findspot", required=True)
    p.add_argument("--repo", required=True)
    p.add_argument("--source", required=True)
    p.add_argument("--classpath", default="")
    p.add_argument("--level", default="")
    p.add_argument("--misses", type=int, default=0)
    a = p.parse_args()
    root = os.path.join(a.repo, a.source)
    sources = sorted(os.path.join(d, f) for d, _, fs in os.walk(root) for f in fs if f.endswith(".java") and f not in ("module-info.java",))
    with tempfile.TemporaryDirectory() as out:
        with open(os.path.join(out, "sources"), "w") as f:
            f.write("\n".join(sources))
        cmd = ["javac", "-g", "-proc:none", "-nowarn", "-Xmaxerrs", "20", "-encoding", "UTF-8", "-d", os.path.join(out, "classes"), "-cp", a.classpath or out, "@" + os.path.join(out, "sources")]
        subprocess.run(cmd, check=True, stdout=subprocess.DEVNULL)
        classes = sorted(os.path.join(d, f) for d, _, fs in os.walk(os.path.join(out, "classes")) for f in fs if f.endswith(".class"))
        text = ""
        for i in range(0, len(classes), 200):
            text += subprocess.run(["javap", "-v", "-p"] + classes[i:i + 200], check=True, capture_output=True, text=True).stdout
    truth = Truth(text, a.repo, a.source)
    calls = truth.calls()
    ours = edges(a, truth)
    score(a, calls, ours)


class Class:
    def __init__(self, name):
        self.name, self.super, self.interfaces, self.file, self.methods = name, None, [], "", []


class Method:
    def __init__(self, cls, name, desc):
        self.cls, self.name, self.desc, self.synthetic, self.code, self.lines = cls, name, desc, False, [], []


NEW = re.compile(r"^\s*(\d+): new\s+#\d+\s+// class (\S+)")
INVOKE = re.compile(r"^\s*(\d+): invoke(virtual|special|static|interface)\s+#\d+(?:,\s+\d+)?\s+// (?:Interface)?Method (\S+)")
HEAD = re.compile(r"^(?:[a-z-]+ )*(?:class|interface|@interface|enum) ([\w.$]+)")


class Truth:
    def __init__(self, text, repo, source):
        self.repo, self.source, self.classes, self.text = repo, source, {}, {}
        self.parse(text)
        for c in self.classes.values():
            c.ids = self.ids(c) if c.file else {}
        self.named = {f"{c.file}:{self.simple(c)}" for c in self.classes.values()}
        self.interfaces = {f"{c.file}:{self.simple(c)}" for c in self.classes.values() if c.interface}

    def parse(self, text):
        c = m = None
        body = False
        for line in text.split("\n"):
            if line.startswith("Classfile "):
                c, m, body = None, None, False
            elif c is None and (h := HEAD.match(line)):
                c = Class(h.group(1).replace(".", "/"))
                c.interface = "interface " in line.split("{")[0].split(" extends ")[0]
            elif c and not body and line.startswith("  super_class:"):
                s = line.split("//")
                c.super = s[1].strip() if len(s) > 1 else None
            elif c and line.startswith("  this_class:"):
                c.name = line.split("//")[1].strip().strip('"')
                self.classes[c.name] = c
            elif c and line == "{":
                body = True
            elif c and line == "}":
                body, m = False, None
            elif body and line.startswith("  ") and not line.startswith("   ") and line.endswith(";"):
                m = None
                self.header = line.strip()
            elif body and line.startswith("    descriptor: "):
                d = line[len("    descriptor: "):].strip()
                if d.startswith("("):
                    name = re.search(r"([\w$.]+)\(", self.header)
                    name = name.group(1) if name else "<clinit>"
                    if name == c.name.replace("/", "."):
                        name = "<init>"
                    m = Method(c, name, d)
                    c.methods.append(m)
            elif m and line.startswith("    flags:"):
                m.synthetic = "ACC_SYNTHETIC" in line or "ACC_BRIDGE" in line
            elif m and (i := INVOKE.match(line)):
                m.code.append((int(i.group(1)), i.group(3)))
            elif m and (i := NEW.match(line)):
                m.code.append((int(i.group(1)), i.group(2).strip('"')))
            elif m and (l := re.match(r"^\s+line (\d+): (\d+)$", line)):
                m.lines.append((int(l.group(2)), int(l.group(1))))
            elif c and not body and line.startswith("SourceFile: ") and not c.name.endswith("package-info"):
                c.file = os.path.join(self.source, os.path.dirname(c.name), line.split('"')[1])
            elif c and line.startswith("interfaces: "):
                pass
        # implemented interfaces stand in the header line alone
        for block in text.split("Classfile ")[1:]:
            this = re.search(r"^  this_class:.*// (\S+)", block, re.M)
            head = next((l for l in block.split("\n")[1:] if HEAD.match(l)), "")
            if this and this.group(1) in self.classes:
                head = strip_generics(head)
                if " implements " in head:
                    names = head.split(" implements ")[1]
                elif "interface " in head and " extends " in head:
                    names = head.split(" extends ")[1]
                else:
                    names = ""
                self.classes[this.group(1)].interfaces = [n.strip().replace(".", "/") for n in names.split(" permits ")[0].split(",") if n.strip()]
        self.by_dots = {n.replace("/", ".").replace("$", "."): n for n in self.classes}

    def lines(self, file):
        if file not in self.text:
            with open(os.path.join(self.repo, file), encoding="utf-8", errors="replace") as f:
                self.text[file] = f.read().split("\n")
        return self.text[file]

    def simple(self, c):
        """The dotted name below the package, None for a class without name or a local one."""
        name = c.name.rsplit("/", 1)[-1]
        parts = name.split("$")
        if any(not p or p[0].isdigit() for p in parts):
            return None
        return ".".join(parts)

    def ids(self, c):
        """The id of each method that is written: overloads are numbered in their order."""
        out, count = {}, collections.Counter()
        simple = self.simple(c)
        if simple is None:
            return out
        src = "\n".join(self.lines(c.file))
        for m in c.methods:
            if m.synthetic or m.name == "<clinit>":
                continue
            last = simple.rsplit(".", 1)[-1]
            name = last if m.name == "<init>" else m.name
            if m.name == "<init>" and not re.search(r"(?<![\w.$])(?<!new )(?<!class )(?<!enum )(?<!record )" + re.escape(last) + r"\s*(\([^;{]*\)\s*(throws[^{;]*)?)?\{", strip_comments(src)):
                continue  # the constructor that every class has
            if not re.search(r"\b" + re.escape(name) + r"\b", src):
                continue  # values, valueOf
            count[name] += 1
            out[(m.name, m.desc)] = f"{c.file}:{simple}.{name}" + (f"#{count[name]}" if count[name] > 1 else "")
        return out

    def find(self, cls, name, desc):
        """The class that declares a method, as the JVM looks it up (JVMS 5.4.3.3)."""
        c = cls
        while c in self.classes:
            for m in self.classes[c].methods:
                if m.name == name and m.desc == desc and not m.synthetic:
                    return self.classes[c], m
            if name == "<init>":
                return None, None
            c = self.classes[c].super
        seen, todo = set(), [cls]
        while todo:
            c = todo.pop(0)
            if c in seen or c not in self.classes:
                continue
            seen.add(c)
            k = self.classes[c]
            for m in k.methods:
                if m.name == name and m.desc == desc and not m.synthetic:
                    return k, m
            todo += k.interfaces + ([k.super] if k.super else [])
        return None, None

    def calls(self):
        out = set()
        self.constructed = set()
        for c in self.classes.values():
            if not c.file:
                continue
            text = self.lines(c.file)
            for m in c.methods:
                if m.synthetic and not m.name.startswith("lambda$"):
                    continue
                made = collections.defaultdict(list)  # lines of the objects that wait for their constructor
                for pc, target in m.code:
                    line = max((l for l in m.lines if l[0] <= pc), default=None, key=lambda l: l[0])
                    if line is None:
                        continue
                    n = line[1]
                    if "(" not in target:
                        made[target].append(n)
                        continue
                    target = target.replace('"', "")
                    owner, _, rest = target.rpartition(".") if "." in target.split(":")[0] else (c.name, "", target)
                    if "." in target.split(":")[0]:
                        owner, rest = target.split(":")[0].rsplit(".", 1)[0], target.split(":")[0].rsplit(".", 1)[1] + ":" + target.split(":", 1)[1]
                    name, desc = rest.split(":", 1)
                    if owner.startswith("["):
                        continue
                    k, d = self.find(owner, name, desc)
                    if d is None or d.synthetic:
                        continue
                    simple = self.simple(k)
                    if simple is None:
                        continue
                    last = simple.rsplit(".", 1)[-1]
                    around = " ".join(text[max(0, n - 1):n + 2])
                    if name == "<init>" and made[owner]:  # behind new
                        n = made[owner].pop()
                        around = " ".join(text[max(0, n - 1):n + 2])
                    if name == "<init>":
                        if not re.search(r"\b(new\s[\w\s.<>,?@]*\b" + re.escape(last) + r"\b|this\s*\(|super\s*\()", around) and not (owner in (c.name, c.super) and re.match(r"\s*[A-Z_0-9a-z]+\s*\(", text[n - 1])):
                            continue
                        to = k.ids.get((name, desc), f"{k.file}:{simple}")
                    else:
                        if not re.search(r"\b" + re.escape(name) + r"\s*\(", around):
                            continue
                        to = k.ids.get((name, desc))
                        if to is None:
                            continue
                    out.add((c.file, n, to))
        return out


def strip_generics(s):
    depth, out = 0, []
    for ch in s:
        if ch == "<":
            depth += 1
        elif ch == ">":
            depth -= 1
        elif depth == 0:
            out.append(ch)
    return "".join(out)


def strip_comments(s):
    return re.sub(r"/\*.*?\*/|//[^\n]*", " ", s, flags=re.S)


def edges(a, truth):
    cmd = [a.findspot, "code", "edges", "--json", "--repo", a.repo] + (["--level", a.level] if a.level else [])
    r = subprocess.run(cmd, capture_output=True, text=True)
    if r.returncode not in (0, 1) or not r.stdout:
        sys.exit(r.stderr)
    files = {c.file for c in truth.classes.values()}
    written = {i for c in truth.classes.values() for (n, _), i in c.ids.items() if n == "<init>"}
    has = {i.rsplit(".", 1)[0] for i in (w.split("#")[0] for w in written)}
    out = {}
    for line in r.stdout.splitlines():
        e = json.loads(line)
        if e["kind"] != "invoke":
            continue
        src, dst = e["src"].split(":")[0], e["dst"]
        if src not in files or dst.split(":")[0] not in files or dst in has or dst in truth.interfaces:
            continue
        if dst not in truth.named and dst.rsplit(".", 1)[0] not in truth.named:  # in a class without name
            continue
        for n in e.get("lines", [e["line"]]):
            out[(src, n, dst)] = e["level"]
    return out


def score(a, calls, ours):
    at = collections.defaultdict(set)
    for f, n, t in calls:
        at[f, t].add(n)
    mine = collections.defaultdict(set)
    for f, n, t in ours:
        mine[f, t].add(n)
    near = lambda lines, n: any(abs(n - o) <= 2 for o in lines)
    right = {c for c in ours if near(at[c[0], c[2]], c[1])}
    found = {c for c in calls if near(mine[c[0], c[2]], c[1])}
    print(f"{a.repo} {a.source}: calls {len(calls)}, ours {len(ours)}, precision {len(right) / max(1, len(ours)):.4f}, recall {len(found) / max(1, len(calls)):.4f}")
    levels = collections.defaultdict(lambda: [0, 0])
    for c, l in ours.items():
        levels[l][0] += 1
        levels[l][1] += c in right
    print("  " + ", ".join(f"{l} {r}/{n}" for l, (n, r) in sorted(levels.items())))
    for title, items in (("wrong", sorted(set(ours) - right)), ("missed", sorted(calls - found))):
        for f, n, t in items[:a.misses]:
            print(f"  {title} {f}:{n} {t} {ours.get((f, n, t), '')}")


if __name__ == "__main__":
    main()
