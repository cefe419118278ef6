#!/usr/bin/env bash
# Measures the library of documents beside Lucene, tantivy and plain bleve: docs/bench/docsearch.sh STEP...
#
#   corpus   makes the documents and the queries (docs/bench/docsearch/corpus.go says how) from the shared data
#
# Steps may be run again one by one. What they make lies in FINDSPOT_BENCH_DIR (default: findspot-docsearch in the folder of temporary files), which
# is yours to delete. FINDSPOT_SHARED is the folder of the shared data (default ../shared); FINDSPOT_BENCH_N the number of documents
# (default 200000; each has 3,000 characters).
set -Eeuo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=${FINDSPOT_BENCH_DIR:-${TMPDIR:-/tmp}/findspot-docsearch}
shared=${FINDSPOT_SHARED:-$here/../shared}
n=${FINDSPOT_BENCH_N:-200000}
src=$here/docs/bench/docsearch
corpus=$work/corpus-$n

usage() { sed -n '2,/^set/{s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}"; }

# corpus: documents and queries, unless they are there.
step_corpus() {
	if [ ! -f "$corpus/corpus.json" ]; then
		go build -o "$work/corpus" "$src/corpus.go"
		"$work/corpus" -n "$n" "$shared" "$corpus" >&2
	fi
	cat "$corpus/corpus.json"
}

[ $# -gt 0 ] || { usage >&2; exit 2; }
mkdir -p "$work"
for step in "$@"; do
	if ! declare -F "step_$step" >/dev/null; then
		echo "docs/bench/docsearch.sh: there is no step $step" >&2
		usage >&2
		exit 2
	fi
	"step_$step"
done
