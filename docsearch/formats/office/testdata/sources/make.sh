#!/bin/sh
# Makes the documents in testdata from the sources beside this file, with the programs that people use. It needs pandoc, LibreOffice, and a python3 with
#   pip install python-docx python-pptx openpyxl XlsxWriter Pillow msoffcrypto-tool
# The documents are committed, since other versions of the programs write others; the golden texts beside them were read by a person.
set -eu
cd "$(dirname "$0")"
out=$(cd .. && pwd)
python=${PYTHON:-python3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$python" make.py "$out"
cp paper.md slides.md "$work"
"$python" make.py --picture "$work/chain.png"
(
	cd "$work"
	pandoc paper.md -o "$out/paper.docx"
	pandoc slides.md -o "$out/slides.pptx"
)
convert() { # file, ending, options: by LibreOffice
	file=$1 ending=$2
	shift 2
	soffice -env:UserInstallation="file://$work/profile" --headless "$@" --convert-to "$ending" --outdir "$work/out" "$file" >/dev/null
}
convert spec.fodt docx
cp "$work/out/spec.docx" "$out/spec.docx"
convert german.html docx "--infilter=HTML (StarWriter)"
cp "$work/out/german.docx" "$out/german.docx"
convert "$out/paper.docx" docx
cp "$work/out/paper.docx" "$out/paper-again.docx"
convert "$out/talk.pptx" odp
convert "$work/out/talk.odp" pptx
cp "$work/out/talk.pptx" "$out/talk-again.pptx"
convert "$out/slides.pptx" odp
convert "$work/out/slides.odp" pptx
cp "$work/out/slides.pptx" "$out/slides-again.pptx"
convert "$out/formats.xlsx" ods
convert "$work/out/formats.ods" xlsx
cp "$work/out/formats.xlsx" "$out/formats-again.xlsx"
convert sheet.csv xlsx --infilter=CSV:44,34,76,1
cp "$work/out/sheet.xlsx" "$out/sheet.xlsx"
# Locked, and of older programs: they are told apart, and not read.
convert spec.fodt doc
cp "$work/out/spec.doc" "$out/old.doc"
convert sheet.csv xls
cp "$work/out/sheet.xls" "$out/old.xls"
msoffcrypto-tool -e -p secret "$out/days.xlsx" "$out/locked.xlsx"
