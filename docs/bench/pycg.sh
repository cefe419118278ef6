#!/usr/bin/env bash
# Runs findspot over PyCG's micro-benchmark: docs/bench/pycg.sh SNIPPETS [SCORER GOLD [VIEW]]
#
# SNIPPETS is the benchmark's folder "snippets": SNIPPETS/CATEGORY/CASE are the cases, small repositories each. Prints every call edge
# as a line of JSON, with the name of its case and its level as "conf". With a scorer and a gold file the lines go to the scorer
# instead, twice: edges of level flow and better, then all. VIEW is internal, func or full (default internal). Needs Go and python3.
# FINDSPOT names a binary that is built already.
set -Eeuo pipefail

if [ $# -lt 1 ] || [ $# -eq 2 ] || [ $# -gt 4 ] || [ ! -d "$1" ]; then
	echo "usage: docs/bench/pycg.sh SNIPPETS [SCORER GOLD [VIEW]]" >&2
	exit 2
fi
snippets=$(cd "$1" && pwd)
scorer=${2:+$(realpath "$2")}
gold=${3:+$(realpath "$3")}
view=${4:-internal}
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
findspot=${FINDSPOT:-$tmp/findspot}
[ -n "${FINDSPOT:-}" ] || go build -o "$findspot" ./examples/findspot

for case in "$snippets"/*/*/; do
	name=${case#"$snippets"/}
	"$findspot" code edges --json --repo "$case" |
		sed -n "s|^{\(.*\"kind\":\"invoke\".*\)\"level\":\(\"[a-z]*\"\)|{\"case\":\"${name%/}\",\1\"conf\":\2|p"
done >"$tmp/edges.jsonl"

if [ -z "$scorer" ]; then
	cat "$tmp/edges.jsonl"
	exit
fi
echo "level flow and better, view $view"
python3 "$scorer" --gold "$gold" --pred "$tmp/edges.jsonl" --view "$view" --min-conf exact,scope,import,member,flow
echo "all levels, view $view"
python3 "$scorer" --gold "$gold" --pred "$tmp/edges.jsonl" --view "$view"
