"""Compares what findspot reads of office documents with what pandoc and LibreOffice write as plain text: docs/bench/office.py FOLDER

Run it at the root of the repository. It needs Go, pandoc, LibreOffice (soffice), and python3 with pymupdf and rapidfuzz (pip install pymupdf rapidfuzz), prints a table in
Markdown, and names on stderr the documents that differ most. It writes to a temporary folder only.

The other text of a document is
  .docx  what `pandoc -t html` shows (its plain text mixes the words of cells that it breaks over lines), and LibreOffice's export as text;
  .pptx  PyMuPDF's text of LibreOffice's export as PDF;
  .xlsx  LibreOffice's export of all sheets as CSV.
Notes of speakers and comments, which the other texts leave out, are left out of ours. Words are runs of letters and digits, in lower case. Kept is the longest common subsequence of
words over the words of the other text, and the ratio is twice that subsequence over the words of both. Documents are left out where the other program fails, or has fewer than 30 words.
"""

import html
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import pymupdf
from rapidfuzz.distance import LCSseq

FEWEST = 30
MOST = 60_000  # words of a document that are compared


def words(s):
    return re.findall(r"[^\W_]+", s.lower())[:MOST]


def pandoc(name, tmp):
    r = subprocess.run(["pandoc", "-f", "docx", "-t", "html", "--wrap=none", name], capture_output=True, timeout=120)
    if r.returncode != 0:
        return None
    blocks = re.sub(r"</?(?:p|li|h[1-6]|t[drh]|br|div|pre|table|caption)\b[^>]*>", " ", r.stdout.decode("utf-8", "replace"))
    return html.unescape(re.sub(r"<[^>]*>", "", blocks))


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
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=20 + 10 * len(batch))
            except subprocess.TimeoutExpired:
                pass
        for name, link in part.items():
            out[name] = sorted(folder.glob(link.stem + "*." + suffix))
    return out


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    names = sorted(str(p) for p in folder.rglob("*") if p.suffix.lower() in (".docx", ".pptx", ".xlsx"))
    with tempfile.TemporaryDirectory() as tmp:
        tmp = pathlib.Path(tmp)
        run = subprocess.run(["go", "run", "docs/bench/officetext.go"], input="\n".join(names), capture_output=True, text=True, check=True)
        ours = {r["name"]: r for r in map(json.loads, run.stdout.splitlines())}
        print("| format, compared with | documents | kept, mean | median | least | below .9 | ratio, mean |")
        print("|---|---:|---:|---:|---:|---:|---:|")
        for ext in (".docx", ".pptx", ".xlsx"):
            some = [n for n in names if n.lower().endswith(ext)]
            if not some:
                continue
            if ext == ".docx":
                compare(ext, "pandoc", some, ours, {n: pandoc(n, tmp) for n in some})
                files = office(some, tmp, "txt:Text (encoded):UTF8", "txt")
            elif ext == ".pptx":
                files = office(some, tmp, "pdf", "pdf")
            else:
                files = office(some, tmp, "csv:Text - txt - csv (StarCalc):9,34,76,1,,0,false,true,false,false,false,-1", "csv")
            texts = {}
            for n, found in files.items():
                if ext == ".pptx":
                    texts[n] = "\n".join(page.get_text() for f in found for page in pymupdf.open(f))
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
        mine = words(re.sub(r"(?ms)^(?:Notes:|Comments:?)$.*?(?:\f|\Z)", "", ours[n]["text"]))
        same = LCSseq.similarity(mine, other)
        rows.append((same / len(other), 2 * same / (len(mine) + len(other)), n, len(mine), len(other)))
    rows.sort()
    if not rows:
        return
    kept = [r[0] for r in rows]
    print(f"| {ext}, {what} | {len(rows)} | {sum(kept) / len(rows):.4f} | {kept[len(rows) // 2]:.4f} | {kept[0]:.4f} | {sum(r < .9 for r in kept)} "
          f"| {sum(r[1] for r in rows) / len(rows):.4f} |", flush=True)
    for r in rows[:25]:
        print(f"{what} kept {r[0]:.4f} ratio {r[1]:.4f} {r[3]} {r[4]} {r[2]}", file=sys.stderr)


if __name__ == "__main__":
    main()
