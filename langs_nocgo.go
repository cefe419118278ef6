//go:build !cgo

package findspot

import (
	"github.com/findspot/findspot/codegraph/gosyntax"
	"github.com/findspot/findspot/codegraph/lang"
)

// Languages returns the language front ends of this build.
func Languages() []lang.Frontend { return []lang.Frontend{gosyntax.Frontend()} }
