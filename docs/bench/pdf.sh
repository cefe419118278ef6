#!/usr/bin/env bash
# Compares findspot with PyMuPDF, PDFium and pdftotext on a folder of PDFs: docs/bench/pdf.sh FOLDER
#
# Prints a table in Markdown, with versions and date; progress goes to stderr. Needs Go and python3 with pymupdf, pypdfium2 and
# rapidfuzz (pip install pymupdf pypdfium2 rapidfuzz); pdftotext (poppler-utils) if it is there. All that is built and written
# lies in a temporary folder. PDF_BENCH_JOBS says how many files are read at once (default 2); what is timed runs alone.
set -Eeuo pipefail

if [ $# -ne 1 ] || [ ! -d "$1" ]; then
	echo "usage: docs/bench/pdf.sh FOLDER" >&2
	exit 2
fi
folder=$(cd "$1" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
for tool in go python3; do
	command -v "$tool" >/dev/null || { echo "docs/bench/pdf.sh: $tool is not installed" >&2; exit 1; }
done
missing=$(python3 -c '
import importlib.util
print(" ".join(m for m in ("pymupdf", "pypdfium2", "rapidfuzz") if importlib.util.find_spec(m) is None))')
if [ -n "$missing" ]; then
	echo "docs/bench/pdf.sh: python3 lacks $missing; to install: pip install $missing" >&2
	exit 1
fi
command -v pdftotext >/dev/null || echo "docs/bench/pdf.sh: no pdftotext; to install: apt-get install poppler-utils" >&2

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
go build -o "$tmp/findspot" ./examples/findspot
go build -o "$tmp/pdftime" docs/bench/pdftime.go
commit=$(git describe --always --dirty 2>/dev/null || echo unknown)
PYTHONDONTWRITEBYTECODE=1 python3 docs/bench/pdf.py --findspot "$tmp/findspot" --pdftime "$tmp/pdftime" --commit "$commit" \
	--command "\`docs/bench/pdf.sh $(basename "$folder")\`" --jobs "${PDF_BENCH_JOBS:-2}" "$folder"
