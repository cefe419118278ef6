package lspclient

import (
	"cmp"
	"slices"

	"go.lsp.dev/protocol"
)

// place is a location as a server gives it.
type place struct {
	uri string
	at  protocol.Range
}

func samePlaces(a, b []place) bool { return slices.Equal(a, b) }

// sortPlaces sorts and removes what is there twice, so that two answers can be compared.
func sortPlaces(list []place) []place {
	slices.SortFunc(list, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.uri, b.uri),
			cmp.Compare(a.at.Start.Line, b.at.Start.Line), cmp.Compare(a.at.Start.Character, b.at.Start.Character),
			cmp.Compare(a.at.End.Line, b.at.End.Line), cmp.Compare(a.at.End.Character, b.at.End.Character))
	})
	return slices.Compact(list)
}
