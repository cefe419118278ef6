#!/usr/bin/env bash
# Measures the life of a stored code graph on repositories: docs/bench/codegraph.sh FOLDER...
#
# Prints a table in Markdown for each: cold build with the words of the bodies, size on disk, opening, first search, traversal of
# three hops at the most connected function, memory, updates of one file. Every build and every opening is a process of its
# own; of several the median is printed. Updates edit a copy. All that is built and written lies in a temporary folder. Needs
# Go and a C compiler; ctags runs beside it when it is there. Times are of this machine in this minute: compare within one run.
set -Eeuo pipefail

if [ $# -eq 0 ]; then
	echo "usage: docs/bench/codegraph.sh FOLDER..." >&2
	exit 2
fi
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
(cd "$here" && go build -o "$tmp/time" docs/bench/codegraphtime.go)

# medians NUMBER COMMAND...: runs a command that prints "name value" lines, and prints the median of each.
medians() {
	local n=$1
	shift
	for _ in $(seq "$n"); do "$@"; done | awk '
		!($1 in count) { order[++names] = $1 }
		{ value[$1, ++count[$1]] = $2 + 0; note[$1] = $0; sub(/^[^ ]+ [^ ]+ ?/, "", note[$1]) }
		END {
			for (i = 1; i <= names; i++) {
				k = order[i]; m = count[k]
				for (a = 1; a <= m; a++) for (b = a + 1; b <= m; b++) if (value[k, b] < value[k, a]) { t = value[k, a]; value[k, a] = value[k, b]; value[k, b] = t }
				printf "| %s | %s | %s |\n", k, value[k, int((m + 1) / 2)], note[k]
			}
		}'
}

echo "$(go version | cut -d' ' -f3), $(nproc) processors, load $(cut -d' ' -f1 /proc/loadavg 2>/dev/null || echo unknown), $(date -u +%F)"
for folder in "$@"; do
	folder=$(cd "$folder" && pwd)
	name=$(basename "$folder")
	printf '\n| %s | median | |\n|---|---|---|\n' "$name"
	echo "$name: building" >&2
	medians 3 "$tmp/time" build "$folder" "$tmp/index"
	sleep 3 # files written just before a pass are read again by the next one
	echo "$name: opening" >&2
	medians 5 "$tmp/time" open "$folder" "$tmp/index"
	echo "$name: updating" >&2
	rm -rf "$tmp/copy" "$tmp/copied"
	cp -r "$folder" "$tmp/copy"
	medians 1 "$tmp/time" update "$tmp/copy" "$tmp/copied"
	if command -v ctags >/dev/null; then
		{ TIMEFORMAT='%U %S'; time ctags -R -f /dev/null "$folder" 2>/dev/null; } 2>"$tmp/ctags" || true
		awk '{ printf "| ctags_cpu_s | %.2f | |\n", $1 + $2 }' "$tmp/ctags"
	fi
	rm -rf "$tmp/index"
done
