#!/usr/bin/env bash
# Measures the library of documents beside Lucene, tantivy and plain bleve: docs/bench/docsearch.sh STEP...
#
#   corpus     makes the documents and the queries from the shared data (docsearch/corpus.go says how)
#   index      indexes them with each engine: processor seconds, memory, size
#   query      asks each index there is: latency of the tiers, memory
#   size       prints the sizes of the indexes there are
#   relevance  nDCG@10 of Lucene and findspot on the four shared sets
#   pdfs       500 PDFs of the corpus end to end, and where the time goes
#   profile    where the time of indexing and of the queries goes in findspot
#
# Steps may be run again one by one; each prints tables in Markdown. What they make lies in FINDSPOT_BENCH_DIR (default: findspot-docsearch in the folder of
# temporary files; 5 GB for 200,000 documents), which is yours to delete. FINDSPOT_SHARED is the folder of the shared data (default ../shared), FINDSPOT_BENCH_N
# the number of documents (default 200000; each has 3,000 characters), FINDSPOT_BENCH_ENGINES those of index and query (default
# "lucene lucene2 tantivy tantivy2 bleve findspot"; a 2 means two threads; lucene500 commits every 500 documents, as bleve and findspot do), and
# FINDSPOT_BENCH_ROUNDS how often each query is asked after the first time (default 5). Needs Go, Python, a JDK of 17 or newer with Maven, and cargo.
# Times are of this machine in this minute: compare within one run.
set -Eeuo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=${FINDSPOT_BENCH_DIR:-${TMPDIR:-/tmp}/findspot-docsearch}
shared=${FINDSPOT_SHARED:-$here/../shared}
n=${FINDSPOT_BENCH_N:-200000}
engines=${FINDSPOT_BENCH_ENGINES:-lucene lucene2 tantivy tantivy2 bleve findspot}
rounds=${FINDSPOT_BENCH_ROUNDS:-5}
src=$here/docs/bench/docsearch
corpus=$work/corpus-$n
out=$work/results-$n

usage() { sed -n '2,/^set/{s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}"; }
table() { python3 "$src/table.py" "$@"; }

need() {
	for tool in "$@"; do
		command -v "$tool" >/dev/null || { echo "docs/bench/docsearch.sh: $tool is not installed" >&2; exit 1; }
	done
}

# build PROGRAM: compiles one of the programs that are compared, unless that was done.
build() {
	case $1 in
	findspot) # always: it is what changes
		(cd "$here" && go build -o "$work/findspot" ./examples/findspot && go build -o "$work/time" "$src/findspot.go") ;;
	watch) (cd "$here" && go build -o "$work/watch" "$src/watch.go") ;;
	bleve) [ -x "$work/bleve" ] || (cd "$src/bleve" && go build -o "$work/bleve" .) ;;
	lucene)
		need mvn javac java
		if [ ! -f "$work/lucene/Bench.class" ]; then
			mvn -q -f "$src/lucene/pom.xml" org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies "-DoutputDirectory=$work/lucene/lib"
			javac -cp "$work/lucene/lib/*" -d "$work/lucene" "$src/lucene/Bench.java"
		fi ;;
	tantivy)
		need cargo
		if [ ! -x "$work/target/release/docsearch-bench" ]; then
			cargo build --release --locked --quiet --manifest-path "$src/tantivy/Cargo.toml" --target-dir "$work/target"
		fi ;;
	esac
}

lucene() { java -Xmx1g -cp "$work/lucene:$work/lucene/lib/*" Bench "$@"; }

# watched NAME FILE PROGRAM...: runs a program and notes what it used.
watched() { "$work/watch" "$2" "$1" "${@:3}"; }
java_words=(java -Xmx1g -cp "$work/lucene:$work/lucene/lib/*" Bench)

step_corpus() {
	if [ ! -f "$corpus/corpus.json" ]; then
		(cd "$here" && go build -o "$work/corpus" "$src/corpus.go")
		"$work/corpus" -n "$n" "$shared" "$corpus" >&2
	fi
	cat "$corpus/corpus.json"
}

step_index() {
	step_corpus >/dev/null
	mkdir -p "$out"
	build watch
	for e in $engines; do
		echo "index: $e" >&2
		local dir=$work/index-$n/$e
		rm -rf "$dir"
		mkdir -p "$work/index-$n"
		sync # what others wrote is not this one's
		case $e in
		lucene) build lucene; watched "$e" "$out/index.txt" "${java_words[@]}" index "$dir" "$corpus/corpus.jsonl" 1 0 ;;
		lucene2) build lucene; watched "$e" "$out/index.txt" "${java_words[@]}" index "$dir" "$corpus/corpus.jsonl" 2 0 ;;
		lucene500) build lucene; watched "$e" "$out/index.txt" "${java_words[@]}" index "$dir" "$corpus/corpus.jsonl" 1 500 ;;
		tantivy) build tantivy; watched "$e" "$out/index.txt" "$work/target/release/docsearch-bench" index "$dir" "$corpus/corpus.jsonl" 1 0 ;;
		tantivy2) build tantivy; watched "$e" "$out/index.txt" "$work/target/release/docsearch-bench" index "$dir" "$corpus/corpus.jsonl" 2 0 ;;
		bleve) build bleve; watched "$e" "$out/index.txt" "$work/bleve" index "$dir" "$corpus/corpus.jsonl" ;;
		findspot)
			build findspot
			watched "$e" "$out/index.txt" "$work/findspot" docs add --dir "$dir" "$corpus/corpus.jsonl" >"$out/add.txt"
			tail -n 1 "$out/add.txt" >&2 ;;
		*) echo "docs/bench/docsearch.sh: there is no engine $e" >&2; exit 2 ;;
		esac
		du -sb "$dir" | sed "s/\t.*/ $e/" >>"$out/size.txt"
		case $e in *2 | lucene500) rm -rf "$dir" ;; esac # only the time was wanted
	done
	table index "$corpus/corpus.json" "$out/index.txt" "$out/size.txt"
}

step_size() { table size "$corpus/corpus.json" "$out/size.txt"; }

step_query() {
	mkdir -p "$out"
	build watch
	for e in $engines; do
		local dir=$work/index-$n/$e
		[ -d "$dir" ] || continue
		echo "query: $e" >&2
		case $e in
		lucene)
			build lucene
			watched "$e" "$out/query.txt" "${java_words[@]}" query "$dir" "$corpus" "$rounds" 0 >"$out/query-$e.txt"
			watched "$e-exact" "$out/query.txt" "${java_words[@]}" query "$dir" "$corpus" "$rounds" 1 >"$out/query-$e-exact.txt" ;;
		tantivy) build tantivy; watched "$e" "$out/query.txt" "$work/target/release/docsearch-bench" query "$dir" "$corpus" "$rounds" >"$out/query-$e.txt" ;;
		bleve) build bleve; watched "$e" "$out/query.txt" "$work/bleve" query "$dir" "$corpus" "$rounds" >"$out/query-$e.txt" ;;
		findspot)
			build findspot
			watched "$e" "$out/query.txt" "$work/time" query "$dir/docs" "$corpus" "$rounds" >"$out/query-$e.txt"
			watched "$e-search" "$out/query.txt" "$work/time" search "$dir/docs" "$corpus" 1 >"$out/query-$e-search.txt" ;;
		esac
	done
	table query "$out/query.txt" "$out"/query-*.txt
}

step_relevance() {
	build lucene
	build findspot
	local dir=$work/relevance
	mkdir -p "$dir"
	for set in cranfield cisi med npl; do
		echo "relevance: $set" >&2
		rm -rf "$dir/index" "$dir/lucene"
		gunzip -c "$shared/relevance/$set/corpus.jsonl.gz" >"$dir/corpus.jsonl"
		lucene index "$dir/lucene" "$dir/corpus.jsonl" 1 0
		lucene run "$dir/lucene" "$shared/relevance/$set/queries.jsonl" 100 "$dir/lucene-$set.txt"
		# Documents without any text are refused, one by one, and the word of it is the exit code.
		"$work/findspot" docs add --dir "$dir/index" "$dir/corpus.jsonl" >"$dir/add.txt" 2>&1 || grep -c "no text" "$dir/add.txt" >&2
		"$work/time" run "$dir/index/docs" "$shared/relevance/$set/queries.jsonl" 100 "$dir/any-$set.txt" any
		"$work/time" run "$dir/index/docs" "$shared/relevance/$set/queries.jsonl" 100 "$dir/tiers-$set.txt" all
		for run in lucene any tiers; do
			python3 "$shared/relevance/score.py" "$shared/relevance/$set/qrels.tsv" "$dir/$run-$set.txt" | sed "s/.*nDCG@10 \([0-9.]*\).*/$set $run \1/"
		done
	done | tee "$dir/scores.txt" >&2
	table relevance "$dir/scores.txt"
}

step_pdfs() {
	build findspot
	build watch
	local dir=$work/pdfs count=0
	rm -rf "$dir" "$work/pdfs-index"
	mkdir -p "$dir" "$out"
	# 500 files: all of the corpus, and as many again under other names as are missing.
	while [ $count -lt 500 ]; do
		for f in "$shared"/pdf/corpus/*.pdf; do
			[ $count -lt 500 ] || break
			cp "$f" "$dir/$(printf %03d $count)-$(basename "$f")"
			count=$((count + 1))
		done
	done
	: >"$out/pdfs.txt"
	FINDSPOT_BENCH_PROFILE=$out/pdfs.prof watched pdfs "$out/pdfs.txt" env GOMAXPROCS=2 "$work/time" add "$work/pdfs-index" "$dir" >"$out/pdfs-add.txt"
	cat "$out/pdfs-add.txt"
	table use "$out/pdfs.txt"
	table profile "$work/time" "$out/pdfs.prof"
	rm -rf "$dir"
}

step_profile() {
	build findspot
	build watch
	mkdir -p "$out"
	rm -rf "$work/profile-index"
	: >"$out/profile.txt"
	FINDSPOT_BENCH_PROFILE=$out/add.prof watched add "$out/profile.txt" "$work/time" add "$work/profile-index" "$corpus/corpus.jsonl" >&2
	table use "$out/profile.txt"
	table profile "$work/time" "$out/add.prof"
	for tier in phrase all any; do
		FINDSPOT_BENCH_TIERS=$tier FINDSPOT_BENCH_PROFILE=$out/$tier.prof "$work/time" query "$work/profile-index" "$corpus" 2 >/dev/null
		echo "$tier:"
		table profile "$work/time" "$out/$tier.prof"
	done
	rm -rf "$work/profile-index"
}

[ $# -gt 0 ] || { usage >&2; exit 2; }
need go python3
mkdir -p "$work"
echo "$(cd "$here" && git describe --always --dirty 2>/dev/null || echo unknown), $(go version | cut -d' ' -f3), $(nproc) processors, load $(cut -d' ' -f1 /proc/loadavg 2>/dev/null || echo unknown), $(date -u +%F), $n documents" >&2
for step in "$@"; do
	if ! declare -F "step_$step" >/dev/null; then
		echo "docs/bench/docsearch.sh: there is no step $step" >&2
		usage >&2
		exit 2
	fi
	"step_$step"
done
