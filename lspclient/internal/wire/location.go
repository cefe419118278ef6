package wire

import (
	"cmp"
	"slices"

	"github.com/findspot/findspot/lspclient/internal/protocol"
)

// Location is a location as a server gives it.
type Location struct {
	URI   string
	Range protocol.Range
}

func SameLocations(a, b []Location) bool { return slices.Equal(a, b) }

// SortLocations sorts and removes what is there twice, so that two answers can be compared.
func SortLocations(list []Location) []Location {
	slices.SortFunc(list, func(a, b Location) int {
		return cmp.Or(cmp.Compare(a.URI, b.URI),
			cmp.Compare(a.Range.Start.Line, b.Range.Start.Line), cmp.Compare(a.Range.Start.Character, b.Range.Start.Character),
			cmp.Compare(a.Range.End.Line, b.Range.End.Line), cmp.Compare(a.Range.End.Character, b.Range.End.Character))
	})
	return slices.Compact(list)
}
