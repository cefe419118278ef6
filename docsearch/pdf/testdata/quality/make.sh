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
		"$1" -interaction=nonstopmode -halt-on-error "$2.tex" >"$2.say" 2>&1 || { tail -30 "$2.say"; echo "$1 $2: run $run" >&2; return 1; }
	done
}
pdftex() { tex pdflatex "$1"; }
xetex() { tex xelatex "$1"; }
luatex() { tex lualatex "$1"; }
chrome() { "${CHROMIUM:-chromium}" --headless --no-sandbox --disable-gpu --no-pdf-header-footer --print-to-pdf="$1.pdf" "$1.html" 2>/dev/null; }
office() { # NAME EXTENSION
	soffice --headless "-env:UserInstallation=file://$work/office" --convert-to pdf "$1.$2" >/dev/null 2>&1
}

cairo() { "${CAIRO_PYTHON:-python3}" "$@"; } # a Python that has pycairo
scanned() {                                  # the page of logbook.tex as a scanner sees it
	[ -f page.png ] && return
	pdftex logbook
	pdftoppm -r 200 -gray -png -singlefile logbook.pdf logbook
	python3 scan.py logbook.png page.png
}
need() { # a document that another is made of: rebuilt if this run has not made it, else it is taken as it lies here
	[ -f "$1.pdf" ] || cp "$here/$1.pdf" .
}

make() {
	case $1 in
	article | twocolumn | threecolumn | longtable | thesis | slides | bitmap | formula | form) pdftex "$1" ;;
	chinese | korean | arabic) xetex "$1" ;;
	hebrew | letters) luatex "$1" ;;
	report) groff -k -ms -t -Tpdf report.ms >report.pdf ;;
	manual) groff -k -ms -t -Tps manual.ms >manual.ps && ps2pdf manual.ps manual.pdf ;;
	poster) ps2pdf poster.ps poster.pdf ;;
	spec | memo) python3 "$1.py" && office "$1" docx ;;
	gazetteer) office gazetteer fodt ;;
	ledger) python3 ledger.py ledger.fods && office ledger fods ;;
	webreport | japanese | bidi | columns) chrome "$1" ;;
	chart) cairo chart.py chart.pdf ;;
	stock | inventory | bare) python3 "$1.py" "$1.pdf" ;;
	scan) scanned && cairo picture.py page.png scan.pdf ;;
	ocr) scanned && tesseract page.png ocr --dpi 200 pdf 2>ocr.say ;;
	locked) need columns && qpdf --static-id --encrypt '' owner 256 -- columns.pdf locked.pdf ;;
	password) need chart && qpdf --static-id --allow-weak-crypto --encrypt ditch owner 128 -- chart.pdf password.pdf ;;
	packed) need chinese && qpdf --static-id --object-streams=generate --linearize chinese.pdf packed.pdf ;;
	damaged) need webreport && python3 damage.py webreport.pdf damaged.pdf ;;
	*) echo "no document $1" >&2 && return 1 ;;
	esac
	cp "$1.pdf" "$here"
}

all=(article twocolumn threecolumn longtable thesis slides bitmap formula form chinese korean arabic hebrew letters report manual
	poster spec memo gazetteer ledger webreport japanese bidi columns chart stock inventory bare scan ocr locked password packed damaged)
[ $# -gt 0 ] || set -- "${all[@]}"
python3 strike.py strike.png
for name in "$@"; do
	echo "$name"
	make "$name"
done
cd "$here" && python3 truth.py
