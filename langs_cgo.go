//go:build cgo

package findspot

import (
	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter"
)

// parsed are the front ends that need a C compiler.
func parsed() []lang.Frontend { return treesitter.Frontends() }
