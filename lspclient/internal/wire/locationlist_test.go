package wire

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// samePlacesBothWays checks that what is read token by token is read the same the slow way. It reports whether it was.
func samePlacesBothWays(t *testing.T, raw []byte) bool {
	t.Helper()
	fast, ok := plainPlaces(raw)
	if !ok {
		return false
	}
	var slow Locations
	if err := slow.lenient(json.RawMessage(raw)); err != nil || slow.Lost.String() != "" {
		t.Fatalf("%q is as the protocol says: %v, %v", raw, err, slow.Lost)
	}
	if diff := cmp.Diff(slow.List, SortLocations(oneName(fast)), cmp.AllowUnexported(Location{}), cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("%q (-slow +fast)\n%s", raw, diff)
	}
	return true
}

func TestPlainPlaces(t *testing.T) {
	for raw, plain := range map[string]bool{
		`[]`:   true,
		`[{}]`: false,
		`[{"uri":"file:///a","range":{"start":{"line":1,"character":2},"end":{"line":3,"character":4}}}]`:                                   true,
		` [ { "range" : {"end":{"character":4,"line":3},"start":{"line":1,"character":2}}, "more": [1, {}], "uri" : "file:///a\u0062" } ] `: true,
		`[{"uri":"a","range":{"start":{"line":1,"character":2},"end":{"line":3}}}]`:                                                         false,
		`[{"uri":"a","range":{"start":{"line":"1","character":2},"end":{"line":3,"character":4}}}]`:                                         false,
		`[{"uri":"a","range":{"start":{"line":-1,"character":2},"end":{"line":3,"character":4}}}]`:                                          false,
		`[{"uri":"a","range":{"start":{"line":1.5,"character":2},"end":{"line":3,"character":4}}}]`:                                         false,
		`[{"uri":"a","range":{"start":{"line":1,"character":4294967295},"end":{"line":3,"character":4}}}]`:                                  false,
		`{"uri":"a","range":{"start":{"line":1,"character":2},"end":{"line":3,"character":4}}}`:                                             false,
		`null`: false,
		`[{"targetUri":"a","targetRange":{"start":{"line":1,"character":2},"end":{"line":3,"character":4}}}]`: true,
		`[{"originSelectionRange":{"start":{"line":9,"character":9},"end":{"line":9,"character":9}},"targetUri":"a","targetRange":{"start":{"line":1,"character":2},"end":{"line":3,"character":4}},"targetSelectionRange":{"start":{"line":1,"character":3},"end":{"line":1,"character":4}}}]`: true,
		`[{"targetSelectionRange":{"start":{"line":1,"character":3},"end":{"line":1,"character":4}},"targetRange":{"start":{"line":1,"character":2},"end":{"line":3,"character":4}},"targetUri":"a"}]`:                                                                                          true,
		`[{"uri":"a","range":{"start":{"line":1,"character":2},"end":{"line":3,"character":4}}}`:            false,
		`[{"uri":"a","URI":"b","range":{"start":{"line":1,"character":2},"end":{"line":3,"character":4}}}]`: false,
	} {
		if got := samePlacesBothWays(t, []byte(raw)); got != plain {
			t.Errorf("%s: read token by token: %v, want %v", raw, got, plain)
		}
	}
}

// FuzzPlaces: whatever is read token by token is read the same the slow way.
func FuzzPlaces(f *testing.F) {
	f.Add([]byte(`[{"uri":"file:///a","range":{"start":{"line":1,"character":2},"end":{"line":3,"character":4}}}]`))
	f.Add([]byte(`[{"targetUri":"a","targetSelectionRange":{"start":{"line":1,"character":3},"end":{"line":1,"character":4}},"x":null}]`))
	f.Add([]byte(`[{"uri":"file:/.%61+b","range":{"start":{"line":1,"character":2},"end":{"line":3,"character":4}}}]`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if json.Valid(raw) { // as it comes from the connection
			samePlacesBothWays(t, raw)
		}
	})
}
