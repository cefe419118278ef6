//go:build cgo

package findspot

import (
	"github.com/findspot/findspot/codegraph/gosyntax"
	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter"
)

// Languages returns the language front ends of this build.
func Languages() []lang.Frontend { return append(treesitter.Frontends(), gosyntax.Frontend()) }
