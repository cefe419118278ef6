package core

import (
	"strconv"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
)

// Dir gives the folder of a path, "" for the root.
func Dir(p string) string {
	if i := strings.LastIndexByte(p, '/'); i >= 0 {
		return p[:i]
	}
	return ""
}

// Words gives the set of the words of a text.
func Words(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// TypeParam gives the sketch of the type parameter numbered i of a class, with what bounds it, or None.
func TypeParam(b *lang.Builder, class int32, i int, bound int32) int32 {
	e := lang.Expr{Op: lang.OpParam, X: class, Scope: lang.File, Name: strconv.Itoa(i)}
	if bound != lang.None {
		e.Args = []lang.Arg{{X: bound}}
	}
	return b.Expr(e)
}
