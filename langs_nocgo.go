//go:build !cgo

package findspot

import "github.com/findspot/findspot/codegraph/lang"

// parsed are the front ends that need a C compiler: there is none.
func parsed() []lang.Frontend { return nil }
