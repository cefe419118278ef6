#!/usr/bin/env bash
# Builds the PDFs of this folder from src. It needs pdflatex, groff, LibreOffice and Chromium; the PDFs are committed, so that tests need none.
set -Eeuo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export SOURCE_DATE_EPOCH=1700000000 FORCE_SOURCE_DATE=1 LC_ALL=C.UTF-8 TZ=UTC
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here"/src/* "$work"
cd "$work"
for name in clauses bookmarks roman stacks; do
	for run in 1 2 3; do
		pdflatex -interaction=nonstopmode -halt-on-error "$name.tex" >"$name.say" 2>&1 || { tail -30 "$name.say"; echo "$name: run $run" >&2; exit 1; }
	done
done
groff -k -ms -Tpdf memo.ms >memo.pdf
soffice --headless "-env:UserInstallation=file://$work/office" --convert-to 'pdf:writer_pdf_Export:{"ExportBookmarks":{"type":"boolean","value":"true"}}' office.fodt >/dev/null 2>&1
"${CHROMIUM:-chromium}" --headless --no-sandbox --disable-gpu --no-pdf-header-footer --generate-pdf-document-outline --print-to-pdf=print.pdf print.html 2>/dev/null
cp ./*.pdf "$here"
