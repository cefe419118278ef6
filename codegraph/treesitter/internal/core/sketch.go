package core

import (
	"strconv"

	"github.com/findspot/findspot/codegraph/lang"
)

// TypeParam gives the sketch of the type parameter numbered i of a class, with what bounds it, or None.
func TypeParam(b *lang.Builder, class int32, i int, bound int32) int32 {
	e := lang.Expr{Op: lang.OpParam, X: class, Scope: lang.File, Name: strconv.Itoa(i)}
	if bound != lang.None {
		e.Args = []lang.Arg{{X: bound}}
	}
	return b.Expr(e)
}
