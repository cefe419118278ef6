package gosyntax

import (
	"bytes"
	"go/ast"
)

// countFuncs counts the functions that the parser kept.
func countFuncs(f *ast.File) int {
	n := 0
	for _, d := range f.Decls {
		if _, ok := d.(*ast.FuncDecl); ok {
			n++
		}
	}
	return n
}

// countFuncLines counts the lines that begin a function.
func countFuncLines(src []byte) int {
	n := bytes.Count(src, []byte("\nfunc "))
	if bytes.HasPrefix(src, []byte("func ")) {
		n++
	}
	return n
}

// withoutDecl blanks the top-level declaration around an offset; what is behind it keeps its place.
func withoutDecl(src []byte, at int) (rest []byte, from, to int) {
	starts := []string{"func ", "type ", "var ", "const ", "import "}
	begins := func(i int) bool {
		for _, s := range starts {
			if bytes.HasPrefix(src[i:], []byte(s)) {
				return true
			}
		}
		return false
	}
	at = min(at, len(src))
	from = bytes.LastIndexByte(src[:at], '\n') + 1
	for from > 0 && !begins(from) {
		from = bytes.LastIndexByte(src[:from-1], '\n') + 1
	}
	to = at
	for {
		i := bytes.IndexByte(src[to:], '\n')
		if i < 0 {
			to = len(src)
			break
		}
		if to += i + 1; begins(to) {
			break
		}
	}
	out := bytes.Clone(src)
	for i := from; i < to; i++ {
		if out[i] != '\n' {
			out[i] = ' '
		}
	}
	return out, from, to
}

// onlyRange blanks all but the package clause, which ends at head, and a range.
func onlyRange(src []byte, from, to, head int) []byte {
	out := bytes.Clone(src)
	for i := range out {
		if out[i] != '\n' && i >= head && (i < from || i >= to) {
			out[i] = ' '
		}
	}
	return out
}
