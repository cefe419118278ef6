package procedure

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// TestOrders: orders in words of every day, most of them written before the reader saw them, by verb, particle, object and what is asked, as steps of a list.
func TestOrders(t *testing.T) {
	data, err := os.ReadFile("testdata/orders.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		want, text, _ := strings.Cut(strings.TrimSpace(line), "\t")
		rest := "3. Take a break."
		if want != string(Answer) { // what is told is the answer only if nothing comes after it
			rest += "\n4. Calibrate it."
		}
		var got []Kind
		for _, st := range Read("1. Look around.\n2. "+text+"\n"+rest, 1).Steps {
			if st.Line == 2 {
				got = append(got, st.Kind)
			}
		}
		if !slices.Contains(got, Kind(want)) {
			t.Errorf("%q: %v, want %s", text, got, want)
		}
	}
}
