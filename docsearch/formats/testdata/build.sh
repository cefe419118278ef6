#!/bin/sh
# Makes documents of sample.md with the programs that write the formats: pandoc, and xml2rfc for the text of rfc/testdata/draft.xml.
cd "$(dirname "$0")" || exit 1
for t in rst:rst/testdata/pandoc.rst asciidoc:asciidoc/testdata/pandoc.adoc latex:latex/testdata/pandoc.tex ipynb:notebook/testdata/pandoc.ipynb epub2:epub/testdata/pandoc2.epub epub3:epub/testdata/pandoc3.epub; do
	pandoc -s -t "${t%%:*}" -o "../${t#*:}" sample.md
done
xml2rfc --no-network -q --text -o ../rfc/testdata/draft.txt ../rfc/testdata/draft.xml
xml2rfc --no-network -q --text --pagination -o ../rfc/testdata/paged.txt ../rfc/testdata/draft.xml
python3 make.py
