package symbols

import (
	"testing"

	"github.com/findspot/findspot/lspclient/internal/place"
	"github.com/google/go-cmp/cmp"
)

func TestRankSymbols(t *testing.T) {
	at := func(path string) place.Location {
		return place.Location{Path: path, Line: 1, Col: 1, EndLine: 1, EndCol: 2}
	}
	list := []place.Symbol{
		{Name: "alphabet"}, {Name: "xalpha"}, {Name: "Alpha"}, {Name: "alpha", Selection: at("b")}, {Name: "alpha", Selection: at("a")},
	}
	rankSymbols(list, "alpha")
	var got []string
	for _, s := range list {
		got = append(got, s.Name+s.Selection.Path)
	}
	if diff := cmp.Diff([]string{"alphaa", "alphab", "Alpha", "alphabet", "xalpha"}, got); diff != "" {
		t.Errorf("rankSymbols (-want +got):\n%s", diff)
	}
	for n, want := range map[int]bool{3: false, 64: true, 100: true, 101: false, 256: true, 1000: true, 1500: true, 1100: false} {
		if looksCut(n) != want {
			t.Errorf("looksCut(%d) = %v", n, !want)
		}
	}
}
