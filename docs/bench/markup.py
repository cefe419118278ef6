"""Compares the text of documents with what another program makes of them.

    python3 docs/bench/markup.py [--as .rst] [--by pandoc|sphinx|asciidoctor|detex|xml2rfc|itself|.text] FILE...

For each file it prints the share of the other's words that ours has in the same order, the share of our words that the other has, the number of the
other's words, and the name; at the end the means. A word is a run of two or more letters or digits, in compatibility form (NFKC) and lower case, so that formulas count by
their names and not by how they are set. The programs have to be on the PATH; sphinx is sphinx-build -b text with the extensions of its own.
Sources: see formats.md.
"""
import argparse, html.parser, os, re, shutil, subprocess, sys, tempfile, unicodedata

READERS = {".rst": "rst", ".rest": "rst", ".tex": "latex", ".ipynb": "ipynb", ".epub": "epub"}


class Text(html.parser.HTMLParser):
    """The text of HTML; blocks end words."""

    def __init__(self):
        super().__init__()
        self.out, self.skip, self.math = [], 0, False

    def handle_starttag(self, tag, attrs):
        self.math = tag == "span" and "math" in (dict(attrs).get("class") or "")
        self.skip += tag in ("script", "style", "head")
        if tag not in ("em", "strong", "code", "a", "span", "i", "b", "sup", "sub", "kbd", "mark", "u"):
            self.out.append(" ")
        for k, v in attrs:
            if tag == "img" and k == "alt" and v:
                self.out.append(" " + v + " ")

    def handle_endtag(self, tag):
        self.math = False
        self.skip -= tag in ("script", "style", "head")
        if tag not in ("em", "strong", "code", "a", "span", "i", "b", "sup", "sub", "kbd", "mark", "u"):
            self.out.append(" ")

    def handle_data(self, data):
        if not self.skip and not self.math:
            self.out.append(data)


def run(cmd, **kw):
    return subprocess.run(cmd, capture_output=True, text=True, errors="replace", timeout=120, **kw).stdout


def reference(name, ext, by, tmp):
    if by == "pandoc" and ext == ".tex":  # formulas aside, most of which pandoc leaves as LaTeX
        t = Text()
        t.feed(run(["pandoc", "-f", "latex", "-t", "html", "--mathjax", os.path.abspath(name)], cwd=os.path.dirname(os.path.abspath(name))))
        return "".join(t.out)
    if by == "pandoc":
        return run(["pandoc", "-f", READERS[ext], "-t", "plain", "--wrap=none", os.path.abspath(name)], cwd=os.path.dirname(os.path.abspath(name)))
    if by == "sphinx":
        src = os.path.join(tmp, "src")
        shutil.rmtree(src, ignore_errors=True)
        os.makedirs(src)
        shutil.copy(name, os.path.join(src, "index.rst"))
        with open(os.path.join(src, "conf.py"), "w") as f:
            f.write("extensions = ['sphinx.ext.todo', 'sphinx.ext.mathjax', 'sphinx.ext.doctest']\n")
        out = os.path.join(tmp, "build")
        shutil.rmtree(out, ignore_errors=True)
        run(["sphinx-build", "-q", "-b", "text", src, out])
        with open(os.path.join(out, "index.txt"), errors="replace") as f:
            return f.read()
    if by == "asciidoctor":
        page = run(["asciidoctor", "-o", "-", "-S", "secure", "-a", "linkcss", "-a", "nofooter", "-e", "-a", "showtitle", os.path.abspath(name)])
        t = Text()
        t.feed(page)
        return "".join(t.out)
    if by == "detex":
        return run(["detex", os.path.abspath(name)], cwd=os.path.dirname(os.path.abspath(name)))
    if by == "xml2rfc":
        out = os.path.join(tmp, "rfc.txt")
        if os.path.exists(out):
            os.remove(out)
        run(["xml2rfc", "--text", "--no-network", "-q", "-o", out, os.path.abspath(name)])
        return added(out, name)
    if by.startswith("."):  # the extension of a text beside it
        return added(os.path.splitext(name)[0] + by, name)
    if by == "itself":
        with open(name, errors="replace") as f:
            return unpaged(f.read())
    raise ValueError("no program " + by)


def added(name, source):
    """The text that xml2rfc made, without what it adds of its own: the two columns before the title, the status, the table of contents, entries of
    references that stand in other files, the places of images, and the index."""
    with open(name, errors="replace") as f:
        s = unpaged(f.read())
    with open(source, errors="replace") as f:
        xml = f.read()
    s = re.sub(r"(?s)\A\s*.*?\n\n\n", "", s, count=1)
    s = re.sub(r"(?ms)^Status of [Tt]his Memo.*?(?=^1\. )", "", s)
    s = re.sub(r"\(?Artwork\s+only\s+available\s+as\s+(SVG|svg):\s+see\s+\S+\)?", "", s)
    s = re.sub(r"(?ms)^Index\n.*?(?=^Authors?'s? Address|\Z)", "", s)
    labels = dict((to, target) for target, to in re.findall(r'<displayreference\s+target="([^"]*)"\s+to="([^"]*)"', xml))

    def entry(m):
        anchor = labels.get(m[1], m[1])
        return m[0] if re.search(r'<reference(group)?\b[^>]*\banchor=["\']%s["\']' % re.escape(anchor), xml) else ""

    return re.sub(r"(?m)^   \[([^\]\s]+)\](?:  |\n).*\n(?:(?: {6,}.*)?\n)*", entry, s)


def unpaged(s):
    return re.sub(r"(?m)^(.*\[Page [0-9ivx]+\]|\f?(RFC [0-9]+|Internet-Draft) .* [0-9]{4}) *$", "", s)


def words(s):
    return re.findall(r"[^\W_]{2,}", unicodedata.normalize("NFKC", s.replace("\u00ad", "")).lower())


def common(a, b, tmp):
    """How many words a and b have in common in the same order, as diff finds them."""
    names = []
    for k, ws in enumerate((a, b)):
        names.append(os.path.join(tmp, "words%d" % k))
        with open(names[-1], "w") as f:
            f.write("".join(w + "\n" for w in ws))
    gone = sum(line.startswith("<") for line in run(["diff", "-d", *names]).splitlines())
    return len(a) - gone


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--as", dest="ext", default="")
    p.add_argument("--by", default="pandoc")
    p.add_argument("--keep", default="")
    p.add_argument("files", nargs="+")
    o = p.parse_args()
    recall, precision = [], []
    with tempfile.TemporaryDirectory() as tmp:
        ours = o.keep or tmp
        cmd = [os.environ["MARKUPTEXT"]] if "MARKUPTEXT" in os.environ else ["go", "run", os.path.join(os.path.dirname(__file__), "markuptext.go")]
        if o.ext:
            cmd += ["-as", o.ext]
        sys.stderr.write(subprocess.run(cmd + [ours] + o.files, stderr=subprocess.PIPE, text=True).stderr)
        for i, name in enumerate(o.files):
            try:
                with open(os.path.join(ours, "%d.txt" % i)) as f:
                    got = words(f.read())
                ref = reference(name, o.ext or os.path.splitext(name)[1].lower(), o.by, tmp)
            except Exception as e:
                print("-", name, repr(e)[:200])
                continue
            if o.keep:
                with open(os.path.join(ours, "%d.ref" % i), "w") as f:
                    f.write(ref)
            want = words(ref)
            if not want:
                print("-", name, "the other program gives no words")
                continue
            n = common(want, got, tmp)
            recall.append(n / len(want))
            precision.append(n / max(len(got), 1))
            print("%.3f %.3f %6d %d %s" % (recall[-1], precision[-1], len(want), i, name))
    if recall:
        print("%.3f %.3f  mean of %d" % (sum(recall) / len(recall), sum(precision) / len(precision), len(recall)))


main()
