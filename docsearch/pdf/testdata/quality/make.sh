#!/usr/bin/env bash
# Builds the PDFs of this folder from src: make.sh, or make.sh NAME... for some. README.md says which tools it needs.
set -Eeuo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export SOURCE_DATE_EPOCH=1700000000 FORCE_SOURCE_DATE=1 LC_ALL=C.UTF-8 TZ=UTC
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here"/src/* "$work"
cd "$work"

tex() { # ENGINE NAME: three runs, for references and outlines
	local run
	for run in 1 2 3; do
		"$1" -interaction=nonstopmode -halt-on-error "$2.tex" >"$2.out" 2>&1 || { tail -30 "$2.out"; echo "$1 $2: run $run" >&2; return 1; }
	done
}
pdftex() { tex pdflatex "$1"; }
xetex() { tex xelatex "$1"; }
luatex() { tex lualatex "$1"; }
chrome() { "${CHROMIUM:-chromium}" --headless --no-sandbox --disable-gpu --no-pdf-header-footer --print-to-pdf="$1.pdf" "$1.html" 2>/dev/null; }
office() { # NAME EXTENSION
	soffice --headless "-env:UserInstallation=file://$work/office" --convert-to pdf "$1.$2" >/dev/null 2>&1
}

pages() {
	python3 strike.py strike.png
	pdftex article
}
