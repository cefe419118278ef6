"""Compares what findspot reads of office documents with what pandoc and LibreOffice write as plain text: docs/bench/office.py FOLDER

Run it at the root of the repository. It needs Go, pandoc, LibreOffice (soffice), and python3 with rapidfuzz (pip install rapidfuzz), prints a table in
Markdown, and names on stderr the documents that differ most. It writes to a temporary folder only.

The other text of a document is
  .docx  what `pandoc -t html` shows (its plain text mixes the words of cells that it breaks over lines), and LibreOffice's export as text;
  .pptx  the paragraphs of each slide in LibreOffice's export as flat OpenDocument, without what the layout repeats (dates, footers, numbers of slides) and the cells of charts' own tables;
  .xlsx  LibreOffice's export of all sheets that are not hidden as CSV, in the order of the
         workbook, with cells as they are shown and dates as ours. Workbooks with pivot tables, today's date and the like, which LibreOffice calculates anew, and
         the errors of formulas that it cannot calculate are left out.
Notes of speakers and comments, which the other texts leave out, are left out of ours. Words are runs of letters and digits, in lower case. Kept is the longest common subsequence of
words over the words of the other text, and the ratio is twice that subsequence over the words of both; any is the share of the other's words that ours has in any order, each as often
as it stands. Documents are left out where the other program fails, has fewer than 30 words, or writes over 50 MB.
"""

import collections
import html
import json
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
import zipfile

from rapidfuzz.distance import LCSseq

FEWEST = 30
LARGEST = 50 << 20  # bytes of an export
MOST = 60_000  # words of a document that are compared


def words(s):
    return re.findall(r"[^\W_]+", s.lower())[:MOST]


def pandoc(name, tmp):
    r = subprocess.run(["pandoc", "-f", "docx", "-t", "html", "--wrap=none", name], capture_output=True, timeout=120)
    if r.returncode != 0:
        return None
    blocks = re.sub(r"</?(?:p|li|h[1-6]|t[drh]|br|div|pre|table|caption)\b[^>]*>", " ", r.stdout.decode("utf-8", "replace"))
    return html.unescape(re.sub(r"<[^>]*>", "", blocks))


def states(name):
    """The names of the sheets of a workbook in its order, and whether each is shown."""
    try:
        with zipfile.ZipFile(name) as z:
            book = next(n for n in z.namelist() if re.search(r"(^|/)workbook\.xml$", n))
            return [(s.get("name"), s.get("state", "visible") == "visible") for s in ET.fromstring(z.read(book)).iter() if s.tag.endswith("}sheet")]
    except Exception:
        return []


def sheets(name, found):
    """The text of the CSV files of a workbook's sheets in its order, but of those that it hides."""
    # A file is named after the workbook and the sheet, whose "/" and the like are "_" there.
    files = {f.stem.split("-", 1)[-1]: f for f in found}
    order = [(files.get(s) or files.get(re.sub(r"[/\\:*?\"<>|]", "_", s)), shown) for s, shown in states(name)]
    away = {f for f, shown in order if not shown}
    known = [f for f, shown in order if shown and f]
    rest = [f for f in found if f not in known and f not in away]
    s = "\n".join(f.read_text("utf-8-sig", "replace") for f in known + rest)
    return iso(re.sub(r"(?m)(^|\t)(?:Err:[0-9]+|#[A-Z/0]+[!?])(?=\t|$)", r"\1", s))  # it cannot calculate some that the file has the values of


def changing(name):
    """Whether LibreOffice calculates what a workbook shows anew: it has pivot tables, or asks for the time or for chance."""
    try:
        with zipfile.ZipFile(name) as z:
            if any("/pivotTables/" in n for n in z.namelist()):
                return True
            return any(re.search(rb"<f[^>]*>[^<]*\b(?:TODAY|NOW|RAND|RANDBETWEEN)\(", z.read(n)) for n in z.namelist() if "/worksheets/" in n and n.endswith(".xml"))
    except Exception:
        return False


def iso(s):
    """Dates such as 12/31/2016 as 2016-12-31, which is how ours are written."""
    return re.sub(r"(?<![\w/])(\d{1,2})/(\d{1,2})/(\d{4})(?![\w/])", lambda m: "%s-%02d-%02d" % (m[3], int(m[1]), int(m[2])), s)


def slides(found):
    """The paragraphs of the slides of flat OpenDocument files."""
    out = []
    repeated = {"footer", "date-time", "page-number", "header"}

    def walk(e):
        tag = e.tag.rsplit("}", 1)[-1]
        kind = next((v for k, v in e.attrib.items() if k.endswith("presentation-1.0}class") or k.endswith("presentation:1.0}class")), "")
        if tag in ("notes", "annotation", "object", "desc", "title", "event-listeners") or kind in repeated:
            return
        if tag in ("p", "h"):
            out.append("".join(text(e)))
            return
        for k in e:
            walk(k)

    def text(e):
        yield e.text or ""
        for k in e:
            tag = k.tag.rsplit("}", 1)[-1]
            if tag in ("s", "tab", "line-break"):
                yield " "
            elif tag not in ("annotation", "note"):
                yield from text(k)
            yield k.tail or ""

    for f in found:
        for page in ET.parse(f).getroot().iter("{urn:oasis:names:tc:opendocument:xmlns:drawing:1.0}page"):
            walk(page)
    return "\n".join(out)


def office(names, tmp, ending, suffix):
    """Exports all files, some at once, and returns the folder of each file's export."""
    out = {}
    for i in range(0, len(names), 20):
        folder = tmp / f"{suffix}{i}"
        folder.mkdir()
        part = {}
        for k, name in enumerate(names[i : i + 20]):  # names of their own, as files of several folders share some
            link = folder / f"f{k:02}{pathlib.Path(name).suffix.lower()}"
            link.symlink_to(name)
            part[name] = link
        for batch in [list(part.values())] + [[x] for x in part.values()]:
            if len(batch) == 1 and list(folder.glob(batch[0].stem + "*." + suffix)):
                continue
            try:
                subprocess.run(["soffice", f"-env:UserInstallation=file://{tmp}/profile", "--headless", "--convert-to", ending, "--outdir", folder, *batch],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=small, timeout=20 + 10 * len(batch))
            except subprocess.TimeoutExpired:
                pass
        for name, link in part.items():
            out[name] = sorted(folder.glob(link.stem + "*." + suffix))
    return out


def small():
    resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST, LARGEST))


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    names = sorted(str(p) for p in folder.rglob("*") if p.suffix.lower() in (".docx", ".pptx", ".xlsx"))
    with tempfile.TemporaryDirectory() as tmp:
        tmp = pathlib.Path(tmp)
        run = subprocess.run(["go", "run", "docs/bench/officetext.go"], input="\n".join(names), capture_output=True, text=True, check=True)
        ours = {r["name"]: r for r in map(json.loads, run.stdout.splitlines())}
        print("| format, compared with | documents | kept, mean | median | least | below .9 | ratio, mean | any, mean |")
        print("|---|---:|---:|---:|---:|---:|---:|---:|")
        for ext in (".docx", ".pptx", ".xlsx"):
            some = [n for n in names if n.lower().endswith(ext)]
            if not some:
                continue
            if ext == ".docx":
                compare(ext, "pandoc", some, ours, {n: pandoc(n, tmp) for n in some})
                files = office(some, tmp, "txt:Text (encoded):UTF8", "txt")
            elif ext == ".pptx":
                files = office(some, tmp, "fodp:OpenDocument Presentation Flat XML", "fodp")
            else:
                files = office(some, tmp, "csv:Text - txt - csv (StarCalc):9,34,76,1,,0,false,true,true,false,false,-1", "csv")
            texts = {}
            for n, found in files.items():
                if ext == ".pptx":
                    texts[n] = slides(found)
                elif ext == ".xlsx":
                    texts[n] = "" if changing(n) else sheets(n, found)
                else:
                    texts[n] = "\n".join(f.read_text("utf-8-sig", "replace") for f in found)
            compare(ext, "LibreOffice", some, ours, texts)
        for ext in (".docx", ".pptx", ".xlsx"):
            some = [r for n, r in ours.items() if n.lower().endswith(ext)]
            good = [r for r in some if "error" not in r]
            print(f"\n{ext}: {len(good)} of {len(some)} read, {sum(r['pages'] for r in good)} pages, {sum(r['headings'] for r in good)} headings, "
                  f"{sum(r['tables'] for r in good)} tables, {sum(r['figures'] for r in good)} figures, {sum(r['seconds'] for r in some):.1f} s")
            for r in some:
                if "error" in r:
                    print(f"  {r['name']}: {r['error']}", file=sys.stderr)


def compare(ext, what, names, ours, texts):
    rows = []
    for n in names:
        other = words(texts[n] or "")
        if len(other) < FEWEST or "error" in ours[n]:
            continue
        mine = words(iso(re.sub(r"(?ms)^(?:Notes:|Comments:?)$.*?(?:\f|\Z)", "", ours[n]["text"])))
        same = LCSseq.similarity(mine, other)
        away = collections.Counter(other) - collections.Counter(mine)
        rows.append((same / len(other), 2 * same / (len(mine) + len(other)), 1 - sum(away.values()) / len(other), n, len(mine), len(other)))
    rows.sort()
    if not rows:
        return
    kept = [r[0] for r in rows]
    print(f"| {ext}, {what} | {len(rows)} | {sum(kept) / len(rows):.4f} | {kept[len(rows) // 2]:.4f} | {kept[0]:.4f} | {sum(r < .9 for r in kept)} "
          f"| {sum(r[1] for r in rows) / len(rows):.4f} | {sum(r[2] for r in rows) / len(rows):.4f} |", flush=True)
    for r in rows[:25]:
        print(f"{what} kept {r[0]:.4f} ratio {r[1]:.4f} any {r[2]:.4f} {r[4]} {r[5]} {r[3]}", file=sys.stderr)


if __name__ == "__main__":
    main()
