// Package cos names the object types of PDF (ISO 32000-1, 7.3).
package cos

import "github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

// The types of objects.
type (
	Object  = types.Object
	Dict    = types.Dict
	Array   = types.Array
	Name    = types.Name
	Integer = types.Integer
	Float   = types.Float
	Stream  = types.StreamDict
	Ref     = types.IndirectRef
)
